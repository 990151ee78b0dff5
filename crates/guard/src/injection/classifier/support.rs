//! Adjusts the score that a window must reach, depending on its phrases. Phrases that indicate an instruction to a
//! model or an agent lower the required score, and phrases that are common in harmless text raise it.

use std::ops::Range;

use super::super::markup;
use super::super::pattern::PhraseMatch;
use super::super::phrases::{Role, Signal};
use super::super::score::{starting_within, without_exempted};
use super::super::words::Words;

/// The minimum total weight of a window's phrases that lowers the required score. For each signal, only the strongest
/// phrase counts.
const MIN_WEIGHT: u32 = 8;
/// The required score of a window whose phrases have enough weight and address a model or an agent.
pub(super) const LOWEST_SCORE: i64 = 600;
/// The required score of a window whose phrases have enough weight but do not address a model or an agent.
const SCORE_WITHOUT_ADDRESS: i64 = 875;
/// The amount by which phrases that are common in harmless text raise the required score.
const ORDINARY_EXCESS: i64 = 350;

/// The phrases in a part of a text. They include clues, which the classifier does not use as features.
pub(super) struct PhraseSupport {
    /// The matches that no exemption cancels, ordered by first word.
    phrases: Vec<PhraseMatch>,
}

impl PhraseSupport {
    pub(super) fn new(text: &str, words: &Words, phrases: &[PhraseMatch]) -> Self {
        let mut phrases = phrases.to_vec();
        phrases.extend(markup::vocatives(text, words));
        phrases.extend(markup::calls(text, words));
        phrases.sort_by_key(|hit| hit.first);
        Self { phrases: without_exempted(phrases, words) }
    }

    /// Returns the weight of the strongest match of each signal within `window`.
    fn strongest(&self, window: &Range<usize>) -> [u32; Signal::COUNT] {
        let mut strongest = [0; Signal::COUNT];
        for hit in starting_within(&self.phrases, window.start, window.end - 1) {
            if hit.last < window.end {
                let weight = &mut strongest[hit.signal as usize];
                *weight = hit.weight.max(*weight);
            }
        }
        strongest
    }

    /// Returns the score that `window` must reach. This is `threshold` if the window contains no phrase that raises or
    /// lowers it.
    pub(super) fn required_score(&self, window: &Range<usize>, threshold: i64) -> i64 {
        let strongest = self.strongest(window);
        if strongest.iter().sum::<u32>() >= MIN_WEIGHT && !self.contains(window, Role::Protective) {
            let has_address = strongest[Signal::Address as usize] > 0;
            threshold.min(if has_address { LOWEST_SCORE } else { SCORE_WITHOUT_ADDRESS })
        } else if self.contains(window, Role::Ordinary) {
            threshold + ORDINARY_EXCESS
        } else {
            threshold
        }
    }

    fn contains(&self, window: &Range<usize>, role: Role) -> bool {
        starting_within(&self.phrases, window.start, window.end - 1)
            .iter()
            .any(|hit| hit.role == role && hit.last < window.end)
    }
}
