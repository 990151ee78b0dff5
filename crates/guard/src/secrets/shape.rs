//! The shape of a token's body, read directly from its one-line notation: no compilation, no backtracking.
//!
//! `{a36-255}` is a run of 36 to 255 characters of class `a`; `{x32}` exactly 32; `{b20-}` 20 or more; anything else
//! stands for itself. What stands before `{!}` announces the secret and is no part of it. Classes are listed at
//! [`is_member`].

use std::ops::Range;

use crate::work;

/// The mark in a shape before which nothing is secret.
const SECRET_STARTS: &str = "{!}";

/// Where runs without an upper bound end, so that a text with many prefixes in one long run is read once, not once a prefix.
#[derive(Default)]
pub(crate) struct RunEnds(Vec<(u8, Range<usize>)>);

impl RunEnds {
    /// The end of the run of `class` that starts at `at`.
    fn end(&mut self, class: u8, text: &[u8], at: usize) -> usize {
        if let Some((_, known)) =
            self.0.iter().find(|(known, range)| *known == class && range.contains(&at))
        {
            return known.end;
        }
        let end = at + text[at..].iter().take_while(|&&byte| is_member(class, byte)).count();
        work::count(end - at);
        self.0.retain(|(known, _)| *known != class);
        self.0.push((class, at..end));
        end
    }
}

/// Where the secret is in the text from `start` on, if it has this shape.
pub(crate) fn matched_span(
    shape: &str,
    text: &[u8],
    start: usize,
    runs: &mut RunEnds,
) -> Option<Range<usize>> {
    let (lead, body) = shape.split_once(SECRET_STARTS).unwrap_or(("", shape));
    let secret = matched_end(lead, text, start, runs)?;
    Some(secret..matched_end(body, text, secret, runs)?)
}

/// Where the text from `start` on stops to have this shape, if it has it.
pub(crate) fn matched_end(
    shape: &str,
    text: &[u8],
    start: usize,
    runs: &mut RunEnds,
) -> Option<usize> {
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
    // A token of fixed length that goes on is another, longer string.
    let goes_on = last_class.zip(text.get(at)).is_some_and(|(class, &next)| is_member(class, next));
    (!goes_on).then_some(at)
}

struct Run {
    class: u8,
    least: usize,
    most: Option<usize>,
}

impl Run {
    fn parse(notation: &[u8]) -> Option<Self> {
        let (&class, lengths) = notation.split_first()?;
        let lengths = std::str::from_utf8(lengths).ok()?;
        let (least, most) = match lengths.split_once('-') {
            None => (lengths, lengths),
            Some(pair) => pair,
        };
        let most = if most.is_empty() { None } else { Some(most.parse().ok()?) };
        Some(Self { class, least: least.parse().ok()?, most })
    }

    fn matched_end(&self, text: &[u8], at: usize, runs: &mut RunEnds) -> Option<usize> {
        let end = match self.most {
            None => runs.end(self.class, text, at),
            Some(most) => {
                at + text[at..]
                    .iter()
                    .take(most)
                    .take_while(|&&byte| is_member(self.class, byte))
                    .count()
            }
        };
        work::count(self.most.unwrap_or(1));
        (end - at >= self.least).then_some(end)
    }
}

/// Whether `byte` belongs to the class named by one letter.
pub(crate) fn is_member(class: u8, byte: u8) -> bool {
    match class {
        b'd' => byte.is_ascii_digit(),
        b'x' => byte.is_ascii_hexdigit(),
        b'A' => byte.is_ascii_alphabetic(),
        b'l' => byte.is_ascii_lowercase() || byte.is_ascii_digit(),
        b'u' => byte.is_ascii_uppercase() || byte.is_ascii_digit(),
        b'a' => byte.is_ascii_alphanumeric(),
        b'w' => byte.is_ascii_alphanumeric() || byte == b'_',
        b'b' => byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'),
        b'e' => byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'='),
        b's' => byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=' | b'_'),
        b'p' => byte.is_ascii_alphanumeric() || matches!(byte, b'%' | b'-' | b'_'),
        b'o' => byte.is_ascii_alphanumeric() || matches!(byte, b'@' | b'-'),
        b'v' => byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'/' | b'=' | b'+'),
        b'c' => byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'/'),
        b'm' => byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/'),
        b'n' => byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'~'),
        b'y' => {
            byte.is_ascii_alphanumeric() || matches!(byte, b'%' | b'+' | b'/' | b'-' | b'_' | b'=')
        }
        b'E' => {
            byte.is_ascii_alphanumeric() || matches!(byte, b'$' | b',' | b'=' | b'+' | b'/' | b'.')
        }
        b'h' => {
            byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'@' | b'.' | b'/' | b'%')
        }
        b'k' => matches!(byte, b' ' | b'\t'),
        b'q' => matches!(byte, b'"' | b'\''),
        b'i' => (b' '..=b'~').contains(&byte) && !matches!(byte, b'"' | b'\'' | b'\\'),
        b'g' => {
            byte.is_ascii_graphic() && !matches!(byte, b'"' | b'\'' | b'`' | b'<' | b'>' | b'\\')
        }
        b't' => {
            byte.is_ascii_alphanumeric()
                || matches!(byte, b'_' | b'-' | b'.' | b'=' | b'~' | b'+' | b'/')
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests;
