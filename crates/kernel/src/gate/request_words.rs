//! Determines the kinds of request that the words of a prompt belong to, such as version control or failure.
//!
//! The table contains words in 15 languages. It is a sorted text file that is searched in place. An entry that ends in
//! `*` matches all words that start with the text before it. Chinese, Japanese and Korean words are found anywhere in
//! a run of such characters, and the longest match is used.

use index::text::{is_cjk, look_up};

use super::weights::KINDS;

const TABLE: &str = include_str!("request_words.txt");
/// The maximum length of a Chinese, Japanese or Korean word in the table, in characters.
const MAX_CJK_CHARS: usize = 8;
/// The minimum number of characters before the `*` of an entry in the table.
const MIN_PREFIX_CHARS: usize = 3;
/// The maximum number of characters that are read from the start of a prompt.
const MAX_CHARS: usize = 400;

/// The kind of request that a word belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum RequestKind {
    Approve,
    Continue,
    VersionControl,
    Run,
    Meta,
    Chat,
    Document,
    Question,
    Change,
    Failure,
    Software,
}

/// The kinds of words in a prompt. Two Chinese, Japanese or Korean characters count as one word.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct WordKinds {
    /// The number of words of each kind, in the order of [`KINDS`]. A word of two kinds counts half for each.
    pub(super) counts: [f32; KINDS.len()],
    /// The kinds of the first known word, if it is one of the first three words.
    pub(super) first: [bool; KINDS.len()],
    pub(super) n_words: f32,
    pub(super) n_known: f32,
}

impl WordKinds {
    pub(super) fn read(text: &str) -> Self {
        let lower: Vec<char> = text.chars().take(MAX_CHARS).flat_map(char::to_lowercase).collect();
        let mut kinds = Self::default();
        let mut at = 0;
        while at < lower.len() {
            let end = run_end(&lower, at);
            match lower[at] {
                c if is_cjk(c) => kinds.read_cjk(&lower[at..end]),
                c if is_word(c) => kinds.read_word(&lower[at..end]),
                _ => {}
            }
            at = end;
        }
        kinds
    }

    pub(super) fn has(&self, kind: RequestKind) -> bool {
        self.counts[kind as usize] > 0.0
    }

    pub(super) fn share(&self, kind: RequestKind) -> f32 {
        self.counts[kind as usize] / self.n_words.max(1.0)
    }

    fn read_word(&mut self, word: &[char]) {
        let text: String = word.iter().collect();
        let found = look_up(TABLE, &text).or_else(|| {
            let starts = (MIN_PREFIX_CHARS..=word.len()).rev();
            starts
                .map(|n| word[..n].iter().chain(&['*']).collect::<String>())
                .find_map(|start| look_up(TABLE, &start))
        });
        if let Some(found) = found {
            self.note(found, 1.0);
        }
        self.n_words += 1.0;
    }

    fn read_cjk(&mut self, run: &[char]) {
        let mut at = 0;
        while at < run.len() {
            let lengths = (1..=MAX_CJK_CHARS.min(run.len() - at)).rev();
            let found = lengths
                .map(|n| (n, run[at..at + n].iter().collect::<String>()))
                .find_map(|(n, word)| Some((n, look_up(TABLE, &word)?)));
            let n_chars = found.map_or(1, |(n, _)| n);
            let n_words = n_chars as f32 / 2.0;
            if let Some((_, kinds)) = found {
                self.note(kinds, n_words);
            }
            self.n_words += n_words;
            at += n_chars;
        }
    }

    fn note(&mut self, names: &str, n_words: f32) {
        /// `first` is set only if fewer than this number of words precede the first known word.
        const MAX_BEFORE: f32 = 3.0;
        let kinds: Vec<RequestKind> = names.split(' ').filter_map(kind_of).collect();
        let is_first = self.n_known == 0.0 && self.n_words < MAX_BEFORE;
        for kind in &kinds {
            self.counts[*kind as usize] += n_words / kinds.len() as f32;
            self.first[*kind as usize] |= is_first;
        }
        self.n_known += n_words;
    }
}

fn kind_of(name: &str) -> Option<RequestKind> {
    KINDS.iter().find(|kind| kind.name == name).map(|kind| kind.kind)
}

/// Returns whether a character is part of a word. An identifier with underscores is one word, which the table does not contain.
fn is_word(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

/// Returns the end of the run of characters of the same class that starts at `start`.
fn run_end(characters: &[char], start: usize) -> usize {
    let class = |c: char| (is_cjk(c), is_word(c));
    let wanted = class(characters[start]);
    let length = characters[start..].iter().take_while(|c| class(**c) == wanted).count();
    start + length
}
