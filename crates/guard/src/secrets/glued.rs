//! Recognises a token that is directly followed by another token or by a word, without a separator.

use std::ops::Range;

use super::Secret;
use super::rules::{RULES, Rule};
use super::sample_tokens::is_sample_token;
use super::shape::{RunEnds, is_member, matched_end, matched_span, matched_start};
use super::value::is_random;
use crate::work;

/// The minimum length of a token's body. A shorter body may be the start of a longer name.
const MIN_BODY: usize = 24;
/// The maximum number of bytes of a word that are examined.
const MAX_EXAMINED: usize = 256;

/// Returns the end of the word that continues after a token. The token ends at `end`.
pub(crate) fn end_of_word(text: &str, rule: &Rule, end: usize, runs: &mut RunEnds) -> usize {
    if !rule.identifies_issuer() {
        return end;
    }
    matched_end("{w0-}", text.as_bytes(), end, runs).unwrap_or(end)
}

/// Returns the token and the word characters after it if the text after `prefix` starts with the shape of the rule, but
/// is longer than the shape allows: `npm_…extra`.
pub(crate) fn token(
    text: &str,
    rule: &Rule,
    prefix: &Range<usize>,
    runs: &mut RunEnds,
) -> Option<Secret> {
    let bytes = text.as_bytes();
    // In the middle of a base64 string, a short prefix occurs by chance.
    let is_inside = matches!(bytes[..prefix.start].last(), Some(b'-' | b'_' | b'+'));
    if is_inside || !rule.identifies_issuer() || rule.shape.contains("{!}") {
        return None;
    }
    let (body_end, _) = matched_start(rule.shape, bytes, prefix.end, runs)?;
    let body = text.get(prefix.end..body_end)?;
    let rest = &bytes[body_end..bytes.len().min(body_end + MAX_EXAMINED)];
    let n_rest = rest.iter().take_while(|byte| is_member(b'w', **byte)).count();
    work::count(body.len().min(MAX_EXAMINED) + n_rest);
    // A longer hexadecimal string is a digest with a name before it.
    let is_digest =
        body.bytes().chain(rest[..n_rest].iter().copied()).all(|byte| is_member(b'x', byte));
    let is_token = body.len() >= MIN_BODY
        && body.len() <= MAX_EXAMINED
        && !is_digest
        && has_several_kinds(body)
        && is_random(body)
        // `pat_eyJ…`: the other token extends further.
        && !starts_token(text, prefix.end, runs)
        && !is_sample_token(&text[prefix.start..body_end], prefix.len());
    is_token.then(|| Secret {
        kind: rule.kind,
        span: prefix.end..end_of_word(text, rule, body_end, runs),
    })
}

/// Returns whether a token starts at `at`.
pub(crate) fn starts_token(text: &str, at: usize, runs: &mut RunEnds) -> bool {
    work::count(1);
    RULES.iter().filter(|rule| text[at..].starts_with(rule.prefix)).any(|rule| {
        matched_span(rule.shape, text.as_bytes(), at + rule.prefix.len(), runs).is_some()
    })
}

/// Returns whether the body contains upper-case and lower-case letters, or at least two digits.
fn has_several_kinds(body: &str) -> bool {
    let has = |kind: fn(&u8) -> bool| body.as_bytes().iter().any(kind);
    has(u8::is_ascii_lowercase) && has(u8::is_ascii_uppercase)
        || body.bytes().filter(u8::is_ascii_digit).count() >= 2
}
