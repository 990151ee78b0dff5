//! Decides how much evidence a prompt gets in a repository, with the names of the repository and the earlier turns.
//!
//! This happens only if the switch is `auto` and tools may run, because a plan must not depend on the repository. Without an
//! index, the names are unknown, and an index is built in the background for the next prompt.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

use contract::{FileAction, Limit, Request, SessionActivity, SignalKind};
use engine::{DirectQuestion, KnownTerms, known_terms};
use policy::{Mode, Settings, Switch, TOOLS};

use crate::brief::Host;
use crate::gate::{self, Amount, Decision, GateInput, NameShare};
use crate::knowledge::IndexLocation;
use crate::repo_context::RepoContext;
use crate::signals::{Reading, signal};
use crate::{calls, inputs};

const LOOKUP_TIMEOUT: Duration = Duration::from_millis(1_500);
const NAME_WEIGHT: f64 = 0.5;

/// The decision about a prompt, with its `[Limits]` messages.
pub(crate) struct Gated {
    pub(crate) amount: Amount,
    /// Whether the prompt gets no evidence and an index that could change this is being built.
    pub(crate) is_undecided: bool,
    pub(crate) limits: Vec<Limit>,
}

/// Decides how much evidence the prompt gets. Marks the prompt as code or not, and adds the decision as a signal. `subject` is
/// the earlier prompt that the prompt refers to.
pub(crate) fn decide(
    reading: &mut Reading,
    request: &Request,
    subject: Option<&str>,
    host: &Host,
    context: &RepoContext,
) -> Gated {
    let mut gated = Gated { amount: Amount::Briefing, is_undecided: false, limits: Vec::new() };
    if !may_decide(&context.settings) || inputs::is_for_the_client(&request.prompt) {
        return gated;
    }
    let location = IndexLocation::of(host, &context.root);
    let terms = look_up(reading, request, &location, &mut gated.limits);
    let decision = gate::decide(&gate_input(reading, request, subject, terms.as_ref()));
    gated.amount = decision.amount.max(least_amount(&request.prompt));
    reading.intent.is_code = gated.amount != Amount::Silent;
    let names = terms.iter().flat_map(|terms| &terms.known);
    reading.signals.extend(names.map(|word| signal(SignalKind::Implicit, word, NAME_WEIGHT)));
    reading.signals.push(decision_signal(&decision, gated.amount));
    if terms.is_none() && gated.amount == Amount::Silent {
        gated.is_undecided = calls::index_in_background(host, &location);
    }
    if gated.is_undecided {
        let text = "no index yet: whether the prompt is about this repository is not known; an index is being built";
        gated.limits.push(Limit::Said(text.to_owned()));
    }
    gated
}

/// Returns whether the gate decides: the switch is `auto`, and a prompt about code would start a tool.
fn may_decide(settings: &Settings) -> bool {
    let mut tools = TOOLS.iter().filter(|tool| !settings.disabled.contains(&tool.name));
    settings.switch.value == Switch::Auto
        && settings.mode.value == Mode::Run
        && tools.any(|tool| tool.tier <= settings.tier_max.value)
}

/// Looks up the words of the prompt in the names of the repository. Returns `None` if there is no index.
fn look_up(
    reading: &Reading,
    request: &Request,
    location: &IndexLocation,
    limits: &mut Vec<Limit>,
) -> Option<KnownTerms> {
    let deadline = Instant::now() + LOOKUP_TIMEOUT;
    let (first, second) = (location.glance(deadline), OnceLock::new());
    let asked = location
        .ask(&first, &second, deadline, |view| known_terms(view, &request.prompt, &reading.query));
    if asked.found_damage {
        limits.push(Limit::IndexDamaged);
    }
    asked.answer
}

fn gate_input<'a>(
    reading: &'a Reading,
    request: &'a Request,
    subject: Option<&'a str>,
    terms: Option<&KnownTerms>,
) -> GateInput<'a> {
    let activity = request.activity.as_ref();
    let files = || activity.into_iter().flat_map(|activity| &activity.files);
    let is_last = |file: &&contract::TouchedFile| file.prompts_ago == 0;
    let is_edit = |file: &contract::TouchedFile| file.action == FileAction::Edited;
    let earlier = |activity: &'a SessionActivity| activity.prompts.last().map(String::as_str);
    GateInput {
        prompt: &request.prompt,
        query: &reading.query,
        previous: activity.and_then(earlier).or(subject),
        names: terms.map(|terms| NameShare { known: terms.known.len(), asked: terms.asked }),
        has_touched: files().next().is_some(),
        has_touched_last: files().any(|file| is_last(&file)),
        has_edited_last: files().filter(is_last).any(is_edit),
    }
}

/// Returns the amount that a prompt gets at least: a direct question about a name is always answered.
fn least_amount(prompt: &str) -> Amount {
    let is_explicit = |question: &DirectQuestion| !question.kinds.is_empty();
    if DirectQuestion::read(prompt).first().is_some_and(is_explicit) {
        Amount::Briefing
    } else {
        Amount::Silent
    }
}

fn decision_signal(decision: &Decision, amount: Amount) -> contract::Signal {
    let reasons = decision.reasons.join(", ");
    let text = format!("evidence: {} ({reasons})", amount.word());
    signal(SignalKind::Implicit, &text, f64::from((decision.probability * 100.0).round()) / 100.0)
}
