//! Defines what a password and a generated value look like. Each form is defined here once; positions choose the form that
//! they need.

use crate::bytes::{consists_of, contains_any, ends_with_any};
use crate::secrets::letters::surprise;
use crate::secrets::shape::{RunEnds, is_member, matched_end};
use crate::secrets::stand_ins::{is_dummy, is_label, is_placeholder, is_repetitive};

/// The minimum length of a password that follows its name, or that is the argument of a command.
pub(crate) const MIN_PASSWORD: usize = 4;
const MIN_BYTES: usize = 8;
const MAX_PHRASE_WORDS: usize = 6;
/// The minimum surprise (see `letters`), in half nats, of a random value. Words rarely have such a high surprise.
const MIN_RANDOM_SURPRISE: i32 = 9;
/// The minimum number of letters of a random value that is neither hexadecimal nor a long number. A value with fewer
/// letters may be a number or a time with a unit.
const MIN_RANDOM_LETTERS: usize = 4;
/// The minimum length of a run of hexadecimal digits within a longer value. A run of this length is not a word.
const MIN_HEXADECIMAL_RUN: usize = 24;
/// Returns whether the value looks generated: it is hexadecimal or a long number, or its sequence of letters is
/// unlikely in words.
pub(crate) fn is_random(value: &str) -> bool {
    if value.len() < MIN_BYTES || starts_like_code(value) {
        return false;
    }
    let body = value.trim_end_matches('=');
    let looks_random = is_hexadecimal(body)
        // a long number
        || body.len() >= 15 && consists_of(body, u8::is_ascii_digit, "") && !is_repetitive(body)
        || surprise(body.as_bytes()) >= MIN_RANDOM_SURPRISE
            && Characters::of(body).letters() >= MIN_RANDOM_LETTERS
            && !is_placeholder(value);
    looks_random && !is_dummy(body)
}

/// Returns whether the value is written out, as the value of a command, a call or a column may be. It is not a variable, a
/// template, a mask, a label or a placeholder.
pub(crate) fn is_written_out(value: &str) -> bool {
    value.len() >= MIN_PASSWORD
        && !value.bytes().any(|byte| byte.is_ascii_control())
        && !value.starts_with(['$', '%', '[', '(', '*'])
        && !value.contains(['<', '{'])
        && !value.contains("$(")
        && !value.contains("**")
        && !is_label(value)
        && !is_placeholder(value)
}

/// Returns whether the value is one word that is written out and is not an option, a path, an address or a call. Positions
/// without a name accept such a value, together with conditions of their own.
pub(crate) fn is_literal_word(value: &str) -> bool {
    is_written_out(value)
        && value.bytes().all(|byte| byte.is_ascii_graphic())
        && !value.starts_with(['/', '.', '-', '@', '&', ':', '?', '#', '"', '\\'])
        && !value.contains("://")
        && !value.contains('(')
}

/// Returns whether the value contains a digit, or punctuation that does not appear within the words of a sentence.
pub(crate) fn is_distinct(value: &str) -> bool {
    value.bytes().any(|byte| {
        byte.is_ascii_digit() || matches!(byte, b'!' | b'#' | b'@' | b'%' | b'^' | b'_')
    })
}

/// Returns whether the value has at least `min` characters and looks generated.
pub(crate) fn is_generated(value: &str, min: usize) -> bool {
    value.len() >= min && value.bytes().all(|byte| byte.is_ascii_graphic()) && is_random(value)
}

/// How many characters of each kind a value contains.
pub(crate) struct Characters {
    pub(crate) upper: usize,
    pub(crate) lower: usize,
    pub(crate) digits: usize,
    /// The characters that are neither ASCII letters nor digits, in bytes.
    pub(crate) others: usize,
}

impl Characters {
    pub(crate) fn of(value: &str) -> Self {
        let count =
            |kind: fn(&u8) -> bool| value.as_bytes().iter().filter(|byte| kind(byte)).count();
        let [upper, lower, digits] =
            [u8::is_ascii_uppercase, u8::is_ascii_lowercase, u8::is_ascii_digit].map(count);
        Self { upper, lower, digits, others: value.len() - upper - lower - digits }
    }

    pub(crate) fn letters(&self) -> usize {
        self.upper + self.lower
    }

    /// Returns whether the value contains upper-case letters, lower-case letters and digits.
    pub(crate) fn are_mixed(&self) -> bool {
        self.upper > 0 && self.lower > 0 && self.digits > 0
    }
}

/// Returns the number of different punctuation characters in the value.
pub(crate) fn n_different_signs(value: &str) -> usize {
    let signs = value.bytes().filter(u8::is_ascii_punctuation);
    signs.fold(0_u128, |seen, sign| seen | 1 << sign).count_ones() as usize
}

/// Returns whether the value is a generated base64 string with upper-case letters, lower-case letters and digits.
pub(crate) fn is_generated_base64(value: &str, min: usize) -> bool {
    Characters::of(value).are_mixed()
        && value.bytes().all(|byte| is_member(b'v', byte))
        && is_generated(value.trim_start_matches('/'), min)
}

/// Returns whether the value is a passphrase: two to [`MAX_PHRASE_WORDS`] plain words, less than half of which are
/// labels.
pub(crate) fn is_phrase(value: &str) -> bool {
    let words = || value.split(' ');
    let n_labels = words().filter(|word| is_label(word)).count();
    (2..=MAX_PHRASE_WORDS).contains(&words().count())
        && n_labels * 2 < words().count()
        && words().all(|word| !word.is_empty() && consists_of(word, u8::is_ascii_alphanumeric, "-"))
}

/// Returns whether only the first letter of the word is a capital, as in the button label `Register`.
pub(crate) fn is_capitalised_word(value: &str) -> bool {
    value.bytes().enumerate().all(|(at, byte)| match at {
        0 => byte.is_ascii_uppercase(),
        _ => byte.is_ascii_lowercase(),
    })
}

pub(crate) fn has_digit(value: &str) -> bool {
    value.bytes().any(|byte| byte.is_ascii_digit())
}

/// Returns whether the value starts like a variable, a template or an address, or contains a mark of one.
fn starts_like_code(value: &str) -> bool {
    value.starts_with(['$', '%', '<', '{', '/', '@', '&', '*', '.', ':'])
        || contains_any(
            value,
            &["://", "::", "#{", "#/", "sha256:", "sha256-", "sha512-", "sha384-"],
        )
}

/// Returns whether the value consists of groups of hexadecimal digits, with letters and decimal digits among them, or
/// contains a long run of hexadecimal digits.
fn is_hexadecimal(value: &str) -> bool {
    if is_repetitive(value) {
        return false;
    }
    if consists_of(value, u8::is_ascii_hexdigit, "-:") {
        let letters = Characters::of(value).letters();
        let digits = value.bytes().filter(u8::is_ascii_hexdigit).count();
        return digits >= 16 && letters >= 2 && digits - letters >= 2;
    }
    value.split(|character: char| !character.is_ascii_hexdigit()).any(|run| {
        run.len() >= MIN_HEXADECIMAL_RUN
            && run.bytes().filter(u8::is_ascii_digit).count() >= run.len() / 4
    })
}

pub(crate) fn is_uuid(value: &str) -> bool {
    const SHAPE: &str = "{x8}-{x4}-{x4}-{x4}-{x12}";
    value.len() == 36 && matched_end(SHAPE, value.as_bytes(), 0, &mut RunEnds::default()).is_some()
}

const LENGTHS: std::ops::RangeInclusive<usize> = 8..=64;
const MIN_LETTERS: usize = 3;
/// The minimum number of different kinds of characters: lower case, upper case, digits, punctuation.
const MIN_KINDS: usize = 3;
/// Endings of compound adjectives that describe a password: `Base64-encoded`, `ASCII-only`.
const ADJECTIVES: &[&str] =
    &["ed", "only", "sensitive", "based", "compatible", "like", "safe", "free"];

/// Returns whether the word contains at least three kinds of characters and is not a reference, an address, a label or
/// a placeholder.
pub(crate) fn is_chosen_password(value: &str) -> bool {
    let Characters { upper, lower, digits, others } = Characters::of(value);
    let n_kinds = [upper, lower, digits, others].iter().filter(|count| **count > 0).count();
    LENGTHS.contains(&value.len())
        && value.bytes().all(|byte| byte.is_ascii_graphic())
        && !value.bytes().any(|byte| b"\"'`,;()<>|/{}[]\\".contains(&byte))
        && n_kinds >= MIN_KINDS
        && upper + lower >= MIN_LETTERS
        && !value.starts_with(['$', '%', '-', '.', '~', '@', '#', '&', '*', ':', '='])
        && !value.ends_with([':', '=', '\\'])
        && !is_address_or_code(value)
        && !value.rsplit_once('-').is_some_and(|(_, last)| ends_with_any(last, ADJECTIVES))
        && !is_label(value)
        && !is_placeholder(value)
}

/// Returns whether the word is a chosen password with a punctuation character that is rare in names, or with several
/// digits. This check is for positions in which names of programs and files also occur.
pub(crate) fn is_strong_password(value: &str) -> bool {
    (Characters::of(value).digits >= 2
        || value.contains(['!', '@', '#', '$', '%', '^', '&', '*', '?', '~']))
        && is_chosen_password(value)
}

/// Recognises e-mail addresses, host names, versions, dates, file names, and values that contain `=`, `::` or `->`.
fn is_address_or_code(value: &str) -> bool {
    let is_email = value.split_once('@').is_some_and(|(_, host)| host.contains('.'));
    let is_version = value.trim_start_matches('v').split(['.', '-', '_']).all(|part| {
        part.bytes().all(|byte| byte.is_ascii_digit()) || part.len() <= 5 && !has_upper(part)
    });
    let is_assigned = value.contains('=') || value.contains("::") || value.contains("->");
    let is_file = value.rsplit_once('.').is_some_and(|(name, extension)| {
        (2..=4).contains(&extension.len())
            && extension.bytes().all(|byte| byte.is_ascii_lowercase())
            && consists_of(name, u8::is_ascii_alphanumeric, "_-")
    });
    let is_host = value.split('.').count() > 2
        && !has_upper(value)
        && !value.contains(['!', '#', '@', '%', '^', '&']);
    is_email || is_version || is_assigned || is_file || is_host
}

fn has_upper(value: &str) -> bool {
    value.bytes().any(|byte| byte.is_ascii_uppercase())
}

#[cfg(test)]
mod tests;
