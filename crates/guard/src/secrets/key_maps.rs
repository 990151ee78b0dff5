//! Finds generated values in a map or list that is assigned to a plural name for secrets:
//! `partnerKeys = map[string]string{"a": "…"}`, `API_TOKENS = ["…"]`.

use std::ops::Range;

use super::Secret;
use super::value::is_random;
use crate::work;

const MAX_NAME: usize = 48;
/// The maximum number of bytes between the operator and the first element or the end of the line.
const MAX_HEAD: usize = 64;
const MAX_LITERAL: usize = 4096;
const LENGTHS: std::ops::RangeInclusive<usize> = 20..=160;

/// Parts of names whose values are not secret, in lower case.
#[rustfmt::skip]
const PUBLIC_NAMES: &[&str] = &[
    "pub", "cache", "primary", "foreign", "sort", "partition", "object", "index", "row", "shard", "hash", "unique", "lookup", "routing",
    "idempot", "dedup", "site", "host", "known", "authorized", "trusted", "ssh", "gpg", "pgp", "translation", "message", "query", "locale",
    "i18n", "react", "item", "file", "s3", "etag", "range", "tracking", "anon", "kms", "page", "asset", "design", "encrypted", "sealed",
];

/// Returns the generated values in the literal that is assigned to the name. The anchor is `text[start..end]`.
pub(crate) fn values_after(text: &str, start: usize, end: usize) -> Vec<Secret> {
    if !names_secrets(text, start) {
        return Vec::new();
    }
    let Some(open) = opening(text.as_bytes(), start, end) else { return Vec::new() };
    let is_key =
        text.as_bytes()[start..].first().is_some_and(|byte| byte.eq_ignore_ascii_case(&b'e'))
            && text.as_bytes()[..start].last().is_some_and(|byte| byte.eq_ignore_ascii_case(&b'k'));
    strings(text, open)
        .into_iter()
        .filter(|span| is_generated(&text[span.clone()], is_key))
        .map(|span| Secret { kind: "secret-assignment", span })
        .collect()
}

/// Returns whether the identifier around the anchor at `start` names secrets, such as `partnerKeys`. The word
/// `keys` alone does not.
fn names_secrets(text: &str, start: usize) -> bool {
    let before = &text.as_bytes()[start.saturating_sub(MAX_NAME)..start];
    let length = before
        .iter()
        .rev()
        .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
        .count();
    work::count(length);
    let name = String::from_utf8_lossy(&before[before.len() - length..]).to_ascii_lowercase();
    let is_plural = matches!(name.as_bytes().last(), Some(b'k' | b't' | b's'));
    is_plural && name != "k" && !PUBLIC_NAMES.iter().any(|part| name.contains(part))
}

/// Returns the position after the bracket that opens the literal. A bracket after an identifier accesses an element.
fn opening(bytes: &[u8], start: usize, end: usize) -> Option<usize> {
    let rest = &bytes[end..bytes.len().min(end + MAX_HEAD)];
    let length = rest
        .iter()
        .position(|byte| matches!(byte, b'"' | b'\'' | b'`' | b'\n' | b';'))
        .unwrap_or(rest.len());
    work::count(length);
    let head = bytes[start..end + length].trim_ascii_end();
    let before = head[..head.len().saturating_sub(1)].trim_ascii_end().last();
    let is_literal = match head.last() {
        Some(b'{') => before != Some(&b')'),
        Some(b'[') => matches!(before, Some(b'=' | b':' | b'>' | b'(')),
        _ => false,
    };
    is_literal.then_some(start + head.len())
}

/// Returns the strings in the literal that starts at `from`, without those that are followed by `:` or `=`. The
/// literal ends at the first bracket that is not in a string.
fn strings(text: &str, from: usize) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let limit = bytes.len().min(from + MAX_LITERAL);
    let mut found = Vec::new();
    let mut at = from;
    while at < limit {
        match bytes[at] {
            b'{' | b'}' | b'[' | b']' | b'(' | b')' => break,
            quote @ (b'"' | b'\'' | b'`') => {
                let Some(length) = memchr::memchr2(quote, b'\n', &bytes[at + 1..limit]) else {
                    break;
                };
                let span = at + 1..at + 1 + length;
                at = span.end + 1;
                let next = bytes[at..limit].trim_ascii_start().first();
                if !matches!(next, Some(b':' | b'=')) {
                    found.push(span);
                }
            }
            _ => at += 1,
        }
    }
    work::count(at - from);
    found
}

/// Returns whether the value looks generated. The value of a key must contain capitals, because a value of lower-case
/// hexadecimal digits may be a digest or a public key.
fn is_generated(value: &str, is_key: bool) -> bool {
    let has = |kind: fn(&u8) -> bool| value.as_bytes().iter().any(kind);
    LENGTHS.contains(&value.len())
        && value.bytes().all(|byte| {
            byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'+' | b'/' | b'=')
        })
        && has(u8::is_ascii_digit)
        && has(u8::is_ascii_lowercase)
        && (!is_key || has(u8::is_ascii_uppercase))
        && is_random(value)
}
