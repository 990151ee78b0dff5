//! Values that need no score: a literal that is written directly after the name of a password.
//!
//! `password: 'rubyslippers'` is a secret although the value is made of words. What is left to the scorer: labels,
//! placeholders, sentences, types, references and paths.

use super::candidate::{Candidate, Name, Quoting, Relation};
use super::made_up::{is_made_up, is_placeholder};
use super::vocabulary::is_label;

const MAX_LENGTH: usize = 64;
const MIN_LENGTH: usize = 4;
/// A shorter word may be the name of a rule, a type or a widget: `password: 'text'`.
const MIN_WORD: usize = 8;
const MAX_IDENTIFIER: usize = 48;
/// A key with this many characters and signs is generated: Django's `SECRET_KEY`.
const MIN_KEY_WITH_SIGNS: usize = 24;
const MIN_SIGNS: usize = 4;

/// Values of settings that describe how a password is handled.
const SETTINGS: &[&str] = &[
    "bcrypt",
    "argon2",
    "argon2id",
    "pbkdf2",
    "scrypt",
    "sha256",
    "sha512",
    "md5",
    "trust",
    "peer",
    "prompt",
    "keychain",
    "minlength",
    "visible",
    "visibility",
    "nullable",
    "autocomplete",
    "regular",
    "encrypt",
    "encrypted",
    "confirmed",
    "plaintext",
    "cleartext",
    "interactive",
    "passwordless",
    "keyring",
    "environment",
    "incorrect",
    "mismatch",
];

/// Whether the value is a literal given to a password, or a generated key with signs given to a key.
pub(crate) fn is_direct(candidate: &Candidate<'_>) -> bool {
    is_key_with_signs(candidate)
        || names_password(candidate)
            && match literal(candidate) {
                Some(Literal::Given) => is_chosen(candidate),
                Some(Literal::Listed) => is_chosen(candidate) && !is_words(candidate.value()),
                None => false,
            }
}

/// How a literal follows its name.
enum Literal {
    /// `name = "value"`, `<name>value</name>`, `&name=value`
    Given,
    /// `"name", "value"`: a list of names looks the same.
    Listed,
}

fn literal(candidate: &Candidate<'_>) -> Option<Literal> {
    let bytes = candidate.text.as_bytes();
    let between = &bytes[candidate.word.end..candidate.value.start];
    let after = &bytes[candidate.value.end..];
    let is_element = between.ends_with(b">") && after.starts_with(b"</");
    match (candidate.relation, candidate.quoting) {
        (
            Relation::Equals | Relation::Colon | Relation::Attribute | Relation::Argument,
            Quoting::Quoted,
        ) => Some(Literal::Given),
        (Relation::Sign, Quoting::Quoted) if between.contains(&b',') || between.contains(&b'|') => {
            Some(Literal::Listed)
        }
        (Relation::Sign, Quoting::Quoted) => Some(Literal::Given),
        (Relation::Sign, Quoting::Bare) if is_element => Some(Literal::Given),
        (Relation::Equals, Quoting::Bare) if is_parameter(candidate) => Some(Literal::Given),
        (Relation::Equals | Relation::Colon, Quoting::Bare) if is_setting_line(candidate) => {
            Some(Literal::Given)
        }
        (Relation::Attribute, Quoting::Bare) => Some(Literal::Given),
        // Gradle: `storePassword "value"`.
        (Relation::Beside, Quoting::Quoted)
            if identifier(candidate).start < candidate.word.start =>
        {
            matches!(after, [b'"' | b'\''] | [b'"' | b'\'', b'\n' | b'\r', ..])
                .then_some(Literal::Given)
        }
        _ => None,
    }
}

/// `MYSQL_ROOT_PASSWORD: value`: a variable in capitals, and nothing else on its line.
fn is_setting_line(candidate: &Candidate<'_>) -> bool {
    let bytes = candidate.text.as_bytes();
    let name = &bytes[identifier(candidate)];
    let after = bytes.get(candidate.value.end);
    name.contains(&b'_')
        && !name.iter().any(u8::is_ascii_lowercase)
        && after.is_none_or(|byte| matches!(byte, b'\n' | b'\r'))
}

/// The identifier that the announcing word ends.
fn identifier(candidate: &Candidate<'_>) -> std::ops::Range<usize> {
    let before = &candidate.text.as_bytes()[..candidate.word.start];
    let head = before
        .iter()
        .rev()
        .take(MAX_IDENTIFIER)
        .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.'))
        .count();
    candidate.word.start - head..candidate.word.end
}

/// `?password=value`, `&password=value`
fn is_parameter(candidate: &Candidate<'_>) -> bool {
    let start = identifier(candidate).start;
    start > 0 && matches!(candidate.text.as_bytes()[start - 1], b'?' | b'&' | b';')
}

/// Whether the identifier ends with a word that says password: `DB_PASSWORD`, `pwd2`, `secret`.
fn names_password(candidate: &Candidate<'_>) -> bool {
    let bytes = candidate.text.as_bytes();
    let word = &bytes[candidate.word.clone()];
    let tail = bytes[candidate.word.end..]
        .iter()
        .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.'));
    let is_end = tail.clone().all(|byte| byte.is_ascii_digit() || *byte == b'_');
    let is_secret = word.eq_ignore_ascii_case(b"secret");
    is_end && (candidate.name == Name::Human || is_secret)
}

/// Whether the value is one that somebody chose, rather than a word about passwords.
fn is_chosen(candidate: &Candidate<'_>) -> bool {
    let value = candidate.value();
    let bytes = value.as_bytes();
    let is_password = candidate.name == Name::Human;
    let least = match (is_password, is_words(value)) {
        (true, false) => MIN_LENGTH,
        (true, true) | (false, _) => MIN_WORD,
    };
    let has_digit = bytes.iter().any(u8::is_ascii_digit);
    let is_capitalised_word =
        bytes[0].is_ascii_uppercase() && bytes[1..].iter().all(u8::is_ascii_lowercase);
    let is_constant = !bytes.iter().any(u8::is_ascii_lowercase) && bytes.contains(&b'_');
    let lower = value.to_ascii_lowercase();
    (least..=MAX_LENGTH).contains(&bytes.len())
        && bytes.iter().all(u8::is_ascii_graphic)
        && !is_capitalised_word
        && !is_constant
        && !is_address(value)
        && !is_camel_case(bytes)
        && !is_label(value)
        && !repeats_name(candidate)
        && !is_placeholder(value)
        && !is_made_up(value)
        && !is_setting(value)
        && (is_password || has_digit || value.contains('-') && !lower.contains("secret"))
        && !value.contains(['(', '<', '{', '[', '|'])
}

/// `password1: "password1"`
fn repeats_name(candidate: &Candidate<'_>) -> bool {
    let word = &candidate.text.as_bytes()[candidate.word.clone()];
    let value = candidate.value().as_bytes();
    value.len() <= word.len() + 1 && value[..value.len().min(word.len())].eq_ignore_ascii_case(word)
}

/// Whether the value says how passwords are handled: `password: 'bcrypt'`.
pub(crate) fn is_setting(value: &str) -> bool {
    SETTINGS.iter().any(|setting| value.eq_ignore_ascii_case(setting))
}

/// A path, a member, an address or a pair: not chosen as a password.
fn is_address(value: &str) -> bool {
    let has_digit = value.bytes().any(|byte| byte.is_ascii_digit());
    value.contains(['\\', ':']) || value.contains('/') && !has_digit || is_member(value)
}

/// `settings.password`, `t.form.label`: names with dots between them.
pub(crate) fn is_member(value: &str) -> bool {
    value.contains('.')
        && value.split('.').all(|part| {
            part.len() > 1
                && part
                    .bytes()
                    .all(|byte| byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'-'))
        })
}

fn is_camel_case(bytes: &[u8]) -> bool {
    bytes.iter().all(u8::is_ascii_alphabetic)
        && bytes[0].is_ascii_lowercase()
        && bytes.windows(2).any(|pair| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase())
}

fn is_words(value: &str) -> bool {
    value.bytes().all(|byte| byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'-' | b'.'))
}

/// A quoted key with digits and several different signs, as frameworks generate them.
fn is_key_with_signs(candidate: &Candidate<'_>) -> bool {
    let value = candidate.value();
    let mut signs: Vec<u8> = value.bytes().filter(u8::is_ascii_punctuation).collect();
    signs.sort_unstable();
    signs.dedup();
    candidate.quoting == Quoting::Quoted
        && matches!(candidate.relation, Relation::Equals | Relation::Colon | Relation::Sign)
        && value.len() >= MIN_KEY_WITH_SIGNS
        && value.bytes().all(|byte| byte.is_ascii_graphic())
        && value.bytes().filter(u8::is_ascii_digit).count() >= MIN_SIGNS
        && signs.len() > MIN_SIGNS
        && !value.contains("\\")
        && !value.contains("%s")
        && !value.contains("{}")
}
