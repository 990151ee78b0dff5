//! Splits a text into words in one pass.

use super::{Digits, Start, Word, Words, is_ideograph, simplified};
use crate::bytes::{DIGITS, LETTERS, byte_classes};
use crate::injection::disguise::{is_accented, is_invisible, plain};

/// The estimated number of bytes in a word and the gap after it. It is used to allocate the list of words.
const AVERAGE_WORD_BYTES: usize = 6;

/// The first Korean syllable. Korean syllables have no case.
const HANGUL_FIRST: char = '\u{ac00}';
const HANGUL_LAST: char = '\u{d7a3}';

const OTHER: u8 = 0;
const LETTER: u8 = 1;
const DIGIT: u8 = 2;

const CLASSES: [u8; 256] = byte_classes(&[(LETTER, LETTERS), (DIGIT, DIGITS)]);

pub(super) struct Reader<'t> {
    text: &'t str,
    /// The position of the text in the source.
    offset: usize,
    words: Words,
    /// Whether the last word in the list is still being read.
    is_open: bool,
    /// The value of `start` for the next word.
    start: Start,
}

impl<'t> Reader<'t> {
    pub(super) fn read(text: &'t str, offset: usize) -> Words {
        let mut buffer = String::with_capacity(text.len() + 64);
        buffer.push_str(text);
        buffer.make_ascii_lowercase();
        let list = Vec::with_capacity(text.len() / AVERAGE_WORD_BYTES + 8);
        let words = Words { buffer, list };
        let mut reader = Reader { text, offset, words, is_open: false, start: Start::Line };
        reader.read_all();
        reader.words
    }

    fn read_all(&mut self) {
        let bytes = self.text.as_bytes();
        let mut at = 0;
        while let Some(&byte) = bytes.get(at) {
            let start = at;
            let mut classes = OTHER;
            while let Some(&byte) = bytes.get(at)
                && CLASSES[usize::from(byte)] != OTHER
            {
                classes |= CLASSES[usize::from(byte)];
                at += 1;
            }
            if at > start {
                self.push_ascii(start, at, digits_if(classes & DIGIT != 0));
            } else if byte == b' ' {
                self.is_open = false;
                at += 1;
            } else if byte.is_ascii() {
                at += 1;
                self.punctuate(char::from(byte), at);
            } else {
                at = self.read_character(at);
            }
        }
    }

    /// Reads the non-ASCII character at `at`. Returns the position after the character.
    fn read_character(&mut self, at: usize) -> usize {
        let Some(character) = self.text[at..].chars().next() else { return self.text.len() };
        let end = at + character.len_utf8();
        if is_vocalisation(character) {
            // Arabic and Hebrew vowel points are skipped, so that words match with or without them.
        } else if is_invisible(character) {
            if self.is_open
                && let Some(word) = self.words.list.last_mut()
            {
                word.disguised = true;
                word.source.end = self.offset + end;
            }
        } else if is_ideograph(character) {
            self.push_ideograph(character, at, end);
        } else {
            let visible = plain(character);
            if is_alphanumeric(visible) || is_mark(character) {
                self.push(character, visible, at, end);
            } else {
                self.punctuate(character, end);
            }
        }
        end
    }

    /// Adds a run of ASCII letters and digits.
    fn push_ascii(&mut self, start: usize, end: usize, digits: Digits) {
        let source_end = self.offset + end;
        if self.is_open {
            let buffer = self.end_of_buffer();
            buffer.extend_from_within(start..end);
            self.extend_last(source_end, false, digits);
        } else {
            self.open(start, start..end, source_end, digits);
        }
    }

    fn push_ideograph(&mut self, character: char, start: usize, end: usize) {
        let visible = simplified(character);
        let text = if visible == character {
            start..end
        } else {
            let length = self.words.buffer.len();
            self.words.buffer.push(visible);
            length..self.words.buffer.len()
        };
        self.open(start, text, self.offset + end, Digits::None);
        self.is_open = false;
    }

    fn push(&mut self, character: char, visible: char, start: usize, end: usize) {
        if !self.is_open {
            let length = self.words.buffer.len();
            self.open(start, length..length, self.offset + start, Digits::None);
        }
        let buffer = self.end_of_buffer();
        match visible {
            HANGUL_FIRST..=HANGUL_LAST => buffer.push(visible),
            _ => buffer.extend(visible.to_lowercase()),
        }
        let is_disguised = visible != character && !is_accented(character);
        self.extend_last(self.offset + end, is_disguised, digits_if(visible.is_ascii_digit()));
    }

    fn open(
        &mut self,
        start: usize,
        text: std::ops::Range<usize>,
        source_end: usize,
        digits: Digits,
    ) {
        self.words.list.push(Word {
            text,
            source: self.offset + start..source_end,
            hash: 0,
            start: self.start,
            has_colon: false,
            disguised: false,
            digits,
        });
        self.is_open = true;
        self.start = Start::Nothing;
    }

    /// Moves the text of the open word to the end of the buffer, so that the text can be extended. Returns the buffer.
    fn end_of_buffer(&mut self) -> &mut String {
        let buffer = &mut self.words.buffer;
        if let Some(word) = self.words.list.last_mut()
            && word.text.end != buffer.len()
        {
            let start = buffer.len();
            buffer.extend_from_within(word.text.clone());
            word.text = start..buffer.len();
        }
        buffer
    }

    fn extend_last(&mut self, source_end: usize, is_disguised: bool, digits: Digits) {
        if let Some(word) = self.words.list.last_mut() {
            word.text.end = self.words.buffer.len();
            word.source.end = source_end;
            word.disguised |= is_disguised;
            if digits == Digits::Some {
                word.digits = digits;
            }
        }
    }

    /// Reads a punctuation character that ends at `end`. Only an apostrophe can be part of a word.
    fn punctuate(&mut self, character: char, end: usize) {
        let next = || self.text[end..].chars().next();
        let is_apostrophe = matches!(character, '\'' | '’')
            && self.is_open
            && next().is_some_and(char::is_alphabetic);
        if is_apostrophe {
            return;
        }
        self.is_open = false;
        let ends_sentence = || next().is_none_or(|next| !is_alphanumeric(next));
        let starts_sentence = match character {
            '\n' => {
                self.start = Start::Line;
                return;
            }
            ':' | '：' => {
                let has_colon = next().is_none_or(char::is_whitespace);
                let ends_sentence = ends_sentence();
                if let Some(last) = self.words.list.last_mut() {
                    last.has_colon = has_colon;
                }
                ends_sentence
            }
            '。' | '！' | '？' | '；' | '"' | '“' | '”' | '<' | '>' | '(' | '（' | '\'' | '‘' => {
                true
            }
            '.' | '!' | '?' | ';' => ends_sentence(),
            _ => false,
        };
        if starts_sentence && self.start == Start::Nothing {
            self.start = Start::Sentence;
        }
    }
}

fn digits_if(has_digits: bool) -> Digits {
    if has_digits { Digits::Some } else { Digits::None }
}

/// Does the same as [`char::is_alphanumeric`], with faster checks for common non-ASCII ranges.
fn is_alphanumeric(character: char) -> bool {
    match character {
        '\u{c0}'..='\u{d6}' | '\u{d8}'..='\u{f6}' | '\u{f8}'..='\u{24f}' => true,
        '\u{400}'..='\u{481}' | '\u{48a}'..='\u{52f}' => true,
        '\u{4e00}'..='\u{9fa5}' | HANGUL_FIRST..=HANGUL_LAST => true,
        '\u{2010}'..='\u{2027}' | '\u{3001}'..='\u{3003}' => false,
        _ => character.is_alphanumeric(),
    }
}

fn is_vocalisation(character: char) -> bool {
    matches!(character, '\u{064b}'..='\u{0652}' | '\u{0591}'..='\u{05c7}')
}

/// Returns whether the character is in the Devanagari, Bengali or Thai range. Vowel signs of these scripts are part
/// of a word, although they are not letters.
fn is_mark(character: char) -> bool {
    matches!(character, '\u{0900}'..='\u{0963}' | '\u{0981}'..='\u{09e3}' | '\u{0e00}'..='\u{0e4e}')
}

#[cfg(test)]
mod tests;
