//! Recognises the rule definitions of secret scanners. The sample values in such definitions are not secrets.
//!
//! A definition has a regular expression and at least three other typical fields close together. Values in an
//! allow-list may be real secrets. Therefore, values after the start of an allow-list do not count as samples of the
//! definition before it.

use crate::bytes::bytes_before;
use crate::secrets::Secret;
use std::ops::Range;

/// The maximum number of bytes between the first and the last key of one definition.
const MAX_KEY_DISTANCE: usize = 1024;
/// The maximum number of bytes between the last key of a definition and the end of a sample.
const MAX_SAMPLE_DISTANCE: usize = 2048;
const MIN_FIELDS: usize = 4;
const MAX_KEY_BYTES: usize = 20;
/// The key names that scanners use for each field of a rule. The first field is the regular expression.
const FIELDS: &[&[&str]] = &[
    &["regex", "regexp", "regexes", "pattern", "patterns"],
    &["entropy", "minentropy", "min_entropy"],
    &["keyword", "keywords"],
    &["ruleid", "rule_id", "id"],
    &["description", "name", "title", "message"],
    &["examples", "negative_examples", "tps", "fps", "references", "tags"],
];
/// Keys that start a list of values that the scanner ignores.
const ALLOW_LIST_KEYS: &[&str] = &["allowlist", "allowlists", "whitelist", "allowed", "stopwords"];

/// The byte ranges that contain sample values of scanner rules, in ascending order. Values in these ranges are not
/// secrets.
pub(crate) struct Definitions(Vec<Range<usize>>);

impl Definitions {
    pub(crate) fn of(text: &str) -> Self {
        let keys = keys(text.as_bytes());
        let mut ranges: Vec<Range<usize>> = Vec::new();
        let (mut first, mut seen) = (0, [0_usize; FIELDS.len()]);
        for (index, key) in keys.iter().enumerate() {
            let Some(field) = key.field else {
                (first, seen) = (index + 1, [0; FIELDS.len()]);
                if let Some(range) = ranges.last_mut() {
                    range.end = range.end.min(key.at);
                }
                continue;
            };
            seen[field] += 1;
            while key.at - keys[first].at > MAX_KEY_DISTANCE {
                if let Some(dropped) = keys[first].field {
                    seen[dropped] -= 1;
                }
                first += 1;
            }
            let n_fields = seen.iter().filter(|count| **count > 0).count();
            if seen[0] > 0 && n_fields >= MIN_FIELDS {
                extend(&mut ranges, keys[first].at..key.at + MAX_SAMPLE_DISTANCE);
            }
        }
        Self(ranges)
    }

    /// Returns whether `secret` is a sample value. Private keys are never samples, because rule definitions contain
    /// only the start of a key.
    pub(crate) fn contain_sample(&self, secret: &Secret) -> bool {
        let next = self.0.partition_point(|range| range.end < secret.span.end);
        secret.kind != "private-key"
            && self.0.get(next).is_some_and(|range| range.start <= secret.span.start)
    }
}

fn extend(ranges: &mut Vec<Range<usize>>, range: Range<usize>) {
    match ranges.last_mut() {
        Some(last) if range.start <= last.end => last.end = range.end,
        _ => ranges.push(range),
    }
}

/// A key that is followed by a value. `field` is the index in `FIELDS` of the rule field that the key names, or `None`
/// if the key starts an allow-list.
struct Key {
    at: usize,
    field: Option<usize>,
}

fn keys(text: &[u8]) -> Vec<Key> {
    memchr::memchr3_iter(b':', b'=', b']', text).filter_map(|sign| key_before(text, sign)).collect()
}

fn key_before(text: &[u8], sign: usize) -> Option<Key> {
    let window = bytes_before(text, sign, 2 * MAX_KEY_BYTES);
    let is_word = |byte: u8| byte.is_ascii_alphabetic() || byte == b'_';
    let end =
        window.iter().rposition(|&byte| !matches!(byte, b' ' | b'\t' | b'"' | b'\'' | b']'))? + 1;
    let start = window[..end].iter().rposition(|&byte| !is_word(byte)).map_or(0, |at| at + 1);
    let word = window[start..end].to_ascii_lowercase();
    let names = |names: &[&str]| names.iter().any(|name| name.as_bytes() == word);
    let at = sign - (window.len() - start);
    if names(ALLOW_LIST_KEYS) {
        return Some(Key { at, field: None });
    }
    let field =
        if text[sign] == b']' { None } else { FIELDS.iter().position(|field| names(field)) };
    field.map(|field| Key { at, field: Some(field) })
}

#[cfg(test)]
mod tests;
