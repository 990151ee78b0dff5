//! A prompt whose words do not say that it is about code may still speak of this repository: its own names tell.
//!
//! Only in `auto`, only when tools may run: a plan depends on nothing but the prompt. Where there is no index, nobody can
//! tell; one is begun, so that the next prompt is understood.

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

/// Deciding whether to look is not worth more.
const LOOKUP_TIMEOUT: Duration = Duration::from_millis(1_500);
const WEIGHT: f64 = 0.5;

/// What came of it.
#[derive(Default)]
pub(crate) struct Promotion {
    /// There was no index to decide by, and one is being built.
    pub(crate) is_undecided: bool,
    pub(crate) limits: Vec<Limit>,
}

/// Adds the words the repository knows to the reading, if they decide it. Without an index to decide by, says so.
pub(crate) fn promote_by_repository_terms(
    reading: &mut Reading,
    request: &Request,
    host: &Host,
    context: &RepoContext,
) -> Promotion {
    if reading.intent.is_code
        || !may_look(&context.settings)
        || inputs::is_for_the_client(&request.prompt)
    {
        return Promotion::default();
    }
    let location = IndexLocation::of(host, &context.root);
    let deadline = Instant::now() + LOOKUP_TIMEOUT;
    let (first, second) = (location.glance(deadline), OnceLock::new());
    let asked = location.ask(&first, &second, deadline, |view| known_terms(view, &request.prompt));
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
    if decides(terms.known.len(), terms.asked, asks(&request.prompt)) {
        reading.intent.is_code = true;
        let known = terms.known.iter().map(|word| signal(SignalKind::Implicit, word, WEIGHT));
        reading.signals.extend(known);
    }
    Promotion { is_undecided: false, limits }
}

/// Whether a prompt about code would have any tool called.
fn may_look(settings: &Settings) -> bool {
    let mut tools = TOOLS.iter().filter(|tool| !settings.disabled.contains(&tool.name));
    settings.switch.value == Switch::Auto
        && settings.mode.value == Mode::Run
        && tools.any(|tool| tool.tier <= settings.tier_max.value)
}

/// Half of at least two words, or all there is in a question: a lone word may be anybody's.
fn decides(n_known: usize, n_asked: usize, asks: bool) -> bool {
    (n_known >= 2 && n_known * 2 >= n_asked) || (asks && n_known >= 1 && n_known == n_asked)
}

#[cfg(test)]
mod tests {
    use super::decides;

    #[test]
    fn a26_a_word_alone_decides_only_a_question() {
        assert!(decides(2, 4, false) && decides(1, 1, true) && decides(3, 3, false));
        assert!(!decides(1, 1, false) && !decides(1, 2, true) && !decides(2, 5, true));
        assert!(!decides(0, 0, true));
    }
}
