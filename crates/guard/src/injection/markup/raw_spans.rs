//! Finds tags, roles and pipes into a shell in the raw text. They count even if there is no phrase nearby, so the
//! whole text is searched.

use std::ops::Range;
use std::sync::LazyLock;

use memchr::memmem;

use super::decorated_roles::decorated_role;
use super::{ROLE_TRIGGERS, TAGS};
use crate::prefix_search::{Hit, PrefixSearch, StartRule};

/// The mark of a Markdown heading. It may precede a role, as in `### system:`.
const HEADING: &[u8] = b"### ";
const MAX_ROLE_BYTES: usize = "instruction".len();

static MARKUP: LazyLock<PrefixSearch> = LazyLock::new(|| {
    let patterns = TAGS.iter().chain(ROLE_TRIGGERS.iter()).map(|text| (*text).to_owned()).collect();
    PrefixSearch::new(patterns, StartRule::WordStarts)
});

/// Returns the spans of all tags, roles and pipes into a shell, in no particular order. Tags are found by their opening
/// bracket, and roles and headings by their colon.
pub(crate) fn raw_spans(text: &[u8]) -> Vec<Range<usize>> {
    let search = &*MARKUP;
    let mut found: Vec<Range<usize>> = Vec::new();
    let tags_at =
        |start: usize| search.hits_at(text, start).map(|Hit { start, end, .. }| start..end);
    for bracket in memchr::memchr3_iter(b'<', b'[', b'{', text) {
        found.extend(tags_at(bracket));
        found.extend(decorated_role(text, bracket));
    }
    // Most parentheses belong to code, so only those after the mark of a heading are checked.
    found.extend(memmem::find_iter(text, "#(").filter_map(|at| decorated_role(text, at + 1)));
    for colon in memchr::memchr_iter(b':', text) {
        if let Some(start) = role_start(text, colon) {
            found.extend(tags_at(start));
            if text[..start].ends_with(HEADING) {
                found.extend(tags_at(start - HEADING.len()));
            }
        }
    }
    found.extend(memchr::memchr_iter(b'|', text).filter_map(|pipe| pipe_into_shell(text, pipe)));
    found
}

/// Returns the span of a pipe into a shell or into `sudo`, such as `| sh`, if one starts at `pipe`. Such pipes are
/// searched for in the whole text, because the gate often does not select the few words around them.
fn pipe_into_shell(text: &[u8], pipe: usize) -> Option<Range<usize>> {
    let shells: [&[u8]; 6] = [b"| sh", b"| bash", b"|sh", b"|bash", b"| zsh", b"| sudo"];
    let shell = shells.into_iter().find(|shell| text[pipe..].starts_with(shell))?;
    Some(pipe..pipe + shell.len())
}

/// Returns the start of the word before a colon, if the word's length and last letter are those of a role.
fn role_start(text: &[u8], colon: usize) -> Option<usize> {
    let last = text[..colon].last()?.to_ascii_lowercase();
    if !matches!(last, b'i' | b'm' | b'n' | b'r' | b's' | b't') {
        return None;
    }
    let letters = text[..colon].iter().rev().take(MAX_ROLE_BYTES + 1);
    let length = letters.take_while(|byte| byte.is_ascii_alphabetic()).count();
    (length <= MAX_ROLE_BYTES).then(|| colon - length)
}

#[cfg(test)]
mod tests;
