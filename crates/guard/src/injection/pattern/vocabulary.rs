//! Assigns ids to the words that phrases use.

use crate::injection::hash_table::HashTable;
use crate::injection::misspelling::corrected;
use crate::injection::words::{Words, word_hash};

/// The id of a word that occurs in a phrase, or [`UNKNOWN`] for every other word.
pub(super) type WordId = u16;
pub(super) const UNKNOWN: WordId = 0;

#[derive(Default)]
pub(super) struct Vocabulary {
    /// The words. The word with id `n` has the index `n - 1`.
    words: Vec<&'static str>,
    ids: HashTable,
}

impl Vocabulary {
    pub(super) fn len(&self) -> usize {
        self.words.len()
    }

    pub(super) fn add(&mut self, word: &'static str) -> WordId {
        let hash = word_hash(word);
        let existing = self.id_of(word, hash);
        if existing != UNKNOWN {
            return existing;
        }
        self.words.push(word);
        let id = WordId::try_from(self.words.len()).unwrap_or(WordId::MAX);
        self.ids.insert(hash, id);
        id
    }

    pub(super) fn ids_of(&self, words: &Words) -> Vec<WordId> {
        (0..words.len())
            .map(|index| {
                let hash = words.list[index].hash;
                let known = self.ids.may_contain(hash).then(|| self.id_of(words.text(index), hash));
                match known {
                    Some(id) if id != UNKNOWN => id,
                    _ => self.id_of_misspelling(words.text(index)),
                }
            })
            .collect()
    }

    fn id_of_misspelling(&self, word: &str) -> WordId {
        corrected(word).map_or(UNKNOWN, |key| self.id_of(key, word_hash(key)))
    }

    fn id_of(&self, word: &str, hash: u32) -> WordId {
        let is_word = |id: &WordId| self.words[usize::from(*id) - 1] == word;
        self.ids.values(hash).find(is_word).unwrap_or(UNKNOWN)
    }
}
