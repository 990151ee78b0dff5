//! Finds values in table columns whose header names a secret: `INSERT INTO users (name, password) VALUES (…)`, CSV with
//! a header line, and Markdown tables.

use crate::bytes::{
    bytes_after, consists_of, ends_with_any_ignoring_case, is_word_or, line_after, line_before,
    run_after, run_before,
};
use crate::secrets::WORDS;
use crate::secrets::candidate::Name;
use crate::secrets::forms::{has_digit, is_literal_word, is_random};
use crate::secrets::stand_ins::is_timestamp;
use crate::table::WordList;
use crate::work;
use std::ops::Range;

/// The maximum number of bytes in a table that are searched for values.
const MAX_TABLE: usize = 2048;
const MAX_HEADER: usize = 256;
const MAX_COLUMN_NAME: usize = 32;

/// Returns the secrets in the column whose header contains the word `text[word]`, and the end of the table. If
/// `text[word]` is not in a header, the returned end is `word.end`.
pub(crate) fn values(text: &str, name: Name, word: &Range<usize>) -> (Vec<Range<usize>>, usize) {
    let is_header = matches!(name, Name::Password | Name::Token)
        && bytes_after(text.as_bytes(), word.end, MAX_COLUMN_NAME)
            .iter()
            .find(|byte| !is_word_or(**byte, b"_`\" "))
            .is_none_or(|byte| matches!(byte, b',' | b')' | b'|' | b';' | b'\t' | b'\n' | b'\r'));
    if !is_header || is_public_column(&text.as_bytes()[word.end..]) {
        return (Vec::new(), word.end);
    }
    let (spans, end) = statement_values(text, word)
        .or_else(|| line_values(text, word))
        .unwrap_or((Vec::new(), word.end));
    let is_secret =
        |span: &Range<usize>| text.get(span.clone()).is_some_and(|value| is_value(value, name));
    (spans.into_iter().filter(is_secret).collect(), end)
}

static PUBLIC_ENDS: WordList = WordList::new(WORDS, "ends of columns without secrets");

/// Returns whether `rest`, the text after the anchor word, completes the name of a column that contains no secret:
/// `token_id`, `password_last_changed`.
fn is_public_column(rest: &[u8]) -> bool {
    let length = run_after(rest, MAX_COLUMN_NAME, |byte| is_word_or(byte, b"_"));
    ends_with_any_ignoring_case(&rest[..length], &PUBLIC_ENDS)
}

fn is_value(value: &str, name: Name) -> bool {
    is_literal_word(value)
        && !value.contains('>')
        && !is_timestamp(value.as_bytes())
        && !consists_of(value, u8::is_ascii_digit, ".")
        && (name == Name::Password || has_digit(value) && is_random(value))
}

/// Returns the values of the column in a statement such as `(name, password) VALUES ('bob', 'value'), …`, and the end
/// of the statement.
fn statement_values(text: &str, word: &Range<usize>) -> Option<(Vec<Range<usize>>, usize)> {
    let bytes = text.as_bytes();
    let floor = word.start.saturating_sub(MAX_HEADER);
    let open = floor + memchr::memrchr(b'(', &bytes[floor..word.start])?;
    work::count(word.start - floor);
    if bytes[open..word.start].contains(&b')') {
        return None;
    }
    let column = memchr::memchr_iter(b',', &bytes[open..word.start]).count();
    let limit = bytes.len().min(word.end + MAX_TABLE);
    let close =
        word.end + memchr::memchr(b')', &bytes[word.end..limit.min(word.end + MAX_HEADER)])?;
    let rest = bytes[close + 1..limit].trim_ascii_start();
    if !rest.get(..6)?.eq_ignore_ascii_case(b"values") {
        return None;
    }
    let mut at = limit - rest.len() + 6;
    let mut spans = Vec::new();
    while let Some(tuple) = memchr::memchr(b'(', &bytes[at..limit]).map(|skip| at + skip + 1) {
        // Only blanks and commas can separate the rows of a statement.
        if !bytes[at..tuple - 1].iter().all(|byte| byte.is_ascii_whitespace() || *byte == b',') {
            break;
        }
        let (fields, end) = fields(bytes, tuple..limit, b',', b')');
        work::count(end - at);
        spans.extend(fields.get(column).cloned());
        at = end;
    }
    Some((spans, at.min(limit)))
}

/// Returns the values in a column of a CSV or Markdown table, and the end of the table. `word` is in the header of that
/// column.
fn line_values(text: &str, word: &Range<usize>) -> Option<(Vec<Range<usize>>, usize)> {
    let bytes = text.as_bytes();
    let start = word.start - line_before(bytes, word.start, MAX_HEADER).len();
    let limit = bytes.len().min(start + MAX_TABLE);
    let length = memchr::memchr(b'\n', &bytes[word.end..limit])? + word.end - start;
    let header = &bytes[start..start + length];
    let separator = [b'|', b',', b';', b'\t'].into_iter().find(|sign| header.contains(sign))?;
    let is_name = |field: &[u8]| {
        let field = field.trim_ascii();
        field.len() <= MAX_COLUMN_NAME
            && field.iter().all(|byte| is_word_or(*byte, b"_ \"`*") || !byte.is_ascii())
    };
    let columns = || header.split(|byte| *byte == separator);
    let n_columns = columns().count();
    let n_named = columns().filter(|field| !field.trim_ascii().is_empty()).count();
    if n_named < 2 || !columns().all(is_name) {
        return None;
    }
    let column = memchr::memchr_iter(separator, &bytes[start..word.start]).count();
    let mut spans = Vec::new();
    let mut at = start + length + 1;
    let below = line_after(bytes, at.min(bytes.len()), MAX_TABLE);
    // In the output of a program, any row may contain the word. Only the header is above a line of dashes.
    if separator == b'|' && !below.iter().all(|byte| b"|-: \r".contains(byte)) {
        return None;
    }
    while at < limit {
        let end = memchr::memchr(b'\n', &bytes[at..]).map_or(bytes.len(), |skip| at + skip);
        work::count((end - at).min(MAX_TABLE));
        if end - at > MAX_TABLE {
            break;
        }
        let (fields, _) = fields(bytes, at..end, separator, b'\n');
        if fields.len() != n_columns {
            break;
        }
        spans.extend(fields.get(column).cloned());
        at = end + 1;
    }
    Some((spans, at.min(limit)))
}

/// Returns the fields in `within` up to the byte `close`, and the position after `close`. The fields do not include
/// surrounding blanks and quotes.
fn fields(
    bytes: &[u8],
    within: Range<usize>,
    separator: u8,
    close: u8,
) -> (Vec<Range<usize>>, usize) {
    let mut spans = Vec::new();
    let (mut start, mut at, mut quote) = (within.start, within.start, None);
    loop {
        let byte = if at < within.end { bytes[at] } else { close };
        match quote {
            Some(open) if at < within.end => quote = (byte != open).then_some(open),
            _ if byte == separator || byte == close => {
                spans.push(trimmed(bytes, start..at));
                start = at + 1;
                if byte == close {
                    return (spans, (at + 1).min(within.end.max(at)));
                }
            }
            _ if matches!(byte, b'\'' | b'"') && bytes[start..at].trim_ascii().is_empty() => {
                quote = Some(byte);
            }
            _ => {}
        }
        at += 1;
    }
}

fn trimmed(bytes: &[u8], span: Range<usize>) -> Range<usize> {
    let is_wrapping = |byte: u8| b" \t\r'\"`".contains(&byte);
    let start = span.start + run_after(&bytes[span.clone()], usize::MAX, is_wrapping);
    start..span.end - run_before(&bytes[start..span.end], usize::MAX, is_wrapping)
}
