//! Values already recognised as secrets: wherever else they stand, with or without a name, they go as well.

use super::Secret;
use crate::lookout::{Lookout, Places};

/// A shorter value may be a word elsewhere …
const SHORTEST: usize = 12;
/// … unless it mixes letters with digits.
const SHORTEST_MIXED: usize = 8;
const LONGEST: usize = 512;
/// A text with more secrets than this is a list of them, and each stands there with its name.
const MOST: usize = 64;

/// The values found so far in a text or a stream.
#[derive(Debug, Default)]
pub(crate) struct Known(Vec<(String, &'static str)>);

impl Known {
    /// Remembers what was found in `text`.
    pub(crate) fn remember(&mut self, text: &str, secrets: &[Secret]) {
        for secret in secrets {
            let value = &text[secret.span.clone()];
            let is_new = || self.0.iter().all(|(known, _)| known != value);
            if self.0.len() < MOST && is_long_enough(value) && is_new() {
                self.0.push((value.to_owned(), secret.kind));
            }
        }
    }

    /// Every place where a known value stands in `text`.
    pub(crate) fn find(&self, text: &str) -> Vec<Secret> {
        if self.0.is_empty() {
            return Vec::new();
        }
        let lookout =
            Lookout::new(self.0.iter().map(|(value, _)| value.clone()).collect(), Places::Anywhere);
        lookout
            .hits(text.as_bytes())
            .filter(|hit| text.as_bytes()[hit.start..hit.end] == *self.0[hit.pattern].0.as_bytes())
            .map(|hit| Secret { kind: self.0[hit.pattern].1, span: hit.start..hit.end })
            .collect()
    }
}

fn is_long_enough(value: &str) -> bool {
    let has = |kind: fn(&u8) -> bool| value.as_bytes().iter().any(kind);
    let is_mixed = has(u8::is_ascii_digit) && has(u8::is_ascii_alphabetic);
    let shortest = if is_mixed { SHORTEST_MIXED } else { SHORTEST };
    (shortest..=LONGEST).contains(&value.len())
}
