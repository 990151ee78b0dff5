//! Chooses and weighs the terms of a query. Used by direct search and by the ranking of indexed files.

use index::View;
use index::text::TokenKind;

use crate::query::{QueryTerm, SECTIONS};

/// The part of the prompt that a score refers to. The discriminant is the index into a term's weights.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scope {
    Whole,
    Title,
    Prose,
    Code,
}

pub(super) const SCOPES: usize = 4;

/// The maximum number of terms. More terms cost time and do not improve the ranking.
const MAX_TERMS: usize = 48;
/// The maximum number of postings that are read for all terms together.
const MAX_POSTINGS: u32 = 24_000;
/// The number of terms that are always read, even if their postings exceed [`MAX_POSTINGS`].
const MIN_TERMS: usize = 8;
/// The share of files above which a stop word or a number is dropped. Other terms are never dropped: the weight of a
/// term that occurs in most files is low.
const MAX_SHARE_OF_STOP_WORDS: f32 = 0.5;
/// The weight factor for compound identifiers, such as `parse_header`.
const WHOLE_IDENTIFIER: f32 = 1.25;

/// The weights that define a scope.
struct ScopeWeights {
    /// The weight of an occurrence in each section, in the order of `Section`.
    sections: [f32; SECTIONS],
    /// The BM25 saturation parameter for repeated occurrences in the prompt.
    saturation: f32,
}

#[rustfmt::skip]
const SCOPE_WEIGHTS: [ScopeWeights; SCOPES] = [
    ScopeWeights { sections: [2.0, 0.4, 0.8, 0.25, 0.3, 0.4, 0.0, 0.0, 0.45, 0.2, 1.5, 2.0], saturation: 8.0 },
    ScopeWeights { sections: [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.3, 0.15, 1.0, 1.0], saturation: 8.0 },
    ScopeWeights { sections: [0.0, 1.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], saturation: 4.0 },
    ScopeWeights { sections: [0.0, 0.0, 0.0, 1.0, 1.0, 0.5, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], saturation: 4.0 },
];

/// A term to look up.
pub(crate) struct Term<'q> {
    pub(crate) text: &'q str,
    /// The term as it appears in the prompt, in lower case.
    pub(crate) written: &'q str,
    pub(crate) kind: TokenKind,
    /// Whether the prompt writes the term with a capital letter, as the names of types are written.
    pub(crate) is_capitalised: bool,
    /// The number of files that contain the term.
    document_frequency: u32,
    /// The weight in each scope, already multiplied by the term's rarity.
    weights: [f32; SCOPES],
}

impl Term<'_> {
    /// Returns whether more than [`View::max_postings`] files contain the term.
    pub(super) fn is_common(&self) -> bool {
        self.document_frequency > View::max_postings()
    }

    pub(crate) fn weight(&self, scope: Scope) -> f32 {
        self.weights[scope as usize]
    }
}

/// Weighs the terms that occur in at least one of the `n_files` files, without the stop words and numbers that occur in
/// most of them. If no other terms occur, weighs these too, so that a prompt that consists of one such word also has
/// results. Returns the terms with the highest weights, highest first.
///
/// `document_frequency` must return the number of files that contain a term. The number of returned terms is limited by
/// [`MAX_TERMS`] and [`MAX_POSTINGS`]; each term counts as at most [`View::max_postings`] postings.
pub(crate) fn weigh<'q>(
    terms: impl IntoIterator<Item = &'q QueryTerm>,
    n_files: u32,
    document_frequency: impl Fn(&str) -> u32,
) -> Vec<Term<'q>> {
    let n_files = n_files.max(1);
    let weighed = |(term, document_frequency): (&'q QueryTerm, u32)| Term {
        text: &term.text,
        written: &term.written,
        kind: term.kind,
        is_capitalised: term.is_capitalised,
        document_frequency,
        weights: weights(term, rarity(n_files, document_frequency)),
    };
    // Some terms have a weight only in the prose scope and none in the scope of the whole prompt.
    let priority = |term: &Term<'_>| term.weight(Scope::Whole) + 0.1 * term.weight(Scope::Prose);
    let found = terms.into_iter().map(|term| (term, document_frequency(&term.text)));
    let max_frequency = MAX_SHARE_OF_STOP_WORDS * n_files as f32;
    let (kept, dropped): (Vec<_>, Vec<_>) = found
        .filter(|(_, frequency)| *frequency > 0)
        .partition(|(term, frequency)| term.is_searchable() || *frequency as f32 <= max_frequency);
    let weigh_all = |terms: Vec<(&'q QueryTerm, u32)>| {
        let weighed = terms.into_iter().map(weighed).filter(|term| priority(term) > 0.0);
        weighed.collect::<Vec<Term<'q>>>()
    };
    let mut terms = weigh_all(kept);
    if terms.is_empty() {
        terms = weigh_all(dropped);
    }
    terms.sort_by(|a, b| priority(b).total_cmp(&priority(a)).then_with(|| a.text.cmp(b.text)));
    terms.truncate(MAX_TERMS);
    let mut n_postings = 0_u32;
    let affordable = terms.iter().take_while(|term| {
        let n_read = term.document_frequency.min(View::max_postings());
        n_postings = n_postings.saturating_add(n_read);
        n_postings <= MAX_POSTINGS
    });
    let n_terms = affordable.count().max(MIN_TERMS);
    terms.truncate(n_terms);
    terms
}

fn weights(term: &QueryTerm, rarity: f32) -> [f32; SCOPES] {
    let kind = if term.kind == TokenKind::Whole { WHOLE_IDENTIFIER } else { 1.0 };
    SCOPE_WEIGHTS.each_ref().map(|scope| {
        let count: f32 =
            scope.sections.iter().zip(&term.sections.0).map(|(weight, count)| weight * count).sum();
        count * (scope.saturation + 1.0) / (count + scope.saturation) * rarity * kind
    })
}

/// Returns the inverse document frequency, as defined by BM25.
fn rarity(n_files: u32, document_frequency: u32) -> f32 {
    let (n_files, frequency) = (n_files as f32, document_frequency.min(n_files) as f32);
    (1.0 + (n_files - frequency + 0.5) / (frequency + 0.5)).ln()
}
