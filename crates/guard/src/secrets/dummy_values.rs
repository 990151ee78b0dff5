//! Recognises values that are not real secrets: alphabets, repetitions, placeholder words, and values published in
//! manuals.
//!
//! Such a value is not redacted if it was found by the name before it, as in `password=changeme`. A value with a
//! provider's prefix, such as `ghp_`, is redacted unless it is a sample (see `sample_tokens`), because missing a real
//! token is worse than redacting a dummy.

use super::published::is_published;
use super::value::is_uuid;

/// The minimum length of a value that is checked for regularity. Shorter values can look regular by chance.
const MIN_CHARACTERS: usize = 12;
const MAX_PERIOD: usize = 8;
/// The maximum number of bytes in a value that are checked for regularity.
const MAX_EXAMINED_BYTES: usize = 160;
/// Strings that occur in placeholders, in lower case.
const PLACEHOLDERS: &[&str] = &[
    "redacted",
    "your",
    "xxxx",
    "placeholder",
    "changeme",
    "change_me",
    "change-me",
    "dummy",
    "insert",
    "replace",
    "****",
    "....",
    "123456789",
    "00000000",
    "abcdefg",
    "example",
    "foobared",
    "{{",
    "}}",
    "${",
    "$(",
    "%(",
    "#{",
    "null",
    "undefined",
];
/// Words that people write into dummy values. About one in ten thousand random tokens contains one of these words by
/// chance.
const DUMMY_WORDS: &[&str] = &[
    "fake",
    "sample",
    "ignore",
    "notreal",
    "not-real",
    "not_real",
    "goes-here",
    "goes_here",
    "qwerty",
    "asdfgh",
    "foobar",
];

/// Returns whether the value contains a placeholder string or has fewer than five distinct bytes.
pub(crate) fn is_placeholder(value: &str) -> bool {
    contains_any(value, PLACEHOLDERS) || has_format(value) || is_repetitive(value)
}

/// Returns whether the value contains `%s` and no letter follows it. In `Bramble%Sled19`, the percent sign is part of a
/// password.
fn has_format(value: &str) -> bool {
    value.match_indices("%s").any(|(at, format)| {
        let after = value.as_bytes().get(at + format.len());
        after.is_none_or(|byte| !byte.is_ascii_alphabetic())
    })
}

/// Returns whether the value is not a real secret because it is regular, contains a dummy word or has been published.
pub(crate) fn is_dummy(value: &str) -> bool {
    is_regular(value) || contains_any(value, DUMMY_WORDS) || is_published(value)
}

/// Returns whether the value has fewer than five distinct bytes.
pub(crate) fn is_repetitive(value: &str) -> bool {
    let mut seen = [false; 256];
    value.bytes().for_each(|byte| seen[usize::from(byte)] = true);
    seen.iter().filter(|seen| **seen).count() < 5
}

/// Returns whether the value consists mostly of runs (`aaaa`, `abcd`, `4321`) or of one repeated part.
fn is_regular(value: &str) -> bool {
    let bytes = &value.as_bytes()[..value.len().min(MAX_EXAMINED_BYTES)];
    let letters = bytes.iter().filter(|byte| byte.is_ascii_alphanumeric()).count();
    // Some providers issue UUIDs as keys, and a real UUID may look regular.
    letters >= MIN_CHARACTERS && !is_uuid(value) && (is_mostly_runs(bytes) || is_periodic(bytes))
}

/// Returns whether the value consists mostly of runs: in at least half of the pairs of adjacent letters or digits, the
/// character codes differ by at most one. In random hexadecimal strings, this is true of about 17 % of the pairs, and
/// in random decimal numbers of 28 %. For numbers, the minimum is therefore two thirds of the pairs.
fn is_mostly_runs(bytes: &[u8]) -> bool {
    let (mut pairs, mut continued) = (0, 0);
    for pair in bytes.windows(2) {
        let (first, second) = (pair[0].to_ascii_lowercase(), pair[1].to_ascii_lowercase());
        if first.is_ascii_alphanumeric() && second.is_ascii_alphanumeric() {
            pairs += 1;
            continued += usize::from(first.abs_diff(second) <= 1);
        }
    }
    let is_number = bytes.iter().all(u8::is_ascii_digit);
    let share = if is_number { 3 } else { 2 };
    pairs >= MIN_CHARACTERS - 1 && continued * share >= pairs * (share - 1)
}

/// Returns whether the value repeats a part of at most [`MAX_PERIOD`] bytes. A longer repeated part may be a key that
/// was written twice.
fn is_periodic(bytes: &[u8]) -> bool {
    (1..=MAX_PERIOD.min(bytes.len() / 2))
        .any(|period| bytes[period..] == bytes[..bytes.len() - period])
}

fn contains_any(value: &str, words: &[&str]) -> bool {
    let lower = value.to_ascii_lowercase();
    let mut present = [false; 256];
    lower.bytes().for_each(|byte| present[usize::from(byte)] = true);
    // Most words contain a letter that the value lacks. These words do not have to be searched for.
    words
        .iter()
        .any(|word| word.bytes().all(|byte| present[usize::from(byte)]) && lower.contains(word))
}

#[cfg(test)]
mod tests;
