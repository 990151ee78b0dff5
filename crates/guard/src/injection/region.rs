//! Selects the text to score: regions around trigger words, disguised lines, encoded text and escapes.

use std::ops::Range;
use std::sync::LazyLock;

use super::classifier::candidates;
use super::disguise::{has_digits_for_letters, is_suspicious};
use super::hidden::{Hidden, blobs, has_escapes, tag_text, unescaped};
use super::markup;
use super::pattern::trigger_words;
use super::phrases::Signal;
use super::score::{Removal, has_phrase, score_region};
use super::words::is_ideograph;
use crate::bytes::{LETTERS, byte_classes};
use crate::prefix_search::{PrefixSearch, StartRule};

/// The maximum number of nested encodings that are decoded. Deeper encodings are ignored.
const MAX_LAYERS: usize = 2;
/// The maximum number of bytes by which a region extends before its trigger.
const MAX_BYTES_BEFORE: usize = 320;
const MAX_BYTES_AFTER: usize = 640;
/// The number of bytes before and after a trigger word that are searched for a phrase. A phrase is assumed not to
/// extend further than this.
const MAX_PHRASE_BYTES: usize = 112;
const READ_AHEAD_BYTES: usize = 1024;
/// The minimum number of space-separated ideographs for a line to count as disguised.
const MIN_SEPARATED_IDEOGRAPHS: usize = 4;
const MAX_DIGIT_DISTANCE: usize = 48;
const MAX_LINES_BEFORE: usize = 2;
const MAX_LINES_AFTER: usize = 6;

/// The trigger words of all phrases. Because they are common, only the parts that the gate has selected are searched
/// for them.
static TRIGGER_WORDS: LazyLock<PrefixSearch> =
    LazyLock::new(|| PrefixSearch::new(trigger_words(), StartRule::WordStarts));

/// Returns all spans to remove from `text`. The spans may overlap. Only `parts` are searched for phrases. `min_score` is the score
/// that the classifier must give to a region with weak phrases only. It does not apply to disguised and decoded text.
pub(crate) fn removals(text: &str, parts: &[Range<usize>], min_score: i64) -> Vec<Removal> {
    removals_within(text, parts, min_score, MAX_LAYERS)
}

/// Returns whether decoded text contains a segment that must be removed. At most `layers` nested encodings are decoded.
fn instructs(text: &str, layers: usize) -> bool {
    !removals_within(text, &candidates(text), i64::MIN, layers).is_empty()
}

/// Does the same as [`removals`], but decodes at most `layers` nested encodings.
fn removals_within(
    text: &str,
    parts: &[Range<usize>],
    min_score: i64,
    layers: usize,
) -> Vec<Removal> {
    let mut found = triggered(text, parts, min_score);
    found.extend(disguised_lines(text, layers));
    found.extend(tag_text(text).into_iter().map(|span| Removal { span, signal: Signal::Disguise }));
    if layers > 0 {
        let is_order = |hidden: &Hidden| instructs(&hidden.text, layers - 1);
        let blobs = blobs(text).into_iter().filter(is_order);
        found.extend(blobs.map(|blob| Removal { span: blob.span, signal: Signal::Disguise }));
    }
    found
}

/// Returns the spans to remove around the triggers in the raw text.
fn triggered(text: &str, parts: &[Range<usize>], min_score: i64) -> Vec<Removal> {
    let bytes = text.as_bytes();
    let mut found: Vec<Removal> = Vec::new();
    let mut scored_end = 0;
    let mut clear = ClearStretch::default();
    let words = parts.iter().flat_map(|part| {
        let hits = TRIGGER_WORDS.hits(&bytes[part.clone()]);
        hits.map(move |hit| (part.start + hit.start, part.start + hit.end, false))
    });
    let markup = markup::raw_spans(bytes).into_iter().map(|span| (span.start, span.end, true));
    let mut hits: Vec<(usize, usize, bool)> = words.chain(markup).collect();
    hits.sort_unstable();
    for (start, end, is_markup) in hits {
        // The trigger may be only the beginning of a word.
        let is_beginning = bytes[end - 1].is_ascii_alphabetic()
            && bytes.get(end).is_some_and(u8::is_ascii_alphabetic);
        if start < scored_end || is_beginning {
            continue;
        }
        if !is_markup && clear.covers_or_extends_to(text, start, end) {
            continue;
        }
        let floor = found.last().map_or(0, |removal| removal.span.end);
        let (region, half) = region_around(text, floor, start, end);
        // The triggers before `half` have been scored with this region. A later trigger gets its own region, because
        // the text after it may be outside this region.
        scored_end = end.max(half);
        if let Some(removal) = score_region(text, region, min_score) {
            scored_end = scored_end.max(removal.span.end);
            found.push(removal);
        }
    }
    found
}

/// The stretch of text before `end` that is known to contain no phrase. It is stored so that the text around closely
/// spaced triggers is read only once.
#[derive(Default)]
struct ClearStretch {
    end: usize,
}

impl ClearStretch {
    /// Returns true if there is no phrase around the trigger. If this is not known yet, reads the text around the
    /// trigger.
    fn covers_or_extends_to(&mut self, text: &str, start: usize, end: usize) -> bool {
        if end + MAX_PHRASE_BYTES <= self.end {
            return true;
        }
        // If a trigger is this close to the previous one, more triggers are likely to follow, so more text is read at
        // once.
        let is_dense = start < self.end;
        let finish = text
            .floor_char_boundary(end + if is_dense { READ_AHEAD_BYTES } else { MAX_PHRASE_BYTES })
            .max(end);
        let part = text.floor_char_boundary(start.saturating_sub(MAX_PHRASE_BYTES))..finish;
        let is_clear = !has_phrase(text, part);
        self.end = if is_clear { finish } else { 0 };
        is_clear
    }
}

/// Returns the region around a trigger: its paragraph, limited to a few lines. The region starts at `floor` or later.
/// Also returns the position up to which later triggers are scored together with this trigger.
fn region_around(text: &str, floor: usize, start: usize, end: usize) -> (Range<usize>, usize) {
    let bytes = text.as_bytes();
    let lowest = floor.max(start.saturating_sub(MAX_BYTES_BEFORE)).min(start);
    let mut begin = lowest;
    let mut newlines = 0;
    for newline in memchr::memrchr_iter(b'\n', &bytes[lowest..start]) {
        newlines += 1;
        let is_blank_line = newline > 0 && bytes[lowest + newline - 1] == b'\n';
        if newlines > MAX_LINES_BEFORE || is_blank_line {
            begin = lowest + newline + 1;
            break;
        }
    }
    let highest = bytes.len().min(end + MAX_BYTES_AFTER);
    let mut finish = highest;
    let mut half = highest.min(end + MAX_BYTES_AFTER / 2);
    let mut lines = 0;
    for newline in memchr::memchr_iter(b'\n', &bytes[end..highest]) {
        lines += 1;
        let is_blank_line = bytes.get(end + newline + 1) == Some(&b'\n') && lines > 1;
        if lines == MAX_LINES_AFTER / 2 {
            half = half.min(end + newline);
        }
        if lines > MAX_LINES_AFTER || is_blank_line {
            finish = end + newline;
            break;
        }
    }
    (text.floor_char_boundary(begin)..text.floor_char_boundary(finish).max(end), half.min(finish))
}

/// Scores the lines that the search of the raw text cannot handle, because they contain look-alike letters, invisible
/// characters, separated letters, digits in place of letters, or escapes. Returns the spans to remove.
fn disguised_lines(text: &str, layers: usize) -> Vec<Removal> {
    let is_ascii = text.is_ascii();
    let (has_separated, has_some_escapes) =
        (has_separated_letters(text.as_bytes()), has_escapes(text.as_bytes()));
    let mut found = lines_with_digits(text);
    if is_ascii && !has_separated && !has_some_escapes {
        return found;
    }
    let mut start = 0;
    while start < text.len() {
        let newline = memchr::memchr(b'\n', &text.as_bytes()[start..]);
        let span = start..newline.map_or(text.len(), |newline| start + newline + 1);
        let line = &text[span.clone()];
        start = span.end;
        let is_plain = is_ascii || line.is_ascii();
        let has_look_alikes = !is_plain && line.chars().any(is_suspicious);
        let is_separated = has_separated && has_separated_letters(line.as_bytes())
            || !is_plain && has_separated_ideographs(line);
        if has_look_alikes || is_separated {
            found.extend(score_region(text, span.clone(), i64::MIN));
        }
        if has_some_escapes
            && has_escapes(line.as_bytes())
            && layers > 0
            && let Some(plain) = unescaped(line)
            && instructs(&plain, layers - 1)
        {
            let content = line.trim_end().len();
            found
                .push(Removal { span: span.start..span.start + content, signal: Signal::Disguise });
        }
    }
    found
}

/// Returns true if the line contains a word such as `i g n o r e` or `i-g-n-o-r-e`: at least six single letters with
/// one separator between them. Such a word always contains a whole six-byte chunk, regardless of where it starts. May
/// also return true for a word with fewer letters.
fn has_separated_letters(line: &[u8]) -> bool {
    // A branch for each byte would often be mispredicted, so there is only one branch for each chunk.
    line.as_chunks::<6>().0.iter().any(|piece| {
        let [first, second, third, fourth, fifth, sixth] =
            piece.map(|byte| SEPARATION_CLASSES[usize::from(byte)]);
        let (odd, even) = (first & third & fifth, second & fourth & sixth);
        odd ^ even == LETTER | SEPARATOR
    })
}

/// Recognises `忽 略 之 前`: consecutive ideographs separated by spaces.
fn has_separated_ideographs(line: &str) -> bool {
    let (mut run, mut follows_space) = (0, false);
    line.chars().any(|character| {
        if character == ' ' {
            follows_space = true;
            return false;
        }
        run = if is_ideograph(character) && follows_space { run + 1 } else { 0 };
        follows_space = false;
        run >= MIN_SEPARATED_IDEOGRAPHS
    })
}

/// Scores the lines in which digits replace letters, and returns the spans to remove. Only every third position is
/// checked for a digit between two letters. This is enough, because in such a line nearly every word contains a digit.
fn lines_with_digits(text: &str) -> Vec<Removal> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let (mut scored_end, mut last) = (0, None);
    for (index, [before, middle, after]) in bytes.as_chunks::<3>().0.iter().enumerate() {
        if !middle.is_ascii_digit() || !before.is_ascii_alphabetic() || !after.is_ascii_alphabetic()
        {
            continue;
        }
        let at = index * 3;
        let is_close = last.is_some_and(|last| at - last <= MAX_DIGIT_DISTANCE);
        last = Some(at);
        if is_close && at >= scored_end {
            let start = memchr::memrchr(b'\n', &bytes[..at]).map_or(0, |newline| newline + 1);
            let end = memchr::memchr(b'\n', &bytes[at..]).map_or(bytes.len(), |line| at + line);
            scored_end = end;
            if has_digits_for_letters(&text[start..end]) {
                found.extend(score_region(text, start..end, i64::MIN));
            }
        }
    }
    found
}

const LETTER: u8 = 1;
const SEPARATOR: u8 = 2;

/// The class of each byte: [`LETTER`], [`SEPARATOR`] for a character that may separate letters, or 0.
const SEPARATION_CLASSES: [u8; 256] = byte_classes(&[(LETTER, LETTERS), (SEPARATOR, b" -._*|/")]);
