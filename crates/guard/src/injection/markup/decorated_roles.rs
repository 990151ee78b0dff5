//! Finds roles in brackets after a row of marks, such as `###(system_message)` or `**[ADMIN OVERRIDE]`. No client or document
//! format uses such a form, so it can only imitate a role.

use std::ops::Range;

/// The minimum number of equal marks before the bracket.
const MIN_MARKS: usize = 2;
/// The maximum number of bytes between the brackets.
const MAX_INNER: usize = 40;

#[rustfmt::skip]
const SPEAKERS: &[&str] = &["admin", "administrator", "assistant", "developer", "instruction", "instructions", "operator", "system"];
#[rustfmt::skip]
const KINDS: &[&str] = &[
    "alert", "command", "directive", "instruction", "instructions", "message", "msg", "note", "notice", "override", "prompt",
    "reminder", "role", "update",
];

/// Returns the span of a decorated role whose bracket is at `open`, with its marks.
pub(super) fn decorated_role(text: &[u8], open: usize) -> Option<Range<usize>> {
    let close = match text.get(open)? {
        b'(' => b')',
        b'[' => b']',
        b'{' => b'}',
        b'<' => b'>',
        _ => return None,
    };
    let mark = *text[..open].last().filter(|mark| matches!(mark, b'#' | b'*' | b'=' | b'~'))?;
    let n_marks = text[..open].iter().rev().take_while(|byte| **byte == mark).count();
    if n_marks < MIN_MARKS {
        return None;
    }
    let rest = &text[open + 1..];
    let length = memchr::memchr(close, &rest[..rest.len().min(MAX_INNER)])?;
    names_role(&rest[..length]).then(|| open - n_marks..open + length + 2)
}

/// Returns whether the text consists of a speaker and a kind of message: `system_message`, `Admin Override`.
fn names_role(inner: &[u8]) -> bool {
    let mut words =
        inner.split(|byte| !byte.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let is_in = |word: Option<&[u8]>, list: &[&str]| {
        word.is_some_and(|word| {
            list.iter().any(|entry| word.eq_ignore_ascii_case(entry.as_bytes()))
        })
    };
    is_in(words.next(), SPEAKERS) && is_in(words.next(), KINDS) && words.next().is_none()
}

#[cfg(test)]
mod tests;
