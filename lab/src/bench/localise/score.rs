//! Scores the ranks of the correct files. Acc@k is the share of cases in which all correct files are among the first
//! k. Hit@k is the share in which at least one of them is.

use std::fmt::Write;
use std::time::Duration;

use engine::FileHit;

use super::cases::Case;

/// A group of cases that is reported separately.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::bench) enum Group {
    Python,
    Other,
    Chinese,
}

impl Group {
    pub(in crate::bench) fn of(case: &Case) -> Self {
        match (case.prompt_lang.as_str(), case.source.as_str()) {
            ("zh", _) => Self::Chinese,
            (_, "swe-bench") => Self::Python,
            _ => Self::Other,
        }
    }
}

/// The result of one case. Ranks start at 1; `usize::MAX` means not found.
pub(super) struct Outcome {
    pub(super) group: Group,
    pub(super) language: String,
    pub(super) named: bool,
    pub(super) n_gold: usize,
    pub(super) worst_rank: usize,
    pub(super) best_rank: usize,
    /// The rank of the last correct function. `None` if the case lists no functions.
    pub(super) function_rank: Option<usize>,
    pub(super) listed: usize,
    pub(super) took: Duration,
    pub(super) top: Vec<String>,
}

/// Returns the number of characters in a list of the first five files without snippets: paths, names and reasons.
pub(super) fn listed_characters(hits: &[FileHit]) -> usize {
    hits.iter()
        .take(5)
        .map(|hit| {
            let symbols: usize = hit.symbols.iter().map(|symbol| symbol.name.len() + 8).sum();
            hit.path.len() + symbols + hit.why.iter().map(|why| why.len()).sum::<usize>()
        })
        .sum()
}

/// Returns the rank of the last correct function among the symbols of the ranked files. Returns `None` if the case
/// lists no functions.
pub(super) fn worst_function_rank(case: &Case, hits: &[FileHit]) -> Option<usize> {
    let gold = case.gold_functions.as_ref().filter(|gold| !gold.is_empty())?;
    let mut symbols: Vec<(f32, String)> = hits
        .iter()
        .flat_map(|hit| {
            hit.symbols
                .iter()
                .map(|symbol| (symbol.score, format!("{}::{}", hit.path, symbol.name)))
        })
        .collect();
    symbols.sort_by(|a, b| b.0.total_cmp(&a.0));
    let place = |wanted: &String| {
        symbols.iter().position(|(_, found)| found == wanted).map_or(usize::MAX, |at| at + 1)
    };
    gold.iter().map(place).max()
}

pub(super) fn table(outcomes: &[Outcome], index_times: &[Duration]) -> String {
    let mut out = String::from(
        "group                n  Acc@1  Acc@3  Acc@5 Acc@10  Hit@1  Hit@5 Hit@10  Fn@5  Fn@10\n",
    );
    let mut line = |name: &str, keep: &dyn Fn(&Outcome) -> bool| {
        let kept: Vec<&Outcome> = outcomes.iter().filter(|outcome| keep(outcome)).collect();
        if kept.is_empty() {
            return;
        }
        let share = |count: usize, of: usize| 100.0 * count as f64 / of.max(1) as f64;
        let all = |k: usize| {
            share(kept.iter().filter(|outcome| outcome.worst_rank <= k).count(), kept.len())
        };
        let one = |k: usize| {
            share(kept.iter().filter(|outcome| outcome.best_rank <= k).count(), kept.len())
        };
        let with_functions: Vec<usize> =
            kept.iter().filter_map(|outcome| outcome.function_rank).collect();
        let functions = |k: usize| {
            share(with_functions.iter().filter(|rank| **rank <= k).count(), with_functions.len())
        };
        let _ = writeln!(
            out,
            "{name:18} {:4} {:6.1} {:6.1} {:6.1} {:6.1} {:6.1} {:6.1} {:6.1} {:5.1} {:6.1}",
            kept.len(),
            all(1),
            all(3),
            all(5),
            all(10),
            one(1),
            one(5),
            one(10),
            functions(5),
            functions(10)
        );
    };
    line("Python", &|outcome| outcome.group == Group::Python);
    line("Python, one file", &|outcome| outcome.group == Group::Python && outcome.n_gold == 1);
    line("other languages", &|outcome| outcome.group == Group::Other);
    line("Chinese prompts", &|outcome| outcome.group == Group::Chinese);
    line("names a file", &|outcome| outcome.named);
    line("names no file", &|outcome| !outcome.named);
    let mut languages: Vec<&str> =
        outcomes.iter().map(|outcome| outcome.language.as_str()).collect();
    languages.sort_unstable();
    languages.dedup();
    for language in languages {
        line(&format!("  {language} (English)"), &|outcome| {
            outcome.group != Group::Chinese && outcome.language == language
        });
    }
    out += &costs(outcomes, index_times);
    out
}

fn costs(outcomes: &[Outcome], index_times: &[Duration]) -> String {
    let mut out = String::new();
    let mut took: Vec<Duration> = outcomes.iter().map(|outcome| outcome.took).collect();
    let mut listed: Vec<usize> = outcomes.iter().map(|outcome| outcome.listed).collect();
    took.sort_unstable();
    listed.sort_unstable();
    let middle = |times: &[Duration]| {
        times.get(times.len() / 2).map_or(0.0, |time| time.as_secs_f64() * 1000.0)
    };
    let late = took.get(took.len() * 9 / 10).map_or(0.0, |time| time.as_secs_f64() * 1000.0);
    let _ = writeln!(out, "query time: median {:.2} ms, 90 % within {late:.2} ms", middle(&took));
    let _ = writeln!(
        out,
        "characters listed for the first five files: median {}",
        listed.get(listed.len() / 2).unwrap_or(&0)
    );
    if !index_times.is_empty() {
        let mut times = index_times.to_vec();
        times.sort_unstable();
        let _ =
            writeln!(out, "index time: median {:.0} ms over {} trees", middle(&times), times.len());
    }
    out
}
