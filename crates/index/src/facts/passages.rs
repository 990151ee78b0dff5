//! Divides a file into passages: one for each function, type, module or macro that spans several lines, and one for
//! each range between them. Long ranges are divided further.
//!
//! The text of a definition starts with its doc comment. Nested definitions have their own passages, which divide the
//! text of the enclosing definition into several passages.

use syntax::{Kind, Outline};

/// The maximum number of lines in a passage. Longer ranges are divided, because otherwise a long function would match
/// almost every query.
const MAX_LINES: u32 = 60;

/// The symbol, byte range and lines of a passage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PassageRange {
    pub(super) symbol: Option<u32>,
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) first_line: u32,
    pub(super) last_line: u32,
}

/// Returns the passages of `text` in order. Together they cover all of `text`.
pub(super) fn passages(text: &str, outline: Option<&Outline>) -> Vec<PassageRange> {
    let mut line_starts: Vec<usize> = vec![0];
    line_starts
        .extend(text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at + 1));
    let mut ranges = Vec::new();
    let mut at = 0;
    let mut open: Vec<(u32, usize)> = Vec::new();
    let close_until =
        |limit: usize, at: &mut usize, open: &mut Vec<(u32, usize)>, out: &mut Vec<_>| {
            while let Some((symbol, end)) = open.pop_if(|(_, end)| *end <= limit) {
                cut(&line_starts, Some(symbol), *at..end, out);
                *at = (*at).max(end);
            }
        };
    for (symbol, start, end) in owners(text, outline, &line_starts) {
        close_until(start, &mut at, &mut open, &mut ranges);
        cut(&line_starts, open.last().map(|(symbol, _)| *symbol), at..start, &mut ranges);
        at = at.max(start);
        // A definition that extends past its container is cut at the end of the container.
        let end = open.last().map_or(end, |(_, outer)| end.min(*outer));
        open.push((symbol, end));
    }
    close_until(text.len(), &mut at, &mut open, &mut ranges);
    cut(&line_starts, None, at..text.len(), &mut ranges);
    ranges
}

/// Returns the symbol index and the start and end byte of each definition that has its own passages, sorted by start. A
/// definition starts at the beginning of its first line, or of the first line of its doc comment.
fn owners(
    text: &str,
    outline: Option<&Outline>,
    line_starts: &[usize],
) -> Vec<(u32, usize, usize)> {
    let Some(outline) = outline else { return Vec::new() };
    let numbered = (0_u32..).zip(&outline.definitions);
    let mut owners: Vec<(u32, usize, usize)> = numbered
        .filter(|(_, definition)| owns_text(definition.kind) && definition.lines.count() > 1)
        .map(|(symbol, definition)| {
            let span = definition.span.range();
            let doc = definition.doc.map_or(span.start, |doc| doc.range().start);
            let start = line_starts[line_of(line_starts, doc.min(span.start))];
            (symbol, start, span.end.min(text.len()))
        })
        .collect();
    owners.sort_by_key(|(symbol, start, end)| (*start, std::cmp::Reverse(*end), *symbol));
    owners
}

fn owns_text(kind: Kind) -> bool {
    kind.is_callable() || kind.has_methods() || matches!(kind, Kind::Module | Kind::Macro)
}

/// Returns the zero-based index of the line that contains byte `at`.
fn line_of(line_starts: &[usize], at: usize) -> usize {
    line_starts.partition_point(|start| *start <= at).saturating_sub(1)
}

/// Appends passages for `range`, each with at most [`MAX_LINES`] lines.
fn cut(
    line_starts: &[usize],
    symbol: Option<u32>,
    range: std::ops::Range<usize>,
    out: &mut Vec<PassageRange>,
) {
    let mut start = range.start;
    while start < range.end {
        let first = line_of(line_starts, start);
        let piece_end = line_starts
            .get(first + MAX_LINES as usize)
            .copied()
            .unwrap_or(range.end)
            .min(range.end);
        let last = line_of(line_starts, piece_end - 1);
        out.push(PassageRange {
            symbol,
            start,
            end: piece_end,
            first_line: first as u32 + 1,
            last_line: last as u32 + 1,
        });
        start = piece_end;
    }
}
