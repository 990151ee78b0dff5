//! Definitions of a scanner's rules: what stands in them as a sample announces no secret.
//!
//! A definition gives a regular expression and at least three more of what rules have, close together. What a scanner is
//! told to overlook may be real: behind an allow-list nothing is a sample.

use std::ops::Range;

use super::Secret;

/// The keys of one definition stand within this many bytes …
const REACH: usize = 1024;
/// … and its samples this far behind them.
const SAMPLES: usize = 2048;
const FEWEST_PARTS: usize = 4;
const LONGEST_KEY: usize = 20;
/// What a rule says about itself, by the names that scanners give it; the first part is the expression.
const PARTS: &[&[&str]] = &[
    &["regex", "regexp", "regexes", "pattern", "patterns"],
    &["entropy", "minentropy", "min_entropy"],
    &["keyword", "keywords"],
    &["ruleid", "rule_id", "id"],
    &["description", "name", "title", "message"],
    &["examples", "negative_examples", "tps", "fps", "references", "tags"],
];
/// What opens a list of values to overlook.
const ALLOWED: &[&str] = &["allowlist", "allowlists", "whitelist", "allowed", "stopwords"];

/// The parts of a text in which samples stand, in order.
pub(crate) struct Definitions(Vec<Range<usize>>);

impl Definitions {
    pub(crate) fn of(text: &str) -> Self {
        let keys = keys(text.as_bytes());
        let mut ranges: Vec<Range<usize>> = Vec::new();
        let (mut first, mut seen) = (0, [0_usize; PARTS.len()]);
        for (index, key) in keys.iter().enumerate() {
            let Some(part) = key.part else {
                (first, seen) = (index + 1, [0; PARTS.len()]);
                if let Some(range) = ranges.last_mut() {
                    range.end = range.end.min(key.at);
                }
                continue;
            };
            seen[part] += 1;
            while key.at - keys[first].at > REACH {
                if let Some(left) = keys[first].part {
                    seen[left] -= 1;
                }
                first += 1;
            }
            let n_parts = seen.iter().filter(|count| **count > 0).count();
            if seen[0] > 0 && n_parts >= FEWEST_PARTS {
                extend(&mut ranges, keys[first].at..key.at + SAMPLES);
            }
        }
        Self(ranges)
    }

    /// Whether this is a sample. A private key is none: rules show where one begins, not a whole one.
    pub(crate) fn have_sample(&self, secret: &Secret) -> bool {
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

/// A word that is given a value: which part of a rule it names, or none if it opens an allow-list.
struct Key {
    at: usize,
    part: Option<usize>,
}

fn keys(text: &[u8]) -> Vec<Key> {
    memchr::memchr3_iter(b':', b'=', b']', text).filter_map(|sign| key_before(text, sign)).collect()
}

fn key_before(text: &[u8], sign: usize) -> Option<Key> {
    let window = &text[sign.saturating_sub(2 * LONGEST_KEY)..sign];
    let is_word = |byte: u8| byte.is_ascii_alphabetic() || byte == b'_';
    let end =
        window.iter().rposition(|&byte| !matches!(byte, b' ' | b'\t' | b'"' | b'\'' | b']'))? + 1;
    let start = window[..end].iter().rposition(|&byte| !is_word(byte)).map_or(0, |at| at + 1);
    let word = window[start..end].to_ascii_lowercase();
    let names = |names: &[&str]| names.iter().any(|name| name.as_bytes() == word);
    let at = sign - (window.len() - start);
    if names(ALLOWED) {
        return Some(Key { at, part: None });
    }
    let part = if text[sign] == b']' { None } else { PARTS.iter().position(|part| names(part)) };
    part.map(|part| Key { at, part: Some(part) })
}

#[cfg(test)]
mod tests;
