//! All secrets of a text, in order and without overlap.

use super::anchors::{Anchor, anchors};
use super::rules::RULES;
use super::{Secret, assignment, private_key, shape};

pub(crate) fn secrets(text: &str) -> Vec<Secret> {
    let Some(anchors) = anchors() else { return Vec::new() };
    let mut found: Vec<Secret> = Vec::new();
    let mut covered = 0;
    for (anchor, start, end) in anchors.find_iter(text.as_bytes()) {
        if start < covered {
            continue;
        }
        let secret = match anchor {
            Anchor::Token { first } => token_at(text, first, start, end),
            Anchor::Name => assignment::assigned_secret(text, end),
            Anchor::Scheme => assignment::authorization_secret(text, start, end),
            Anchor::KeyBlock => private_key::secret_at(text, start),
            Anchor::Url => assignment::url_password(text, end),
        };
        if let Some(secret) = secret {
            covered = secret.span.end;
            found.push(secret);
        }
    }
    found
}

fn token_at(text: &str, first: usize, start: usize, end: usize) -> Option<Secret> {
    let bytes = text.as_bytes();
    let prefix = RULES[first].prefix;
    if &bytes[start..end] != prefix.as_bytes()
        || (start > 0 && bytes[start - 1].is_ascii_alphanumeric())
    {
        return None;
    }
    RULES[first..].iter().take_while(|rule| rule.prefix == prefix).find_map(|rule| {
        let length = shape::matched_length(rule.shape, &bytes[end..])?;
        Some(Secret { kind: rule.kind, span: end..end + length })
    })
}
