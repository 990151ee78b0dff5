//! Extracts the signature of a definition from the source.

use std::ops::Range;

use crate::characters::is_inside;
use crate::span::Span;

/// The maximum length of a signature in bytes. Longer signatures, which usually occur in generated code, are
/// truncated.
const MAX_SIGNATURE: usize = 400;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cut {
    AtLength,
    /// Truncates the signature at the maximum length or at the end of its first line, whichever comes first. Used for
    /// the definitions of values, such as constants and fields.
    AtLineEnd,
}

pub(crate) fn signature(source: &[u8], range: Range<usize>, cut: Cut) -> Span {
    let mut text = source.get(range.clone()).unwrap_or_default();
    if cut == Cut::AtLineEnd {
        text = text.split(|byte| *byte == b'\n').next().unwrap_or_default();
    }
    if text.len() > MAX_SIGNATURE {
        text = &text[..char_boundary(text, MAX_SIGNATURE)];
    }
    Span::new(range.start..range.start + without_opening(text).len())
}

/// Removes a `{`, `=>`, `=` or `;` from the end of the header. These characters separate the header from the body or
/// value.
fn without_opening(text: &[u8]) -> &[u8] {
    let text = text.trim_ascii_end();
    let openings: [&[u8]; 4] = [b"{", b"=>", b"=", b";"];
    let opening = openings.into_iter().find_map(|opening| text.strip_suffix(opening));
    opening.unwrap_or(text).trim_ascii_end()
}

/// Returns the last character boundary at or before `at`.
fn char_boundary(text: &[u8], at: usize) -> usize {
    (0..=at).rev().find(|index| !is_inside(text, *index)).unwrap_or(0)
}
