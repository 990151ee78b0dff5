//! Finds the words of a prompt that a repository uses as names. For example, "where are secrets redacted?" is about
//! code if the repository defines `redact` and contains `secrets.rs`.

use index::View;
use index::text::{Field, TokenKind, for_each_token};

use crate::ask::ReadPrompt;
use crate::query::{
    CjkItem, Identifier, Mention, Query, QueryTerm, Section, for_each_cjk_item,
    has_source_extension,
};
use crate::rank::evidence::needs_request;

/// The maximum number of words that are looked up. A longer prompt has enough other signals.
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

/// Looks up the words of `prompt` in the names and paths of a repository.
#[must_use]
pub fn known_terms(view: &View, prompt: &ReadPrompt) -> KnownTerms {
    let mut known_terms = KnownTerms::default();
    let is_word = |term: &&QueryTerm| term.kind == TokenKind::Part && term.written.len() > 2;
    for term in prompt.query.search_terms().filter(is_word).take(MAX_WORDS) {
        known_terms.ask(&term.written, is_name(view, &term.text));
    }
    let mut pairs = KnownTerms::default();
    let mut words = KnownTerms::default();
    let mut is_word_known = false;
    for_each_cjk_item(&prompt.text, |item| match item {
        CjkItem::Translation { word, is_first, .. } => {
            words.asked += usize::from(is_first);
            is_word_known &= !is_first;
            // It is enough if one translation of a word is known.
            if !is_word_known && is_known_word(view, word) {
                is_word_known = true;
                words.note(word);
            }
        }
        CjkItem::Pair(pair) => pairs.ask(pair, view.document_frequency(pair) > 0),
        CjkItem::Border(_) | CjkItem::Learned { .. } => {}
    });
    // If the translation table contains a word of the prompt, the character pairs add nothing.
    let chinese = if words.asked > 0 { words } else { pairs };
    known_terms.asked += chinese.asked;
    known_terms.known.extend(chinese.known);
    known_terms
}

/// Returns whether the prompt names an identifier or a source file that the index does not contain. The name may come
/// from a file that is newer than the index.
#[must_use]
pub fn names_unknown(view: &View, query: &Query) -> bool {
    // Names in pasted code and stack traces may belong to other projects.
    let by_user = [Section::Title, Section::Prose, Section::Inline];
    let is_unknown_name = |identifier: &Identifier| {
        let mut terms = index::text::terms(&identifier.name).into_iter();
        identifier.sections.occurs_in(&by_user) && terms.any(|it| view.document_frequency(&it) == 0)
    };
    let is_unknown_path = |path: &Mention| {
        let name = path.text.rsplit('/').next().unwrap_or(&path.text);
        by_user.contains(&path.section)
            && has_source_extension(name)
            && view.files_with_name(name).is_empty()
    };
    query.identifiers.iter().take(MAX_WORDS).any(is_unknown_name)
        || query.paths.iter().take(MAX_WORDS).any(is_unknown_path)
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
    let mut postings = view.best_postings(term).take(MAX_POSTINGS);
    // Coding agents name their history files after earlier prompts, so the paths of such files do not count.
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
