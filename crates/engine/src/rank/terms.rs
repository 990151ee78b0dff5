//! Which terms of a prompt are looked up, and what each is worth when the prompt is read as a whole or by one of its parts.

use index::View;
use index::text::TokenKind;

use crate::query::{Query, QueryTerm, ZONES};

/// How a prompt is read. The discriminant is the slot in [`Term::weights`].
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Reading {
    Whole,
    Title,
    Prose,
    Code,
}

pub(super) const READINGS: usize = 4;

/// More terms cost time and, measured, add nothing.
const MAX_TERMS: usize = 48;
/// What reading the postings of all terms may cost; the weightiest terms are read whatever they cost.
const MAX_POSTINGS: u32 = 24_000;
const ALWAYS_READ: usize = 8;
/// A term in more than this share of the files tells none apart; in a small repository no share is large.
const COMMON: f32 = 0.5;
const FEW_FILES: u32 = 40;
/// A whole compound identifier says more than its rarity.
const WHOLE_IDENTIFIER: f32 = 1.25;

/// What a zone is worth in a reading, and how soon repetitions stop to count. Zones in their order: title, prose, inline, code,
/// trace, error, environment, heading, glossary, border, learned.
struct Table {
    zones: [f32; ZONES],
    saturation: f32,
}

const TABLES: [Table; READINGS] = [
    Table { zones: [2.0, 0.4, 0.8, 0.25, 0.3, 0.4, 0.0, 0.0, 0.45, 0.2, 1.5], saturation: 8.0 },
    Table { zones: [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.3, 0.15, 1.0], saturation: 8.0 },
    Table { zones: [0.0, 1.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0], saturation: 4.0 },
    Table { zones: [0.0, 0.0, 0.0, 1.0, 1.0, 0.5, 0.0, 0.0, 0.0, 0.0, 0.0], saturation: 4.0 },
];

/// A term worth looking up.
pub(super) struct Term<'q> {
    pub(super) text: &'q str,
    pub(super) kind: TokenKind,
    /// In how many files it stands.
    frequency: u32,
    /// Rarity included.
    pub(super) weights: [f32; READINGS],
}

impl Term<'_> {
    pub(super) fn weight(&self, reading: Reading) -> f32 {
        self.weights[reading as usize]
    }
}

/// The terms of `query` that tell files of `view` apart, the weightiest first.
pub(super) fn weigh<'q>(view: &View, query: &'q Query) -> Vec<Term<'q>> {
    let n_files = view.totals().files.max(1);
    let known = |term: &'q QueryTerm| {
        let frequency = view.document_frequency(&term.text);
        let common = n_files > FEW_FILES && frequency as f32 > COMMON * n_files as f32;
        (frequency > 0 && !common).then(|| Term {
            text: &term.text,
            kind: term.kind,
            frequency,
            weights: weights(term, rarity(n_files, frequency)),
        })
    };
    let mut terms: Vec<Term<'q>> = query.terms.iter().filter_map(known).collect();
    // The whole prompt leads; a part that the whole leaves out would be lost otherwise.
    let worth = |term: &Term<'_>| term.weight(Reading::Whole) + 0.1 * term.weight(Reading::Prose);
    terms.retain(|term| worth(term) > 0.0);
    terms.sort_by(|a, b| worth(b).total_cmp(&worth(a)).then_with(|| a.text.cmp(b.text)));
    terms.truncate(MAX_TERMS);
    let mut postings = 0_u32;
    let affordable = terms.iter().take_while(|term| {
        postings = postings.saturating_add(term.frequency);
        postings <= MAX_POSTINGS
    });
    let affordable = affordable.count().max(ALWAYS_READ);
    terms.truncate(affordable);
    terms
}

fn weights(term: &QueryTerm, rarity: f32) -> [f32; READINGS] {
    let kind = if term.kind == TokenKind::Whole { WHOLE_IDENTIFIER } else { 1.0 };
    let weight = |table: &Table| {
        let count: f32 =
            table.zones.iter().zip(&term.zones.0).map(|(zone, count)| zone * count).sum();
        count * (table.saturation + 1.0) / (count + table.saturation) * rarity * kind
    };
    [weight(&TABLES[0]), weight(&TABLES[1]), weight(&TABLES[2]), weight(&TABLES[3])]
}

/// The inverse document frequency of BM25.
fn rarity(n_files: u32, frequency: u32) -> f32 {
    let (n_files, frequency) = (n_files as f32, frequency.min(n_files) as f32);
    (1.0 + (n_files - frequency + 0.5) / (frequency + 0.5)).ln()
}
