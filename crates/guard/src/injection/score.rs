//! Adds up the signals around a trigger and decides what to remove.

use std::ops::Range;

use super::markup;
use super::pattern::{Found, PATTERNS};
use super::phrases::Role;
use super::segment::removed_span;
use super::signal::Signal;
use super::words::{Start, Words};

/// The sum from which a segment is removed. The clearest override reaches it alone, everything else needs company.
const THRESHOLD: u32 = 8;
/// Words are scored by blocks of this many; a block counts together with its neighbours on both sides.
const BLOCK: usize = 16;
const NEIGHBOURS: usize = 3;
/// What is asked for this many words behind an excuse belongs to its sentence.
const BREATH: usize = 3;
/// No phrase has more words.
const LONGEST_EXCUSE: usize = 48;
/// Words that had to be unmasked add this much.
const DISGUISE_WEIGHT: u32 = 4;

/// What to take out of a text, and the strongest reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Removal {
    pub(crate) span: Range<usize>,
    pub(crate) signal: Signal,
}

/// Whether a phrase that can start an alarm stands in this part of `text`.
pub(crate) fn has_phrase(text: &str, part: Range<usize>) -> bool {
    let words = Words::read(&text[part.clone()], part.start);
    PATTERNS.has_trigger(&words)
}

/// Judges one region of `text`.
pub(crate) fn judge(text: &str, region: Range<usize>) -> Option<Removal> {
    let words = Words::read(&text[region.clone()], region.start);
    let mut found = PATTERNS.find(&words);
    found.extend(markup::roles(&words));
    found.extend(markup::vocatives(text, &words));
    found.extend(markup::tags(text, &region, &words));
    found.sort_by_key(|find| find.first);
    let found = without_excused(found, &words);
    let block = best_block(&words, &found)?;
    let cluster = cluster_around(block, &found);
    let strongest = cluster.iter().max_by_key(|found| found.weight)?;
    let first = cluster.iter().map(|found| found.first).min()?;
    let last = cluster.iter().map(|found| found.last).max()?;
    Some(Removal { span: removed_span(text, &words.list, first, last), signal: strongest.signal })
}

/// Leaves out finds that lie within a phrase of the same signal that only speaks about orders. One that goes on behind it
/// (`… and print …`) stays. Finds come in order of their first words.
fn without_excused(found: Vec<Found>, words: &Words) -> Vec<Found> {
    let (mut excuses, mut found): (Vec<Found>, Vec<Found>) =
        found.into_iter().partition(|find| find.role == Role::Excuse);
    excuses.retain(|excuse| {
        // A sentence excuses itself alone, and not if it asks for something in the same breath.
        let rest = &words.list[excuse.first + 1..=excuse.last];
        let behind = starting_within(&found, excuse.last + 1, excuse.last + BREATH);
        rest.iter().all(|word| word.start != Start::Sentence)
            && !behind.iter().any(|find| find.signal == Signal::Request)
    });
    found.retain(|find| {
        let before =
            starting_within(&excuses, find.first.saturating_sub(LONGEST_EXCUSE), find.first);
        !before.iter().any(|excuse| excuse.signal == find.signal && find.last <= excuse.last)
    });
    found
}

/// The finds whose first word is one of these.
fn starting_within(found: &[Found], first: usize, last: usize) -> &[Found] {
    let start = found.partition_point(|find| find.first < first);
    let end = found.partition_point(|find| find.first <= last);
    &found[start..end.max(start)]
}

/// The weight of the strongest find of each signal.
type Weights = [u32; Signal::COUNT];

/// The block with the highest score, if it has a trigger and reaches the threshold.
fn best_block(words: &Words, found: &[Found]) -> Option<usize> {
    let blocks = words.len().div_ceil(BLOCK);
    let mut weights: Vec<Weights> = vec![[0; Signal::COUNT]; blocks];
    let mut has_trigger = vec![false; blocks];
    for find in found {
        let block = find.first / BLOCK;
        let weight = &mut weights[block][find.signal as usize];
        *weight = (*weight).max(find.weight);
        has_trigger[block] |= find.role == Role::Trigger;
        if words.list[find.first..=find.last].iter().any(|word| word.disguised) {
            weights[block][Signal::Disguise as usize] = DISGUISE_WEIGHT;
        }
    }
    (0..blocks)
        .filter(|&block| has_trigger[block])
        .map(|block| (score(&weights[neighbours(block, blocks)]), block))
        .filter(|(score, _)| *score >= THRESHOLD)
        .max_by_key(|(score, block)| (*score, std::cmp::Reverse(*block)))
        .map(|(_, block)| block)
}

fn neighbours(block: usize, blocks: usize) -> Range<usize> {
    block.saturating_sub(NEIGHBOURS)..blocks.min(block + NEIGHBOURS + 1)
}

/// The strongest find of each signal counts, once.
fn score(blocks: &[Weights]) -> u32 {
    (0..Signal::COUNT)
        .map(|signal| blocks.iter().map(|weights| weights[signal]).max().unwrap_or(0))
        .sum()
}

/// The strongest find of each signal around `block`.
fn cluster_around(block: usize, found: &[Found]) -> Vec<Found> {
    let mut strongest: [Option<Found>; Signal::COUNT] = [None; Signal::COUNT];
    for candidate in found {
        let is_near = (candidate.first / BLOCK).abs_diff(block) <= NEIGHBOURS;
        let slot = &mut strongest[candidate.signal as usize];
        if is_near && slot.is_none_or(|known| known.weight < candidate.weight) {
            *slot = Some(*candidate);
        }
    }
    strongest.into_iter().flatten().collect()
}
