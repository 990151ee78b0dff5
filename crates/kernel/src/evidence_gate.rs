//! Decides how much evidence a prompt gets, based on the names in the repository and the earlier turns of the session.
//!
//! This decision is made only if the switch for briefings is [`Switch::Auto`] and tools may run. It is not made in plan
//! mode, because a plan must not depend on the repository. If there is no index, the names are unknown, and an index is
//! built in the background for later prompts.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

use contract::{Evidence, FileAction, Limit, Request, SessionActivity, SignalKind};
use engine::{DirectQuestion, KnownTerms, ReadPrompt, known_terms};
use index::View;
use policy::{BriefingMode, Settings, Switch, TOOLS};

use crate::brief::Host;
use crate::builtin::LIVE_SEARCH;
use crate::evidence::Part;
use crate::fusion::Fused;
use crate::gate::{self, Amount, Decision, GateInput, NameShare, Touched};
use crate::knowledge::{Glance, IndexLocation, IndexProblem, Refresh};
use crate::repo_context::RepoContext;
use crate::signals::{self, Reading, signal};
use crate::{activity, calls, inputs};

const LOOKUP_TIMEOUT: Duration = Duration::from_millis(1_500);
const NAME_WEIGHT: f64 = 0.5;
/// The minimum probability, estimated without earlier turns, at which the first prompt of a session can get a briefing.
const MIN_FIRST_PROBABILITY: f32 = 0.15;

/// The decision about a prompt, with its `[Limits]` messages.
pub(crate) struct Gated {
    /// The decision, or `None` if the settings decide.
    pub(crate) decision: Option<Decision>,
    /// The number of words in the prompt that are names in the repository.
    pub(crate) n_names: usize,
    /// Whether the prompt gets no evidence now, but may get some once the index that is being built is available.
    pub(crate) is_undecided: bool,
    /// The index that was opened, or `None` if none was needed.
    pub(crate) index: Option<Glance>,
    pub(crate) limits: Vec<Limit>,
}

/// The minimum confidence of the best finding for a first prompt. Of the best files below it, hardly any is right.
const MIN_FOUND: f64 = 0.3;
/// The same for a first prompt that may not be about the code of the repository.
const MIN_FOUND_IF_UNSURE: f64 = 0.6;
/// The minimum probability, estimated by the gate, at which a first prompt is about the code of the repository. It exceeds
/// that of later prompts, because no earlier turn supports it.
const MIN_SURE: f32 = 0.8;

/// The result of looking at the findings.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Looked {
    Kept(Amount),
    /// No finding is likely. `names_explore` says whether the model is told how to search by itself.
    Withdrawn {
        names_explore: bool,
    },
}

impl Gated {
    /// Withdraws the evidence for the first prompt of a session if no finding is likely to be what the prompt is about.
    /// `fused` is then empty. Later prompts keep it, because the session also says which files they are about.
    pub(crate) fn look(
        &mut self,
        request: &Request,
        reading: &mut Reading,
        fused: &mut Fused,
    ) -> Looked {
        let Some(decision) = self.decision.as_mut() else { return Looked::Kept(Amount::Briefing) };
        let is_sure = decision.probability >= MIN_SURE;
        let minimum = if is_sure { MIN_FOUND } else { MIN_FOUND_IF_UNSURE };
        let is_likely = |item: &Evidence| match Part::of(item) {
            Part::Answer => true,
            Part::Match if is_estimated(item) => item.confidence >= minimum,
            Part::Match => item.source == LIVE_SEARCH || item.confidence >= MIN_FOUND,
            Part::Related => false,
        };
        if request.activity.is_some()
            || fused.items.is_empty()
            || !fused.conflicts.is_empty()
            || fused.items.iter().any(is_likely)
        {
            return Looked::Kept(decision.amount);
        }
        *fused = Fused::default();
        *decision = Decision {
            amount: Amount::Silent,
            reasons: vec!["nothing likely".to_owned()],
            probability: decision.probability,
        };
        reading.signals.retain(|signal| !signal.matched.starts_with(DECISION_START));
        reading.signals.push(decision_signal(decision));
        // A question about code that the words of the prompt do not find is answered by searching with other words.
        Looked::Withdrawn { names_explore: is_sure || signals::asks(&request.prompt) }
    }

    /// Returns how much evidence the prompt gets. If the settings decide, this is a whole briefing.
    pub(crate) fn amount(&self) -> Amount {
        self.decision.as_ref().map_or(Amount::Briefing, |decision| decision.amount)
    }
}

/// Returns whether the confidence of a finding is a probability that the ranking of the index estimated.
fn is_estimated(item: &Evidence) -> bool {
    item.source.starts_with("index: ") || item.source == engine::MATCHED_CODE
}

/// The subject of an earlier prompt that this prompt refers to.
#[derive(Clone, Copy)]
pub(crate) struct EarlierSubject<'a> {
    /// The prompt, followed by the subject. `None` if the prompt does not refer to an earlier one.
    pub(crate) text: Option<&'a str>,
    /// Whether the model has lost the findings about the subject in a compaction.
    pub(crate) is_lost: bool,
}

/// Decides how much evidence the prompt gets. Records in `reading` whether the prompt is about code, and adds the
/// decision as a signal.
pub(crate) fn decide(
    reading: &mut Reading,
    request: &Request,
    earlier: EarlierSubject<'_>,
    host: &Host,
    context: &RepoContext,
) -> Gated {
    let mut gated =
        Gated { decision: None, n_names: 0, is_undecided: false, index: None, limits: Vec::new() };
    if !may_decide(&context.settings) || inputs::is_for_the_client(&request.prompt) {
        return gated;
    }
    let location = IndexLocation::of(host, &context.root);
    let terms = look_up(reading, &location, &mut gated);
    let subject = earlier.text;
    let mut decision = gate::decide(&gate_input(reading, request, subject, terms.as_ref()));
    let probability = decision.probability;
    if let Some(reason) = reason_to_brief(reading, request, subject, terms.as_ref(), probability) {
        decision =
            Decision { amount: Amount::Briefing, reasons: vec![reason.to_owned()], ..decision };
    }
    if earlier.is_lost && decision.amount == Amount::Silent {
        let reasons = vec!["compaction".to_owned()];
        decision = Decision { amount: Amount::Pointers, reasons, ..decision };
    }
    if decision.amount == Amount::Silent
        && gate::continues_session(&request.prompt)
        && !activity::recent_files(request, &context.root.path).is_empty()
    {
        decision = Decision { amount: Amount::SessionFiles, ..decision };
    }
    let is_silent = decision.amount < Amount::Pointers;
    reading.intent.is_code = !is_silent;
    let names = terms.as_ref().map(|terms| terms.known.as_slice()).unwrap_or_default();
    gated.n_names = names.len();
    let name_signal = |name: &String| signal(SignalKind::Implicit, name, NAME_WEIGHT);
    reading.signals.extend(names.iter().map(name_signal));
    reading.signals.push(decision_signal(&decision));
    gated.decision = Some(decision);
    if terms.is_none() && is_silent {
        gated.is_undecided = calls::index_in_background(host, &location, &Refresh::Whole);
    }
    if gated.is_undecided {
        let text = "no index yet: it is not known whether the prompt is about this repository; an index is being built";
        gated.limits.push(Limit::Said(text.to_owned()));
    }
    gated
}

/// Returns whether the gate makes the decision. This is the case if the switch is [`Switch::Auto`], tools may be
/// called, and the settings allow at least one tool.
fn may_decide(settings: &Settings) -> bool {
    let mut tools = TOOLS.iter().filter(|tool| !settings.disabled.contains(&tool.name));
    settings.switch.value == Switch::Auto
        && settings.mode.value == BriefingMode::Run
        && tools.any(|tool| tool.tier <= settings.tier_max.value)
}

/// Looks up the words of the prompt among the names in the repository, and stores the index in `gated` for the tools.
/// Returns `None` if there is no index.
fn look_up(reading: &Reading, location: &IndexLocation, gated: &mut Gated) -> Option<KnownTerms> {
    let timeout = LOOKUP_TIMEOUT.saturating_mul(location.environment.slowness());
    let deadline = Instant::now() + timeout;
    let glance = location.glance(deadline);
    let replacement = OnceLock::new();
    let ask = |view: &View| known_terms(view, &reading.prompt);
    let asked = location.ask(&glance.knowledge, &replacement, deadline, ask);
    let replaced =
        replacement.into_inner().map(|knowledge| Glance { knowledge, is_compared: true });
    gated.index = Some(replaced.unwrap_or(glance));
    gated.limits.extend(asked.problem.as_ref().map(IndexProblem::limit));
    asked.answer
}

fn gate_input<'a>(
    reading: &'a Reading,
    request: &'a Request,
    subject: Option<&'a str>,
    terms: Option<&KnownTerms>,
) -> GateInput<'a> {
    let activity = request.activity.as_ref();
    let files = activity.into_iter().flat_map(|activity| &activity.files);
    let touched = |file: &contract::TouchedFile| match (file.prompts_ago, file.action) {
        (0, FileAction::Edited | FileAction::Created) => Touched::EditedLastTurn,
        (0, FileAction::Read | FileAction::Listed) => Touched::LastTurn,
        (_, _) => Touched::Earlier,
    };
    let earlier = |activity: &'a SessionActivity| activity.prompts.last().map(String::as_str);
    GateInput {
        prompt: &request.prompt,
        query: &reading.prompt.query,
        previous: activity.and_then(earlier).or(subject),
        names: terms.map(|terms| NameShare { known: terms.known.len(), asked: terms.asked }),
        touched: files.map(touched).max().unwrap_or_default(),
    }
}

/// Returns the reason why a prompt gets a briefing regardless of the gate's decision, or `None` if the gate decides.
/// Direct questions always get a briefing, including questions about the subject of an earlier prompt. So does the
/// first prompt of a session if it is about code and does not ask for other work, because the gate knows no earlier
/// turns, unless the gate is almost certain that no evidence is wanted.
fn reason_to_brief(
    reading: &Reading,
    request: &Request,
    subject: Option<&str>,
    terms: Option<&KnownTerms>,
    probability: f32,
) -> Option<&'static str> {
    let ReadPrompt { text: prompt, query, questions } = &*reading.prompt;
    let is_explicit = |question: &DirectQuestion| !question.kinds.is_empty();
    if questions.first().is_some_and(is_explicit) {
        return Some("direct question");
    }
    if subject.is_some() && !reading.intent.needs.is_empty() {
        return Some("question about the earlier subject");
    }
    let is_first = request.activity.is_none() && subject.is_none();
    let is_named = terms.is_some_and(|terms| {
        is_about_repository(terms.known.len(), terms.asked, signals::asks(prompt))
    });
    let is_code = reading.intent.is_code || is_named;
    let is_likely = probability >= MIN_FIRST_PROBABILITY;
    (is_first && is_likely && is_code && !gate::asks_for_other_work(prompt, query))
        .then_some("first prompt about code")
}

/// Returns whether the prompt is about the repository: at least two of its words are names in the repository, and they
/// are at least half of the words that were looked up. In a question, one word is enough if it is the only one that was
/// looked up.
fn is_about_repository(n_known: usize, n_asked: usize, asks: bool) -> bool {
    (n_known >= 2 && n_known * 2 >= n_asked) || (asks && n_known >= 1 && n_known == n_asked)
}

/// The start of the signal that publishes the decision.
const DECISION_START: &str = "evidence: ";

/// Returns the signal that publishes the decision, for example `evidence: briefing (direct question)`.
fn decision_signal(decision: &Decision) -> contract::Signal {
    let text = format!("{DECISION_START}{decision}");
    signal(SignalKind::Implicit, &text, decision.rounded_probability())
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
