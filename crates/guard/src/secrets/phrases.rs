//! Finds recovery phrases of wallets and lists of recovery codes.

use crate::bytes::{is_word_or, line_after, run_after};
use crate::secrets::WORDS;
use crate::table::WordList;
use std::ops::Range;

static OTHER_WORDS: WordList = WordList::new(WORDS, "other words");
/// The maximum number of bytes between an anchor word and the start of the phrase.
const MAX_DISTANCE: usize = 64;
/// The allowed lengths of a word in a recovery phrase, in letters. The words of the published list (BIP 39) have three
/// to eight letters.
const WORD_LENGTHS: std::ops::RangeInclusive<usize> = 3..=8;
const MIN_WORDS: usize = 12;
const MAX_WORDS: usize = 24;

/// Returns the recovery phrase after the anchor word that ends at `end`.
pub(crate) fn recovery_phrase_after(text: &str, end: usize) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let limit = bytes.len().min(end + MAX_DISTANCE);
    let mut at = end;
    // Prose may precede the phrase. The first run of words with a valid number of words is the phrase.
    while at < limit {
        let (run_end, n_words) = words_from(bytes, at);
        if (MIN_WORDS..=MAX_WORDS).contains(&n_words) && n_words.is_multiple_of(3) {
            return Some(at..run_end);
        }
        // A longer run of words is prose.
        if n_words > MAX_WORDS {
            return None;
        }
        at += bytes[at..].iter().take_while(|byte| byte.is_ascii_lowercase()).count();
        at += bytes[at..].iter().take_while(|byte| !byte.is_ascii_lowercase()).count();
    }
    None
}

/// Returns the recovery phrase directly after the announcement that ends at `end`.
pub(crate) fn phrase_after_announcement(text: &str, end: usize) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let start = end + run_after(&bytes[end..], 3, |byte| b" \n\"`".contains(&byte));
    let (run_end, n_words) = words_from(bytes, start);
    let is_phrase = matches!(n_words, MIN_WORDS | MAX_WORDS)
        && !text
            .get(start..run_end)?
            .split([' ', ',', '\n'])
            .any(|word| OTHER_WORDS.contains(&word));
    is_phrase.then_some(start..run_end)
}

/// Returns the end of the run of words at `start`, and the number of words in the run.
fn words_from(bytes: &[u8], start: usize) -> (usize, usize) {
    let (mut at, mut end, mut n_words) = (start, start, 0);
    while n_words <= MAX_WORDS {
        let length = run_after(&bytes[at..], 9, |byte| byte.is_ascii_lowercase());
        // A name before a colon starts the next message of a chat.
        if !WORD_LENGTHS.contains(&length) || bytes.get(at + length) == Some(&b':') {
            break;
        }
        n_words += 1;
        end = at + length;
        let gap = run_after(&bytes[end..], 3, |byte| matches!(byte, b' ' | b',' | b'\n'));
        if gap == 0 {
            break;
        }
        at = end + gap;
    }
    (end, n_words)
}

const MAX_HEADING: usize = 96;
const MAX_LINE: usize = 96;
const MAX_LINES: usize = 24;
const MAX_CODES_ON_LINE: usize = 12;
const PART_LENGTHS: Range<usize> = 4..56;
/// The minimum number of letters and digits on a line of codes.
const MIN_CHARACTERS: usize = 8;

/// Returns the codes after the heading that ends at `end`. They follow a colon on the same line, or are on the lines
/// below.
pub(crate) fn codes_after(text: &str, end: usize) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let heading = line_after(bytes, end, MAX_HEADING);
    let mut codes = Vec::new();
    if let Some(colon) = memchr::memchr2(b':', b'=', heading) {
        codes.extend(codes_on_line(text, end + colon + 1..line_end(bytes, end + colon + 1)));
    }
    let mut at = end + heading.len() + 1;
    let mut n_blank = 0;
    for _ in 0..MAX_LINES {
        if at >= bytes.len() {
            break;
        }
        let line_end = line_end(bytes, at);
        let on_line = codes_on_line(text, at..line_end);
        let is_blank = bytes[at..line_end].trim_ascii().iter().all(|byte| b"[-=`".contains(byte));
        n_blank += usize::from(is_blank);
        if on_line.is_empty() && !(is_blank && n_blank <= 2) {
            break;
        }
        codes.extend(on_line);
        at = line_end + 1;
    }
    codes
}

/// Returns the end of the line at `at`, or the position `MAX_LINE` bytes after `at` if the line is longer.
fn line_end(bytes: &[u8], at: usize) -> usize {
    at + line_after(bytes, at, MAX_LINE).len()
}

/// Returns the codes on the line if the line consists only of codes, separators and a list marker. Otherwise, the
/// result is empty.
fn codes_on_line(text: &str, line: Range<usize>) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let mut parts: Vec<Range<usize>> = Vec::new();
    let mut at = line.start + list_marker(&bytes[line.clone()]);
    while at < line.end {
        at += run_after(&bytes[at..line.end], usize::MAX, |byte| {
            byte.is_ascii_whitespace() || b",;|\"'`[]/".contains(&byte)
        });
        let length = run_after(&bytes[at..line.end], usize::MAX, |byte| is_word_or(byte, b"-"));
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
        && parts.iter().map(|part| &bytes[part.clone()]).all(|part| {
            part.iter().any(|byte| byte.is_ascii_digit() || *byte == b'-')
                || part.iter().all(u8::is_ascii_uppercase)
        })
        && count(u8::is_ascii_digit) >= 2
        && !is_date;
    if are_codes { parts } else { Vec::new() }
}

/// Returns the length of the blanks and the list marker at the start of the line: `- `, `1. `, `3) `, `[ ] `.
fn list_marker(line: &[u8]) -> usize {
    let blanks = run_after(line, usize::MAX, |byte| {
        matches!(byte, b' ' | b'\t' | b'-' | b'*' | b'[' | b']')
    });
    let digits = run_after(&line[blanks..], 2, |byte| byte.is_ascii_digit());
    let is_number = digits > 0 && matches!(line.get(blanks + digits), Some(b'.' | b')' | b':'));
    if is_number { blanks + digits + 1 } else { blanks }
}
