//! Recognises keys and codes that do not look generated: keys that a person chose, and access codes for a mailbox.

use super::{is_camel_case, is_member, is_plausible_password};
use crate::secrets::candidate::{Candidate, Name, Quoting, Relation};
use crate::secrets::chosen::{is_chosen_password, is_strong_password};

/// The maximum number of bytes between an access key and its secret.
const MAX_PAIR: usize = 160;
const MAX_TAIL: usize = 16;
const MAIL_CODE_LENGTH: usize = 16;

/// Returns whether the value is a key or an access code, although it does not look generated.
pub(super) fn is_chosen_key(candidate: &Candidate<'_>) -> bool {
    is_secret_of_access_key(candidate) || is_cipher_key(candidate) || is_mail_code(candidate)
}

/// Returns whether the value is an encryption key or a signing key that a person chose:
/// `encryption_key = 'Tufted!Duck!2020'`.
fn is_cipher_key(candidate: &Candidate<'_>) -> bool {
    const KEYS: &[&str] = &["encryptionkey", "signingkey", "masterkey", "hmackey", "sharedkey"];
    if candidate.name != Name::Token || candidate.quoting != Quoting::Quoted {
        return false;
    }
    let word: String = candidate.text[candidate.word.clone()]
        .chars()
        .filter(char::is_ascii_alphabetic)
        .map(|letter| letter.to_ascii_lowercase())
        .collect();
    matches!(candidate.relation, Relation::Equals | Relation::Colon | Relation::Sign)
        && KEYS.contains(&word.as_str())
        && is_strong_password(candidate.value())
}

/// Recognises the 16-letter code that allows a program to read a mailbox: `邮箱授权码 qkzvbtnmwjxhdgfa`.
fn is_mail_code(candidate: &Candidate<'_>) -> bool {
    let value = candidate.value();
    &candidate.text[candidate.word.clone()] == "授权码"
        && value.len() == MAIL_CODE_LENGTH
        && (value.bytes().all(|byte| byte.is_ascii_lowercase())
            || value.bytes().all(|byte| byte.is_ascii_uppercase()))
}

/// Returns whether the value is the secret of an access key and was chosen by a person:
/// `accessKey: 'files', secretKey: 'Files_Store@2o24'`.
fn is_secret_of_access_key(candidate: &Candidate<'_>) -> bool {
    let bytes = candidate.text.as_bytes();
    if !bytes[candidate.word.clone()].eq_ignore_ascii_case(b"secret") {
        return false;
    }
    let tail = bytes[candidate.word.end..]
        .iter()
        .take(MAX_TAIL)
        .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'));
    let tail: Vec<u8> =
        tail.filter(|byte| byte.is_ascii_alphanumeric()).map(u8::to_ascii_lowercase).collect();
    let is_secret_key = matches!(tail.as_slice(), b"key" | b"accesskey");
    if !is_secret_key || !matches!(candidate.relation, Relation::Equals | Relation::Colon) {
        return false;
    }
    let before = &bytes[candidate.word.start.saturating_sub(MAX_PAIR)..candidate.word.start];
    let before = before.to_ascii_lowercase();
    crate::work::count(before.len());
    memchr::memmem::find(&before, b"access").is_some()
        && (is_chosen_password(candidate.value())
            || is_plausible_password(candidate) && has_word_and_sign(candidate))
        && !is_camel_case(candidate.value().as_bytes())
        && !is_member(candidate.value())
}

/// Returns whether the value is quoted and contains one of the characters `-`, `_`, `@`, `!` and `#`, as in
/// `"Jackdaw_Chimney"`.
fn has_word_and_sign(candidate: &Candidate<'_>) -> bool {
    candidate.quoting == Quoting::Quoted && candidate.value().contains(['-', '_', '@', '!', '#'])
}
