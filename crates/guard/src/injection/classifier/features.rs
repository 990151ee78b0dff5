//! The features of one word: itself, its pairs and triples, parts of it, its case, phrases that end with it, and the marks
//! of addresses, commands and paths around it. Each is a number by hashing.

use super::super::pattern::Found;
use super::super::phrases::Role;
use super::super::words::{Start, Words, is_ideograph};

pub(crate) const FEATURE_BITS: u32 = 18;

/// Parts of words have this many letters; they keep a misspelt word recognisable.
const PART: usize = 4;
const LONGEST_WORD: usize = 24;

/// Namespaces of features.
const WORD: u32 = 1;
const PAIR: u32 = 2;
const TRIPLE: u32 = 3;
const PARTS: u32 = 4;
const CAPITALS: u32 = 5;
const FIRST: u32 = 6;
const PHRASE: u32 = 7;
const MARK: u32 = 8;
const SKIP: u32 = 9;

/// What a gap between words contains, apart from white space.
const GAPS: [(&str, u32); 12] = [
    ("://", 1),
    ("| ", 2),
    ("$(", 3),
    ("~/", 4),
    ("`", 5),
    ("<", 6),
    ("[", 7),
    ("@", 8),
    ("!", 9),
    ("?", 10),
    ("...", 11),
    ("**", 12),
];

/// What stands for every word of an address.
const ADDRESS: u32 = 13;

/// A region of text with everything that its features need.
pub(crate) struct Marks<'t> {
    text: &'t str,
    words: &'t Words,
    hashes: Vec<u32>,
    /// Words within an address: who an order sends something to says nothing about whether it is one.
    in_address: Vec<bool>,
    /// Phrases by the index of their last word.
    phrases: Vec<(usize, u32)>,
}

impl<'t> Marks<'t> {
    pub(crate) fn new(text: &'t str, words: &'t Words, found: &[Found]) -> Self {
        let in_address = within_addresses(text, words);
        let hashes = (0..words.len())
            .map(|index| if in_address[index] { ADDRESS } else { word_hash(words.text(index)) })
            .collect();
        let mut phrases: Vec<(usize, u32)> = found
            .iter()
            .map(|find| {
                let excuse = u32::from(find.role == Role::Excuse) << 8;
                (find.last, excuse | (find.signal as u32) << 4 | find.weight.min(15))
            })
            .collect();
        phrases.sort_unstable();
        Self { text, words, hashes, in_address, phrases }
    }

    /// Passes every feature of the word to `sink`.
    pub(crate) fn of_word(&self, index: usize, mut sink: impl FnMut(u32)) {
        let word = &self.words.list[index];
        let hash = self.hashes[index];
        let mut put = |namespace: u32, value: u32| sink(bucket(namespace, value));
        if self.in_address[index] {
            // An address counts once, with the word before it.
            if index > 0 && !self.in_address[index - 1] {
                put(WORD, ADDRESS);
                put(PAIR, mix(self.hashes[index - 1], ADDRESS));
            }
            return;
        }
        put(WORD, hash);
        if index > 0 {
            put(PAIR, mix(self.hashes[index - 1], hash));
        }
        if index > 1 {
            put(TRIPLE, mix(mix(self.hashes[index - 2], self.hashes[index - 1]), hash));
            put(SKIP, mix(self.hashes[index - 2], hash));
        }
        if word.start != Start::Nothing {
            put(FIRST, hash);
        }
        let text = self.words.text(index);
        if text.is_ascii() && (PART..=LONGEST_WORD).contains(&text.len()) {
            parts(text.as_bytes(), |part| put(PARTS, part));
        }
        let source = self.text.get(word.source.clone()).unwrap_or_default();
        if source.len() >= 4 && source.bytes().all(|byte| byte.is_ascii_uppercase()) {
            put(CAPITALS, hash);
            put(CAPITALS, 0);
        }
        if word.disguised {
            put(MARK, 100);
        }
        if index > 0 {
            let gap = self.words.list[index - 1].source.end..word.source.start;
            let gap = self.text.get(gap).unwrap_or_default();
            let is_mark = |byte: u8| !byte.is_ascii_whitespace();
            let may_matter = gap.len() > 1 || matches!(gap, "`" | "@" | "<");
            if may_matter && gap.bytes().any(is_mark) {
                for (mark, number) in GAPS {
                    if gap.contains(mark) {
                        put(MARK, number);
                    }
                }
            }
        }
        let start = self.phrases.partition_point(|(last, _)| *last < index);
        for (_, phrase) in self.phrases[start..].iter().take_while(|(last, _)| *last == index) {
            put(PHRASE, *phrase);
            put(PHRASE, *phrase >> 4 | 1 << 16);
        }
    }
}

/// Which words are in the address of a page (`https://…`) or after the `@` of a mail address.
fn within_addresses(text: &str, words: &Words) -> Vec<bool> {
    let mut within = vec![false; words.len()];
    for index in 1..words.len() {
        let gap = words.list[index - 1].source.end..words.list[index].source.start;
        let gap = text.get(gap).unwrap_or_default();
        let starts = gap == "://" || gap == "@";
        let continues = within[index - 1]
            && gap.len() == 1
            && gap.bytes().all(|byte| b"./-_:?=&%#+~".contains(&byte));
        within[index] = starts || continues;
    }
    within
}

/// The parts of `^word$`.
fn parts(word: &[u8], mut put: impl FnMut(u32)) {
    let at = |index: usize| match index {
        0 => b'^',
        index if index <= word.len() => word[index - 1],
        _ => b'$',
    };
    for start in 0..=word.len() + 2 - PART {
        put(u32::from_le_bytes([at(start), at(start + 1), at(start + 2), at(start + 3)]));
    }
}

fn word_hash(word: &str) -> u32 {
    if word.bytes().all(|byte| byte.is_ascii_digit()) && !word.is_empty() {
        return 7;
    }
    if word.chars().all(is_ideograph) {
        return word.chars().fold(11, |hash, character| mix(hash, character as u32));
    }
    word.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

fn mix(first: u32, second: u32) -> u32 {
    (first.rotate_left(13).wrapping_mul(0x9e37_79b1) ^ second).wrapping_mul(0x85eb_ca6b)
}

fn bucket(namespace: u32, value: u32) -> u32 {
    let hash = mix(namespace.wrapping_mul(0xc2b2_ae35), value);
    (hash ^ hash >> 15).wrapping_mul(0x2c1b_3c6d) >> (32 - FEATURE_BITS)
}
