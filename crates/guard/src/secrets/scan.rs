//! All secrets of a text, in order and without overlap.

use super::anchors::{ANCHORS, Anchor};
use super::cursor::Cursor;
use super::rules::{AROUND_RULES, RULES};
use super::shape::{is_member, matched_length};
use super::value::is_random;
use super::{Secret, assignment, curl, manifest, private_key, url};

/// A shorter run on the next line is a word of its own.
const SHORTEST_CONTINUATION: usize = 20;

/// Prefixes that mean a token even in the middle of a word.
const UNMISTAKABLE: &[&str] = &["SG.", "tskey-"];

pub(crate) fn secrets(text: &str) -> Vec<Secret> {
    let mut found: Vec<Secret> = Vec::new();
    let mut covered = 0;
    for (anchor, start, end) in ANCHORS.find_iter(text) {
        if start < covered {
            continue;
        }
        let secret = match anchor {
            Anchor::Token { first } => token_at(text, first, start, end),
            Anchor::Around { rule } => token_around(text, rule, start, end, covered),
            Anchor::Name(name) => assignment::assigned_secret(text, name, start, end),
            Anchor::Scheme => assignment::bearer_secret(text, start, end),
            Anchor::Basic => assignment::basic_secret(text, end),
            Anchor::Curl => curl::password_at(text, end - 1),
            Anchor::KeyBlock => private_key::secret_at(text, start),
            Anchor::Url => url::password_at(text, end),
            Anchor::Manifest => {
                found.extend(manifest::secrets_at(text, covered, end));
                covered = found.last().map_or(covered, |secret| secret.span.end);
                continue;
            }
        };
        if let Some(mut secret) = secret {
            secret.span.end = continued(text, secret.span.end);
            covered = secret.span.end;
            found.push(secret);
        }
    }
    found
}

fn token_at(text: &str, first: usize, start: usize, end: usize) -> Option<Secret> {
    let bytes = text.as_bytes();
    let prefix = RULES[first].prefix;
    let is_inside_word = start > 0
        && bytes[start - 1].is_ascii_alphanumeric()
        && prefix.as_bytes()[0].is_ascii_alphanumeric()
        && !UNMISTAKABLE.contains(&prefix);
    if &bytes[start..end] != prefix.as_bytes() || is_inside_word {
        return None;
    }
    RULES[first..].iter().take_while(|rule| rule.prefix == prefix).find_map(|rule| {
        let length = matched_length(rule.shape, &bytes[end..])?;
        Some(Secret { kind: rule.kind, span: end..end + length })
    })
}

fn token_around(
    text: &str,
    rule: usize,
    start: usize,
    end: usize,
    covered: usize,
) -> Option<Secret> {
    let rule = &AROUND_RULES[rule];
    let bytes = text.as_bytes();
    let (class, least, most) = rule.before;
    let before = bytes[covered..start]
        .iter()
        .rev()
        .take(most + 1)
        .take_while(|&&byte| is_member(class, byte))
        .count();
    if &bytes[start..end] != rule.anchor.as_bytes() || before < least || before > most {
        return None;
    }
    let after = matched_length(rule.after, &bytes[end..])?;
    Some(Secret { kind: rule.kind, span: start - before..end + after })
}

/// Where a secret ends that is wrapped over lines: the next line starts with as random a run as a key is.
fn continued(text: &str, mut end: usize) -> usize {
    let bytes = text.as_bytes();
    while let Some(gap) = line_break(&bytes[end..]) {
        let start = end + gap;
        let length = bytes[start..].iter().take_while(|&&byte| is_member(b'v', byte)).count();
        if length < SHORTEST_CONTINUATION || !is_random(&text[start..start + length]) {
            break;
        }
        end = start + length;
    }
    end
}

/// The bytes between two lines of one wrapped string: `\` or `" +`, the line break, indentation, a quote.
fn line_break(bytes: &[u8]) -> Option<usize> {
    let mut cursor = Cursor { bytes, at: 0 };
    cursor.skip(6, |byte| matches!(byte, b'"' | b'\'' | b' ' | b'+' | b'\\' | b'\r'));
    if cursor.skip(1, |byte| byte == b'\n') == 0 {
        return None;
    }
    cursor.skip_blanks();
    cursor.skip(1, |byte| matches!(byte, b'"' | b'\''));
    Some(cursor.at)
}
