//! Decides whether a string looks generated rather than like a word, a placeholder, a path or code.

use super::dummy_values::{is_dummy, is_placeholder, is_repetitive};
use super::letters::surprise;

const MIN_BYTES: usize = 8;
/// The minimum surprise (see `letters`), in half nats, of a random value. Words rarely have such a high surprise.
const MIN_RANDOM_SURPRISE: i32 = 9;
/// The minimum number of letters of a random value that is neither hexadecimal nor a long number. A value with fewer
/// letters may be a number or a time with a unit.
const MIN_LETTERS: usize = 4;
/// The minimum length of a run of hexadecimal digits within a longer value. A run of this length is not a word.
const MIN_HEXADECIMAL_RUN: usize = 24;
/// Returns whether the value looks generated: it is hexadecimal or a long number, or its sequence of letters is
/// unlikely in words.
pub(crate) fn is_random(value: &str) -> bool {
    if value.len() < MIN_BYTES || is_reference(value) {
        return false;
    }
    let body = value.trim_end_matches('=');
    let looks_random = is_hexadecimal(body)
        || is_long_number(body)
        || surprise(body.as_bytes()) >= MIN_RANDOM_SURPRISE
            && letters(body) >= MIN_LETTERS
            && !is_placeholder(value);
    looks_random && !is_dummy(body)
}

/// Returns true if `text` ends with `ending`, ignoring ASCII case.
pub(crate) fn ends_with(text: &[u8], ending: &[u8]) -> bool {
    text.len() >= ending.len() && text[text.len() - ending.len()..].eq_ignore_ascii_case(ending)
}

fn letters(value: &str) -> usize {
    value.bytes().filter(u8::is_ascii_alphabetic).count()
}

fn is_reference(value: &str) -> bool {
    value.starts_with(['$', '%', '<', '{', '/', '@', '&', '*', '.', ':'])
        || ["://", "::", "#{", "#/", "sha256:", "sha256-", "sha512-", "sha384-"]
            .iter()
            .any(|mark| value.contains(mark))
}

/// Returns whether the value consists of groups of hexadecimal digits, with letters and decimal digits among them, or
/// contains a long run of hexadecimal digits.
fn is_hexadecimal(value: &str) -> bool {
    if is_repetitive(value) {
        return false;
    }
    let digits = value.bytes().filter(u8::is_ascii_hexdigit).count();
    let letters = letters(value);
    let is_grouped =
        value.bytes().all(|byte| byte.is_ascii_hexdigit() || matches!(byte, b'-' | b':'));
    if is_grouped {
        return digits >= 16 && letters >= 2 && digits - letters >= 2;
    }
    value.split(|character: char| !character.is_ascii_hexdigit()).any(|run| {
        run.len() >= MIN_HEXADECIMAL_RUN
            && run.bytes().filter(u8::is_ascii_digit).count() >= run.len() / 4
    })
}

pub(crate) fn is_uuid(value: &str) -> bool {
    let bytes = value.as_bytes();
    bytes.len() == 36
        && bytes.iter().enumerate().all(|(index, &byte)| match index {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}

fn is_long_number(value: &str) -> bool {
    value.len() >= 15 && value.bytes().all(|byte| byte.is_ascii_digit()) && !is_repetitive(value)
}

#[cfg(test)]
mod tests;
