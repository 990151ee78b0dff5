//! Finds Chinese words: sequences of ideographs that often appear together, in varying contexts and in several corpora.
//!
//! Chinese text is then split into the most likely sequence of words.

use std::collections::HashMap;

use super::pairs::Pairs;

/// The maximum length of a word, in characters.
const LONGEST: usize = 5;
const MIN_COUNT: u32 = 12;
/// The minimum number of corpora that contain a word. A sequence in fewer corpora is probably a product name.
const MIN_CORPORA: u32 = 3;
/// The minimum cohesion of a word: how many times more often its parts appear together than by chance.
const COHESION: f64 = 12.0;
/// The minimum entropy of a word's neighbouring characters, in nats.
const FREEDOM: f64 = 0.8;
/// The assumed number of occurrences of a character that belongs to no word. It determines the cost of such a
/// character.
const UNKNOWN_COUNT: f64 = 0.02;

/// The words with their costs. Text is split into the words with the lowest total cost.
pub(super) struct Lexicon {
    numbers: HashMap<String, u32>,
    pub(super) words: Vec<String>,
    cost: Vec<f64>,
    unknown: f64,
}

#[derive(Default, Clone, Copy)]
struct Count {
    total: u32,
    corpora: u32,
    last: u32,
}

impl Lexicon {
    pub(super) fn len(&self) -> usize {
        self.words.len()
    }

    /// Splits a run of ideographs into the most likely words and adds their ids to `out`. Characters that belong to
    /// no word are skipped.
    pub(super) fn cut(&self, run: &str, out: &mut Vec<u32>) {
        let borders = borders(run);
        let length = borders.len() - 1;
        // For each boundary, the lowest cost up to it, and the start and the id of the last word.
        let mut best = vec![(f64::MAX, 0, None); length + 1];
        best[0].0 = 0.0;
        for at in 0..length {
            let reached = best[at].0;
            for end in at + 1..=length.min(at + LONGEST) {
                let word = self.numbers.get(&run[borders[at]..borders[end]]).copied();
                let cost = match word {
                    Some(number) => self.cost[number as usize],
                    None if end == at + 1 => self.unknown,
                    None => continue,
                };
                if reached + cost < best[end].0 {
                    best[end] = (reached + cost, at, word);
                }
            }
        }
        let first = out.len();
        let mut at = length;
        while at > 0 {
            out.extend(best[at].2);
            at = best[at].1;
        }
        out[first..].reverse();
    }

    fn new(mut counted: Vec<(String, f64)>) -> Self {
        counted.sort_by(|a, b| a.0.cmp(&b.0));
        let total: f64 = counted.iter().map(|(_, count)| count).sum::<f64>().max(1.0);
        let numbers = counted.iter().zip(0..).map(|((word, _), at)| (word.clone(), at)).collect();
        let cost = counted.iter().map(|(_, count)| (total / count.max(0.5)).ln()).collect();
        let words = counted.into_iter().map(|(word, _)| word).collect();
        Self { numbers, words, cost, unknown: (total / UNKNOWN_COUNT).ln() }
    }
}

/// Finds the words in the Chinese texts of the pairs.
pub(super) fn discover(pairs: &Pairs) -> Lexicon {
    let counts = count_runs(pairs);
    let total: f64 = counts
        .iter()
        .filter(|(run, _)| run.chars().nth(1).is_none())
        .map(|(_, count)| f64::from(count.total))
        .sum();
    let count = |run: &str| counts.get(run).map_or(1.0, |count| f64::from(count.total));
    let holds = |run: &str| {
        let borders = borders(run);
        borders[1..borders.len() - 1].iter().all(|border| {
            let (left, right) = run.split_at(*border);
            count(run) * total >= COHESION * count(left) * count(right)
        })
    };
    let mut candidates: HashMap<&str, [HashMap<char, u32>; 2]> = counts
        .iter()
        .filter(|(run, count)| {
            run.chars().nth(1).is_some()
                && count.total >= MIN_COUNT
                && count.corpora >= MIN_CORPORA
                && holds(run)
        })
        .map(|(run, _)| (run.as_str(), Default::default()))
        .collect();
    for_each_run(pairs, |run, before, after, _| {
        if let Some([left, right]) = candidates.get_mut(run) {
            *left.entry(before).or_default() += 1;
            *right.entry(after).or_default() += 1;
        }
    });
    let words = candidates
        .iter()
        .filter(|(_, [left, right])| entropy(left) >= FREEDOM && entropy(right) >= FREEDOM)
        .map(|(run, _)| ((*run).to_owned(), count(run)))
        .collect();
    recount(pairs, &Lexicon::new(words))
}

/// Counts the words again after splitting. This removes sequences that are mostly parts of longer words.
fn recount(pairs: &Pairs, first: &Lexicon) -> Lexicon {
    let mut counts = vec![0.0; first.len()];
    let mut cut = Vec::new();
    for pair in &pairs.all {
        cut.clear();
        pair.chinese.split(' ').for_each(|run| first.cut(run, &mut cut));
        cut.iter().for_each(|word| counts[*word as usize] += 1.0);
    }
    let counted = first.words.iter().cloned().zip(counts);
    Lexicon::new(counted.filter(|(_, count)| *count >= f64::from(MIN_COUNT)).collect())
}

fn count_runs(pairs: &Pairs) -> HashMap<String, Count> {
    let mut counts: HashMap<String, Count> = HashMap::new();
    for_each_run(pairs, |run, _, _, corpus| {
        let count = match counts.get_mut(run) {
            Some(count) => count,
            None => counts.entry(run.to_owned()).or_default(),
        };
        count.total += 1;
        if count.last != corpus {
            count.last = corpus;
            count.corpora += 1;
        }
    });
    counts
}

/// Calls `emit` with each sequence of one to [`LONGEST`] characters, its neighbouring characters (a space at the ends
/// of a run) and the index of its corpus.
fn for_each_run<'a>(pairs: &'a Pairs, mut emit: impl FnMut(&'a str, char, char, u32)) {
    for pair in &pairs.all {
        for run in pair.chinese.split(' ') {
            let borders = borders(run);
            for (at, start) in borders.iter().enumerate() {
                for end in borders.iter().skip(at + 1).take(LONGEST) {
                    let before = run[..*start].chars().next_back().unwrap_or(' ');
                    let after = run[*end..].chars().next().unwrap_or(' ');
                    emit(&run[*start..*end], before, after, pair.corpus);
                }
            }
        }
    }
}

/// Returns the start offset of each character, and the end offset of the last character.
fn borders(run: &str) -> Vec<usize> {
    run.char_indices().map(|(at, _)| at).chain([run.len()]).collect()
}

/// Returns the entropy of a word's neighbouring characters. Each occurrence at the end of a run counts as a different
/// neighbour.
fn entropy(neighbours: &HashMap<char, u32>) -> f64 {
    let total: f64 = neighbours.values().map(|count| f64::from(*count)).sum();
    let mut shares: Vec<u32> = Vec::new();
    for (character, count) in neighbours {
        if *character == ' ' {
            shares.extend(std::iter::repeat_n(1, *count as usize));
        } else {
            shares.push(*count);
        }
    }
    shares.sort_unstable();
    shares.iter().map(|count| f64::from(*count) / total).map(|share| -share * share.ln()).sum()
}
