//! Where tags and roles stand in a raw text. They need no phrase around them and are searched everywhere.

use std::ops::Range;
use std::sync::LazyLock;

use super::{ROLE_TRIGGERS, TAGS};
use crate::lookout::{Hit, Lookout, Places};

/// Before a role that opens a section.
const HEADING: &[u8] = b"### ";
const LONGEST_ROLE: usize = "instruction".len();

static MARKUP: LazyLock<Lookout> = LazyLock::new(|| {
    let patterns = TAGS.iter().chain(ROLE_TRIGGERS).map(|text| (*text).to_owned()).collect();
    Lookout::new(patterns, Places::WordStarts)
});

/// All tags and roles, in no order. A tag starts with a bracket; roles and headings end with a colon.
pub(crate) fn places(text: &[u8]) -> Vec<Range<usize>> {
    let lookout = &*MARKUP;
    let mut found = Vec::new();
    let mut look_at = |start: usize| {
        found.extend(lookout.hits_at(text, start).map(|Hit { start, end, .. }| start..end));
    };
    memchr::memchr3_iter(b'<', b'[', b'{', text).for_each(&mut look_at);
    for colon in memchr::memchr_iter(b':', text) {
        if let Some(start) = role_start(text, colon) {
            look_at(start);
            if text[..start].ends_with(HEADING) {
                look_at(start - HEADING.len());
            }
        }
    }
    found
}

/// Where the word before a colon starts, if its length and last letter may be those of a role.
fn role_start(text: &[u8], colon: usize) -> Option<usize> {
    let last = text[..colon].last()?.to_ascii_lowercase();
    if !matches!(last, b'i' | b'm' | b'n' | b'r' | b's' | b't') {
        return None;
    }
    let letters = text[..colon].iter().rev().take(LONGEST_ROLE + 1);
    let length = letters.take_while(|byte| byte.is_ascii_alphabetic()).count();
    (length <= LONGEST_ROLE).then(|| colon - length)
}

#[cfg(test)]
mod tests;
