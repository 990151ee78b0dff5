//! A text as words: lower case, disguises removed, each with its place in the source.
//!
//! A Chinese, Japanese or Korean ideograph is a word of its own; a mail address becomes `address@host`.

use std::ops::Range;

use super::disguise::{is_accented, is_invisible, join_letters, letters_for_digits, plain};
use super::traditional::simplified;
use crate::work;

/// What stands for the host of any mail address.
const ADDRESS: &str = "address@host";

/// The words of one region; their texts share one buffer.
#[derive(Debug, Default)]
pub(crate) struct Words {
    buffer: String,
    pub(crate) list: Vec<Word>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Word {
    text: Range<usize>,
    pub(crate) source: Range<usize>,
    pub(crate) start: Start,
    /// A colon follows, and nothing else directly.
    pub(crate) has_colon: bool,
    /// Letters were hidden, replaced or pulled apart.
    pub(crate) disguised: bool,
}

/// What a word is the first of, behind comment marks and quotes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Start {
    Line,
    Sentence,
    Nothing,
}

impl Words {
    /// The words of `text`, whose first byte is at `offset` of the source.
    pub(crate) fn read(text: &str, offset: usize) -> Self {
        work::count(text.len());
        let mut reader = Reader::default();
        let mut at = 0;
        while let Some(character) = text[at..].chars().next() {
            let length = text.as_bytes()[at..]
                .iter()
                .take_while(|byte| byte.is_ascii_alphanumeric())
                .count();
            if length > 0 {
                reader.push_ascii(&text[at..at + length], offset + at);
                at += length;
            } else {
                let end = at + character.len_utf8();
                reader.read(character, text[end..].chars().next(), offset + at..offset + end);
                at = end;
            }
        }
        reader.end_word();
        let mut words = reader.words;
        words.restore_other_scripts(text, offset);
        words.pass_over_options(text, offset);
        words.read_digits_as_letters();
        words.join_addresses(text, offset);
        join_letters(text, offset, &mut words);
        words
    }

    /// A word of nothing but Greek or Cyrillic letters imitates nobody: it is read as it stands.
    fn restore_other_scripts(&mut self, text: &str, offset: usize) {
        for word in &mut self.list {
            let source = &text[word.source.start - offset..word.source.end - offset];
            if word.disguised
                && source.chars().all(|character| matches!(character, '\u{370}'..='\u{52f}'))
            {
                let start = self.buffer.len();
                self.buffer.push_str(&source.to_lowercase());
                word.text = start..self.buffer.len();
                word.disguised = false;
            }
        }
    }

    /// `--ignore-rules` is the name of an option and orders nobody; `--ignore all rules` may be a comment.
    fn pass_over_options(&mut self, text: &str, offset: usize) {
        for at in memchr::memmem::find_iter(text.as_bytes(), b"--") {
            let start = offset + at + 2;
            let index = self.list.partition_point(|word| word.source.start < start);
            let Some(word) = self.list.get_mut(index).filter(|word| word.source.start == start)
            else {
                continue;
            };
            let behind = text.as_bytes()[word.source.end - offset..].iter();
            let mut behind = behind.copied();
            if behind.next() == Some(b'-')
                && behind.next().is_some_and(|next| next.is_ascii_alphabetic())
            {
                word.text.end = word.text.start;
            }
        }
    }

    /// `1gn0r3`: digits in place of letters.
    fn read_digits_as_letters(&mut self) {
        for word in &mut self.list {
            if let Some(letters) = letters_for_digits(&self.buffer[word.text.clone()]) {
                let start = self.buffer.len();
                self.buffer.push_str(&letters);
                word.text = start..self.buffer.len();
                word.disguised = true;
            }
        }
    }

    pub(crate) fn text(&self, index: usize) -> &str {
        &self.buffer[self.list[index].text.clone()]
    }

    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }

    /// A word that stands for the words `range`, with their letters put together.
    pub(crate) fn joined(&mut self, range: Range<usize>) -> Word {
        let start = self.buffer.len();
        for index in range.clone() {
            let text = self.list[index].text.clone();
            self.buffer.extend_from_within_range(text);
        }
        let first = &self.list[range.start];
        Word {
            text: start..self.buffer.len(),
            source: first.source.start..self.list[range.end - 1].source.end,
            disguised: true,
            ..first.clone()
        }
    }

    /// `name` `host` written `name@host`: the host becomes [`ADDRESS`].
    fn join_addresses(&mut self, text: &str, offset: usize) {
        for at in memchr::memchr_iter(b'@', text.as_bytes()) {
            let source = offset + at;
            let after = self.list.partition_point(|word| word.source.start <= source);
            let touches = after > 0
                && self.list.get(after).is_some_and(|host| host.source.start == source + 1)
                && self.list[after - 1].source.end == source;
            if touches {
                let start = self.buffer.len();
                self.buffer.push_str(ADDRESS);
                self.list[after].text = start..self.buffer.len();
            }
        }
    }
}

/// Copying a part of a string to its end, which the standard library has for vectors only.
trait ExtendFromWithin {
    fn extend_from_within_range(&mut self, range: Range<usize>);
}

impl ExtendFromWithin for String {
    fn extend_from_within_range(&mut self, range: Range<usize>) {
        let part = self[range].to_owned();
        self.push_str(&part);
    }
}

struct Reader {
    words: Words,
    /// The word being read is the last one of the list.
    is_open: bool,
    /// What the next word starts.
    start: Start,
}

impl Default for Reader {
    fn default() -> Self {
        Self { words: Words::default(), is_open: false, start: Start::Line }
    }
}

impl Reader {
    fn read(&mut self, character: char, next: Option<char>, source: Range<usize>) {
        if character.is_ascii() {
            self.punctuate(character, next);
        } else if is_vocalisation(character) {
            // Arabic and Hebrew are read with or without it.
        } else if is_invisible(character) {
            if let Some(word) = self.open_word() {
                word.disguised = true;
                word.source.end = source.end;
            }
        } else if is_ideograph(character) {
            self.end_word();
            self.open(source.start);
            self.words.buffer.push(simplified(character));
            self.extend_last(source.end, false);
            self.end_word();
        } else if plain(character).is_alphanumeric() || is_mark(character) {
            self.push(character, plain(character), source);
        } else {
            self.punctuate(character, next);
        }
    }

    /// Letters and digits of ASCII, all at once.
    fn push_ascii(&mut self, letters: &str, start: usize) {
        self.open(start);
        let text_start = self.words.buffer.len();
        self.words.buffer.push_str(letters);
        self.words.buffer[text_start..].make_ascii_lowercase();
        self.extend_last(start + letters.len(), false);
    }

    fn open_word(&mut self) -> Option<&mut Word> {
        if self.is_open { self.words.list.last_mut() } else { None }
    }

    fn push(&mut self, character: char, shown: char, source: Range<usize>) {
        self.open(source.start);
        self.words.buffer.extend(shown.to_lowercase());
        self.extend_last(source.end, shown != character && !is_accented(character));
    }

    /// Starts a word unless one is open.
    fn open(&mut self, source_start: usize) {
        if !self.is_open {
            let start = self.words.buffer.len();
            self.words.list.push(Word {
                text: start..start,
                source: source_start..source_start,
                start: self.start,
                has_colon: false,
                disguised: false,
            });
            self.is_open = true;
        }
        self.start = Start::Nothing;
    }

    fn extend_last(&mut self, source_end: usize, disguised: bool) {
        let end = self.words.buffer.len();
        if let Some(word) = self.words.list.last_mut() {
            word.disguised |= disguised;
            word.text.end = end;
            word.source.end = source_end;
        }
    }

    fn end_word(&mut self) {
        self.is_open = false;
    }

    fn punctuate(&mut self, character: char, next: Option<char>) {
        if character == ' ' {
            self.end_word();
            return;
        }
        let ends_sentence = next.is_none_or(|next| !next.is_alphanumeric());
        let is_apostrophe = matches!(character, '\'' | '’')
            && self.is_open
            && next.is_some_and(char::is_alphabetic);
        if is_apostrophe {
            return;
        }
        self.end_word();
        let starts_sentence = match character {
            '\n' => {
                self.start = Start::Line;
                return;
            }
            ':' | '：' => {
                if let Some(last) = self.words.list.last_mut() {
                    last.has_colon = next.is_none_or(char::is_whitespace);
                }
                ends_sentence
            }
            '。' | '！' | '？' | '；' | '"' | '“' | '”' | '<' | '>' | '(' | '（' | '\'' | '‘' => {
                true
            }
            '.' | '!' | '?' | ';' => ends_sentence,
            _ => false,
        };
        if starts_sentence && self.start == Start::Nothing {
            self.start = Start::Sentence;
        }
    }
}

fn is_vocalisation(character: char) -> bool {
    matches!(character, '\u{064b}'..='\u{0652}' | '\u{0591}'..='\u{05c7}')
}

pub(crate) fn is_ideograph(character: char) -> bool {
    matches!(character, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}')
}

/// Vowel signs of Indic scripts belong to their word though they are no letters.
fn is_mark(character: char) -> bool {
    matches!(character, '\u{0900}'..='\u{0963}' | '\u{0981}'..='\u{09e3}' | '\u{0e00}'..='\u{0e4e}')
}

#[cfg(test)]
mod tests;
