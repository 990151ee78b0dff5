//! Records every candidate that the scorer judges, so that its weights can be learned. Not part of the programs.

use std::cell::RefCell;
use std::ops::Range;

use super::candidate::{Candidate, Name};
use super::features::{FEATURES, features};

/// One judged candidate.
#[derive(Clone, Debug)]
pub struct Example {
    /// Which row of weights judges it: `human`, `machine` or `vague`.
    pub row: &'static str,
    /// Bytes of the value in the text.
    pub value: Range<usize>,
    /// One number for each of [`feature_names`], 0 or 1.
    pub features: Vec<u8>,
}

thread_local! {
    static EXAMPLES: RefCell<Option<Vec<Example>>> = const { RefCell::new(None) };
}

/// The names of the features, in the order of the weights.
#[must_use]
pub fn feature_names() -> &'static [&'static str] {
    FEATURES
}

/// The candidates of `text`. None of them is accepted meanwhile, so that one does not hide the next.
#[must_use]
pub fn examples(text: &str) -> Vec<Example> {
    EXAMPLES.with_borrow_mut(|examples| *examples = Some(Vec::new()));
    let _unused = super::redact(text);
    EXAMPLES.with_borrow_mut(Option::take).unwrap_or_default()
}

/// Notes a candidate, if examples are being collected.
pub(super) fn record(candidate: &Candidate<'_>) -> bool {
    EXAMPLES.with_borrow_mut(|examples| {
        let Some(examples) = examples else { return false };
        let set = features(candidate);
        examples.push(Example {
            row: match candidate.name {
                Name::Human => "human",
                Name::Machine | Name::Public => "machine",
                Name::Vague | Name::Provider => "vague",
            },
            value: candidate.value.clone(),
            features: (0..FEATURES.len()).map(|index| u8::from(set.has(index))).collect(),
        });
        true
    })
}
