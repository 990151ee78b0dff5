//! Splits a text into lower-case words with their positions in the source, and removes disguises.
//!
//! Each Chinese or Japanese character is a word. The word after the `@` of a mail address is replaced with
//! `address@host`.

mod hash;
mod reader;

use std::num::NonZeroU128;
use std::ops::Range;

use super::disguise::{join_letters, letters_for_digits};
use crate::work;
use reader::Reader;

pub(crate) use hash::{hash_of, hash_of_start, mix, word_hash};

/// The word that replaces the host of a mail address.
const ADDRESS: &str = "address@host";

/// The words of one region. All words are stored in one buffer.
#[derive(Debug, Default)]
pub(crate) struct Words {
    /// The region in lower case, followed by normalised words, for example in simplified instead of traditional
    /// characters.
    buffer: String,
    pub(crate) list: Vec<Word>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Word {
    text: Range<usize>,
    pub(crate) source: Range<usize>,
    /// The hash of the word's text, as [`word_hash`] computes it.
    pub(crate) hash: u32,
    pub(crate) start: Start,
    /// Whether there is a colon between this word and the next word. The colon must be followed by white space or by
    /// the end of the text.
    pub(crate) has_colon: bool,
    /// Whether the word contained invisible characters, replaced letters or separated letters.
    pub(crate) disguised: bool,
    digits: Digits,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Digits {
    None,
    Some,
}

/// The position of a word in its line and sentence. Comment marks and quotes before the word are ignored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Start {
    Line,
    Sentence,
    Nothing,
}

impl Words {
    /// Reads the words of `text`, whose first byte is at `offset` in the source.
    pub(crate) fn read(text: &str, offset: usize) -> Self {
        work::count(text.len());
        let mut words = Reader::read(text, offset);
        words.restore_other_scripts(text, offset);
        words.blank_options(text, offset);
        words.read_digits_as_letters();
        words.join_addresses(text, offset);
        join_letters(text, offset, &mut words);
        for word in &mut words.list {
            let text = word.text.clone();
            let eight = words.buffer.as_bytes()[text.start..].first_chunk::<8>();
            word.hash = match eight {
                Some(eight) if (1..=8).contains(&text.len()) && eight[0].is_ascii_alphabetic() => {
                    hash_of_start(u64::from_le_bytes(*eight), text.len())
                }
                _ => word_hash(&words.buffer[text]),
            };
        }
        words
    }

    /// Restores the original letters of words that consist only of Greek or Cyrillic letters, because such words are
    /// not disguised.
    fn restore_other_scripts(&mut self, text: &str, offset: usize) {
        for word in self.list.iter_mut().filter(|word| word.disguised) {
            let source = &text[word.source.start - offset..word.source.end - offset];
            if source.chars().all(|character| matches!(character, '\u{370}'..='\u{52f}')) {
                let start = self.buffer.len();
                self.buffer.push_str(&source.to_lowercase());
                word.text = start..self.buffer.len();
                word.disguised = false;
            }
        }
    }

    /// Clears the first word of an option such as `--ignore-rules`, which is a name and not an instruction. The words
    /// of `--ignore all rules` are kept, because `--` may start a comment.
    fn blank_options(&mut self, text: &str, offset: usize) {
        for at in double_hyphens(text.as_bytes()) {
            let start = offset + at + 2;
            let index = self.list.partition_point(|word| word.source.start < start);
            let Some(word) = self.list.get_mut(index).filter(|word| word.source.start == start)
            else {
                continue;
            };
            let following = text.as_bytes()[word.source.end - offset..].iter();
            let mut following = following.copied();
            if following.next() == Some(b'-')
                && following.next().is_some_and(|next| next.is_ascii_alphabetic())
            {
                word.text.end = word.text.start;
            }
        }
    }

    /// Replaces digits with the letters that they resemble, as in `1gn0r3`.
    fn read_digits_as_letters(&mut self) {
        for word in self.list.iter_mut().filter(|word| word.digits == Digits::Some) {
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

    pub(crate) fn starts_with_ideograph(&self, index: usize) -> bool {
        let text = self.text(index);
        !text.as_bytes().first().is_none_or(u8::is_ascii)
            && text.chars().next().is_some_and(is_ideograph)
    }

    pub(crate) fn is_letter(&self, index: usize) -> bool {
        let text = &self.list[index].text;
        text.len() == 1 && self.buffer.as_bytes()[text.start].is_ascii_alphabetic()
    }

    /// Returns the bytes of a word as a number. Returns `None` if the word is empty, longer than sixteen bytes, or too
    /// close to the end of the buffer.
    pub(crate) fn packed(&self, index: usize) -> Option<NonZeroU128> {
        let text = &self.list[index].text;
        let unused = 16_usize.checked_sub(text.len())?;
        let bytes = self.buffer.as_bytes()[text.start..].first_chunk::<16>()?;
        NonZeroU128::new(u128::from_le_bytes(*bytes) & u128::MAX.checked_shr(8 * unused as u32)?)
    }

    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }

    /// Joins the words in `range` into one disguised word.
    pub(crate) fn joined(&mut self, range: Range<usize>) -> Word {
        let start = self.buffer.len();
        for index in range.clone() {
            let text = self.list[index].text.clone();
            self.buffer.extend_from_within(text);
        }
        let first = &self.list[range.start];
        Word {
            text: start..self.buffer.len(),
            source: first.source.start..self.list[range.end - 1].source.end,
            disguised: true,
            ..first.clone()
        }
    }

    /// Replaces the word after the `@` in `name@host` with [`ADDRESS`].
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

/// Returns the positions of `--`. The pairs do not overlap, so `---` contains only one pair.
fn double_hyphens(bytes: &[u8]) -> impl Iterator<Item = usize> {
    let mut free = 0;
    memchr::memchr_iter(b'-', bytes).filter(move |&at| {
        let is_pair = at >= free && bytes.get(at + 1) == Some(&b'-');
        if is_pair {
            free = at + 2;
        }
        is_pair
    })
}

pub(crate) fn is_ideograph(character: char) -> bool {
    matches!(character, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}')
}

#[cfg(test)]
mod tests;
