//! Whether a string looks as if a machine made it, rather than a word, a placeholder, a path or code.

use super::letters::surprise;
use super::made_up::{is_made_up, is_placeholder, is_repetitive};

const SHORTEST: usize = 8;
/// Half nats of surprise that words do not reach: see `letters`.
const RANDOM: i32 = 9;
/// Below this it is a number or a time with a unit.
const FEWEST_LETTERS: usize = 4;
/// A run of hexadecimal digits this long is no word, whatever stands before it.
const HEXADECIMAL_RUN: usize = 24;
/// Made by a machine: no language produces these letters in this order.
pub(crate) fn is_random(value: &str) -> bool {
    if value.len() < SHORTEST || is_reference(value) {
        return false;
    }
    let body = value.trim_end_matches('=');
    let looks_random = is_hexadecimal(body)
        || is_long_number(body)
        || surprise(body.as_bytes()) >= RANDOM
            && letters(body) >= FEWEST_LETTERS
            && !is_placeholder(value);
    looks_random && !is_made_up(body)
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

/// Groups of hexadecimal digits with both letters and numbers, or one long run of them after any prefix.
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
        run.len() >= HEXADECIMAL_RUN
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
