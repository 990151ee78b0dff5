//! Which Chinese word a word of code stands for: a translation model without order (IBM's first), fitted in a few rounds.
//!
//! Each word of code of a pair is owed to one of the Chinese words beside it, or to none; what one word explains well, its
//! neighbours need not explain. A corpus counts by the root of its size: ten projects say more than one project ten times.

use std::collections::HashMap;

use super::lexicon::Lexicon;
use super::pairs::Pairs;

const ROUNDS: usize = 6;
/// Rarer together than this is chance.
const LEAST_TOGETHER: u32 = 4;
/// How likely a word of code is owed to none, as weight of the word's share of all code.
const OWED_TO_NONE: f32 = 1.0;
/// A corpus is for a translation when one of its pairs is, at least so surely.
const SURE: f32 = 0.3;

/// A word of code for a Chinese word.
#[derive(Clone, Copy)]
pub(super) struct Cell {
    pub(super) english: u32,
    /// Of all words of code the Chinese word stands for, the share of this one; sums up to one.
    share: f32,
    /// In how many of the places of the Chinese word this one is owed to it.
    pub(super) chance: f32,
    /// How many corpora say so.
    pub(super) corpora: u32,
}

/// What all Chinese words are called.
pub(super) struct Aligned {
    /// By the number of the Chinese word; sorted by the number of the English one.
    pub(super) rows: Vec<Vec<Cell>>,
    /// In how many of all places each English word stands.
    pub(super) usual: Vec<f32>,
}

/// A pair as numbers.
struct Sentence {
    chinese: Vec<u32>,
    english: Vec<u32>,
    corpus: u32,
}

pub(super) fn align(pairs: &Pairs, lexicon: &Lexicon) -> Aligned {
    let sentences = sentences(pairs, lexicon);
    let mut usual = vec![0.0_f32; pairs.english.len()];
    for sentence in &sentences {
        sentence.english.iter().for_each(|word| usual[*word as usize] += 1.0);
    }
    let total: f32 = usual.iter().sum::<f32>().max(1.0);
    let shares: Vec<f32> = usual.iter().map(|count| count / total).collect();
    let mut rows = start(&sentences, lexicon.len());
    for _ in 0..ROUNDS {
        round(&sentences, &shares, &mut rows);
    }
    let places = sentences.len().max(1) as f32;
    usual.iter_mut().for_each(|count| *count /= places);
    Aligned { rows, usual }
}

fn sentences(pairs: &Pairs, lexicon: &Lexicon) -> Vec<Sentence> {
    let sentence = |pair: &super::pairs::Pair| {
        let mut chinese = Vec::new();
        pair.chinese.split(' ').for_each(|run| lexicon.cut(run, &mut chinese));
        chinese.sort_unstable();
        chinese.dedup();
        Sentence { chinese, english: pair.english.clone(), corpus: pair.corpus }
    };
    pairs.all.iter().map(sentence).filter(|sentence| !sentence.chinese.is_empty()).collect()
}

/// Every two words that stand together often enough, all alike.
fn start(sentences: &[Sentence], n_words: usize) -> Vec<Vec<Cell>> {
    let mut together: Vec<HashMap<u32, u32>> = vec![HashMap::new(); n_words];
    for sentence in sentences {
        for chinese in &sentence.chinese {
            for english in &sentence.english {
                *together[*chinese as usize].entry(*english).or_default() += 1;
            }
        }
    }
    let row = |counts: HashMap<u32, u32>| {
        let mut row: Vec<Cell> = counts
            .into_iter()
            .filter(|(_, count)| *count >= LEAST_TOGETHER)
            .map(|(english, _)| Cell { english, share: 0.0, chance: 0.0, corpora: 0 })
            .collect();
        row.sort_unstable_by_key(|cell| cell.english);
        let share = 1.0 / row.len().max(1) as f32;
        row.iter_mut().for_each(|cell| cell.share = share);
        row
    };
    together.into_iter().map(row).collect()
}

/// One round: owes each word of code to the Chinese words beside it, then sums up by corpus.
fn round(sentences: &[Sentence], shares: &[f32], rows: &mut [Vec<Cell>]) {
    let mut sums: Vec<Vec<(f32, u32)>> = rows.iter().map(|row| vec![(0.0, 0); row.len()]).collect();
    let mut sizes = vec![0.0_f32; rows.len()];
    for corpus in sentences.chunk_by(|a, b| a.corpus == b.corpus) {
        let mut places = vec![0_u32; rows.len()];
        corpus.iter().flat_map(|s| &s.chinese).for_each(|word| places[*word as usize] += 1);
        let root = |word: usize| (places[word] as f32).sqrt();
        sizes.iter_mut().enumerate().for_each(|(word, size)| *size += root(word));
        // Each place is summed up on its own: in what order does not matter.
        for ((chinese, at), (share, is_sure)) in owe(corpus, shares, rows) {
            let sum = &mut sums[chinese as usize][at as usize];
            sum.0 += share / root(chinese as usize);
            sum.1 += u32::from(is_sure);
        }
    }
    for ((row, sums), size) in rows.iter_mut().zip(sums).zip(sizes) {
        let total = sums.iter().map(|(sum, _)| sum).sum::<f32>().max(f32::MIN_POSITIVE);
        for (cell, (sum, corpora)) in row.iter_mut().zip(sums) {
            *cell = Cell { share: sum / total, chance: sum / size, corpora, ..*cell };
        }
    }
}

/// What one corpus owes to each Chinese word and place in its row, and whether one of its pairs surely does.
fn owe(
    corpus: &[Sentence],
    shares: &[f32],
    rows: &[Vec<Cell>],
) -> HashMap<(u32, u32), (f32, bool)> {
    let mut owed: HashMap<(u32, u32), (f32, bool)> = HashMap::new();
    let mut beside: Vec<(u32, u32, f32)> = Vec::new();
    for sentence in corpus {
        for english in &sentence.english {
            beside.clear();
            for chinese in &sentence.chinese {
                let row = &rows[*chinese as usize];
                if let Ok(at) = row.binary_search_by_key(english, |cell| cell.english) {
                    beside.push((*chinese, at as u32, row[at].share));
                }
            }
            let none = OWED_TO_NONE * shares[*english as usize];
            let total = none + beside.iter().map(|(_, _, share)| share).sum::<f32>();
            for (chinese, at, share) in &beside {
                let share = share / total;
                let sum = owed.entry((*chinese, *at)).or_default();
                sum.0 += share;
                sum.1 |= share >= SURE;
            }
        }
    }
    owed
}
