//! Computes the features of a word. They describe its text, its parts, its case, its pairs and triples with the words
//! before it, the phrases that end with it, and the marks before it that indicate addresses, commands and paths. Each
//! feature is a hash.

use super::super::hash_table::HashTable;
use super::super::pattern::PhraseMatch;
use super::super::phrases::Role;
use super::super::words::{Start, Words, mix, word_hash};
use crate::bytes::byte_classes;
use crate::injection::WORDS;
use crate::table::WordList;
use std::sync::LazyLock;

pub(crate) const FEATURE_BITS: u32 = 18;

/// The number of letters in a part of a word. Parts make it possible to recognise misspelt words.
const PART_LETTERS: usize = 4;
const MAX_WORD_BYTES: usize = 24;

// Feature namespaces. The namespace is part of a feature's hash, so that the same value counts separately in each namespace.
const WORD: u32 = 1;
const PAIR: u32 = 2;
const TRIPLE: u32 = 3;
const PARTS: u32 = 4;
const CAPITALS: u32 = 5;
const FIRST: u32 = 6;
const PHRASE: u32 = 7;
const MARK: u32 = 8;
const SKIP: u32 = 9;
const CLASS: u32 = 10;
const CLASS_PAIR: u32 = 11;
const CLASS_TRIPLE: u32 = 12;

/// The maximum distance, in words, between two words whose classes are combined into a pair.
const CLASS_REACH: usize = 12;

/// The highest index of a mark that [`marks_in`] returns. A mark is a character sequence such as `://` or `$(`.
const MAX_MARK: u32 = 12;

/// The value that replaces the hash of every word in an address.
const ADDRESS: u32 = 13;

/// Character class: such a character starts a mark in a two-byte gap between words. `:` and `.` are not included, because they
/// start only marks with three characters.
const SHORT_MARK: u8 = 1;
/// Character class: such a character starts a mark in a longer gap.
const LONG_MARK: u8 = 2;
/// Character class: such a character joins the words in an address.
const ADDRESS_JOINT: u8 = 4;
const MARK_CLASSES: [u8; 256] = byte_classes(&[
    (SHORT_MARK | LONG_MARK, b"|$~`<[@!?*"),
    (LONG_MARK, b":."),
    (ADDRESS_JOINT, b"./-_:?=&%#+~"),
]);

fn is_in_class(byte: u8, class: u8) -> bool {
    MARK_CLASSES[usize::from(byte)] & class != 0
}

/// A region of text with the data that is needed to compute its features.
pub(crate) struct FeatureContext<'t> {
    text: &'t str,
    words: &'t Words,
    by_word: Vec<WordData>,
    /// The index and the class of each word that belongs to a class.
    classes: Vec<(usize, u32)>,
    /// For each phrase, the index of its last word and its feature value, sorted.
    phrases: Vec<(usize, u32)>,
}

#[derive(Clone, Copy)]
struct WordData {
    hash: u32,
    /// The number of earlier words that belong to a class.
    classes_before: u32,
    has_class: bool,
    /// Whether the word is part of an address. Such a word has no text features, because an address does not show
    /// whether the text is an instruction.
    in_address: bool,
}

impl<'t> FeatureContext<'t> {
    pub(crate) fn new(text: &'t str, words: &'t Words, found: &[PhraseMatch]) -> Self {
        let mut classes = Vec::new();
        let mut by_word: Vec<WordData> = Vec::with_capacity(words.len());
        for (index, word) in words.list.iter().enumerate() {
            let previous = by_word.last();
            let in_address = previous.is_some_and(|previous| {
                let gap = words.list[index - 1].source.end..word.source.start;
                is_within_address(text.as_bytes().get(gap).unwrap_or_default(), previous.in_address)
            });
            let hash = if in_address { ADDRESS } else { word.hash };
            let class = if in_address {
                None
            } else {
                class_of(previous.map(|previous| previous.hash), hash)
            };
            let classes_before = u32::try_from(classes.len()).unwrap_or(u32::MAX);
            by_word.push(WordData { hash, classes_before, has_class: class.is_some(), in_address });
            classes.extend(class.map(|class| (index, class)));
        }
        let mut phrases: Vec<(usize, u32)> = found
            .iter()
            .filter(|hit| hit.role.is_scored())
            .map(|hit| {
                let exemption = u32::from(hit.role == Role::Exemption) << 8;
                (hit.last, exemption | (hit.signal as u32) << 4 | hit.weight.min(15))
            })
            .collect();
        phrases.sort_unstable();
        Self { text, words, by_word, classes, phrases }
    }

    /// Calls `sink` with all features of a word.
    #[cfg(feature = "training")]
    pub(crate) fn word_features(&self, index: usize, mut sink: impl FnMut(u32)) {
        self.text_features(index, &mut sink);
        self.position_features(index, &mut sink);
    }

    /// Calls `sink` with the features that depend only on the word's text: the word and its parts. A word in an address
    /// has no such features.
    pub(crate) fn text_features(&self, index: usize, mut sink: impl FnMut(u32)) {
        if self.by_word[index].in_address {
            return;
        }
        sink(bucket(WORD, self.by_word[index].hash));
        let text = self.words.text(index);
        if (PART_LETTERS..=MAX_WORD_BYTES).contains(&text.len()) && text.is_ascii() {
            parts(text.as_bytes(), |part| sink(bucket(PARTS, part)));
        }
    }

    pub(crate) fn is_in_address(&self, index: usize) -> bool {
        self.by_word[index].in_address
    }

    /// Calls `sink` with the features that depend on the word's context: the words before it, its spelling, and the
    /// marks, classes and phrases at this position.
    pub(crate) fn position_features(&self, index: usize, mut sink: impl FnMut(u32)) {
        let WordData { hash, in_address, has_class, .. } = self.by_word[index];
        let mut put = |namespace: u32, value: u32| sink(bucket(namespace, value));
        let before = |back: usize| index.checked_sub(back).map(|at| &self.by_word[at]);
        if in_address {
            // An address has features only at the first word after `://` or `@`: one for the address itself, and one
            // for its pair with the word before it.
            if let Some(previous) = before(1).filter(|previous| !previous.in_address) {
                put(WORD, ADDRESS);
                put(PAIR, mix(previous.hash, ADDRESS));
            }
            return;
        }
        if let Some(previous) = before(1) {
            put(PAIR, mix(previous.hash, hash));
            if let Some(first) = before(2) {
                put(TRIPLE, mix(mix(first.hash, previous.hash), hash));
                put(SKIP, mix(first.hash, hash));
            }
        }
        self.spelling(index, hash, &mut put);
        self.gap_before(index, |mark| put(MARK, mark));
        if has_class {
            self.classes_at(index, &mut put);
        }
        let start = self.phrases.partition_point(|(last, _)| *last < index);
        for (_, phrase) in self.phrases[start..].iter().take_while(|(last, _)| *last == index) {
            put(PHRASE, *phrase);
            put(PHRASE, *phrase >> 4 | 1 << 16);
        }
    }

    /// Calls `put` with the features for the word's spelling and position: upper case, disguise, and whether it starts
    /// a line or a sentence.
    fn spelling(&self, index: usize, hash: u32, mut put: impl FnMut(u32, u32)) {
        let word = &self.words.list[index];
        if word.start != Start::Nothing {
            put(FIRST, hash);
        }
        let source = self.text.as_bytes().get(word.source.clone()).unwrap_or_default();
        if source.len() >= 4 && source.iter().all(u8::is_ascii_uppercase) {
            put(CAPITALS, hash);
            put(CAPITALS, 0);
        }
        if word.disguised {
            put(MARK, 100);
        }
    }

    /// Calls `put` with the index of each mark between the previous word and this word.
    fn gap_before(&self, index: usize, put: impl FnMut(u32)) {
        let Some(previous) = index.checked_sub(1) else { return };
        let gap = self.words.list[previous].source.end..self.words.list[index].source.start;
        let gap = self.text.as_bytes().get(gap).unwrap_or_default();
        let may_matter = match gap {
            [] => false,
            [one] => matches!(one, b'`' | b'@' | b'<'),
            [first, second] => is_in_class(*first, SHORT_MARK) || is_in_class(*second, SHORT_MARK),
            longer => longer.iter().any(|byte| is_in_class(*byte, LONG_MARK)),
        };
        if may_matter {
            let marks = marks_in(gap);
            (1..=MAX_MARK).filter(|number| marks >> number & 1 != 0).for_each(put);
        }
    }

    /// Calls `put` with the features for the word's class, alone and combined with the classes of nearby earlier words.
    fn classes_at(&self, index: usize, mut put: impl FnMut(u32, u32)) {
        let at = self.by_word[index].classes_before as usize;
        let class = self.classes[at].1;
        put(CLASS, class);
        let near = |back: usize| {
            let (word, class) = *self.classes.get(at.checked_sub(back)?)?;
            (index - word <= CLASS_REACH).then_some(class)
        };
        if let Some(before) = near(1) {
            put(CLASS_PAIR, before << 8 | class);
            if let Some(first) = near(2) {
                put(CLASS_TRIPLE, first << 16 | before << 8 | class);
                put(CLASS_PAIR, first << 8 | class);
            }
        }
    }
}

/// Returns the set of marks in a gap between words. Bit `n` of the result represents the mark with index `n`.
fn marks_in(gap: &[u8]) -> u32 {
    (0..gap.len()).fold(0, |marks, at| {
        let number = match &gap[at..] {
            [b':', b'/', b'/', ..] => 1,
            [b'|', b' ', ..] => 2,
            [b'$', b'(', ..] => 3,
            [b'~', b'/', ..] => 4,
            [b'`', ..] => 5,
            [b'<', ..] => 6,
            [b'[', ..] => 7,
            [b'@', ..] => 8,
            [b'!', ..] => 9,
            [b'?', ..] => 10,
            [b'.', b'.', b'.', ..] => 11,
            [b'*', b'*', ..] => MAX_MARK,
            _ => return marks,
        };
        marks | 1 << number
    })
}

/// Returns whether the word after `gap` belongs to a URL (`https://…`) or follows the `@` of a mail address.
/// `is_previous` states whether the word before `gap` belongs to an address.
fn is_within_address(gap: &[u8], is_previous: bool) -> bool {
    match gap {
        [one] => *one == b'@' || is_previous && is_in_class(*one, ADDRESS_JOINT),
        _ => gap == b"://",
    }
}

/// Calls `put` with each sequence of four letters in the word. `^` before the first letter and `$` after the last
/// letter count as letters.
fn parts(word: &[u8], mut put: impl FnMut(u32)) {
    let [.., third, second, last] = word else { return };
    let end = u32::from_le_bytes([*third, *second, *last, b'$']);
    let windows = word.windows(PART_LETTERS);
    put(u32::from_le_bytes([b'^', word[0], word[1], word[2]]));
    windows.for_each(|part| put(u32::from_le_bytes([part[0], part[1], part[2], part[3]])));
    put(end);
}

fn bucket(namespace: u32, value: u32) -> u32 {
    let hash = mix(namespace.wrapping_mul(0xc2b2_ae35), value);
    (hash ^ hash >> 15).wrapping_mul(0x2c1b_3c6d) >> (32 - FEATURE_BITS)
}

static CLASSES: WordList = WordList::new(WORDS, "classes");

static BY_HASH: LazyLock<HashTable> = LazyLock::new(|| {
    let mut table = HashTable::default();
    for (class, words) in (1..).zip(CLASSES.iter()) {
        for word in words.split('|') {
            let hash = if word.is_ascii() {
                word_hash(word)
            } else {
                word.split_inclusive(|_: char| true).map(word_hash).reduce(mix).unwrap_or_default()
            };
            // A word in two classes belongs to the first class.
            if class_by_hash(&table, hash).is_none() {
                table.insert(hash, class);
            }
        }
    }
    table
});

fn class_by_hash(table: &HashTable, hash: u32) -> Option<u16> {
    if table.may_contain(hash) { table.values(hash).next() } else { None }
}

/// Returns the class of the two-character Chinese word that consists of the previous word and this word. If this pair
/// has no class, returns the class of this word alone.
fn class_of(previous: Option<u32>, hash: u32) -> Option<u32> {
    let table = &*BY_HASH;
    let pair = previous.and_then(|previous| class_by_hash(table, mix(previous, hash)));
    pair.or_else(|| class_by_hash(table, hash)).map(u32::from)
}
