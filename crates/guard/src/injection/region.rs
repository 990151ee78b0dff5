//! Where to look: regions around words that announce a phrase, disguised lines, blobs and escapes.

use std::ops::Range;
use std::sync::LazyLock;

use super::classifier::candidates;
use super::disguise::{has_digits_for_letters, is_suspicious};
use super::hidden::{Hidden, blobs, has_escapes, tag_text, unescaped};
use super::markup;
use super::pattern::trigger_words;
use super::score::{Removal, has_phrase, judge};
use super::signal::Signal;
use super::words::is_ideograph;
use crate::lookout::{Lookout, Places};

/// An encoding inside an encoding is still read; deeper ones are left to decoders that nobody has.
const MAX_LAYERS: usize = 2;
/// How far a region reaches before and behind its trigger, in bytes and in lines.
const BEFORE: usize = 320;
const BEHIND: usize = 640;
/// A phrase is never longer than this before or behind the word that announces it.
const NEAR: usize = 112;
const FAR: usize = 1024;
/// This many ideographs apart are a sentence, not a list.
const FEWEST_APART: usize = 4;
const FARTHEST_DIGITS: usize = 48;
const LINES_BEFORE: usize = 2;
const LINES_BEHIND: usize = 6;

/// Words that announce a phrase. They are common, so they are searched only where the gate is open.
static WORDS: LazyLock<Lookout> =
    LazyLock::new(|| Lookout::new(trigger_words(), Places::WordStarts));

/// Everything to remove from `text`; spans may overlap but each is whole. Phrases are looked for in `parts` only.
pub(crate) fn removals(text: &str, parts: &[Range<usize>]) -> Vec<Removal> {
    removals_within(text, parts, MAX_LAYERS)
}

/// Whether decoded text contains anything to remove.
fn instructs(text: &str, layers: usize) -> bool {
    !removals_within(text, &candidates(text), layers).is_empty()
}

/// As [`removals`]; what is encoded is decoded and judged the same way, `layers` deep.
fn removals_within(text: &str, parts: &[Range<usize>], layers: usize) -> Vec<Removal> {
    let mut found = triggered(text, parts);
    found.extend(disguised_lines(text, layers));
    found.extend(tag_text(text).into_iter().map(|span| Removal { span, signal: Signal::Disguise }));
    if layers > 0 {
        let is_order = |hidden: &Hidden| instructs(&hidden.text, layers - 1);
        let blobs = blobs(text).into_iter().filter(is_order);
        found.extend(blobs.map(|blob| Removal { span: blob.span, signal: Signal::Disguise }));
    }
    found
}

/// Removals around the triggers of the raw text.
fn triggered(text: &str, parts: &[Range<usize>]) -> Vec<Removal> {
    let bytes = text.as_bytes();
    let mut found: Vec<Removal> = Vec::new();
    let mut judged = 0;
    let mut clear = Clear::default();
    let words = parts.iter().flat_map(|part| {
        let hits = WORDS.hits(&bytes[part.clone()]);
        hits.map(move |hit| (part.start + hit.start, part.start + hit.end, false))
    });
    let markup = markup::places(bytes).into_iter().map(|place| (place.start, place.end, true));
    let mut hits: Vec<(usize, usize, bool)> = words.chain(markup).collect();
    hits.sort_unstable();
    for (start, end, is_markup) in hits {
        if start < judged || goes_on(bytes, end) {
            continue;
        }
        if !is_markup && clear.covers_or_extends_to(text, start, end) {
            continue;
        }
        let floor = found.last().map_or(0, |removal| removal.span.end);
        let (region, half) = region_around(text, floor, start, end);
        // What follows within half the reach, in bytes and in lines, is judged with this trigger. A trigger further on gets a
        // region of its own: a weak trigger must not cut off what follows a stronger one.
        judged = end.max(half);
        if let Some(removal) = judge(text, region) {
            judged = judged.max(removal.span.end);
            found.push(removal);
        }
    }
    found
}

/// The stretch of text just looked at that holds no phrase, so that triggers close together are not read again and again.
#[derive(Default)]
struct Clear {
    end: usize,
}

impl Clear {
    /// Whether there is no phrase around the trigger, as known or as found out now.
    fn covers_or_extends_to(&mut self, text: &str, start: usize, end: usize) -> bool {
        if end + NEAR <= self.end {
            return true;
        }
        // A second trigger so soon means that more will follow: read further ahead, once.
        let is_dense = start < self.end;
        let finish =
            floor_boundary(text, text.len().min(end + if is_dense { FAR } else { NEAR })).max(end);
        let part = floor_boundary(text, start.saturating_sub(NEAR))..finish;
        let is_clear = !has_phrase(text, part);
        self.end = if is_clear { finish } else { 0 };
        is_clear
    }
}

/// Whether the word goes on behind the trigger.
fn goes_on(bytes: &[u8], end: usize) -> bool {
    bytes[end - 1].is_ascii_alphabetic() && bytes.get(end).is_some_and(u8::is_ascii_alphabetic)
}

/// The paragraph around a trigger, cut to a few lines, and where half of what follows the trigger ends.
fn region_around(text: &str, floor: usize, start: usize, end: usize) -> (Range<usize>, usize) {
    let bytes = text.as_bytes();
    let lowest = floor.max(start.saturating_sub(BEFORE)).min(start);
    let mut begin = lowest;
    let mut newlines = 0;
    for newline in memchr::memrchr_iter(b'\n', &bytes[lowest..start]) {
        newlines += 1;
        let is_blank_line = newline > 0 && bytes[lowest + newline - 1] == b'\n';
        if newlines > LINES_BEFORE || is_blank_line {
            begin = lowest + newline + 1;
            break;
        }
    }
    let highest = bytes.len().min(end + BEHIND);
    let mut finish = highest;
    let mut half = highest.min(end + BEHIND / 2);
    let mut lines = 0;
    for newline in memchr::memchr_iter(b'\n', &bytes[end..highest]) {
        lines += 1;
        let is_blank_line = bytes.get(end + newline + 1) == Some(&b'\n') && lines > 1;
        if lines == LINES_BEHIND / 2 {
            half = half.min(end + newline);
        }
        if lines > LINES_BEHIND || is_blank_line {
            finish = end + newline;
            break;
        }
    }
    (floor_boundary(text, begin)..floor_boundary(text, finish).max(end), half.min(finish))
}

fn floor_boundary(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// Lines whose words the raw search cannot see: look-alikes, invisible characters, letters apart, escapes.
fn disguised_lines(text: &str, layers: usize) -> Vec<Removal> {
    let is_ascii = text.is_ascii();
    let (some_apart, some_escapes) =
        (has_letters_apart(text.as_bytes()), has_escapes(text.as_bytes()));
    let mut found = lines_with_digits(text);
    if is_ascii && !some_apart && !some_escapes {
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
        let is_apart = some_apart && has_letters_apart(line.as_bytes())
            || !is_plain && has_ideographs_apart(line);
        if has_look_alikes || is_apart {
            found.extend(judge(text, span.clone()));
        }
        if some_escapes
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

/// `i g n o r e` or `i-g-n-o-r-e`: six or more single letters with one sign between them. Wherever such a run starts,
/// one of the pieces of six bytes lies within it.
fn has_letters_apart(line: &[u8]) -> bool {
    // Branches here would depend on every word of the text, so there is one at the end only.
    line.as_chunks::<6>().0.iter().any(|piece| {
        let [first, second, third, fourth, fifth, sixth] =
            piece.map(|byte| APART[usize::from(byte)]);
        let (odd, even) = (first & third & fifth, second & fourth & sixth);
        odd ^ even == LETTER | SIGN
    })
}

/// `忽 略 之 前`: ideographs with a space between them, one after the other.
fn has_ideographs_apart(line: &str) -> bool {
    let (mut run, mut is_behind_space) = (0, false);
    line.chars().any(|character| {
        if character == ' ' {
            is_behind_space = true;
            return false;
        }
        run = if is_ideograph(character) && is_behind_space { run + 1 } else { 0 };
        is_behind_space = false;
        run >= FEWEST_APART
    })
}

/// Lines in which digits stand for letters. Every third byte is looked at for a digit between two letters: where nearly every
/// word has some, two are soon met.
fn lines_with_digits(text: &str) -> Vec<Removal> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let (mut judged, mut last) = (0, None);
    for (index, piece) in bytes.as_chunks::<3>().0.iter().enumerate() {
        if !is_digit_between(*piece) {
            continue;
        }
        let at = index * 3;
        let is_close = last.is_some_and(|last| at - last <= FARTHEST_DIGITS);
        last = Some(at);
        if is_close && at >= judged {
            let start = memchr::memrchr(b'\n', &bytes[..at]).map_or(0, |newline| newline + 1);
            let end = memchr::memchr(b'\n', &bytes[at..]).map_or(bytes.len(), |line| at + line);
            judged = end;
            if has_digits_for_letters(&text[start..end]) {
                found.extend(judge(text, start..end));
            }
        }
    }
    found
}

fn is_digit_between([before, between, behind]: [u8; 3]) -> bool {
    between.is_ascii_digit() && before.is_ascii_alphabetic() && behind.is_ascii_alphabetic()
}

const LETTER: u8 = 1;
const SIGN: u8 = 2;

/// Whether a byte is a letter that may be pulled apart from others, or a sign that may stand between them.
const APART: [u8; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 128 {
        if (byte as u8).is_ascii_alphabetic() {
            table[byte] = LETTER;
        }
        byte += 1;
    }
    let signs = b" -._*|/";
    let mut index = 0;
    while index < signs.len() {
        table[signs[index] as usize] = SIGN;
        index += 1;
    }
    table
};
