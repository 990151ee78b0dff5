//! Finds lists of recovery codes for two-factor authentication: `Backup codes:`, followed by lines with one or
//! several codes each.

use std::ops::Range;

use super::Secret;
use crate::work;

const MAX_HEADING: usize = 96;
const MAX_LINE: usize = 96;
const MAX_LINES: usize = 24;
const MAX_CODES_ON_LINE: usize = 12;
const PART_LENGTHS: Range<usize> = 4..56;
/// The minimum number of letters and digits on a line of codes.
const MIN_CHARACTERS: usize = 8;

/// Returns the codes after the heading that ends at `end`. They follow a colon on the same line, or are on the lines
/// below.
pub(crate) fn codes_after(text: &str, end: usize) -> Vec<Secret> {
    let bytes = text.as_bytes();
    let rest = &bytes[end..bytes.len().min(end + MAX_HEADING)];
    let length = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
    work::count(length);
    let mut codes = Vec::new();
    if let Some(colon) = memchr::memchr2(b':', b'=', &rest[..length]) {
        codes.extend(codes_on_line(text, end + colon + 1..line_end(bytes, end + colon + 1)));
    }
    let mut at = end + length + 1;
    let mut n_blank = 0;
    for _ in 0..MAX_LINES {
        if at >= bytes.len() {
            break;
        }
        let line_end = line_end(bytes, at);
        let on_line = codes_on_line(text, at..line_end);
        let is_blank = bytes[at..line_end]
            .trim_ascii()
            .iter()
            .all(|byte| matches!(byte, b'[' | b'-' | b'=' | b'`'));
        n_blank += usize::from(is_blank);
        if on_line.is_empty() && !(is_blank && n_blank <= 2) {
            break;
        }
        codes.extend(on_line);
        at = line_end + 1;
    }
    codes.into_iter().map(|span| Secret { kind: "recovery-code", span }).collect()
}

/// Returns the end of the line at `at`, or the position `MAX_LINE` bytes after `at` if the line is longer.
fn line_end(bytes: &[u8], at: usize) -> usize {
    let line = &bytes[at..bytes.len().min(at + MAX_LINE)];
    work::count(line.len());
    at + memchr::memchr(b'\n', line).unwrap_or(line.len())
}

/// Returns the codes on the line if the line consists only of codes, separators and a list marker. Otherwise, the
/// result is empty.
fn codes_on_line(text: &str, line: Range<usize>) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let mut parts: Vec<Range<usize>> = Vec::new();
    let mut at = line.start + list_marker(&bytes[line.clone()]);
    while at < line.end {
        at += bytes[at..line.end].iter().take_while(|byte| is_separator(**byte)).count();
        let length = bytes[at..line.end]
            .iter()
            .take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'-')
            .count();
        if at == line.end {
            break;
        }
        if !PART_LENGTHS.contains(&length) || parts.len() >= MAX_CODES_ON_LINE {
            return Vec::new();
        }
        parts.push(at..at + length);
        at += length;
    }
    let count = |accept: fn(&u8) -> bool| {
        parts.iter().flat_map(|part| &bytes[part.clone()]).filter(|byte| accept(byte)).count()
    };
    let is_date = parts.iter().any(|part| {
        bytes[part.clone()].starts_with(b"20") && bytes.get(part.start + 4) == Some(&b'-')
    });
    // Codes contain digits, unlike `abcd-efgh` and `correct horse`.
    let are_codes = count(u8::is_ascii_alphanumeric) >= MIN_CHARACTERS
        && parts.iter().all(|part| is_code(&bytes[part.clone()]))
        && count(u8::is_ascii_digit) >= 2
        && !is_date;
    if are_codes { parts } else { Vec::new() }
}

/// Returns whether the word contains a digit or a hyphen, or is in capitals.
fn is_code(word: &[u8]) -> bool {
    word.iter().any(|byte| byte.is_ascii_digit() || *byte == b'-')
        || word.iter().all(u8::is_ascii_uppercase)
}

/// Returns the length of the blanks and the list marker at the start of the line: `- `, `1. `, `3) `, `[ ] `.
fn list_marker(line: &[u8]) -> usize {
    let blanks = line
        .iter()
        .take_while(|byte| matches!(byte, b' ' | b'\t' | b'-' | b'*' | b'[' | b']'))
        .count();
    let digits = line[blanks..].iter().take(2).take_while(|byte| byte.is_ascii_digit()).count();
    let is_number = digits > 0 && matches!(line.get(blanks + digits), Some(b'.' | b')' | b':'));
    if is_number { blanks + digits + 1 } else { blanks }
}

fn is_separator(byte: u8) -> bool {
    byte.is_ascii_whitespace()
        || matches!(byte, b',' | b';' | b'|' | b'"' | b'\'' | b'`' | b'[' | b']' | b'/')
}
