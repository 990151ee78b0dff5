//! Adds up the signals around a trigger and decides what to remove.

use std::ops::Range;

use super::markup;
use super::pattern::{Found, PATTERNS};
use super::phrases::Role;
use super::segment::removed_span;
use super::signal::Signal;
use super::words::Words;

/// The sum from which a segment is removed. The clearest override reaches it alone, everything else needs company.
const THRESHOLD: u32 = 9;
/// Signals further apart than this many words do not belong together.
const WINDOW: usize = 48;
/// Words that had to be unmasked add this much.
const DISGUISE_WEIGHT: u32 = 4;

/// What to take out of a text, and the strongest reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Removal {
    pub(crate) span: Range<usize>,
    pub(crate) signal: Signal,
}

/// Whether a phrase that can start an alarm stands in this part of `text`.
pub(crate) fn has_phrase(text: &str, part: Range<usize>) -> bool {
    let words = Words::read(&text[part.clone()], part.start);
    PATTERNS.has_trigger(&words)
}

/// Judges one region of `text`.
pub(crate) fn judge(text: &str, region: Range<usize>) -> Option<Removal> {
    let words = Words::read(&text[region.clone()], region.start);
    let mut found = PATTERNS.find(&words);
    found.extend(markup::roles(&words));
    found.extend(markup::tags(text, &region, &words));
    let mut best: Option<(u32, Vec<Found>)> = None;
    for trigger in found.iter().filter(|found| found.role == Role::Trigger) {
        let (mut score, cluster) = around(trigger, &found);
        let disguised = cluster
            .iter()
            .any(|found| words.list[found.first..=found.last].iter().any(|word| word.disguised));
        score += if disguised { DISGUISE_WEIGHT } else { 0 };
        if score >= THRESHOLD && best.as_ref().is_none_or(|(highest, _)| score > *highest) {
            best = Some((score, cluster));
        }
    }
    let (_, cluster) = best?;
    let strongest = cluster.iter().max_by_key(|found| found.weight)?;
    let first = cluster.iter().map(|found| found.first).min()?;
    let last = cluster.iter().map(|found| found.last).max()?;
    Some(Removal { span: removed_span(text, &words.list, first, last), signal: strongest.signal })
}

/// The score around a trigger: the strongest find of each signal counts.
fn around(trigger: &Found, found: &[Found]) -> (u32, Vec<Found>) {
    let mut strongest: [Option<Found>; Signal::COUNT] = [None; Signal::COUNT];
    for candidate in found {
        let is_near =
            candidate.first + WINDOW >= trigger.first && candidate.first <= trigger.last + WINDOW;
        let slot = &mut strongest[candidate.signal as usize];
        if is_near && slot.is_none_or(|known| known.weight < candidate.weight) {
            *slot = Some(*candidate);
        }
    }
    let cluster: Vec<Found> = strongest.into_iter().flatten().collect();
    (cluster.iter().map(|found| found.weight).sum(), cluster)
}
