//! Groups words with a similar role in an instruction into classes, so that a feature does not depend on one particular
//! word.

use crate::injection::WORDS;
use crate::table::WordList;
use std::sync::LazyLock;

use super::super::hash_table::HashTable;
use super::super::words::{mix, word_hash};

/// The words of each class. The Chinese words consist of two characters each.
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
pub(super) fn class_of(previous: Option<u32>, hash: u32) -> Option<u32> {
    let table = &*BY_HASH;
    let pair = previous.and_then(|previous| class_by_hash(table, mix(previous, hash)));
    pair.or_else(|| class_by_hash(table, hash)).map(u32::from)
}
