//! Reads bytes: a cursor that skips bytes and words, the runs and the line around a position, and tables of the classes of
//! bytes. The operations count the bytes that they read ([`work`]).

use crate::work;

pub(crate) struct Cursor<'t> {
    pub(crate) bytes: &'t [u8],
    pub(crate) at: usize,
}

impl<'t> Cursor<'t> {
    pub(crate) fn new(text: &'t str, at: usize) -> Self {
        Self { bytes: text.as_bytes(), at }
    }

    pub(crate) fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    /// Skips at most `max` bytes for which `accept` returns true, and returns the number of skipped bytes.
    pub(crate) fn skip(&mut self, max: usize, accept: impl Fn(u8) -> bool) -> usize {
        let length = run_after(&self.bytes[self.at..], max, accept);
        self.at += length;
        length
    }

    pub(crate) fn skip_blanks(&mut self) -> usize {
        self.skip(64, |byte| matches!(byte, b' ' | b'\t'))
    }

    /// Skips `word` if it is at the current position. Returns whether `word` was skipped.
    pub(crate) fn eat(&mut self, word: &str) -> bool {
        let comes_next = self.bytes[self.at..].starts_with(word.as_bytes());
        self.at += if comes_next { word.len() } else { 0 };
        comes_next
    }
}

/// Returns how many of the first `max` bytes `accept` returns true for, up to the first other byte.
pub(crate) fn run_after(bytes: &[u8], max: usize, accept: impl Fn(u8) -> bool) -> usize {
    let length = bytes.iter().take(max).take_while(|byte| accept(**byte)).count();
    work::count(length + 1);
    length
}

/// Returns how many of the last `max` bytes `accept` returns true for, back to the last other byte.
pub(crate) fn run_before(bytes: &[u8], max: usize, accept: impl Fn(u8) -> bool) -> usize {
    let length = bytes.iter().rev().take(max).take_while(|byte| accept(**byte)).count();
    work::count(length + 1);
    length
}

/// Returns at most `max` bytes before `at`.
pub(crate) fn bytes_before(bytes: &[u8], at: usize, max: usize) -> &[u8] {
    let start = at.saturating_sub(max);
    work::count(at - start);
    &bytes[start..at]
}

/// Returns at most `max` bytes from `at` on.
pub(crate) fn bytes_after(bytes: &[u8], at: usize, max: usize) -> &[u8] {
    let end = bytes.len().min(at + max);
    work::count(end - at);
    &bytes[at..end]
}

/// Returns the part of the line before `at`, at most `max` bytes.
pub(crate) fn line_before(bytes: &[u8], at: usize, max: usize) -> &[u8] {
    let before = &bytes[at.saturating_sub(max)..at];
    let line = memchr::memrchr(b'\n', before).map_or(before, |newline| &before[newline + 1..]);
    work::count(line.len());
    line
}

/// Returns the part of the line from `at` on, at most `max` bytes.
pub(crate) fn line_after(bytes: &[u8], at: usize, max: usize) -> &[u8] {
    let after = &bytes[at..bytes.len().min(at + max)];
    let length = memchr::memchr(b'\n', after).unwrap_or(after.len());
    work::count(length);
    &after[..length]
}

/// Returns whether every byte of the value is of the given kind or one of `signs`.
pub(crate) fn consists_of(value: &str, kind: fn(&u8) -> bool, signs: &str) -> bool {
    value.bytes().all(|byte| kind(&byte) || signs.as_bytes().contains(&byte))
}

/// Returns whether the byte is a letter, a digit or one of `signs`.
pub(crate) fn is_word_or(byte: u8, signs: &[u8]) -> bool {
    byte.is_ascii_alphanumeric() || signs.contains(&byte)
}

/// Returns whether `text` contains one of the words.
pub(crate) fn contains_any(text: impl AsRef<[u8]>, words: &[&str]) -> bool {
    words.iter().any(|word| memchr::memmem::find(text.as_ref(), word.as_bytes()).is_some())
}

/// Returns whether `text` starts with one of the words.
pub(crate) fn starts_with_any(text: impl AsRef<[u8]>, words: &[&str]) -> bool {
    words.iter().any(|word| text.as_ref().starts_with(word.as_bytes()))
}

/// Returns whether `text` ends with one of the words.
pub(crate) fn ends_with_any(text: impl AsRef<[u8]>, words: &[&str]) -> bool {
    words.iter().any(|word| text.as_ref().ends_with(word.as_bytes()))
}

/// Returns whether `text` is one of the words, ignoring ASCII case.
pub(crate) fn equals_any_ignoring_case(text: impl AsRef<[u8]>, words: &[&str]) -> bool {
    words.iter().any(|word| text.as_ref().eq_ignore_ascii_case(word.as_bytes()))
}

/// Returns whether `text` ends with one of the words, ignoring ASCII case.
pub(crate) fn ends_with_any_ignoring_case(text: impl AsRef<[u8]>, words: &[&str]) -> bool {
    words.iter().any(|word| ends_with(text.as_ref(), word.as_bytes()))
}

/// Returns `name` without the hyphen or underscore at its end.
pub(crate) fn without_separator(name: &[u8]) -> &[u8] {
    name.strip_suffix(b"_").or_else(|| name.strip_suffix(b"-")).unwrap_or(name)
}

/// Returns true if `text` starts with `start`, ignoring ASCII case.
pub(crate) fn starts_with(text: &[u8], start: &str) -> bool {
    text.get(..start.len()).is_some_and(|found| found.eq_ignore_ascii_case(start.as_bytes()))
}

/// Returns true if `text` ends with `ending`, ignoring ASCII case.
pub(crate) fn ends_with(text: &[u8], ending: &[u8]) -> bool {
    text.len() >= ending.len() && text[text.len() - ending.len()..].eq_ignore_ascii_case(ending)
}

pub(crate) const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
pub(crate) const DIGITS: &[u8] = b"0123456789";

/// Returns the classes of each byte: the bits of all classes whose members include the byte.
pub(crate) const fn byte_classes(classes: &[(u8, &[u8])]) -> [u8; 256] {
    let mut table = [0; 256];
    let mut index = 0;
    while index < classes.len() {
        let (class, members) = classes[index];
        let mut member = 0;
        while member < members.len() {
            table[members[member] as usize] |= class;
            member += 1;
        }
        index += 1;
    }
    table
}
