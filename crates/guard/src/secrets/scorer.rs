//! Decides whether a candidate is a secret: what can never be one is ruled out, a linear model over [`features`] decides the
//! rest.

use super::MARK;
use super::candidate::{Candidate, Name, Quoting, Relation};
use super::features::{FEATURES, features};
use super::published::is_published;
use super::weights::{HUMAN, MACHINE, VAGUE};

const MIN_PASSWORD: usize = 4;
const MIN_MACHINE: usize = 8;
const MIN_VAGUE: usize = 10;
/// A shorter value without a digit is a word of the sentence.
const MIN_WITHOUT_DIGIT: usize = 16;

/// Whether the candidate is a secret.
pub(crate) fn is_secret(candidate: &Candidate<'_>) -> bool {
    if !is_possible(candidate) {
        return false;
    }
    #[cfg(feature = "training")]
    if super::training::record(candidate) {
        return false;
    }
    score(candidate) > 0
}

/// The sum of the weights of the candidate's features, in sixteenths of a nat; above zero it is a secret.
fn score(candidate: &Candidate<'_>) -> i32 {
    let weights = match candidate.name {
        Name::Human => &HUMAN,
        Name::Machine | Name::Public => &MACHINE,
        Name::Vague | Name::Provider => &VAGUE,
    };
    let present = features(candidate);
    crate::work::count(FEATURES.len());
    (0..FEATURES.len())
        .filter(|&index| present.has(index))
        .map(|index| i32::from(weights[index]))
        .sum()
}

/// Whether the value could be a secret at all: long enough, written out, and not published.
pub(crate) fn is_possible(candidate: &Candidate<'_>) -> bool {
    let value = candidate.value();
    let min = match candidate.name {
        Name::Human => MIN_PASSWORD,
        Name::Machine | Name::Public => MIN_MACHINE,
        Name::Vague | Name::Provider => MIN_VAGUE,
    };
    let is_machine_made = candidate.name != Name::Human;
    value.len() >= min
        && !value.contains(MARK)
        && !(is_machine_made && !value.bytes().all(is_value_byte))
        && !(is_machine_made
            && matches!(candidate.relation, Relation::Beside | Relation::Later)
            && !has_digit(value)
            && value.len() < MIN_WITHOUT_DIGIT)
        && !is_reference(value)
        && !is_expression(candidate)
        && !is_masked(value)
        && !is_published(value.trim_end_matches('='))
        && !is_published(value)
}

fn has_digit(value: &str) -> bool {
    value.bytes().any(|byte| byte.is_ascii_digit())
}

pub(crate) fn is_value_byte(byte: u8) -> bool {
    byte.is_ascii_graphic()
        && !matches!(byte, b'"' | b'`' | b'(' | b')' | b'[' | b']' | b'{' | b'}' | b'<' | b'>')
}

/// A variable, a template, a path or the digest of something else.
fn is_reference(value: &str) -> bool {
    let mut bytes = value.bytes();
    let (first, second) = (bytes.next(), bytes.next());
    let is_name =
        |byte: Option<u8>| byte.is_some_and(|byte| byte.is_ascii_alphabetic() || byte == b'_');
    let starts_like_one = match first {
        Some(b'$') => {
            is_name(second) && !value[1..].contains(['!', '#', '@', '%', '^', '*'])
                || matches!(second, Some(b'{' | b'(' | b'$' | b'['))
        }
        Some(b'%') => {
            value.ends_with('%') || value.len() <= 3 || matches!(second, Some(b'(' | b'{' | b'%'))
        }
        Some(b'<' | b'{' | b'[' | b'(' | b'/') => true,
        Some(b'@' | b'&' | b'*' | b'.' | b':') => {
            second == first
                || value[1..]
                    .bytes()
                    .all(|byte| byte.is_ascii_lowercase() || matches!(byte, b'_' | b'.' | b'/'))
        }
        _ => false,
    };
    starts_like_one
        || [
            "://", "::", "#{", "#/", "${", "$(", "{{", "}}", "%(", "<%", "sha256:", "sha256-",
            "sha512-", "sha384-", "sha1:", "md5:",
        ]
        .iter()
        .any(|mark| value.contains(mark))
}

/// A bare value in code: a call, a comparison, a member, a format.
fn is_expression(candidate: &Candidate<'_>) -> bool {
    let value = candidate.value();
    candidate.quoting == Quoting::Bare
        && (value.contains("->")
            || value.trim_end_matches('=').contains("==")
            || value.contains("=>")
            || value.contains('{')
            || value.contains('[')
            || value.contains('(')
            || value.contains('|')
            || value.ends_with(':'))
}

/// `****`, `xxxxxxxx`, `••••`, `......`: what is written over a value.
fn is_masked(value: &str) -> bool {
    let mut characters = value.chars().filter(|character| !matches!(character, '-' | '_' | ' '));
    let Some(first) = characters.next() else { return true };
    let is_uniform = characters.all(|character| character == first);
    is_uniform && (value.len() >= 6 || !first.is_ascii_alphanumeric())
        || value.contains("****")
        || value.contains("xxxx")
        || value.contains("XXXX")
        || value.contains("...")
        || value.contains('…')
}
