//! Recognises misspelt words of orders, such as `iunstructions` or `prevoius`. An order with a misspelt word has the same effect
//! on a model as the correct one.

use crate::injection::WORDS;
use crate::table::WordList;

/// The words that are recognised if they are misspelt. All of them are long, and no other English word differs from one of
/// them by a single letter between its first and last letters.
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
