//! Records every candidate that the scorer checks, so that the weights can be learned. Released programs do not contain
//! this module.

use crate::secrets::candidate::Candidate;
use crate::secrets::features::{FEATURES, features};
use crate::table;
use std::cell::RefCell;
use std::ops::Range;

/// A recorded candidate.
#[derive(Clone, Debug)]
pub struct Example {
    /// The weight table that applies to the candidate: `human` (passwords), `machine` (tokens) or `vague`.
    pub row: &'static str,
    /// The byte range of the value in the input.
    pub value: Range<usize>,
    /// The value of each feature, 0 or 1, in the order of [`feature_names`].
    pub features: Vec<u8>,
}

thread_local! {
    static EXAMPLES: RefCell<Option<Vec<Example>>> = const { RefCell::new(None) };
}

/// Returns the names of the features, in the order of the weights.
#[must_use]
pub fn feature_names() -> Vec<&'static str> {
    table::rows(FEATURES).map(|[name]| name).collect()
}

/// Returns all candidates in `text`. During this call, the scorer rejects every candidate, so that an accepted secret
/// does not hide other candidates.
#[must_use]
pub fn examples(text: &str) -> Vec<Example> {
    EXAMPLES.with_borrow_mut(|examples| *examples = Some(Vec::new()));
    let _unused = super::redact(text);
    EXAMPLES.with_borrow_mut(Option::take).unwrap_or_default()
}

/// Records the candidate if examples are being collected. Returns whether the candidate was recorded.
pub(super) fn record(candidate: &Candidate<'_>) -> bool {
    EXAMPLES.with_borrow_mut(|examples| {
        let Some(examples) = examples else { return false };
        examples.push(Example {
            row: ["human", "machine", "vague"][candidate.name.group()],
            value: candidate.value.clone(),
            features: features(candidate).into_iter().map(u8::from).collect(),
        });
        true
    })
}
