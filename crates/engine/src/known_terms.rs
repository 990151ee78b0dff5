//! Whether a repository has names for what a prompt speaks of: "where are secrets redacted?" is a question about code in a
//! repository that defines `redact` and has `secrets.rs`, and about anything else elsewhere.

use index::View;
use index::text::{Field, for_each_token, is_cjk};

use crate::live::is_stop_word;
use crate::query::{Ideographs, for_each_ideograph};

/// A prompt with more words shows in other ways what it is about.
const MAX_WORDS: usize = 40;
/// So many files are asked whether they have the word in a name.
const MAX_POSTINGS: usize = 400;

/// What of a prompt the repository knows by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KnownTerms {
    /// As the prompt has them, or the English of a Chinese word.
    pub known: Vec<String>,
    /// How many words there were that could have been known.
    pub asked: usize,
}

/// Looks up the words of a prompt among the names and paths of a repository.
#[must_use]
pub fn known_terms(view: &View, prompt: &str) -> KnownTerms {
    let mut known_terms = KnownTerms::default();
    let is_part = |c: char| c.is_alphanumeric() && !is_cjk(c);
    for word in prompt.split(|c: char| !is_part(c)).take(MAX_WORDS * 4) {
        let lower = word.to_lowercase();
        let counts =
            lower.len() > 2 && !is_stop_word(&lower) && !lower.chars().all(char::is_numeric);
        if counts && known_terms.asked < MAX_WORDS {
            known_terms.ask(&lower, is_name(view, &lower));
        }
    }
    let mut pairs = KnownTerms::default();
    let mut words = KnownTerms::default();
    let mut is_word_known = false;
    for_each_ideograph(prompt, |found| match found {
        Ideographs::English { word, is_first, .. } => {
            words.asked += usize::from(is_first);
            is_word_known &= !is_first;
            // One translation is enough; the others mean the same.
            if !is_word_known && is_name(view, word) {
                is_word_known = true;
                words.note(word);
            }
        }
        Ideographs::Pair(pair) => pairs.ask(pair, view.document_frequency(pair) > 0),
        Ideographs::Border(_) | Ideographs::Learned { .. } => {}
    });
    // The pairs of a word say the same as the word.
    let chinese = if words.asked > 0 { words } else { pairs };
    known_terms.asked += chinese.asked;
    known_terms.known.extend(chinese.known);
    known_terms
}

impl KnownTerms {
    fn ask(&mut self, word: &str, is_known: bool) {
        self.asked += 1;
        if is_known {
            self.note(word);
        }
    }

    fn note(&mut self, word: &str) {
        if !self.known.iter().any(|known| known == word) {
            self.known.push(word.to_owned());
        }
    }
}

/// Whether something is called so: a file, a folder, a definition.
fn is_name(view: &View, word: &str) -> bool {
    let named = [Field::Name, Field::Path];
    let mut found = false;
    for_each_token(word, |token| {
        found |= view
            .postings(token.term)
            .take(MAX_POSTINGS)
            .any(|posting| named.iter().any(|field| posting.counts[field.slot()] > 0));
    });
    found
}

#[cfg(test)]
mod tests;
