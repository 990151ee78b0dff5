//! Finds keys in maps, lists and objects, and keys without a name: `partnerKeys = {"a": "…"}`, `accounts: ["0x…"]`, JSON web
//! keys, `sk = …`, seeds of Stellar and NATS.

use crate::bytes::{
    Cursor, bytes_after, bytes_before, consists_of, contains_any, ends_with_any_ignoring_case,
    is_word_or, run_after, run_before,
};
use crate::secrets::Secret;
use crate::secrets::WORDS;
use crate::secrets::bounds::value_bounds;
use crate::secrets::candidate::Name;
use crate::secrets::forms::{
    Characters, has_digit, is_chosen_password, is_literal_word, is_random,
};
use crate::table::WordList;
use crate::work;
use std::ops::Range;

const MAX_NAME: usize = 48;
/// The maximum number of bytes between the operator and the first element or the end of the line.
const MAX_HEAD: usize = 64;
const MAX_LITERAL: usize = 4096;
const LENGTHS: std::ops::RangeInclusive<usize> = 20..=160;

static PUBLIC_NAMES: WordList = WordList::new(WORDS, "public names");

/// Returns the generated values in the literal that is assigned to the name. The anchor is `text[start..end]`.
pub(crate) fn values_after(text: &str, start: usize, end: usize) -> Vec<Range<usize>> {
    if !names_secrets(text, start) {
        return Vec::new();
    }
    let Some(open) = opening(text.as_bytes(), start, end) else { return Vec::new() };
    // The anchor may start in the word `key`.
    let is_key = ends_with_any_ignoring_case(&text.as_bytes()[..=start], &["ke"]);
    strings(text, open)
        .into_iter()
        .filter(|span| is_generated_element(&text[span.clone()], is_key))
        .collect()
}

/// Returns whether the identifier around the anchor at `start` names secrets, such as `partnerKeys`. The word
/// `keys` alone does not.
fn names_secrets(text: &str, start: usize) -> bool {
    let length = run_before(&text.as_bytes()[..start], MAX_NAME, |byte| is_word_or(byte, b"_-"));
    let name = text[start - length..start].to_ascii_lowercase();
    name.ends_with(['k', 't', 's']) && name != "k" && !contains_any(name, &PUBLIC_NAMES)
}

/// Returns the position after the bracket that opens the literal. A bracket after an identifier accesses an element.
fn opening(bytes: &[u8], start: usize, end: usize) -> Option<usize> {
    let rest = bytes_after(bytes, end, MAX_HEAD);
    let length = rest
        .iter()
        .position(|byte| matches!(byte, b'"' | b'\'' | b'`' | b'\n' | b';'))
        .unwrap_or(rest.len());
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
fn is_generated_element(value: &str, is_key: bool) -> bool {
    let Characters { upper, lower, digits, .. } = Characters::of(value);
    LENGTHS.contains(&value.len())
        && consists_of(value, u8::is_ascii_alphanumeric, "_-+/=")
        && digits.min(lower) > 0
        && (!is_key || upper > 0)
        && is_random(value)
}

const MAX_LIST: usize = 4096;
const KEY_DIGITS: usize = 64;
/// The minimum number of bytes in a list of bytes that counts as a key.
const MIN_BYTES: usize = 32;

/// Returns the keys in the list that starts at `from`. The list ends at the first element that is neither a key nor an
/// index.
pub(crate) fn keys_after(text: &str, from: usize) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let limit = bytes.len().min(from + MAX_LIST);
    let mut keys = Vec::new();
    let mut at = from;
    while at < limit {
        // Blanks, quotes, commas, brackets, and the characters that underline a heading separate keys.
        at += run_after(&bytes[at..limit], usize::MAX, |byte| {
            byte.is_ascii_whitespace() || b"\"'`,[()=-:*".contains(&byte)
        });
        at += if bytes[at..limit].starts_with(b"0x") { 2 } else { 0 };
        let length = run_after(&bytes[at..limit], usize::MAX, |byte| byte.is_ascii_alphanumeric());
        let run = &bytes[at..at + length];
        let is_index = length <= 2 && run.iter().all(u8::is_ascii_digit);
        if length == KEY_DIGITS && run.iter().all(u8::is_ascii_hexdigit) {
            keys.push(at..at + length);
        } else if !is_index || length == 0 {
            break;
        }
        at += length;
    }
    work::count(at - from);
    keys
}

/// Returns a key that is written as a list of numbers in brackets shortly after `from`.
pub(crate) fn key_of_bytes(text: &str, from: usize) -> Option<Range<usize>> {
    const MAX_DISTANCE: usize = 32;
    let bytes = text.as_bytes();
    let near = bytes_after(bytes, from, MAX_DISTANCE);
    let start = match memchr::memchr2(b'[', b'\n', near) {
        Some(open) if near[open] == b'[' => from + open + 1,
        // The bracket is the last byte of the anchor.
        _ if bytes[from - 1] == b'[' => from,
        _ => return None,
    };
    let rest = bytes_after(bytes, start, MAX_LIST);
    let length = run_after(rest, usize::MAX, |byte| {
        byte.is_ascii_digit() || byte.is_ascii_whitespace() || byte == b','
    });
    let n_bytes = text[start..start + length]
        .split(',')
        .filter(|number| number.trim().parse::<u8>().is_ok())
        .count();
    (n_bytes >= MIN_BYTES && rest.get(length) == Some(&b']')).then_some(start..start + length)
}

/// The maximum number of bytes in the object that are searched before and after the anchor.
const MAX_OBJECT: usize = 320;
/// The maximum number of bytes between the type of a resource and its attributes.
const MAX_RESOURCE: usize = 640;
/// The maximum number of bytes in a JSON Web Key that are searched before and after its type.
const MAX_JWK: usize = 1024;
const MIN_JWK_PART: usize = 22;
const MAX_VALUE: usize = 768;
const MIN_JSON_KEY: usize = 32;
const MIN_RANDOM_PASSWORD: usize = 6;

/// Returns the secret in the object that contains the field `text[start..end]`, which is one of [`MARKS`].
pub(crate) fn value_beside(text: &str, start: usize, end: usize) -> Option<Range<usize>> {
    let mark = text[start..end].to_ascii_lowercase();
    match mark.as_str() {
        "\"random_password\"" => {
            let rest = window(text, end, end + MAX_RESOURCE);
            field(text, rest, "result").filter(|value| value.len() >= MIN_RANDOM_PASSWORD)
        }
        "\"keyname\":" => {
            field(text, object_within(text, start, end, MAX_OBJECT), "value").filter(|value| {
                value.len() >= MIN_JSON_KEY && is_generated_or_chosen(&text[value.clone()])
            })
        }
        "\"kty\":" | "kty:" => private_part(text, object_within(text, start, end, MAX_JWK)),
        _ => field(text, object_within(text, start, end, MAX_OBJECT), "value")
            .filter(|value| is_generated_or_chosen(&text[value.clone()])),
    }
}

/// Returns the private part of a JSON Web Key: the field `d` of a key pair or the field `k` of a symmetric key.
fn private_part(text: &str, key: Range<usize>) -> Option<Range<usize>> {
    let is_private = |value: &Range<usize>| {
        let value = &text[value.clone()];
        value.len() >= MIN_JWK_PART && consists_of(value, u8::is_ascii_alphanumeric, "_-")
    };
    ["d", "k"].iter().filter_map(|name| field(text, key.clone(), name)).find(|value| {
        is_private(value) && is_random(&text[value.start..value.start + MIN_JWK_PART])
    })
}

/// Returns the part of the text around `text[start..end]` that belongs to the same object, with at most `max` bytes before
/// and after.
fn object_within(text: &str, start: usize, end: usize, max: usize) -> Range<usize> {
    let bytes = text.as_bytes();
    let before = bytes_before(bytes, start, max);
    let after = bytes_after(bytes, end, max);
    let open = memchr::memrchr(b'{', before).unwrap_or(0);
    let close = memchr::memchr(b'}', after).unwrap_or(after.len());
    window(text, start - before.len() + open, end + close)
}

/// Returns the range with both ends moved back to character boundaries within the text.
fn window(text: &str, start: usize, end: usize) -> Range<usize> {
    text.floor_char_boundary(start)..text.floor_char_boundary(end)
}

/// Returns the range of the string in the field `name`, without its quotes: `"name": "…"`, `name: '…'`.
fn field(text: &str, part: Range<usize>, name: &str) -> Option<Range<usize>> {
    let object = text.get(part.clone())?;
    work::count(object.len());
    object.match_indices(name).find_map(|(at, _)| {
        let is_start =
            !object[..at].ends_with(|last: char| last.is_ascii_alphanumeric() || last == '_');
        let after_name = object[at + name.len()..].trim_start_matches(['"', '\'']).trim_start();
        let value = after_name.strip_prefix(':')?.trim_start();
        let quote = value.bytes().next().filter(|quote| matches!(quote, b'"' | b'\''))?;
        let start = part.end - value.len() + 1;
        let rest = &text.as_bytes()[start..text.len().min(start + MAX_VALUE)];
        let length = memchr::memchr2(quote, b'\n', rest)?;
        (is_start && rest[length] == quote).then_some(start..start + length)
    })
}

fn is_generated_or_chosen(value: &str) -> bool {
    is_literal_word(value)
        && !value.contains([':', '$'])
        && (has_digit(value) && is_random(value) || is_chosen_password(value))
}

const MIN_KEY: usize = 20;
const MIN_DIGITS: usize = 3;

/// Returns the key after `sk` and its operator. `end` is the position after the operator.
pub(crate) fn key_after(text: &str, end: usize) -> Option<Range<usize>> {
    let mut cursor = Cursor::new(text, end);
    cursor.skip_blanks();
    let (span, _) = value_bounds(text, cursor.at, Name::Token)?;
    let value = text.get(span.clone())?;
    let is_key = value.len() >= MIN_KEY
        && consists_of(value, u8::is_ascii_alphanumeric, "_-+/=.")
        && value.bytes().filter(u8::is_ascii_digit).count() >= MIN_DIGITS
        && is_random(value);
    is_key.then_some(span)
}

const SEED: usize = 56;
/// The number of bytes that a seed encodes: the version, the key and the checksum.
const DECODED: usize = 35;
const VERSION: u8 = 18 << 3;

/// The length of a seed of NATS.
const NATS_SEED: usize = 58;
const MIN_NATS_DIGITS: usize = 3;

/// Returns all seeds of Stellar and NATS in the text.
pub(crate) fn seeds(text: &str) -> Vec<Secret> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = SEED - 1;
    // Every run of `SEED` characters contains one of the positions that are examined.
    while at < bytes.len() {
        if !is_base32(bytes[at]) {
            at += SEED;
            continue;
        }
        let start = at - run_before(&bytes[..at], NATS_SEED, is_base32);
        let length = run_after(&bytes[start..], NATS_SEED, is_base32);
        let span = start..start + length;
        let is_part = |byte: Option<&u8>| byte.is_some_and(|byte| is_word_or(*byte, b"_"));
        let is_whole = !is_part(bytes[..start].last()) && !is_part(bytes.get(span.end));
        let seed = &bytes[span.clone()];
        if length == SEED && is_whole && is_seed(seed) {
            found.push(Secret { kind: "stellar-key", span });
        } else if is_whole && is_nats_seed(seed) {
            found.push(Secret { kind: "nats-seed", span });
        }
        at += SEED;
    }
    found
}

/// Returns whether the word is a seed of NATS: `S`, the role of the key, and the key in base32.
fn is_nats_seed(word: &[u8]) -> bool {
    word.len() == NATS_SEED
        && matches!(word, [b'S', b'A' | b'C' | b'N' | b'O' | b'U' | b'X', ..])
        && word.iter().filter(|byte| byte.is_ascii_digit()).count() >= MIN_NATS_DIGITS
}

fn is_base32(byte: u8) -> bool {
    matches!(byte, b'A'..=b'Z' | b'2'..=b'7')
}

/// Returns whether the characters of base32 decode to the version of a seed, a key, and the checksum of both.
fn is_seed(characters: &[u8]) -> bool {
    let mut decoded = Vec::with_capacity(DECODED);
    let (mut bits, mut n_bits) = (0_u32, 0);
    for &character in characters {
        let digit =
            if character.is_ascii_digit() { character - b'2' + 26 } else { character - b'A' };
        bits = (bits << 5 | u32::from(digit)) & 0xfff;
        n_bits += 5;
        if n_bits >= 8 {
            n_bits -= 8;
            decoded.push(u8::try_from(bits >> n_bits & 0xff).unwrap_or_default());
        }
    }
    let Some((payload, checksum)) = decoded.split_last_chunk::<2>() else { return false };
    payload.first() == Some(&VERSION) && crc16(payload) == u16::from_le_bytes(*checksum)
}

/// Returns the CRC-16/XMODEM checksum.
fn crc16(bytes: &[u8]) -> u16 {
    bytes.iter().fold(0, |crc, &byte| {
        (0..8).fold(crc ^ u16::from(byte) << 8, |crc, _| {
            if crc & 0x8000 == 0 { crc << 1 } else { crc << 1 ^ 0x1021 }
        })
    })
}
