//! Finds further occurrences of values that have already been recognised as secrets, even where nothing else, such as a
//! variable name before the value, indicates a secret.

use crate::bytes::consists_of;
use crate::prefix_search::{PrefixSearch, StartRule};
use crate::secrets::Secret;
use crate::secrets::forms::{Characters, has_digit};
use crate::secrets::stand_ins::label_share;

/// The minimum length of a stored value. A shorter value may be an ordinary word elsewhere in the input.
const MIN_BYTES: usize = 12;
/// The minimum length of a stored value that contains both letters and digits.
const MIN_MIXED_BYTES: usize = 8;
const MAX_BYTES: usize = 512;
/// The maximum number of stored values. Input with more secrets is probably a list in which each secret has its own
/// name and is found by it.
const MAX_VALUES: usize = 64;

/// The secret values found so far in a string or a stream, with their kinds.
#[derive(Debug, Default)]
pub(crate) struct SeenValues(Vec<(String, &'static str)>);

impl SeenValues {
    /// Stores the values of `secrets`, which were found in `text`. Identifiers and values of unsuitable length are not
    /// stored.
    pub(crate) fn remember(&mut self, text: &str, secrets: &[Secret]) {
        for secret in secrets {
            let value = &text[secret.span.clone()];
            let is_new = || self.0.iter().all(|(seen, _)| seen != value);
            let is_suitable = has_suitable_length(value) && !is_code_name(value);
            if self.0.len() < MAX_VALUES && is_suitable && is_new() {
                self.0.push((value.to_owned(), secret.kind));
            }
        }
    }

    /// Returns all occurrences of stored values in `text`.
    pub(crate) fn find(&self, text: &str) -> Vec<Secret> {
        if self.0.is_empty() {
            return Vec::new();
        }
        let search = PrefixSearch::new(
            self.0.iter().map(|(value, _)| value.clone()).collect(),
            StartRule::Anywhere,
        );
        search
            .hits(text.as_bytes())
            .filter(|hit| text.as_bytes()[hit.start..hit.end] == *self.0[hit.pattern].0.as_bytes())
            .map(|hit| Secret { kind: self.0[hit.pattern].1, span: hit.start..hit.end })
            .collect()
    }
}

/// Returns whether the value looks like a variable or a member in code, or consists of words about passwords: `shown_value`,
/// `form.errors`, `password2`. Such a value also occurs in places where it is not a password.
fn is_code_name(value: &str) -> bool {
    value.contains(['_', '.']) && consists_of(value, u8::is_ascii_lowercase, "_.")
        || label_share(value) == Characters::of(value).letters()
}

fn has_suitable_length(value: &str) -> bool {
    let is_mixed = has_digit(value) && Characters::of(value).letters() > 0;
    let min = if is_mixed { MIN_MIXED_BYTES } else { MIN_BYTES };
    (min..=MAX_BYTES).contains(&value.len())
}
