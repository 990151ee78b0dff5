//! Recognises values that are not real secrets: alphabets, repetitions, placeholder words, masks, and values
//! published in manuals.
//!
//! Such a value is not redacted if it was found by the name before it, as in `password=changeme`. A value with a
//! provider's prefix, such as `ghp_`, is redacted unless it is a mask, an instruction such as `your-token-here`, or a
//! published value, because missing a real token is worse than redacting a dummy.

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
    "%s",
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

/// The words that can form a placeholder after a provider's prefix.
#[rustfmt::skip]
const INSTRUCTION_WORDS: &[&str] = &[
    "access", "actual", "add", "admin", "api", "app", "auth", "bot", "change", "client", "example", "goes", "here", "insert", "key", "live",
    "me", "my", "new", "openai", "own", "paste", "personal", "placeholder", "prod", "project", "put", "real", "replace", "secret", "slack",
    "some", "test", "the", "this", "token", "user", "value", "with", "workspace", "xxx", "xxxx", "your", "github", "gitlab", "proj", "ant",
];
const MAX_INSTRUCTION: usize = 48;

/// Returns whether the value contains a placeholder string or has fewer than five distinct bytes.
pub(crate) fn is_placeholder(value: &str) -> bool {
    contains_any(value, PLACEHOLDERS) || is_repetitive(value)
}

/// Returns whether the value is not a real secret because it is regular, contains a dummy word or has been published.
pub(crate) fn is_dummy(value: &str) -> bool {
    is_regular(value) || contains_any(value, DUMMY_WORDS) || is_published(value)
}

/// Returns whether the token is a mask, an instruction such as `your-token-here`, or a value published in a manual.
/// The first `prefix` bytes of the token are its fixed prefix.
pub(crate) fn is_sample_token(token: &str, prefix: usize) -> bool {
    let body = &token[prefix..];
    is_masked(body)
        || is_uniform_parts(body)
        || is_instruction(body)
        || is_published(token)
        || is_published(body)
}

/// Recognises a path each part of which repeats one letter: `XXX/YYY/ZZZ`.
fn is_uniform_parts(body: &str) -> bool {
    body.contains('/')
        && body.split('/').all(|part| {
            let mut letters = part.chars();
            letters.next().is_some_and(|first| letters.all(|letter| letter == first))
        })
}

/// Recognises a token body whose words tell the reader to insert a token: `your-token-here`, `replace_me`.
fn is_instruction(body: &str) -> bool {
    let mut words = body.split(['-', '_', '.']).filter(|word| !word.is_empty());
    let is_word =
        |word: &str| INSTRUCTION_WORDS.iter().any(|listed| word.eq_ignore_ascii_case(listed));
    body.len() <= MAX_INSTRUCTION && words.clone().count() > 1 && words.all(is_word)
}

/// Recognises masked values such as `xxxxxxxx`, `XXXX-XXXX` and `v1-00000000`.
fn is_masked(body: &str) -> bool {
    let letters = || body.bytes().filter(u8::is_ascii_alphanumeric);
    let is_mask = |byte: &u8| matches!(byte, b'x' | b'X' | b'0');
    let n_masks = letters().filter(is_mask).count();
    letters().next_back().is_none_or(|last| is_mask(&last)) && n_masks * 4 >= letters().count() * 3
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
