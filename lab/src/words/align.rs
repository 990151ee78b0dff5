//! Aligns Chinese words with code words, by fitting a translation model without word order (IBM model 1) in a few
//! rounds.
//!
//! Each code word of a pair is assigned to the Chinese words of the same pair, or to the empty word. If one Chinese
//! word explains a code word well, the other Chinese words get a smaller share. Each corpus is weighted by the square
//! root of its size, so that ten small projects count more than one large project.

use std::collections::HashMap;

use super::lexicon::Lexicon;
use super::pairs::Pairs;

const ROUNDS: usize = 6;
/// The minimum number of pairs that contain both words. Rarer combinations are treated as unrelated.
const MIN_TOGETHER: u32 = 4;
/// The weight of the empty word, relative to the share of the code word among all code words.
const EMPTY_WORD_WEIGHT: f32 = 1.0;
/// A corpus supports a translation if the translation has at least this probability in one of its pairs.
const MIN_PROBABILITY: f32 = 0.3;

/// A translation of a Chinese word.
#[derive(Clone, Copy)]
pub(super) struct Cell {
    pub(super) english: u32,
    /// The share of this code word among all translations of the Chinese word. The shares add up to one.
    share: f32,
    /// The share of the Chinese word's occurrences in which this code word is assigned to it.
    pub(super) chance: f32,
    /// The number of corpora that support the translation.
    pub(super) corpora: u32,
}

/// The translations of all Chinese words.
pub(super) struct Aligned {
    /// The translations of each Chinese word, indexed by the word's id and sorted by the id of the code word.
    pub(super) rows: Vec<Vec<Cell>>,
    /// For each code word, the share of pairs that contain it.
    pub(super) usual: Vec<f32>,
}

/// A pair in which each word is replaced with its id.
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

/// Returns all combinations of words that appear together often enough. Initially, all translations of a word have
/// the same share.
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
            .filter(|(_, count)| *count >= MIN_TOGETHER)
            .map(|(english, _)| Cell { english, share: 0.0, chance: 0.0, corpora: 0 })
            .collect();
        row.sort_unstable_by_key(|cell| cell.english);
        let share = 1.0 / row.len().max(1) as f32;
        row.iter_mut().for_each(|cell| cell.share = share);
        row
    };
    together.into_iter().map(row).collect()
}

/// Runs one round: assigns each code word to the Chinese words of its pair, then sums the assignments by corpus.
fn round(sentences: &[Sentence], shares: &[f32], rows: &mut [Vec<Cell>]) {
    let mut sums: Vec<Vec<(f32, u32)>> = rows.iter().map(|row| vec![(0.0, 0); row.len()]).collect();
    let mut sizes = vec![0.0_f32; rows.len()];
    for corpus in sentences.chunk_by(|a, b| a.corpus == b.corpus) {
        let mut places = vec![0_u32; rows.len()];
        corpus.iter().flat_map(|s| &s.chinese).for_each(|word| places[*word as usize] += 1);
        let root = |word: usize| (places[word] as f32).sqrt();
        sizes.iter_mut().enumerate().for_each(|(word, size)| *size += root(word));
        // Each entry is summed separately, so the iteration order does not matter.
        for ((chinese, at), (share, is_sure)) in assign(corpus, shares, rows) {
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

/// Assigns the code words of one corpus. For each Chinese word and each index in its row, returns the sum of the
/// assigned shares, and whether at least one pair supports the translation.
fn assign(
    corpus: &[Sentence],
    shares: &[f32],
    rows: &[Vec<Cell>],
) -> HashMap<(u32, u32), (f32, bool)> {
    let mut assigned: HashMap<(u32, u32), (f32, bool)> = HashMap::new();
    let mut neighbours: Vec<(u32, u32, f32)> = Vec::new();
    for sentence in corpus {
        for english in &sentence.english {
            neighbours.clear();
            for chinese in &sentence.chinese {
                let row = &rows[*chinese as usize];
                if let Ok(at) = row.binary_search_by_key(english, |cell| cell.english) {
                    neighbours.push((*chinese, at as u32, row[at].share));
                }
            }
            let none = EMPTY_WORD_WEIGHT * shares[*english as usize];
            let total = none + neighbours.iter().map(|(_, _, share)| share).sum::<f32>();
            for (chinese, at, share) in &neighbours {
                let share = share / total;
                let sum = assigned.entry((*chinese, *at)).or_default();
                sum.0 += share;
                sum.1 |= share >= MIN_PROBABILITY;
            }
        }
    }
    assigned
}
