//! Analyses the bytes of a file and returns a fact record.
//!
//! Unusual content is not an error: a file that is not text gets a record without terms, and code with syntax errors
//! gets a record of the definitions that were recognised.

use std::borrow::Cow;
use std::ops::Range;
use std::time::{Duration, Instant};

use syntax::{Language, Outline, OutlineLimits, TokenOutliner};

use super::Reading;
use super::encode::encode;
use super::memo::TermMemo;
use super::passages::{PassageRange, passages};
use crate::parser::{OpenParser, Parser, ParserFailure, ask};
use crate::role::{ContentMark, mark_of};
use crate::text::{FIELDS, Field};

/// The maximum size of a file whose content is read. A larger file is indexed by its path only.
pub(crate) const MAX_FILE_BYTES: u64 = 16 * 1024 * 1024;
/// The maximum size of a file that is parsed. In a larger file, only words are counted.
const MAX_PARSED_BYTES: usize = 2 * 1024 * 1024;
/// In a file that is not parsed, only the words in the first `MAX_WORD_BYTES` bytes are counted.
const MAX_WORD_BYTES: usize = 256 * 1024;
/// Like [`MAX_WORD_BYTES`], but for data files (tables, translations, recorded output).
const MAX_DATA_BYTES: usize = 16 * 1024;
/// The maximum time to parse one file.
pub(crate) const PARSE_TIMEOUT: Duration = Duration::from_secs(2);

/// Analyses files with one parser and one term cache. Each thread has its own `Analyser`.
pub(crate) struct Analyser {
    tokens: TokenOutliner,
    parser: OpenParser,
    memo: TermMemo,
}

impl Analyser {
    pub(crate) fn new(parser: &Parser) -> Self {
        let (tokens, memo) = (TokenOutliner::default(), TermMemo::default());
        Self { tokens, parser: parser.open(), memo }
    }

    /// Analyses the content of a file and returns its fact record. Fails only if the file is parsed by another process
    /// and that process fails.
    pub(crate) fn analyse(
        &mut self,
        bytes: &[u8],
        reading: Reading,
    ) -> Result<Vec<u8>, ParserFailure> {
        let language = reading.language();
        if reading == Reading::PathOnly {
            return Ok(unread(ContentMark::Unread, language));
        }
        let Some(text) = decode_text(bytes) else {
            return Ok(unread(ContentMark::Binary, language));
        };
        self.memo.start_file();
        let mark = mark_of(&text, language.is_some());
        if mark == ContentMark::Minified {
            return Ok(unread(mark, language));
        }
        let lines = text.bytes().filter(|byte| *byte == b'\n').count() as u32 + 1;
        let parsed = language.filter(|_| text.len() <= MAX_PARSED_BYTES);
        let mut outline = None;
        if let Some(language) = parsed {
            let deadline = Some(Instant::now() + PARSE_TIMEOUT);
            let limits = OutlineLimits { max_bytes: MAX_PARSED_BYTES, deadline };
            outline = self.tokens.outline(language, text.as_bytes(), limits);
            if outline.is_none() {
                match &mut self.parser {
                    OpenParser::Linked(outliner) => {
                        outline = Some(outliner(language, text.as_bytes(), limits));
                    }
                    OpenParser::Program(program, running) => {
                        return ask(program, running, bytes, reading);
                    }
                }
            }
        }
        let counted = if outline.is_some() { &*text } else { cut_words(&text, max_words(reading)) };
        let ranges = passages(counted, outline.as_ref());
        let lengths = match &outline {
            Some(outline) => count_code(&mut self.memo, &text, outline, &ranges),
            None => count_words(&mut self.memo, counted, language, &ranges),
        };
        let head = super::FactsHead { mark, language, lines, lengths };
        Ok(encode(head, &text, outline.as_ref(), &ranges, &mut self.memo))
    }
}

fn max_words(reading: Reading) -> usize {
    match reading {
        Reading::Data => MAX_DATA_BYTES,
        Reading::PathOnly => 0,
        Reading::Code(_) | Reading::Prose => MAX_WORD_BYTES,
    }
}

/// Returns the fact record of a file whose content is not analysed.
pub(crate) fn unread(mark: ContentMark, language: Option<Language>) -> Vec<u8> {
    let head = super::FactsHead { mark, language, lines: 0, lengths: [0; FIELDS] };
    encode(head, "", None, &[], &mut TermMemo::default())
}

/// Decodes UTF-8, or UTF-16 with a byte order mark. Invalid UTF-8 is decoded with replacement characters. Returns
/// `None` for binary files, which have a NUL byte near the start.
pub(crate) fn decode_text(bytes: &[u8]) -> Option<Cow<'_, str>> {
    const SNIFF: usize = 8 * 1024;
    if let Some(rest) = bytes.strip_prefix(&[0xff, 0xfe]) {
        return Some(Cow::Owned(decode_utf16(rest, u16::from_le_bytes)));
    }
    if let Some(rest) = bytes.strip_prefix(&[0xfe, 0xff]) {
        return Some(Cow::Owned(decode_utf16(rest, u16::from_be_bytes)));
    }
    let bytes = bytes.strip_prefix(&[0xef, 0xbb, 0xbf]).unwrap_or(bytes);
    if bytes[..bytes.len().min(SNIFF)].contains(&0) {
        return None;
    }
    Some(String::from_utf8_lossy(bytes))
}

fn decode_utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> String {
    let units = bytes.chunks_exact(2).map(|pair| unit([pair[0], pair[1]]));
    char::decode_utf16(units)
        .map(|character| character.unwrap_or(char::REPLACEMENT_CHARACTER))
        .collect()
}

fn cut_words(text: &str, max_bytes: usize) -> &str {
    text.get(..text.floor_char_boundary(max_bytes)).unwrap_or_default()
}

/// Counts the terms of a file that was not parsed. Returns the number of tokens per field.
fn count_words(
    memo: &mut TermMemo,
    text: &str,
    language: Option<Language>,
    ranges: &[PassageRange],
) -> [u32; FIELDS] {
    let field = if language.is_some() { Field::Body } else { Field::Docs };
    let mut lengths = [0; FIELDS];
    count_range(memo, text, 0..text.len(), field, ranges, &mut 0, &mut lengths);
    lengths
}

/// Counts the terms of parsed code by field. Returns the number of tokens per field.
fn count_code(
    memo: &mut TermMemo,
    text: &str,
    outline: &Outline,
    ranges: &[PassageRange],
) -> [u32; FIELDS] {
    let source = text.as_bytes();
    let mut lengths = [0; FIELDS];
    let mut count = |memo: &mut TermMemo, part: &str, field: Field| {
        lengths[field.slot()] += memo.count(part, field, None);
    };
    let part = |range: Range<usize>, field: Field| (range.start, range.end, field);
    let mut apart: Vec<(usize, usize, Field)> = Vec::new();
    for definition in &outline.definitions {
        count(memo, definition.name.text(source), Field::Name);
        count(memo, definition.signature.text(source), Field::Signature);
        if let Some(owner) = definition.owner {
            count(memo, owner.text(source), Field::Qualified);
        }
        let container = definition.container.and_then(|id| outline.definitions.get(id.index()));
        if let Some(container) = container {
            count(memo, container.name.text(source), Field::Qualified);
        }
        apart.extend(definition.doc.map(|doc| part(doc.range(), Field::Docs)));
    }
    apart.extend(outline.comments.iter().map(|it| part(it.span.range(), Field::Docs)));
    apart.extend(outline.strings.iter().map(|it| part(it.span.range(), Field::Strings)));
    apart.sort_unstable_by_key(|(start, end, _)| (*start, std::cmp::Reverse(*end)));
    let mut at = 0;
    let mut passage = 0;
    for (start, end, field) in apart {
        // A range that starts inside an earlier comment or string is already counted.
        if start < at {
            continue;
        }
        count_range(memo, text, at..start, Field::Body, ranges, &mut passage, &mut lengths);
        count_range(memo, text, start..end, field, ranges, &mut passage, &mut lengths);
        at = end;
    }
    count_range(memo, text, at..text.len(), Field::Body, ranges, &mut passage, &mut lengths);
    lengths
}

/// Counts the terms in `range` of `text`, for `field` and for each passage that overlaps the range. `passage` is the
/// index of the passage in which the previous call ended, so ranges must be counted in ascending order.
fn count_range(
    memo: &mut TermMemo,
    text: &str,
    range: Range<usize>,
    field: Field,
    ranges: &[PassageRange],
    passage: &mut usize,
    lengths: &mut [u32; FIELDS],
) {
    let mut at = range.start;
    while at < range.end {
        while ranges.get(*passage).is_some_and(|passage| passage.end <= at) {
            *passage += 1;
        }
        let end = ranges.get(*passage).map_or(range.end, |passage| passage.end.min(range.end));
        // A passage can end inside a character if the outline was truncated. The whole character is then counted in
        // this passage.
        let end = text.ceil_char_boundary(end);
        let part = text.get(at..end).unwrap_or_default();
        lengths[field.slot()] += memo.count(part, field, Some(*passage as u32));
        at = end;
    }
}
