//! Lists the cases in which not all correct files are among the first five, each with the reason.

use std::collections::BTreeMap;
use std::fmt::Write;

use engine::Query;

use super::cases::Case;
use super::score::{Group, Outcome};

/// The reason for a miss. If several reasons apply, the first one is used.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Class {
    TooMany,
    SomeFound,
    Vague,
    PassesOn,
    NoLink,
    Neighbour,
    Outranked,
}

impl Class {
    fn words(self) -> &'static str {
        match self {
            Self::TooMany => "more than five files are right",
            Self::SomeFound => "some of several right files are among the first five, not all",
            Self::Vague => "the prompt has almost no search terms",
            Self::PassesOn => "the right file only re-exports names or contains constants",
            Self::NoLink => "no lexical link: not among the first fifty",
            Self::Neighbour => "a file related to the right file was ranked higher",
            Self::Outranked => "other files contain more of the words",
        }
    }
}

/// The number of terms below which a prompt counts as vague.
const FEW_TERMS: usize = 4;
const PASSING_ON: &[&str] = &[
    "__init__.py",
    "index.ts",
    "index.js",
    "mod.rs",
    "lib.rs",
    "constants.py",
    "const.py",
    "_compat.py",
    "compat.py",
];

fn class(case: &Case, outcome: &Outcome) -> Class {
    let name = |path: &str| path.rsplit('/').next().unwrap_or(path).to_owned();
    let folder = |path: &str| path.rsplit_once('/').map_or("", |(folder, _)| folder).to_owned();
    let is_near = |top: &String| {
        case.gold.iter().any(|gold| name(gold) == name(top) || folder(gold) == folder(top))
    };
    if outcome.n_gold > 5 {
        Class::TooMany
    } else if outcome.best_rank <= 5 {
        Class::SomeFound
    } else if Query::read(&case.prompt).terms.len() < FEW_TERMS {
        Class::Vague
    } else if case.gold.iter().all(|gold| PASSING_ON.contains(&name(gold).as_str())) {
        Class::PassesOn
    } else if outcome.best_rank == usize::MAX {
        Class::NoLink
    } else if outcome.top.iter().any(is_near) {
        Class::Neighbour
    } else {
        Class::Outranked
    }
}

/// Lists all misses, and the number of misses for each reason.
pub(super) fn report(cases: &[(&Case, &Outcome)]) -> String {
    let mut out = String::new();
    let mut counts: BTreeMap<Class, [usize; 3]> = BTreeMap::new();
    for (case, outcome) in cases.iter().filter(|(_, outcome)| outcome.worst_rank > 5) {
        let class = class(case, outcome);
        counts.entry(class).or_default()[outcome.group as usize] += 1;
        let prompt: String = case.prompt.chars().take(160).collect();
        let _ = writeln!(
            out,
            "{}: {}\n  {}\n  right {}\n  found {}",
            case.id,
            class.words(),
            prompt.replace('\n', " "),
            case.gold.join(" "),
            outcome.top.join(" ")
        );
    }
    let _ = writeln!(out, "Python  other  Chinese  why");
    for (class, counts) in counts {
        let [python, other, chinese] =
            [Group::Python, Group::Other, Group::Chinese].map(|group| counts[group as usize]);
        let _ = writeln!(out, "{python:6} {other:6} {chinese:8}  {}", class.words());
    }
    out
}
