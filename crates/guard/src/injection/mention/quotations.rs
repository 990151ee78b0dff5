//! Finds quotations.

use std::ops::Range;

use super::MAX_QUOTED_BYTES;

/// The opening and the closing mark of each kind of quotation. If one mark is the start of another, the longer mark is
/// listed first.
const QUOTATION_MARKS: &[(&str, &str)] = &[
    ("\"", "\""),
    ("``", "''"),
    ("'", "'"),
    ("`", "`"),
    ("“", "”"),
    ("‘", "’"),
    ("「", "」"),
    ("『", "』"),
];

/// Returns the next quotation that starts between `at` and `end` and is on one line: the position after its opening
/// quotation mark, and the range of its content.
pub(super) fn next_quotation(text: &str, at: usize, end: usize) -> Option<(usize, Range<usize>)> {
    let mut rest = at;
    loop {
        let searched = text.get(rest..end)?;
        let (offset, character) =
            searched.char_indices().find(|(_, character)| "\"'`“‘「『".contains(*character))?;
        let opening = rest + offset;
        let quotation = QUOTATION_MARKS
            .iter()
            .filter(|(open, _)| text[opening..].starts_with(open))
            .find_map(|(open, close)| content(text, opening, open, close));
        if let Some(content) = quotation {
            return Some((content.start, content));
        }
        rest = opening + character.len_utf8();
    }
}

/// Returns the content of the quotation whose opening mark is at `opening`, if it is closed on the same line.
fn content(text: &str, opening: usize, open: &str, close: &str) -> Option<Range<usize>> {
    let start = opening + open.len();
    let window = &text[start..text.floor_char_boundary(start + MAX_QUOTED_BYTES)];
    let line = window.split('\n').next().unwrap_or_default();
    let is_apostrophe = open == "'" && text[..opening].ends_with(char::is_alphanumeric);
    let length = line.find(close).filter(|length| *length > 0 && !is_apostrophe)?;
    Some(start..start + length)
}
