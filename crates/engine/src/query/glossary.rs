//! Chinese words of a prompt in the English of code: 登录 is `login`, 权限 is `permission`.
//!
//! A sorted text searched by halves: nothing is built when the process starts. The longest known word wins, from left to right;
//! what no word covers stays as pairs of ideographs, as the index has them.

#[cfg(test)]
mod tests;

use std::ops::RangeInclusive;

use index::text::is_cjk;

use super::learned;

/// One Chinese word a line, sorted by bytes, then English words of code by how usual they are; none for a word that says
/// nothing about code. General vocabulary of software only: what one product calls its things does not belong here.
const TABLE: &str = include_str!("glossary.txt");

/// The longest word of the table, in characters.
const LONGEST: usize = 5;
/// The first translation is the usual one.
const OTHER_TRANSLATIONS: f32 = 0.7;
/// One ideograph alone is often a part of a word that the table does not have.
const SINGLE_IDEOGRAPH: f32 = 0.4;

/// What a run of ideographs gives.
pub(crate) enum Ideographs<'a> {
    /// Two neighbours, or one that stands alone.
    Pair(&'a str),
    /// Two neighbours of two different words, or of a word that says nothing about code.
    Border(&'a str),
    /// A translation and how sure it is; the first of a word, or another one.
    English { word: &'static str, sureness: f32, is_first: bool },
    /// What public projects call a word in code, and how sure that is.
    Learned { word: &'static str, sureness: f32 },
}

/// Calls `emit` for the runs of ideographs in `text`.
pub(crate) fn for_each_ideograph(text: &str, mut emit: impl FnMut(Ideographs<'_>)) {
    let mut characters = text.char_indices().peekable();
    let mut run = Vec::new();
    while let Some((start, character)) = characters.next() {
        if !is_cjk(character) {
            continue;
        }
        run.clear();
        run.push(start);
        let mut end = start + character.len_utf8();
        while let Some((_, character)) = characters.next_if(|(_, character)| is_cjk(*character)) {
            run.push(end);
            end += character.len_utf8();
        }
        run.push(end);
        read_run(text, &run, &mut emit);
    }
}

/// The English words for a Chinese one; empty for a word that says nothing about code.
fn translations(word: &str) -> Option<&'static str> {
    find(TABLE, word)
}

/// What follows `word` on its line of a table that is sorted by bytes.
pub(super) fn find(mut table: &'static str, word: &str) -> Option<&'static str> {
    while !table.is_empty() {
        let middle = (0..=table.len() / 2).rev().find(|at| table.is_char_boundary(*at))?;
        let start = table[..middle].rfind('\n').map_or(0, |newline| newline + 1);
        let end = table[start..].find('\n').map_or(table.len(), |length| start + length + 1);
        let line = table[start..end].trim_end();
        let (known, english) = line.split_once(' ').unwrap_or((line, ""));
        match word.cmp(known) {
            std::cmp::Ordering::Equal => return Some(english),
            std::cmp::Ordering::Less => table = &table[..start],
            std::cmp::Ordering::Greater => table = &table[end..],
        }
    }
    None
}

/// Which word a character belongs to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Owner {
    Unknown,
    Word(usize),
    Noise(usize),
}

/// `borders` has the start of each character of the run and the end of the last.
fn read_run(text: &str, borders: &[usize], emit: &mut impl FnMut(Ideographs<'_>)) {
    let length = borders.len() - 1;
    let mut owners = vec![Owner::Unknown; length];
    for (at, n, english) in words(text, borders, 1..=LONGEST, translations) {
        let owner = if english.is_empty() { Owner::Noise(at) } else { Owner::Word(at) };
        owners[at..at + n].fill(owner);
        let sureness = if n == 1 { SINGLE_IDEOGRAPH } else { 1.0 };
        for (place, translation) in english.split_ascii_whitespace().enumerate() {
            let is_first = place == 0;
            let sureness = if is_first { sureness } else { sureness * OTHER_TRANSLATIONS };
            emit(Ideographs::English { word: translation, sureness, is_first });
        }
    }
    // Whatever the glossary made of them; but what says nothing about code says nothing here either.
    for (at, n, meanings) in words(text, borders, learned::LENGTHS, learned::meanings) {
        if !owners[at..at + n].iter().all(|owner| matches!(owner, Owner::Noise(_))) {
            meanings.for_each(|(word, sureness)| emit(Ideographs::Learned { word, sureness }));
        }
    }
    if length == 1 {
        return emit(Ideographs::Pair(&text[borders[0]..borders[1]]));
    }
    for (at, pair) in owners.windows(2).enumerate() {
        let text = &text[borders[at]..borders[at + 2]];
        match (pair[0], pair[1]) {
            (Owner::Noise(first), Owner::Noise(second)) if first == second => {}
            (Owner::Noise(_), _) | (_, Owner::Noise(_)) => emit(Ideographs::Border(text)),
            (Owner::Word(first), Owner::Word(second)) if first != second => {
                emit(Ideographs::Border(text));
            }
            (Owner::Word(_) | Owner::Unknown, Owner::Word(_) | Owner::Unknown) => {
                emit(Ideographs::Pair(text));
            }
        }
    }
}

/// The known words of a run from left to right, the longest first: where each begins, its characters, what is known of it.
fn words<T>(
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
