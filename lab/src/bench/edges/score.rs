//! Computes the precision and the recall of the callers in the index, and lists the differences.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use super::KnownFunction;

/// The minimum confidences at which precision and recall are reported.
const THRESHOLDS: [f32; 3] = [0.3, 0.5, 0.7];
/// The minimum confidence of the differences that are listed.
const LISTED_THRESHOLD: f32 = 0.5;

/// The known callers of a function, and the callers in the index.
pub(super) struct FunctionScore {
    name: String,
    callers: BTreeSet<String>,
    uses: BTreeSet<String>,
    /// The source lines of the edges, each with its highest confidence.
    found: BTreeMap<String, f32>,
}

/// The numbers of right and wrong edges, and of known callers without an edge. An edge from a line that uses the
/// function without calling it counts as right.
#[derive(Clone, Copy, Default)]
struct Counts {
    right: usize,
    wrong: usize,
    missed: usize,
    /// The number of known callers that were found.
    hit: usize,
}

impl FunctionScore {
    pub(super) fn new(function: &KnownFunction, places: Vec<(String, f32)>) -> Self {
        let mut found: BTreeMap<String, f32> = BTreeMap::new();
        let counted = places.into_iter().filter(|it| !function.undecided.contains(&it.0));
        for (place, confidence) in counted {
            let best = found.entry(place).or_default();
            *best = best.max(confidence);
        }
        Self {
            name: format!("{}:{} {}", function.path, function.line, function.name),
            callers: function.callers.iter().cloned().collect(),
            uses: function.uses.iter().cloned().collect(),
            found,
        }
    }

    fn counts(&self, threshold: f32) -> Counts {
        let mut counts = Counts::default();
        for place in self.found.iter().filter(|it| *it.1 >= threshold).map(|it| it.0) {
            let is_caller = self.callers.contains(place);
            counts.hit += usize::from(is_caller);
            if is_caller || self.uses.contains(place) {
                counts.right += 1;
            } else {
                counts.wrong += 1;
            }
        }
        counts.missed = self.callers.len() - counts.hit;
        counts
    }
}

/// Formats a table with one row per repository.
pub(super) fn table(repositories: &[(String, Vec<FunctionScore>)]) -> String {
    let mut text = format!("{:<16}{:>10}{:>9}", "", "functions", "callers");
    for threshold in THRESHOLDS {
        let _ = write!(text, "{:>18}", format!("P, R at {threshold}"));
    }
    for (name, scores) in repositories {
        let n_callers: usize = scores.iter().map(|score| score.callers.len()).sum();
        let _ = write!(text, "\n{name:<16}{:>10}{n_callers:>9}", scores.len());
        for threshold in THRESHOLDS {
            let counts = scores.iter().map(|score| score.counts(threshold)).fold(
                Counts::default(),
                |a, b| Counts {
                    right: a.right + b.right,
                    wrong: a.wrong + b.wrong,
                    missed: a.missed + b.missed,
                    hit: a.hit + b.hit,
                },
            );
            let precision = share(counts.right, counts.wrong);
            let recall = share(counts.hit, counts.missed);
            let _ = write!(text, "{:>18}", format!("{precision:.3}  {recall:.3}"));
        }
    }
    text
}

/// Formats one line for each wrong edge and each missed caller.
pub(super) fn misses(scores: &[FunctionScore]) -> String {
    let mut lines = Vec::new();
    for score in scores {
        let confidence_at = |place: &String| score.found.get(place).copied().unwrap_or_default();
        for (place, confidence) in &score.found {
            let is_known = score.callers.contains(place) || score.uses.contains(place);
            if *confidence >= LISTED_THRESHOLD && !is_known {
                lines.push(format!("wrong  {confidence:.2} {} from {place}", score.name));
            }
        }
        for place in &score.callers {
            if confidence_at(place) < LISTED_THRESHOLD {
                let confidence = confidence_at(place);
                lines.push(format!("missed {confidence:.2} {} from {place}", score.name));
            }
        }
    }
    lines.join("\n")
}

fn share(part: usize, rest: usize) -> f64 {
    part as f64 / (part + rest).max(1) as f64
}
