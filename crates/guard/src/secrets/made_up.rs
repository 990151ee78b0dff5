//! Whether a string was written by hand to stand for a secret: alphabets, repetitions, words that say so, masks, and values
//! that manuals print. Such a value behind a mere name stays; behind a provider's prefix only a mask or a printed one does,
//! because a wrong guess costs more there.

use super::published::is_published;
use super::value::is_uuid;

/// Too short a value may look regular by chance.
const SHORTEST: usize = 12;
const LONGEST_PERIOD: usize = 8;
/// The start of a long value says enough.
const ENOUGH: usize = 160;
/// What says that a value stands for another one.
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
    "{{",
    "}}",
    "${",
    "$(",
    "%(",
    "%s",
    "#{",
    "null",
    "undefined",
];
/// Words that random text of a token's length holds once in ten thousand, and people write into what must not be real.
const WORDS: &[&str] = &[
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

/// Whether the value says that it stands for another one.
pub(crate) fn is_placeholder(value: &str) -> bool {
    contains_any(value, PLACEHOLDERS) || is_repetitive(value)
}

/// Whether nobody's machine made this value.
pub(crate) fn is_made_up(value: &str) -> bool {
    is_regular(value) || contains_any(value, WORDS) || is_published(value)
}

/// Whether this token, whose first `prefix` bytes are fixed, is a mask or printed in a manual.
pub(crate) fn is_sample_token(token: &str, prefix: usize) -> bool {
    let body = &token[prefix..];
    is_masked(body) || is_published(token) || is_published(body)
}

/// `xxxxxxxx`, `XXXX-XXXX`, `v1-00000000`: what people write over a value.
fn is_masked(body: &str) -> bool {
    let letters = || body.bytes().filter(u8::is_ascii_alphanumeric);
    let is_mask = |byte: &u8| matches!(byte, b'x' | b'X' | b'0');
    let n_masks = letters().filter(is_mask).count();
    letters().next_back().is_none_or(|last| is_mask(&last)) && n_masks * 4 >= letters().count() * 3
}

/// Fewer than five different characters.
pub(crate) fn is_repetitive(value: &str) -> bool {
    let mut seen = [false; 256];
    value.bytes().for_each(|byte| seen[usize::from(byte)] = true);
    seen.iter().filter(|seen| **seen).count() < 5
}

/// Mostly runs (`aaaa`, `abcd`, `4321`), or one piece written again and again.
fn is_regular(value: &str) -> bool {
    let bytes = &value.as_bytes()[..value.len().min(ENOUGH)];
    let letters = bytes.iter().filter(|byte| byte.is_ascii_alphanumeric()).count();
    // Keys in the form of a UUID are issued; what a made-up one looks like, a real one may.
    letters >= SHORTEST && !is_uuid(value) && (is_mostly_runs(bytes) || is_periodic(bytes))
}

/// Whether more than half of the letters and digits repeat or continue the one before. Random hexadecimal digits do so one
/// time in five; numbers too often to be judged by it.
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
    pairs >= SHORTEST - 1 && continued * share >= pairs * (share - 1)
}

/// Whether the value is one short piece, repeated: a longer one may be a key written twice.
fn is_periodic(bytes: &[u8]) -> bool {
    (1..=LONGEST_PERIOD.min(bytes.len() / 2))
        .any(|period| bytes[period..] == bytes[..bytes.len() - period])
}

fn contains_any(value: &str, words: &[&str]) -> bool {
    let lower = value.to_ascii_lowercase();
    words.iter().any(|word| lower.contains(word))
}

#[cfg(test)]
mod tests;
