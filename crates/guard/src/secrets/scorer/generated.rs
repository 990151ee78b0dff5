//! Recognises generated keys whose name is vague, or that do not directly follow their name on the line.

use crate::secrets::candidate::{Candidate, Name, Quoting, Relation};
use crate::secrets::letters::surprise;
use crate::secrets::value::is_random;

const MIN_LENGTH: usize = 20;
const MAX_LENGTH: usize = 160;
/// The minimum length of a generated value that is on the same line as its name, but not directly after it.
const MIN_LATER: usize = 16;
/// The minimum surprise (see `letters`), in half nats, of a generated value without digits.
const MIN_SURPRISE: i32 = 24;
const MAX_IDENTIFIER: usize = 48;
/// The minimum length of a word in lower case that shows that the value is a path.
const MIN_PATH_WORD: usize = 3;
const ALERT_KEY_LENGTH: usize = 32;
const MIN_ALERT_KEY_DIGITS: usize = 5;
const ACCESS_KEY_LENGTH: usize = 20;
/// The key lengths of the usual ciphers.
const CIPHER_KEY_LENGTHS: [usize; 3] = [16, 24, 32];
const MIN_CIPHER_KEY: usize = CIPHER_KEY_LENGTHS[0];

/// Words that, before `key`, form the name of a value that is not secret: `cache_key`, `partitionKey`.
#[rustfmt::skip]
const PUBLIC_KEYS: &[&str] = &[
    "public", "cache", "primary", "foreign", "sort", "partition", "object", "index", "row", "shard", "group", "hash", "unique",
    "lookup", "routing", "idempotency", "dedup", "site", "publishable", "map", "composite", "host", "known", "translation", "message",
    "query", "locale", "i18n", "react", "item", "file", "s3", "etag", "range", "tracking", "anon", "kms",
];

/// Returns whether the value is a generated key: `billing_key: "tQ7mZx2LkV9pRw4NsB8yHd3C"`,
/// `<secret>provider Vt4Kq9ZmXw2RbN7s</secret>`.
pub(super) fn is_generated_key(candidate: &Candidate<'_>) -> bool {
    if is_alert_key(candidate)
        || is_access_key(candidate)
        || is_header_key(candidate) && is_random(candidate.value())
    {
        return true;
    }
    let min = match (candidate.name, candidate.relation) {
        (
            Name::Vague,
            Relation::Equals
            | Relation::Colon
            | Relation::Sign
            | Relation::Attribute
            | Relation::Flag,
        ) if names_key(candidate) => MIN_LENGTH,
        (Name::Vague, Relation::Equals) if is_cipher_key(candidate) => MIN_CIPHER_KEY,
        (Name::Token, Relation::RestOfLine) => MIN_LATER,
        _ => return false,
    };
    let value = candidate.value();
    // `ser.Vt4Kq9ZmXw2RbN7sTq3L`: the part before the dot states the kind of the key.
    let body = value.split_once('.').map_or(value, |(_, body)| body);
    (min..=MAX_LENGTH).contains(&body.len()) && is_generated(body)
}

/// Returns whether the identifier is a compound name that ends with `key`.
fn names_key(candidate: &Candidate<'_>) -> bool {
    let tail = candidate.text.as_bytes().get(candidate.word.end);
    let is_end = !tail.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    is_end && is_key(candidate) && !head(candidate).is_empty()
}

/// Recognises the key of an alerting service: 32 letters and digits after `routing_key`. Message brokers also use the
/// name `routing_key`, but their routing keys consist of words.
fn is_alert_key(candidate: &Candidate<'_>) -> bool {
    let value = candidate.value();
    is_key(candidate)
        && value.len() == ALERT_KEY_LENGTH
        && head(candidate).to_ascii_lowercase().starts_with(b"routing")
        && value.bytes().all(|byte| byte.is_ascii_hexdigit() || byte.is_ascii_uppercase())
        && value.bytes().filter(u8::is_ascii_digit).count() >= MIN_ALERT_KEY_DIGITS
}

/// Recognises the identifier that a store of objects issues together with a secret: 20 capital letters and digits after
/// `s3_key`. The name may also be that of a stored object, but such names have separators or lower-case letters.
fn is_access_key(candidate: &Candidate<'_>) -> bool {
    let value = candidate.value();
    let head = head(candidate).to_ascii_lowercase();
    is_key(candidate)
        && value.len() == ACCESS_KEY_LENGTH
        && (head.ends_with(b"s3_") || head.ends_with(b"s3"))
        && value.bytes().all(|byte| byte.is_ascii_digit() || byte.is_ascii_uppercase())
        && value.bytes().filter(u8::is_ascii_digit).count() >= MIN_ALERT_KEY_DIGITS
        && is_random(value)
}

/// Returns whether the value is a generated key in a request header: `Fastly-Key: 4f1e…`.
fn is_header_key(candidate: &Candidate<'_>) -> bool {
    if !is_key(candidate) || candidate.relation != Relation::Colon {
        return false;
    }
    let head = head(candidate);
    let before = &candidate.text.as_bytes()[..candidate.word.start - head.len()];
    head.ends_with(b"-")
        && head[0].is_ascii_alphabetic()
        && [&b"-H "[..], b"-H '", b"-H \"", b"header ", b"header '", b"header \""]
            .iter()
            .any(|flag| before.ends_with(flag))
}

/// Returns whether the constant `KEY` is a literal with the length of a cipher key: `KEY = "Vt4Kq9ZmXw2RbN7s"`.
fn is_cipher_key(candidate: &Candidate<'_>) -> bool {
    candidate.text.as_bytes()[candidate.word.clone()] == *b"KEY"
        && head(candidate).is_empty()
        && candidate.quoting == Quoting::Quoted
        && CIPHER_KEY_LENGTHS.contains(&candidate.value.len())
}

/// Returns whether the name, such as `cache_key`, belongs to a value that is not secret.
pub(super) fn names_public_key(candidate: &Candidate<'_>) -> bool {
    if is_alert_key(candidate) || is_access_key(candidate) {
        return false;
    }
    let head = head(candidate).to_ascii_lowercase();
    let head = head.strip_suffix(b"_").or_else(|| head.strip_suffix(b"-")).unwrap_or(&head);
    // `amap` is a service that issues keys.
    is_key(candidate)
        && head != b"amap"
        && PUBLIC_KEYS.iter().any(|word| head.ends_with(word.as_bytes()))
}

fn is_key(candidate: &Candidate<'_>) -> bool {
    candidate.name == Name::Vague
        && candidate.text.as_bytes()[candidate.word.clone()].eq_ignore_ascii_case(b"key")
}

/// Returns the part of the identifier before the anchor word.
fn head<'t>(candidate: &Candidate<'t>) -> &'t [u8] {
    let before = &candidate.text.as_bytes()[..candidate.word.start];
    let length = before
        .iter()
        .rev()
        .take(MAX_IDENTIFIER)
        .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
        .count();
    &before[before.len() - length..]
}

/// Returns whether the value looks generated: it contains upper-case and lower-case letters, is random, and either
/// has at least two digits or has a very unlikely sequence of letters.
fn is_generated(value: &str) -> bool {
    let count =
        |accept: fn(&u8) -> bool| value.as_bytes().iter().filter(|byte| accept(byte)).count();
    let (upper, lower) = (count(u8::is_ascii_uppercase), count(u8::is_ascii_lowercase));
    let digits = count(u8::is_ascii_digit);
    let signs = value.len() - upper - lower - digits;
    upper >= 3
        && lower >= 3
        && signs * 8 <= value.len()
        && value.bytes().all(|byte| {
            byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'+' | b'/' | b'=')
        })
        && is_random(value)
        && (digits >= 2 || surprise(value.as_bytes()) >= MIN_SURPRISE)
}

/// Returns whether the value is a random base64 string that starts with a slash, rather than a path. A path contains
/// words in lower case, or characters that base64 does not have.
pub(super) fn is_base64_after_slash(value: &str) -> bool {
    let body = value.trim_start_matches('/').trim_end_matches('=');
    let is_word = |part: &str| {
        part.len() >= MIN_PATH_WORD && part.bytes().all(|byte| byte.is_ascii_lowercase())
    };
    let longest = body.split('/').max_by_key(|part| part.len()).unwrap_or_default();
    value.starts_with('/')
        && (MIN_LENGTH..=MAX_LENGTH).contains(&body.len())
        && body.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/'))
        && !body.split('/').any(is_word)
        && is_generated(longest)
        && longest.len() * 5 >= body.len()
}
