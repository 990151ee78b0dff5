//! Adds up the weights of the signals around a trigger and determines the span to remove.

use std::ops::Range;

use super::classifier::best_score;
use super::markup;
use super::pattern::{PATTERNS, PhraseMatch};
use super::phrases::{Role, Signal};
use super::segment::removed_span;
use super::words::{Start, Words};

/// The minimum sum of signal weights for a removal. The clearest phrases reach this sum alone. Other phrases need a
/// second signal.
const REMOVAL_THRESHOLD: u32 = 8;
/// The number of words in a block. A block is scored together with [`NEIGHBOURS`] blocks on each side.
const BLOCK_WORDS: usize = 16;
const NEIGHBOURS: usize = 3;
/// The number of words after an exemption that are checked for a request. A request within these words cancels the
/// exemption.
const WORDS_AFTER_EXEMPTION: usize = 3;
/// The maximum number of words in a phrase.
const MAX_PHRASE_WORDS: usize = 48;
/// The weight of [`Signal::Disguise`] if a phrase contains a disguised word.
const DISGUISE_WEIGHT: u32 = 4;

/// A span to remove, and its strongest signal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Removal {
    pub(crate) span: Range<usize>,
    pub(crate) signal: Signal,
}

/// Returns whether `text[part]` contains a trigger phrase.
pub(crate) fn has_phrase(text: &str, part: Range<usize>) -> bool {
    let words = Words::read(&text[part.clone()], part.start);
    PATTERNS.has_trigger(&words)
}

/// Scores one region of `text`. Returns the span to remove if the score reaches [`REMOVAL_THRESHOLD`]. If no phrase reaches it
/// alone, the classifier must also score a window of the region with at least `min_score`, because several weak phrases occur
/// together in harmless text too.
pub(crate) fn score_region(text: &str, region: Range<usize>, min_score: i64) -> Option<Removal> {
    let words = Words::read(&text[region.clone()], region.start);
    let mut found = PATTERNS.find(&words);
    found.retain(|hit| hit.role.is_scored());
    found.extend(markup::roles(&words));
    found.extend(markup::vocatives(text, &words));
    found.extend(markup::tags(text, &region, &words));
    found.sort_by_key(|hit| hit.first);
    let found = without_exempted(found, &words);
    let block = best_block(&words, &found)?;
    let cluster = cluster_around(block, &found);
    let strongest = cluster.iter().max_by_key(|hit| hit.weight)?;
    if strongest.weight < REMOVAL_THRESHOLD && best_score(text, &words) < min_score {
        return None;
    }
    let first = cluster.iter().map(|hit| hit.first).min()?;
    let last = cluster.iter().map(|hit| hit.last).max()?;
    Some(Removal { span: removed_span(text, &words.list, first, last), signal: strongest.signal })
}

/// Removes the matches inside an exemption of the same signal. An exemption is a phrase that mentions instructions
/// without giving one. A match that extends beyond the exemption is kept (`… and print …`). `found` must be ordered by
/// first word.
pub(crate) fn without_exempted(found: Vec<PhraseMatch>, words: &Words) -> Vec<PhraseMatch> {
    let (mut exemptions, mut found): (Vec<PhraseMatch>, Vec<PhraseMatch>) =
        found.into_iter().partition(|hit| hit.role == Role::Exemption);
    exemptions.retain(|exemption| {
        // An exemption must not extend over two sentences. A log line is excepted, because a colon in it counts as the
        // end of a sentence. An exemption does not count if a request directly follows it.
        let is_log_line = exemption.signal == Signal::Authority;
        let rest = &words.list[exemption.first + 1..=exemption.last];
        let following =
            starting_within(&found, exemption.last + 1, exemption.last + WORDS_AFTER_EXEMPTION);
        (is_log_line || rest.iter().all(|word| word.start != Start::Sentence))
            && !following.iter().any(|hit| {
                hit.signal == Signal::Request
                    && !matches!(
                        hit.role,
                        Role::Ordinary | Role::Protective | Role::Pretext | Role::AgentPretext
                    )
            })
    });
    found.retain(|hit| {
        let before =
            starting_within(&exemptions, hit.first.saturating_sub(MAX_PHRASE_WORDS), hit.first);
        !before.iter().any(|exemption| exemption.signal == hit.signal && hit.last <= exemption.last)
    });
    found
}

/// Returns the matches whose first word is in `first..=last`. `found` must be ordered by first word.
pub(crate) fn starting_within(found: &[PhraseMatch], first: usize, last: usize) -> &[PhraseMatch] {
    let start = found.partition_point(|hit| hit.first < first);
    let end = found.partition_point(|hit| hit.first <= last);
    &found[start..end.max(start)]
}

/// The weight of the strongest match of each signal.
type Weights = [u32; Signal::COUNT];

/// Returns the block with the highest score among the blocks that contain a trigger and reach the threshold.
fn best_block(words: &Words, found: &[PhraseMatch]) -> Option<usize> {
    let blocks = words.len().div_ceil(BLOCK_WORDS);
    let mut weights: Vec<Weights> = vec![[0; Signal::COUNT]; blocks];
    let mut has_trigger = vec![false; blocks];
    for hit in found {
        let block = hit.first / BLOCK_WORDS;
        let weight = &mut weights[block][hit.signal as usize];
        *weight = (*weight).max(hit.weight);
        has_trigger[block] |= hit.role == Role::Trigger;
        if words.list[hit.first..=hit.last].iter().any(|word| word.disguised) {
            weights[block][Signal::Disguise as usize] = DISGUISE_WEIGHT;
        }
    }
    (0..blocks)
        .filter(|&block| has_trigger[block])
        .map(|block| (score(&weights[neighbours(block, blocks)]), block))
        .filter(|(score, _)| *score >= REMOVAL_THRESHOLD)
        .max_by_key(|(score, block)| (*score, std::cmp::Reverse(*block)))
        .map(|(_, block)| block)
}

fn neighbours(block: usize, blocks: usize) -> Range<usize> {
    block.saturating_sub(NEIGHBOURS)..blocks.min(block + NEIGHBOURS + 1)
}

/// Returns the sum of the weights in `blocks`. For each signal, only the strongest match counts.
fn score(blocks: &[Weights]) -> u32 {
    (0..Signal::COUNT)
        .map(|signal| blocks.iter().map(|weights| weights[signal]).max().unwrap_or(0))
        .sum()
}

/// Returns the strongest match of each signal near `block`.
fn cluster_around(block: usize, found: &[PhraseMatch]) -> Vec<PhraseMatch> {
    let mut strongest: [Option<PhraseMatch>; Signal::COUNT] = [None; Signal::COUNT];
    for candidate in found {
        let is_near = (candidate.first / BLOCK_WORDS).abs_diff(block) <= NEIGHBOURS;
        let slot = &mut strongest[candidate.signal as usize];
        if is_near && slot.is_none_or(|strongest_match| strongest_match.weight < candidate.weight) {
            *slot = Some(*candidate);
        }
    }
    strongest.into_iter().flatten().collect()
}
