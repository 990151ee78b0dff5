//! Bytes of a file become its facts: decode, mark, outline, count.
//!
//! Never fails: what cannot be read as text has a record without terms, broken code has what was understood.

use std::borrow::Cow;
use std::ops::Range;
use std::time::{Duration, Instant};

use syntax::{Language, Limits, Outline, Outliner};

use super::Reading;
use super::encode::encode;
use super::memo::TermMemo;
use super::passages::{Stretch, passages};
use crate::role::{ContentMark, mark_of};
use crate::text::{FIELDS, Field};

/// How much of one file is looked at.
#[derive(Clone, Copy, Debug)]
pub struct FileLimits {
    /// Larger files are known by their path alone.
    pub max_bytes: u64,
    /// Larger files are not parsed; their words are counted.
    pub max_parsed_bytes: usize,
    /// Of a file that is not parsed, no more than this is read for words.
    pub max_word_bytes: usize,
    /// Of a table, a translation or recorded output, no more than this.
    pub max_data_bytes: usize,
    /// The longest one file may be parsed.
    pub parse_time: Duration,
}

impl Default for FileLimits {
    fn default() -> Self {
        Self {
            max_bytes: 16 * 1024 * 1024,
            max_parsed_bytes: 2 * 1024 * 1024,
            max_word_bytes: 256 * 1024,
            max_data_bytes: 16 * 1024,
            parse_time: Duration::from_secs(2),
        }
    }
}

/// Analyses many files with one parser and one memory of words. One per thread.
pub(crate) struct Analyst {
    outliner: Outliner,
    memo: TermMemo,
    limits: FileLimits,
}

impl Analyst {
    pub(crate) fn new(limits: FileLimits) -> Self {
        Self { outliner: Outliner::new(), memo: TermMemo::default(), limits }
    }

    /// The record of a file with these bytes.
    pub(crate) fn analyse(&mut self, bytes: &[u8], reading: Reading) -> Vec<u8> {
        let language = reading.language();
        let Some(text) = decode_text(bytes) else {
            return unread(ContentMark::Binary, language);
        };
        self.memo.start_file();
        let mark = mark_of(&text, language.is_some());
        if mark == ContentMark::Minified {
            return unread(mark, language);
        }
        let lines = text.bytes().filter(|byte| *byte == b'\n').count() as u32 + 1;
        let outline = language
            .filter(|_| text.len() <= self.limits.max_parsed_bytes)
            .map(|language| self.outline(&text, language));
        let counted =
            if outline.is_some() { &*text } else { cut_words(&text, self.max_words(reading)) };
        let stretches = passages(counted, outline.as_ref());
        let lengths = match &outline {
            Some(outline) => count_code(&mut self.memo, &text, outline, &stretches),
            None => count_words(&mut self.memo, counted, language, &stretches),
        };
        let head = super::FactsHead { mark, language, lines, lengths };
        encode(head, &text, outline.as_ref(), &stretches, &mut self.memo)
    }

    fn max_words(&self, reading: Reading) -> usize {
        match reading {
            Reading::Data => self.limits.max_data_bytes,
            Reading::Code(_) | Reading::Prose => self.limits.max_word_bytes,
        }
    }

    fn outline(&mut self, text: &str, language: Language) -> Outline {
        let deadline = Instant::now() + self.limits.parse_time;
        let limits = Limits { max_bytes: self.limits.max_parsed_bytes, deadline: Some(deadline) };
        self.outliner.outline(language, text.as_bytes(), limits)
    }
}

/// The record of a file whose content tells nothing.
pub(crate) fn unread(mark: ContentMark, language: Option<Language>) -> Vec<u8> {
    let head = super::FactsHead { mark, language, lines: 0, lengths: [0; FIELDS] };
    encode(head, "", None, &[], &mut TermMemo::default())
}

/// UTF-8, UTF-16 with its mark, or UTF-8 with holes; anything with a NUL near its start is not text.
fn decode_text(bytes: &[u8]) -> Option<Cow<'_, str>> {
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

/// Counts the words of a text that was not parsed.
fn count_words(
    memo: &mut TermMemo,
    text: &str,
    language: Option<Language>,
    stretches: &[Stretch],
) -> [u32; FIELDS] {
    let field = if language.is_some() { Field::Body } else { Field::Docs };
    let mut lengths = [0; FIELDS];
    count_range(memo, text, 0..text.len(), field, stretches, &mut 0, &mut lengths);
    lengths
}

/// Counts the terms of parsed code in their fields and returns the fields' lengths.
fn count_code(
    memo: &mut TermMemo,
    text: &str,
    outline: &Outline,
    stretches: &[Stretch],
) -> [u32; FIELDS] {
    let source = text.as_bytes();
    let mut lengths = [0; FIELDS];
    let mut count = |memo: &mut TermMemo, part: &str, field: Field| {
        lengths[field.slot()] += memo.count(part, field);
    };
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
        apart.extend(definition.doc.map(|doc| (doc.range().start, doc.range().end, Field::Docs)));
    }
    apart.extend(
        outline.comments.iter().map(|it| (it.span.range().start, it.span.range().end, Field::Docs)),
    );
    apart.extend(
        outline
            .strings
            .iter()
            .map(|it| (it.span.range().start, it.span.range().end, Field::Strings)),
    );
    apart.sort_unstable_by_key(|(start, end, _)| (*start, std::cmp::Reverse(*end)));
    let mut at = 0;
    let mut passage = 0;
    for (start, end, field) in apart {
        // What lies inside an earlier comment or string was counted with it.
        if start < at {
            continue;
        }
        count_range(memo, text, at..start, Field::Body, stretches, &mut passage, &mut lengths);
        count_range(memo, text, start..end, field, stretches, &mut passage, &mut lengths);
        at = end;
    }
    count_range(memo, text, at..text.len(), Field::Body, stretches, &mut passage, &mut lengths);
    lengths
}

/// Counts `range` in `field`, each part of it in the passage it lies in; `passage` only moves forward.
fn count_range(
    memo: &mut TermMemo,
    text: &str,
    range: Range<usize>,
    field: Field,
    stretches: &[Stretch],
    passage: &mut usize,
    lengths: &mut [u32; FIELDS],
) {
    let mut at = range.start;
    while at < range.end {
        while stretches.get(*passage).is_some_and(|stretch| stretch.end <= at) {
            *passage += 1;
        }
        let end = stretches.get(*passage).map_or(range.end, |stretch| stretch.end.min(range.end));
        // A passage that ends inside a character is one the outline cut; the character goes to the next one.
        let end = text.ceil_char_boundary(end);
        let part = text.get(at..end).unwrap_or_default();
        lengths[field.slot()] += memo.count_in_passage(part, field, *passage as u32);
        at = end;
    }
}
