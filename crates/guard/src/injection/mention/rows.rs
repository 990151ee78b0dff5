//! Recognises the rows of a table of phrases: rows in which one cell labels another cell as an attack, or contains a share such
//! as `4 %`.

use std::ops::Range;

use super::words::{CELL_LABELS, LABEL_PARTS};
use super::{MAX_QUOTED_BYTES, MAX_SENTENCE_BYTES, is_harmless};

/// The maximum length of a cell that labels its row, in bytes.
const MAX_LABEL_BYTES: usize = 32;

/// Returns the harmless cells of a table row if one of its cells labels the row as an attack. Otherwise, the result is
/// empty. A row is a line of a Markdown table, a line with tabs, or a line with commas that also contains a score.
pub(super) fn labelled_cells(text: &str, row: Range<usize>) -> Vec<Range<usize>> {
    let line = &text[row.clone()];
    let Some(separator) = separator(line).filter(|_| line.len() <= MAX_SENTENCE_BYTES) else {
        return Vec::new();
    };
    if !line.split(separator).any(|cell| is_label(cell, separator)) {
        return Vec::new();
    }
    let mut at = row.start;
    let cells = line.split(separator).map(|cell| {
        let start = at;
        at += cell.len() + separator.len_utf8();
        start..start + cell.len()
    });
    cells
        .filter(|cell| {
            let content = text[cell.clone()].trim();
            !content.is_empty()
                && content.len() <= MAX_QUOTED_BYTES
                && is_harmless(&content.to_lowercase())
        })
        .collect()
}

/// Returns the character that separates the cells of `line`, or `None` if the line is not a row.
fn separator(line: &str) -> Option<char> {
    let trimmed = line.trim();
    if trimmed.starts_with('|') && trimmed.ends_with('|') {
        Some('|')
    } else if trimmed.contains('\t') {
        Some('\t')
    } else {
        trimmed.split(',').any(is_score).then_some(',')
    }
}

/// Returns whether a cell contains a probability, such as `0.97`, or a class, `0` or `1`.
fn is_score(cell: &str) -> bool {
    let cell = cell.trim();
    matches!(cell, "0" | "1")
        || cell.strip_prefix("0.").or_else(|| cell.strip_prefix("1.0")).is_some_and(|digits| {
            digits.len() <= 6 && digits.bytes().all(|byte| byte.is_ascii_digit())
        })
}

/// Returns whether a cell names a kind of attack or contains a share. Outside of Markdown tables, the name may be part of a
/// longer label, such as `override-phrase`.
fn is_label(cell: &str, separator: char) -> bool {
    let cell = cell.trim().trim_matches('"');
    if cell.is_empty() || cell.len() > MAX_LABEL_BYTES {
        return false;
    }
    let cell = cell.to_lowercase();
    CELL_LABELS.contains(&cell.as_str())
        || is_share(&cell)
        || separator != '|'
            && !cell.contains(' ')
            && LABEL_PARTS.iter().any(|part| cell.contains(part))
}

/// Returns whether a cell contains a number of per cent, as in a table of results.
fn is_share(cell: &str) -> bool {
    let number = cell.strip_suffix('%').map(str::trim_end);
    number.is_some_and(|number| {
        !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
    })
}
