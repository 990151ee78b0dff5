//! Definitions the prompt names as they are spelled, or names of what they stand in.

use rustc_hash::FxHashSet;

use super::candidates::SymbolCandidates;
use crate::query::{Identifier, Zone};
use crate::rank::context::RankContext;

/// Its own name stands in one of `zones`.
pub(super) fn own(
    context: &RankContext<'_>,
    candidates: &SymbolCandidates<'_>,
    zones: &[Zone],
) -> Vec<f32> {
    let names = names(context, |it| zones.iter().any(|zone| it.zones.of(*zone) > 0.0));
    candidates.each(|part| f32::from(u8::from(names.contains(part.symbol.name))))
}

/// The name of what it stands in is anywhere in the prompt.
pub(super) fn owner(context: &RankContext<'_>, candidates: &SymbolCandidates<'_>) -> Vec<f32> {
    let names = names(context, |_| true);
    candidates.each(|part| {
        let owner = part.symbol.qualified.rsplit('.').nth(1).unwrap_or_default();
        f32::from(u8::from(names.contains(owner)))
    })
}

fn names<'a>(
    context: &RankContext<'a>,
    counts: impl Fn(&Identifier) -> bool,
) -> FxHashSet<&'a str> {
    let identifiers = context.query.identifiers.iter();
    identifiers.filter(|it| counts(it)).map(|it| it.name.as_str()).collect()
}
