//! Finds base64-encoded provider tokens and private keys by the encoded form of their prefix.

use crate::secrets::WORDS;
use crate::secrets::requests;
use crate::secrets::shape::{RunEnds, is_member, matched_end};
use crate::secrets::tokens::RULES;
use crate::table::WordList;
use crate::{base64, work};
use std::ops::Range;

static PREFIXES: WordList = WordList::new(WORDS, "prefixes");
/// The minimum length of a prefix whose twice-encoded form is also searched for.
const MIN_TWICE_ENCODED_PREFIX: usize = 10;
const MIN_ANCHOR: usize = 4;
const MIN_RUN: usize = 24;
/// The maximum number of encoded bytes before the anchor. The encoded string may contain other characters before the
/// token, as in `user:token`.
const MAX_BEFORE: usize = 64;

/// Returns the base64 forms of each prefix, and the twice-encoded forms of long prefixes. The form depends on whether
/// the prefix starts at the first, second or third byte of a base64 group.
pub(crate) fn anchors() -> Vec<String> {
    let at_all_positions =
        |text: &str| -> Vec<String> { (0..3).filter_map(|shift| encoded(text, shift)).collect() };
    PREFIXES
        .iter()
        .flat_map(|prefix| {
            let mut letters = at_all_positions(prefix);
            if prefix.len() >= MIN_TWICE_ENCODED_PREFIX {
                let twice: Vec<_> =
                    letters.iter().flat_map(|once| at_all_positions(once)).collect();
                letters.extend(twice);
            }
            letters
        })
        .collect()
}

/// Returns the base64 characters of `prefix` that do not depend on the bytes before or after the prefix. `shift` is the
/// number of bytes before the prefix in its base64 group.
fn encoded(prefix: &str, shift: usize) -> Option<String> {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let first = (shift * 8).div_ceil(6);
    let end = (shift + prefix.len()) * 8 / 6;
    let byte_at = |index: usize| {
        let byte = index.checked_sub(shift).and_then(|index| prefix.as_bytes().get(index));
        u16::from(byte.copied().unwrap_or(0))
    };
    let letters: String = (first..end)
        .map(|letter| {
            let bit = letter * 6;
            let two_bytes = byte_at(bit / 8) << 8 | byte_at(bit / 8 + 1);
            let six_bits = two_bytes >> (10 - bit % 8) & 0x3f;
            char::from(ALPHABET[usize::from(six_bits)])
        })
        .collect();
    (letters.len() >= MIN_ANCHOR).then_some(letters)
}

/// Returns the whole encoded string around the anchor at `start` if the decoded string contains a token. The encoded
/// string does not start before `covered`.
pub(crate) fn secret_around(
    text: &str,
    covered: usize,
    start: usize,
    runs: &mut RunEnds,
) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let floor = covered.max(start.saturating_sub(MAX_BEFORE));
    // Within an encoded string, `=` occurs only at the end. An `=` before the string is an assignment.
    let is_before = |byte: u8| is_member(b's', byte) && byte != b'=';
    let before = bytes[floor..start].iter().rev().take_while(|byte| is_before(**byte)).count();
    let begin = start - before;
    let end = matched_end("{s4-}", bytes, start, runs)?;
    if end - begin < MIN_RUN || before == MAX_BEFORE {
        return None;
    }
    let decoded = decoded(&bytes[begin..end])?;
    let is_token = has_token(&decoded)
        || self::decoded(decoded.trim().as_bytes()).is_some_and(|twice| has_token(&twice));
    is_token.then_some(begin..end)
}

/// Decodes the first 512 bytes of the base64 string `letters`.
fn decoded(letters: &[u8]) -> Option<String> {
    let decoded = base64::decode(letters.get(..letters.len().min(512) / 4 * 4)?)?;
    work::count(decoded.len());
    Some(String::from_utf8_lossy(&decoded).into_owned())
}

fn has_token(decoded: &str) -> bool {
    PREFIXES.iter().any(|prefix| {
        decoded.match_indices(prefix).take(2).any(|(at, _)| is_token_at(decoded, at, prefix))
    })
}

fn is_token_at(decoded: &str, at: usize, prefix: &str) -> bool {
    let body = at + prefix.len();
    prefix.starts_with('-') && decoded[at..].contains("PRIVATE KEY")
        || prefix.ends_with("://") && requests::password_at(decoded, body).is_some()
        || RULES.iter().filter(|rule| rule.prefix == prefix).any(|rule| {
            matched_end(rule.shape, decoded.as_bytes(), body, &mut RunEnds::default()).is_some()
        })
}
