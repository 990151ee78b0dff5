//! Translates the Chinese words of a prompt into English: 登录 becomes `login`, 权限 becomes `permission`.
//!
//! The two tables are sorted text files that are searched in place, so no work is needed when the process starts. The
//! text is read from left to right, and the longest word that is in the table is chosen at each position. Adjacent
//! characters are also emitted as pairs, as in the index.

#[cfg(test)]
mod tests;

use std::ops::RangeInclusive;

use index::text::{is_cjk, look_up};

/// The translation table. Each line contains a Chinese word and its English translations, the most common first. A
/// word without translations is a stop word. The table contains general software vocabulary, not the terms of a single
/// product.
const TRANSLATIONS: &str = include_str!("glossary.txt");
const TRANSLATED_LENGTHS: RangeInclusive<usize> = 1..=5;

/// The table of learned names. Each line contains a Chinese word and the names that public projects use for it in code,
/// each with its share in percent, such as `证书 certificat=23 cert=14 ssl=9`. Written by `cargo xtask words`; see
/// `docs/design/ranking.md`.
const LEARNED_NAMES: &str = include_str!("learned.txt");
const LEARNED_LENGTHS: RangeInclusive<usize> = 2..=5;

/// The probability factor for every translation after the first.
const OTHER_TRANSLATION: f32 = 0.7;
/// The probability factor for words that consist of one character. Such a character is often part of a longer word
/// that is not in the table.
const SINGLE_CHARACTER: f32 = 0.4;

/// A translation, learned name or character pair found in a run of CJK characters.
pub(crate) enum CjkItem<'a> {
    /// Two adjacent characters, or the only character of the run.
    Pair(&'a str),
    /// Two adjacent characters that belong to different words, or of which at least one belongs to a stop word.
    Border(&'a str),
    Translation {
        word: &'static str,
        probability: f32,
        is_first: bool,
    },
    Learned {
        word: &'static str,
        probability: f32,
    },
}

/// Calls `emit` for the items of all CJK runs in `text`.
pub(crate) fn for_each_cjk_item(text: &str, mut emit: impl FnMut(CjkItem<'_>)) {
    let mut characters = text.char_indices().peekable();
    let mut borders = Vec::new();
    while let Some((start, character)) = characters.next() {
        if !is_cjk(character) {
            continue;
        }
        borders.clear();
        borders.push(start);
        let mut end = start + character.len_utf8();
        while let Some((_, character)) = characters.next_if(|(_, character)| is_cjk(*character)) {
            borders.push(end);
            end += character.len_utf8();
        }
        borders.push(end);
        read_run(text, &borders, &mut emit);
    }
}

fn translations(word: &str) -> Option<&'static str> {
    look_up(TRANSLATIONS, word)
}

/// Returns the learned names for a word with their probabilities.
///
/// The probability of a name is the square root of its share. The plain share would give too little weight to the
/// names of a word that has several names.
fn learned_names(word: &str) -> Option<impl Iterator<Item = (&'static str, f32)> + use<>> {
    let line = look_up(LEARNED_NAMES, word)?;
    Some(line.split_ascii_whitespace().filter_map(|entry| {
        let (name, percent) = entry.split_once('=')?;
        Some((name, (percent.parse::<f32>().ok()? / 100.0).sqrt()))
    }))
}

/// The word that a character belongs to, identified by the index of the word's first character.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Owner {
    Unknown,
    Word(usize),
    /// A word without translations, which does not help to find code.
    StopWord(usize),
}

/// Calls `emit` for the items of one CJK run. `borders` contains the byte offset of each character and, at the end,
/// the end of the last character.
fn read_run(text: &str, borders: &[usize], emit: &mut impl FnMut(CjkItem<'_>)) {
    let length = borders.len() - 1;
    let mut owners = vec![Owner::Unknown; length];
    for (at, n, english) in known_words(text, borders, TRANSLATED_LENGTHS, translations) {
        let owner = if english.is_empty() { Owner::StopWord(at) } else { Owner::Word(at) };
        owners[at..at + n].fill(owner);
        let first = if n == 1 { SINGLE_CHARACTER } else { 1.0 };
        for (position, word) in english.split_ascii_whitespace().enumerate() {
            let is_first = position == 0;
            let probability = if is_first { first } else { first * OTHER_TRANSLATION };
            emit(CjkItem::Translation { word, probability, is_first });
        }
    }
    for (at, n, names) in known_words(text, borders, LEARNED_LENGTHS, learned_names) {
        if !owners[at..at + n].iter().all(|owner| matches!(owner, Owner::StopWord(_))) {
            names.for_each(|(word, probability)| emit(CjkItem::Learned { word, probability }));
        }
    }
    if length == 1 {
        return emit(CjkItem::Pair(&text[borders[0]..borders[1]]));
    }
    for (at, pair) in owners.windows(2).enumerate() {
        let text = &text[borders[at]..borders[at + 2]];
        match (pair[0], pair[1]) {
            (Owner::StopWord(first), Owner::StopWord(second)) if first == second => {}
            (Owner::StopWord(_), _) | (_, Owner::StopWord(_)) => emit(CjkItem::Border(text)),
            (Owner::Word(first), Owner::Word(second)) if first != second => {
                emit(CjkItem::Border(text));
            }
            (Owner::Word(_) | Owner::Unknown, Owner::Word(_) | Owner::Unknown) => {
                emit(CjkItem::Pair(text));
            }
        }
    }
}

/// Returns the known words of a run. For each word, returns the index of its first character, its number of
/// characters, and its table entry.
fn known_words<T>(
    text: &str,
    borders: &[usize],
    lengths: RangeInclusive<usize>,
    look_up: impl Fn(&str) -> Option<T>,
) -> Vec<(usize, usize, T)> {
    let length = borders.len() - 1;
    let mut found = Vec::new();
    let mut at = 0;
    while at < length {
        let longest = (*lengths.end()).min(length - at);
        let word = (*lengths.start()..=longest)
            .rev()
            .find_map(|n| Some((at, n, look_up(&text[borders[at]..borders[at + n]])?)));
        at += word.as_ref().map_or(1, |(_, n, _)| *n);
        found.extend(word);
    }
    found
}
