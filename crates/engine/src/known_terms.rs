//! Finds the words of a prompt that a repository uses as names. For example, "where are secrets redacted?" is about code if
//! the repository defines `redact` and contains `secrets.rs`.

use index::View;
use index::text::{Field, TokenKind, for_each_token};

use crate::query::{CjkItem, Query, QueryTerm, for_each_cjk_item};
use crate::rank::evidence::needs_request;

/// The maximum number of words that are looked up. Longer prompts have enough other signals.
const MAX_WORDS: usize = 40;
/// The maximum number of postings that are checked for a word.
const MAX_POSTINGS: usize = 400;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KnownTerms {
    /// The words of the prompt that the repository uses as names, in lower case. A Chinese word is represented by its
    /// English translation or by pairs of its characters.
    pub known: Vec<String>,
    /// The number of words that were looked up.
    pub asked: usize,
}

/// Looks up the words of `prompt` in the names and paths of a repository. `query` must be the query parsed from `prompt`.
#[must_use]
pub fn known_terms(view: &View, prompt: &str, query: &Query) -> KnownTerms {
    let mut known_terms = KnownTerms::default();
    let is_word = |term: &&QueryTerm| term.kind == TokenKind::Part && term.written.len() > 2;
    for term in query.search_terms().filter(is_word).take(MAX_WORDS) {
        known_terms.ask(&term.written, is_name(view, &term.text));
    }
    let mut pairs = KnownTerms::default();
    let mut words = KnownTerms::default();
    let mut is_word_known = false;
    for_each_cjk_item(prompt, |item| match item {
        CjkItem::Translation { word, is_first, .. } => {
            words.asked += usize::from(is_first);
            is_word_known &= !is_first;
            // One known translation of a word is enough.
            if !is_word_known && is_known_word(view, word) {
                is_word_known = true;
                words.note(word);
            }
        }
        CjkItem::Pair(pair) => pairs.ask(pair, view.document_frequency(pair) > 0),
        CjkItem::Border(_) | CjkItem::Learned { .. } => {}
    });
    // If the glossary contains a word of the prompt, the character pairs add nothing.
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

/// Returns whether the name of a file, folder or definition contains `term`.
fn is_name(view: &View, term: &str) -> bool {
    let mut postings = view.postings(term).take(MAX_POSTINGS);
    // The histories of coding agents are named after earlier prompts.
    postings.any(|posting| {
        [Field::Name, Field::Path].iter().any(|field| posting.counts[field.slot()] > 0)
            && !needs_request(view.role(posting.file))
    })
}

fn is_known_word(view: &View, word: &str) -> bool {
    let mut is_known = false;
    for_each_token(word, |token| is_known |= is_name(view, token.term));
    is_known
}

#[cfg(test)]
mod tests;
