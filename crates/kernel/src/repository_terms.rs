//! Treats a prompt as a question about code if enough of its words are names in the repository.
//!
//! This happens only if the switch is `auto` and tools may run, because a plan must not depend on the repository. Without an
//! index, the names are unknown, and an index is built in the background for the next prompt.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

use contract::{Limit, Request, SignalKind};
use engine::known_terms;
use policy::{Mode, Settings, Switch, TOOLS};

use crate::brief::Host;
use crate::knowledge::IndexLocation;
use crate::repo_context::RepoContext;
use crate::signals::{Reading, asks, signal};
use crate::{calls, inputs};

const LOOKUP_TIMEOUT: Duration = Duration::from_millis(1_500);
const WEIGHT: f64 = 0.5;

#[derive(Default)]
pub(crate) struct Promotion {
    /// Whether no decision was possible because there is no index. An index is then being built.
    pub(crate) is_undecided: bool,
    pub(crate) limits: Vec<Limit>,
}

/// If enough words of the prompt are names in the repository, marks the prompt as code and adds these words as signals.
pub(crate) fn promote_by_repository_terms(
    reading: &mut Reading,
    request: &Request,
    host: &Host,
    context: &RepoContext,
) -> Promotion {
    if reading.intent.is_code
        || !may_run_tools(&context.settings)
        || inputs::is_for_the_client(&request.prompt)
    {
        return Promotion::default();
    }
    let location = IndexLocation::of(host, &context.root);
    let deadline = Instant::now() + LOOKUP_TIMEOUT;
    let (first, second) = (location.glance(deadline), OnceLock::new());
    let asked = location
        .ask(&first, &second, deadline, |view| known_terms(view, &request.prompt, &reading.query));
    let mut limits = Vec::new();
    if asked.found_damage {
        limits.push(Limit::IndexDamaged);
    }
    let Some(terms) = asked.answer else {
        let is_undecided = calls::index_in_background(host, &location);
        if is_undecided {
            let text = "no index yet: whether the prompt speaks of this repository is not known, one is being built";
            limits.push(Limit::Said(text.to_owned()));
        }
        return Promotion { is_undecided, limits };
    };
    if is_about_repository(terms.known.len(), terms.asked, asks(&request.prompt)) {
        reading.intent.is_code = true;
        let known = terms.known.iter().map(|word| signal(SignalKind::Implicit, word, WEIGHT));
        reading.signals.extend(known);
    }
    Promotion { is_undecided: false, limits }
}

/// Returns whether a prompt about code would start any tool.
fn may_run_tools(settings: &Settings) -> bool {
    let mut tools = TOOLS.iter().filter(|tool| !settings.disabled.contains(&tool.name));
    settings.switch.value == Switch::Auto
        && settings.mode.value == Mode::Run
        && tools.any(|tool| tool.tier <= settings.tier_max.value)
}

/// Returns whether the prompt is about the repository. This is the case if at least two words are known and they are at
/// least half of the words that were looked up. It is also the case if the prompt is a question and all its words are
/// known.
fn is_about_repository(n_known: usize, n_asked: usize, asks: bool) -> bool {
    (n_known >= 2 && n_known * 2 >= n_asked) || (asks && n_known >= 1 && n_known == n_asked)
}

#[cfg(test)]
mod tests {
    use super::is_about_repository;

    #[test]
    fn a26_one_known_word_is_enough_only_in_a_question() {
        for (n_known, n_asked, asks) in [(2, 4, false), (1, 1, true), (3, 3, false)] {
            assert!(is_about_repository(n_known, n_asked, asks));
        }
        for (n_known, n_asked, asks) in [(1, 1, false), (1, 2, true), (2, 5, true), (0, 0, true)] {
            assert!(!is_about_repository(n_known, n_asked, asks));
        }
    }
}
