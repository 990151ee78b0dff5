//! Matches strings against a shape, which is a short notation for the format of a token's body. Shapes are interpreted
//! directly, without compilation or backtracking.
//!
//! `{a36-255}` matches 36 to 255 characters of class `a`, `{x32}` exactly 32 characters of class `x`, and `{b20-}` at
//! least 20 characters of class `b`. [`is_member`] lists the classes. Any other character matches itself. The part
//! before `{!}` identifies the secret and is not redacted.

use crate::bytes::{is_word_or, run_after};
use std::ops::Range;

/// Separates the public part of a shape from the secret part.
const SECRET_START: &str = "{!}";

/// Caches the ends of unbounded runs of characters, so that a long run that contains many prefixes is read only once.
#[derive(Default)]
pub(crate) struct RunEnds(Vec<(u8, Range<usize>)>);

impl RunEnds {
    /// Returns the end of the run of characters of class `class` that starts at `at`.
    fn end(&mut self, class: u8, text: &[u8], at: usize) -> usize {
        if let Some((_, cached)) =
            self.0.iter().find(|(cached, range)| *cached == class && range.contains(&at))
        {
            return cached.end;
        }
        let end = at + run_after(&text[at..], usize::MAX, |byte| is_member(class, byte));
        self.0.retain(|(cached, _)| *cached != class);
        self.0.push((class, at..end));
        end
    }
}

/// Returns the span of the secret part if the text at `start` matches the shape.
pub(crate) fn matched_span(
    shape: &str,
    text: &[u8],
    start: usize,
    runs: &mut RunEnds,
) -> Option<Range<usize>> {
    let (lead, body) = shape.split_once(SECRET_START).unwrap_or(("", shape));
    let secret = matched_end(lead, text, start, runs)?;
    Some(secret..matched_end(body, text, secret, runs)?)
}

/// Returns the end of the match if the text at `start` matches the shape.
pub(crate) fn matched_end(
    shape: &str,
    text: &[u8],
    start: usize,
    runs: &mut RunEnds,
) -> Option<usize> {
    let (at, last_class) = matched_start(shape, text, start, runs)?;
    // If a run of limited length is followed by a character of the same class, the string is longer than the shape
    // allows.
    let continues =
        last_class.zip(text.get(at)).is_some_and(|(class, &next)| is_member(class, next));
    (!continues).then_some(at)
}

/// Returns the end of the match if the text at `start` starts with the shape, and the class of the shape's last run.
/// The text may continue with characters of this class.
pub(crate) fn matched_start(
    shape: &str,
    text: &[u8],
    start: usize,
    runs: &mut RunEnds,
) -> Option<(usize, Option<u8>)> {
    let mut shape = shape.as_bytes();
    let mut at = start;
    let mut last_class = None;
    while let Some((&first, rest)) = shape.split_first() {
        if first == b'{' {
            let close = memchr::memchr(b'}', rest)?;
            let run = Run::parse(&rest[..close])?;
            at = run.matched_end(text, at, runs)?;
            last_class = Some(run.class);
            shape = &rest[close + 1..];
        } else {
            if text.get(at) != Some(&first) {
                return None;
            }
            at += 1;
            last_class = None;
            shape = rest;
        }
    }
    Some((at, last_class))
}

/// A run of characters of one class, with its minimum and maximum length.
pub(crate) struct Run {
    pub(crate) class: u8,
    pub(crate) min: usize,
    pub(crate) max: Option<usize>,
}

impl Run {
    pub(crate) fn parse(notation: &[u8]) -> Option<Self> {
        let (&class, lengths) = notation.split_first()?;
        let lengths = std::str::from_utf8(lengths).ok()?;
        let (min, max) = match lengths.split_once('-') {
            None => (lengths, lengths),
            Some(pair) => pair,
        };
        let max = if max.is_empty() { None } else { Some(max.parse().ok()?) };
        Some(Self { class, min: min.parse().ok()?, max })
    }

    fn matched_end(&self, text: &[u8], at: usize, runs: &mut RunEnds) -> Option<usize> {
        let end = match self.max {
            None => runs.end(self.class, text, at),
            Some(max) => at + run_after(&text[at..], max, |byte| is_member(self.class, byte)),
        };
        (end - at >= self.min).then_some(end)
    }
}

/// Returns whether `byte` belongs to the character class with the one-letter name `class`.
pub(crate) fn is_member(class: u8, byte: u8) -> bool {
    match class {
        b'd' => byte.is_ascii_digit(),
        b'x' => byte.is_ascii_hexdigit(),
        b'A' => byte.is_ascii_alphabetic(),
        b'l' => byte.is_ascii_lowercase() || byte.is_ascii_digit(),
        b'u' => byte.is_ascii_uppercase() || byte.is_ascii_digit(),
        b'a' => byte.is_ascii_alphanumeric(),
        b'w' => is_word_or(byte, b"_"),
        b'b' => is_word_or(byte, b"_-"),
        b'e' => is_word_or(byte, b"_-="),
        b's' => is_word_or(byte, b"+/=_"),
        b'p' => is_word_or(byte, b"%-_"),
        b'o' => is_word_or(byte, b"@-"),
        b'v' => is_word_or(byte, b"_-/=+"),
        b'c' => is_word_or(byte, b"./"),
        b'm' => is_word_or(byte, b"+/"),
        b'n' => is_word_or(byte, b"_-.~"),
        b'y' => is_word_or(byte, b"%+/-_="),
        b'E' => is_word_or(byte, b"$,=+/."),
        b'h' => is_word_or(byte, b"-_@./%"),
        b't' => is_word_or(byte, b"_-.=~+/"),
        b'k' => matches!(byte, b' ' | b'\t'),
        b'r' => byte == b'\n',
        b'q' => matches!(byte, b'"' | b'\''),
        b'i' => (b' '..=b'~').contains(&byte) && !matches!(byte, b'"' | b'\'' | b'\\'),
        b'g' => {
            byte.is_ascii_graphic() && !matches!(byte, b'"' | b'\'' | b'`' | b'<' | b'>' | b'\\')
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests;
