//! Finds secrets in JSON fields whose own names do not indicate a secret. Another field of the same object does:
//! `"keyName": "key1", "value": "…"`, `"type": "random_password" … "result": "…"`, `"sensitive": true, "value": "…"`,
//! `"kty": "OKP", … "d": "…"`.

use super::Secret;
use super::chosen::is_chosen_password;
use super::value::is_random;
use crate::work;

/// The maximum number of bytes in the object that are searched before and after the anchor.
const MAX_OBJECT: usize = 320;
/// The maximum number of bytes between the type of a resource and its attributes.
const MAX_RESOURCE: usize = 640;
/// The maximum number of bytes in a JSON Web Key that are searched before and after its type.
const MAX_JWK: usize = 1024;
const MIN_JWK_PART: usize = 22;
const MAX_VALUE: usize = 768;
const MIN_KEY: usize = 32;
const MIN_PASSWORD: usize = 6;

/// Returns the secret in the object that contains the field `text[start..end]`, which is one of [`MARKS`].
pub(crate) fn value_beside(text: &str, start: usize, end: usize) -> Option<Secret> {
    let mark = text[start..end].to_ascii_lowercase();
    let span = match mark.as_str() {
        "\"random_password\"" => {
            let rest = window(text, end, end + MAX_RESOURCE);
            field(text, rest, "\"result\"").filter(|value| value.len() >= MIN_PASSWORD)
        }
        "\"keyname\":" => field(text, object(text, start, end), "\"value\"")
            .filter(|value| value.len() >= MIN_KEY && is_generated(&text[value.clone()])),
        "\"kty\":" => private_part(text, object_within(text, start, end, MAX_JWK)),
        _ => field(text, object(text, start, end), "\"value\"")
            .filter(|value| is_generated(&text[value.clone()])),
    }?;
    Some(Secret { kind: "secret-assignment", span })
}

/// Returns the part of the text around `text[start..end]` that belongs to the same object.
fn object(text: &str, start: usize, end: usize) -> std::ops::Range<usize> {
    object_within(text, start, end, MAX_OBJECT)
}

/// Returns the private part of a JSON Web Key: the field `d` of a key pair or the field `k` of a symmetric key.
fn private_part(text: &str, key: std::ops::Range<usize>) -> Option<std::ops::Range<usize>> {
    let is_private = |value: &std::ops::Range<usize>| {
        let value = &text[value.clone()];
        value.len() >= MIN_JWK_PART
            && value.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
    };
    ["\"d\"", "\"k\""].iter().filter_map(|name| field(text, key.clone(), name)).find(|value| {
        is_private(value) && is_random(&text[value.start..value.start + MIN_JWK_PART])
    })
}

/// Does the same as [`object`], but searches at most `max` bytes before and after.
fn object_within(text: &str, start: usize, end: usize, max: usize) -> std::ops::Range<usize> {
    let bytes = text.as_bytes();
    let before = &bytes[start.saturating_sub(max)..start];
    let after = &bytes[end..bytes.len().min(end + max)];
    work::count(before.len() + after.len());
    let open = memchr::memrchr(b'{', before).unwrap_or(0);
    let close = memchr::memchr(b'}', after).unwrap_or(after.len());
    window(text, start - before.len() + open, end + close)
}

/// Returns the range with both ends moved back to character boundaries within the text.
fn window(text: &str, start: usize, end: usize) -> std::ops::Range<usize> {
    text.floor_char_boundary(start)..text.floor_char_boundary(end)
}

/// Returns the range of the string in the field `name`, without its quotes.
fn field(text: &str, part: std::ops::Range<usize>, name: &str) -> Option<std::ops::Range<usize>> {
    let object = text.get(part.clone())?;
    work::count(object.len());
    let after_name = &object[object.find(name)? + name.len()..];
    let value = after_name.trim_start().strip_prefix(':')?.trim_start().strip_prefix('"')?;
    let start = part.end - value.len();
    let rest = &text.as_bytes()[start..text.len().min(start + MAX_VALUE)];
    let length = memchr::memchr2(b'"', b'\n', rest)?;
    (rest[length] == b'"').then_some(start..start + length)
}

fn is_generated(value: &str) -> bool {
    let has_digit = value.bytes().any(|byte| byte.is_ascii_digit());
    let is_plain = value.bytes().all(|byte| byte.is_ascii_graphic())
        && !value.contains("://")
        && !value.contains([':', '{', '$']);
    is_plain && (has_digit && is_random(value) || is_chosen_password(value))
}
