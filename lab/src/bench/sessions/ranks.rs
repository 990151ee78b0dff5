//! Reports how often an edited file is among the first files.

use std::collections::BTreeMap;
use std::fmt::Write;

use engine::{Form, Query, SessionContext};

use super::turns::Turn;

/// The rank of the first edited file by each method, or `None` if no edited file was found.
pub(super) struct Ranks {
    repo: String,
    language: String,
    n_chars: usize,
    is_first: bool,
    is_question: bool,
    by_prompt: Option<usize>,
    /// The rank in the list of files that the session touched last.
    last_touched: Option<usize>,
    with_session: Option<usize>,
}

impl Ranks {
    pub(super) fn new(
        turn: &Turn,
        context: &SessionContext,
        by_prompt: &[String],
        with_session: &[String],
    ) -> Self {
        let mut last: Vec<String> = Vec::new();
        for file in context.files.iter().rev() {
            if !last.contains(&file.path) {
                last.push(file.path.clone());
            }
        }
        let rank = |paths: &[String]| paths.iter().position(|path| turn.gold_edited.contains(path));
        Self {
            repo: turn.repo.clone(),
            language: turn.prompt_lang.clone(),
            n_chars: turn.prompt.chars().count(),
            is_first: turn.turn == 0,
            is_question: Query::read(&turn.prompt).form != Form::Task,
            by_prompt: rank(by_prompt),
            last_touched: rank(&last),
            with_session: rank(with_session),
        }
    }
}

type Group = (&'static str, fn(&Ranks) -> bool);

const GROUPS: [Group; 12] = [
    ("all", |_| true),
    ("first turn", |ranks| ranks.is_first),
    ("later turns", |ranks| !ranks.is_first),
    ("later questions", |ranks| !ranks.is_first && ranks.is_question),
    ("en", |ranks| ranks.language == "en"),
    ("zh", |ranks| ranks.language == "zh"),
    ("other", |ranks| ranks.language == "other"),
    ("under 40 characters", |ranks| ranks.n_chars < 40),
    ("40 to 99", |ranks| (40..100).contains(&ranks.n_chars)),
    ("100 to 249", |ranks| (100..250).contains(&ranks.n_chars)),
    ("250 to 699", |ranks| (250..700).contains(&ranks.n_chars)),
    ("700 and more", |ranks| ranks.n_chars >= 700),
];

pub(super) fn table(all: &[Ranks]) -> String {
    let mut out = String::from(
        "edited file found       n   prompt @1    @5   last touched @5   with session @1    @5\n",
    );
    for (name, belongs) in GROUPS {
        let some: Vec<&Ranks> = all.iter().filter(|ranks| belongs(ranks)).collect();
        let _ = writeln!(out, "{}", row(name, &some));
    }
    let mut repos: BTreeMap<&str, Vec<&Ranks>> = BTreeMap::new();
    for ranks in all {
        repos.entry(&ranks.repo).or_default().push(ranks);
    }
    let mean = |rank: fn(&Ranks) -> Option<usize>| {
        let shares = repos.values().map(|some| share(some, rank, 5));
        shares.sum::<f64>() / repos.len().max(1) as f64
    };
    let _ = writeln!(
        out,
        "mean over {} repositories, @5: prompt {:.3}, with session {:.3}",
        repos.len(),
        mean(|ranks| ranks.by_prompt),
        mean(|ranks| ranks.with_session)
    );
    out
}

fn row(name: &str, some: &[&Ranks]) -> String {
    format!(
        "{name:20} {:5} {:11.3} {:5.3} {:17.3} {:17.3} {:5.3}",
        some.len(),
        share(some, |ranks| ranks.by_prompt, 1),
        share(some, |ranks| ranks.by_prompt, 5),
        share(some, |ranks| ranks.last_touched, 5),
        share(some, |ranks| ranks.with_session, 1),
        share(some, |ranks| ranks.with_session, 5),
    )
}

fn share(some: &[&Ranks], rank: fn(&Ranks) -> Option<usize>, k: usize) -> f64 {
    let found = some.iter().filter(|ranks| rank(ranks).is_some_and(|rank| rank < k)).count();
    found as f64 / some.len().max(1) as f64
}
