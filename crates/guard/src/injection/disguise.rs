//! Recognises disguised words: invisible characters, look-alike letters, digits in place of letters, separated
//! letters. Also recognises misspelt words of orders, such as `iunstructions` or `prevoius`, because an order with a misspelt
//! word has the same effect on a model as the correct one.

use std::ops::Range;

use super::words::{Word, Words};
use crate::injection::WORDS;
use crate::table::WordList;

/// The minimum number of consecutive single letters that are read as one word. Shorter sequences are treated as
/// initials or as a list.
const MIN_SEPARATED_LETTERS: usize = 5;

const MAX_LEET_BYTES: usize = 20;
/// The minimum number of words with digits in place of letters for a line to count as disguised. In other lines, such
/// words are treated as ordinary identifiers.
const MIN_LEET_WORDS: usize = 3;

/// Returns whether the character is invisible or combining. This includes zero-width characters, bidirectional
/// controls, tag characters, variation selectors, the soft hyphen and combining accents.
pub(crate) fn is_invisible(character: char) -> bool {
    matches!(character,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180e}'
        | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}'
        | '\u{fe00}'..='\u{fe0f}' | '\u{300}'..='\u{36f}' | '\u{e0000}'..='\u{e007f}' | '\u{e0100}'..='\u{e01ef}')
}

/// Returns whether the search of the raw text could miss a word that contains this character, because the character is
/// invisible, a look-alike or a non-ASCII upper-case letter.
pub(crate) fn is_suspicious(character: char) -> bool {
    // Handles most characters without a table lookup.
    if character.is_ascii()
        || matches!(character, '\u{3000}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}')
    {
        return false;
    }
    let shown = plain(character);
    let is_imitation =
        shown != character && shown.is_ascii_alphanumeric() && !is_accented(character);
    is_invisible(character) || character.is_uppercase() || is_imitation
}

/// Returns whether the character is an accented Latin letter. Such a letter is not a disguise.
pub(crate) fn is_accented(character: char) -> bool {
    matches!(character, '\u{c0}'..='\u{24f}' | '\u{1e00}'..='\u{1eff}')
}

/// Maps a look-alike character to the ASCII character that it imitates. Returns other characters unchanged.
pub(crate) fn plain(character: char) -> char {
    if character.is_ascii() {
        return character;
    }
    match u32::from(character) {
        code @ 0xff01..=0xff5e => ascii(code - 0xfee0, character),
        code @ 0x1d400..=0x1d6a3 => letter((code - 0x1d400) % 52),
        code @ 0x1d7ce..=0x1d7ff => ascii(u32::from('0') + (code - 0x1d7ce) % 10, character),
        code @ 0x24b6..=0x24cf => letter(code - 0x24b6),
        code @ 0x24d0..=0x24e9 => letter(code - 0x24d0),
        code @ 0x1f130..=0x1f149 => letter(code - 0x1f130),
        code @ 0x1f150..=0x1f169 => letter(code - 0x1f150),
        code @ 0x1f170..=0x1f189 => letter(code - 0x1f170),
        _ => look_alike(character),
    }
}

fn ascii(code: u32, otherwise: char) -> char {
    char::from_u32(code).unwrap_or(otherwise)
}

/// Returns the lower-case letter for an index into an alphabet block (26 upper-case letters, then 26 lower-case
/// letters).
fn letter(index: u32) -> char {
    char::from_u32(u32::from('a') + index % 26).unwrap_or('a')
}

#[rustfmt::skip]
fn look_alike(character: char) -> char {
    match character {
        'а' | 'А' | 'α' | 'Α' | 'ɑ' | 'ᴀ' => 'a',
        'Β' | 'В' | 'ʙ' => 'b',
        'с' | 'С' | 'ϲ' | 'ᴄ' | 'ⅽ' => 'c',
        'ԁ' | 'ᴅ' | 'ⅾ' => 'd',
        'е' | 'Е' | 'Ε' | 'ᴇ' | 'ℯ' | 'є' => 'e',
        'ꜰ' => 'f',
        'ɡ' | 'ɢ' | 'ℊ' => 'g',
        'һ' | 'Н' | 'Η' | 'ʜ' | 'ℎ' => 'h',
        'і' | 'І' | 'ι' | 'Ι' | 'ɪ' | 'ı' | 'ⅰ' | 'ӏ' => 'i',
        'ј' | 'Ј' | 'ᴊ' => 'j',
        'к' | 'К' | 'κ' | 'Κ' | 'ᴋ' => 'k',
        'ʟ' | 'ℓ' | 'ⅼ' => 'l',
        'М' | 'Μ' | 'ᴍ' | 'ⅿ' => 'm',
        'Ν' | 'ɴ' => 'n',
        'о' | 'О' | 'ο' | 'Ο' | 'ᴏ' | 'օ' | 'ℴ' => 'o',
        'р' | 'Р' | 'ρ' | 'Ρ' | 'ᴘ' => 'p',
        'ԛ' => 'q',
        'ʀ' => 'r',
        'ѕ' | 'Ѕ' | 'ꜱ' => 's',
        'Т' | 'τ' | 'Τ' | 'ᴛ' => 't',
        'ᴜ' | 'υ' => 'u',
        'ν' | 'ᴠ' | 'ⅴ' => 'v',
        'ԝ' | 'ᴡ' => 'w',
        'х' | 'Х' | 'χ' | 'Χ' | 'ⅹ' => 'x',
        'у' | 'У' | 'γ' | 'Υ' | 'ʏ' => 'y',
        'Ζ' | 'ᴢ' => 'z',
        _ => character,
    }
}

/// Replaces the digits in a word such as `1gn0r3` or `syst3m` with the letters that they resemble. Returns `None` if a
/// digit does not resemble a letter, if no digit is followed by a letter or another digit, or if the word is too short
/// or too long.
pub(crate) fn letters_for_digits(word: &str) -> Option<String> {
    let bytes = word.as_bytes();
    let is_possible = (3..=MAX_LEET_BYTES).contains(&bytes.len())
        && bytes.iter().any(u8::is_ascii_digit)
        && bytes.iter().filter(|byte| byte.is_ascii_alphabetic()).count() >= 2;
    let replaces_letter = |pair: &[u8]| pair[0].is_ascii_digit() && pair[1].is_ascii_alphanumeric();
    if !is_possible || !bytes.windows(2).any(replaces_letter) {
        return None;
    }
    let letter = |(index, byte): (usize, &u8)| match byte {
        b'0' => Some('o'),
        b'1' if word[index..].starts_with("11") || word[..index].ends_with('1') => Some('l'),
        b'1' => Some('i'),
        b'3' => Some('e'),
        b'4' => Some('a'),
        b'5' => Some('s'),
        b'7' => Some('t'),
        b'a'..=b'z' => Some(char::from(*byte)),
        _ => None,
    };
    bytes.iter().enumerate().map(letter).collect()
}

/// Returns whether at least [`MIN_LEET_WORDS`] words in the line have digits in place of letters.
pub(crate) fn has_digits_for_letters(line: &str) -> bool {
    let words = line.split(|character: char| !character.is_ascii_alphanumeric());
    words
        .filter(|word| letters_for_digits(&word.to_ascii_lowercase()).is_some())
        .nth(MIN_LEET_WORDS - 1)
        .is_some()
}

/// Joins the single letters of words that are written with separators, such as `i g n o r e` or `i-g-n-o-r-e`.
pub(crate) fn join_letters(text: &str, offset: usize, words: &mut Words) {
    let mut joined: Vec<Word> = Vec::new();
    let mut kept = 0;
    let mut start = 0;
    while start < words.len() {
        let length = (start..words.len()).take_while(|&index| words.is_letter(index)).count();
        if length >= MIN_SEPARATED_LETTERS {
            joined.extend_from_slice(&words.list[kept..start]);
            joined.extend(joined_words(text, offset, words, start..start + length));
            kept = start + length;
        }
        start += length.max(1);
    }
    if kept > 0 {
        joined.extend_from_slice(&words.list[kept..]);
        words.list = joined;
    }
}

/// Joins a run of single letters into words. A word ends at a gap that differs from the gap between the first two
/// letters.
fn joined_words(text: &str, offset: usize, words: &mut Words, letters: Range<usize>) -> Vec<Word> {
    let gaps: Vec<&str> = letters
        .clone()
        .skip(1)
        .map(|index| {
            let (left, right) = (&words.list[index - 1].source, &words.list[index].source);
            text.get(left.end - offset..right.start - offset).unwrap_or_default()
        })
        .collect();
    let mut joined = Vec::new();
    let mut start = letters.start;
    for (index, gap) in gaps.iter().enumerate() {
        if *gap != gaps[0] {
            joined.push(words.joined(start..letters.start + index + 1));
            start = letters.start + index + 1;
        }
    }
    joined.push(words.joined(start..letters.end));
    joined
}

static KEYS: WordList = WordList::new(WORDS, "keys");

/// Words of [`KEYS`] with which an order starts.
const FIRST_WORDS: &[&str] = &["disregard", "ignore"];

/// Returns the word that `word` is a misspelling of: a letter is missing, added or replaced, or two neighbouring letters are
/// exchanged. The first and the last letter must be correct, so that `ignored` is not a misspelling of `ignore`.
pub(crate) fn corrected(word: &str) -> Option<&'static str> {
    let bytes = word.as_bytes();
    let (first, last) = (bytes.first()?, bytes.last()?);
    KEYS.iter().copied().find(|key| {
        let key = key.as_bytes();
        key[0] == *first
            && key[key.len() - 1] == *last
            && key.len().abs_diff(bytes.len()) <= 1
            && is_one_edit(key, bytes)
    })
}

/// Returns whether the words differ by one edit: an added, missing or replaced letter, or two exchanged neighbours.
fn is_one_edit(key: &[u8], word: &[u8]) -> bool {
    let same_start = key.iter().zip(word).take_while(|(left, right)| left == right).count();
    let (key, word) = (&key[same_start..], &word[same_start..]);
    match (key, word) {
        ([], []) => false,
        ([_, key_rest @ ..], [_, word_rest @ ..]) => {
            key_rest == word_rest
                || key_rest == word
                || key == word_rest
                || matches!(
                    (key, word),
                    ([first, second, key @ ..], [other_first, other_second, word @ ..])
                        if first == other_second && second == other_first && key == word
                )
        }
        _ => key.len() + word.len() == 1,
    }
}

/// Returns frequent misspellings of the words with which an order starts: one letter is missing, or two are exchanged. The raw
/// text is searched for them.
pub(crate) fn misspelt_first_words() -> impl Iterator<Item = String> {
    FIRST_WORDS.iter().flat_map(|word| {
        let inner = 1..word.len() - 1;
        let missing = inner.clone().map(|at| format!("{}{}", &word[..at], &word[at + 1..]));
        let exchanged = inner.filter(move |at| at + 1 < word.len() - 1).map(|at| {
            let (first, second) = (&word[at..=at], &word[at + 1..at + 2]);
            format!("{}{second}{first}{}", &word[..at], &word[at + 2..])
        });
        missing.chain(exchanged)
    })
}

#[cfg(test)]
mod tests;
