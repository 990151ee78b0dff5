//! Whether a string looks like a secret value rather than a word, a placeholder, a path or code.

use super::letters::surprise;
use super::made_up::{is_made_up, is_placeholder, is_repetitive};

/// What the surroundings say about the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Name {
    /// `token`, `secret`, `api_key` …: issued by a machine, so it must look random.
    Machine,
    /// `password` …: chosen by a person, so mixed characters are enough.
    Human,
    /// `client_id` …: names rather than opens.
    Public,
    /// `key`: a key of a map as likely as one of a door, so the value must leave no doubt.
    Vague,
    /// A service whose keys have no shape of their own: the value must be long and random.
    Provider,
}

impl Name {
    /// Whether the name alone says that a secret is near, even if not right behind it.
    pub(crate) fn is_telling(self) -> bool {
        match self {
            Self::Machine | Self::Human | Self::Public => true,
            Self::Vague | Self::Provider => false,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Quoting {
    Quoted,
    Bare,
}

const SHORTEST: usize = 8;
const SHORTEST_PASSWORD: usize = 8;
const ENOUGH: usize = 160;
const SHORTEST_UNMISTAKABLE: usize = 20;
const UNMISTAKABLE: i32 = 24;
/// Half nats of surprise that words do not reach: see `letters`.
const RANDOM: i32 = 9;
/// Below this it is a number or a time with a unit.
const FEWEST_LETTERS: usize = 4;
/// A run of hexadecimal digits this long is no word, whatever stands before it.
const HEXADECIMAL_RUN: usize = 24;
pub(crate) fn looks_secret(value: &str, name: Name, quoting: Quoting) -> bool {
    if !value.bytes().all(is_value_byte) {
        return false;
    }
    // The start of a long value says enough; many long values must not cost more than their length.
    let value = &value[..value.len().min(ENOUGH)];
    match name {
        Name::Human => is_password(value) || is_random(value),
        Name::Machine | Name::Public => is_random(value) && !is_expression(value, quoting),
        Name::Vague => is_unmistakable(value),
        Name::Provider => value.len() >= 16 && is_random(value) && !is_expression(value, quoting),
    }
}

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

/// So random that no name is needed nearby: long, letters and digits, and no checksum.
pub(crate) fn is_unmistakable(value: &str) -> bool {
    let is_checksum = value.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-');
    let value = &value[..value.len().min(ENOUGH)];
    value.len() >= SHORTEST_UNMISTAKABLE
        && !is_checksum
        && value.bytes().filter(u8::is_ascii_digit).count() >= 2
        && surprise(value.as_bytes()) >= UNMISTAKABLE
        && !is_reference(value)
        && !is_placeholder(value)
        && !is_made_up(value)
}

fn letters(value: &str) -> usize {
    value.bytes().filter(u8::is_ascii_alphabetic).count()
}

pub(crate) fn is_value_byte(byte: u8) -> bool {
    byte.is_ascii_graphic()
        && !matches!(byte, b'"' | b'`' | b'(' | b')' | b'[' | b']' | b'{' | b'}' | b'<' | b'>')
}

fn is_reference(value: &str) -> bool {
    value.starts_with(['$', '%', '<', '{', '/', '@', '&', '*', '.', ':'])
        || ["://", "::", "#{", "#/", "sha256:", "sha256-", "sha512-", "sha384-"]
            .iter()
            .any(|mark| value.contains(mark))
}

/// Letters with digits or punctuation among them, as people choose them when they must.
pub(crate) fn is_password(value: &str) -> bool {
    let letters = letters(value);
    let digits = value.bytes().filter(u8::is_ascii_digit).count();
    let marks = value
        .bytes()
        .filter(|byte| matches!(byte, b'!' | b'@' | b'#' | b'$' | b'%' | b'^' | b'&' | b'*' | b'~'))
        .count();
    value.len() >= SHORTEST_PASSWORD
        && letters >= 2
        && (digits >= 2 || marks >= 1)
        && !is_reference(value)
        && !is_placeholder(value)
        && !value.contains(['.', '/', ':', ',', '=', '\\', '|', ';'])
}

/// A bare value in code is an expression: a comparison, a field, a constant.
fn is_expression(value: &str, quoting: Quoting) -> bool {
    quoting == Quoting::Bare
        && (value.contains("->") || value.contains("==") || value.ends_with(['.', ':']))
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
