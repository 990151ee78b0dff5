//! Decides how much evidence is added to a prompt: nothing, pointers to code, or a whole briefing.
//!
//! A logistic model estimates the probability that a reader of the prompt would want to see evidence from the code.
//! `docs/design/briefing.md` contains the command that learns the weights. The features are:
//!
//! - the form of the prompt
//! - the request words that it contains, known for 15 languages
//! - hashed words and character sequences, for any language
//! - the share of its words that are names in the repository
//! - the earlier turns of the session

mod explain;
mod features;
mod request_words;
mod weights;
mod wording;

#[cfg(test)]
mod tests;

pub use explain::explain;
pub use features::{GateInput, NameShare, Touched, measure};
pub use wording::{N_WEIGHTS, WordingFeature, measure_wording};

use std::fmt;

use engine::Query;
use request_words::{RequestKind, WordKinds};
use weights::{BIAS, FEATURES, KIND_FEATURES, KINDS, WORDING_STEP, WORDING_WEIGHTS};

/// The probability below which a prompt gets no evidence.
pub const MIN_POINTERS: f32 = 0.55;
/// The minimum probability at which a prompt gets a whole briefing.
pub const MIN_BRIEFING: f32 = 0.72;

/// How much evidence a prompt gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Amount {
    Silent,
    /// One line with the files that the session worked on. No tool is called.
    SessionFiles,
    /// At most five locations without quoted code.
    Pointers,
    Briefing,
}

impl Amount {
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Silent => "silent",
            Self::SessionFiles => "files",
            Self::Pointers => "pointers",
            Self::Briefing => "briefing",
        }
    }
}

/// The decision about a prompt.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    pub amount: Amount,
    /// The estimated probability that code evidence is wanted.
    pub probability: f32,
    /// The names of the features that contributed most to the decision, largest contribution first. The wording
    /// features come last.
    pub reasons: Vec<String>,
}

impl Decision {
    /// Returns the probability, rounded to two decimal places.
    #[must_use]
    pub fn rounded_probability(&self) -> f64 {
        f64::from((self.probability * 100.0).round()) / 100.0
    }
}

impl fmt::Display for Decision {
    /// Writes the amount and the reasons, for example `silent (under_15, has_vcs)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.amount.word(), self.reasons.join(", "))
    }
}

/// The maximum number of features that are named as reasons.
const MAX_REASONS: usize = 3;
/// The minimum contribution of a feature that is named as a reason.
const MIN_CONTRIBUTION: f32 = 0.2;

#[must_use]
pub fn decide(input: &GateInput<'_>) -> Decision {
    let of_kinds = KINDS.iter().flat_map(|kind| kind.weights);
    let weights = FEATURES.iter().map(|(_, weight, _)| *weight).chain(of_kinds);
    let mut contributions: Vec<f32> =
        weights.zip(measure(input)).map(|(weight, value)| value * weight).collect();
    contributions.push(wording_score(input));
    let sum: f32 = BIAS + contributions.iter().sum::<f32>();
    let probability = 1.0 / (1.0 + (-sum).exp());
    let amount = if probability < MIN_POINTERS {
        Amount::Silent
    } else if probability < MIN_BRIEFING {
        Amount::Pointers
    } else {
        Amount::Briefing
    };
    Decision { amount, probability, reasons: reasons(&contributions, amount) }
}

/// The name under which all wording features appear in the list of reasons.
const WORDING: &str = "wording";

/// Returns the sum of the contributions of all wording features.
fn wording_score(input: &GateInput<'_>) -> f32 {
    let features = measure_wording(input.prompt, input.previous);
    let weight =
        |place: u16| WORDING_WEIGHTS.get(usize::from(place)).map_or(0, |it| it.cast_signed());
    let sum: f32 =
        features.into_iter().map(|(place, value)| value * f32::from(weight(place))).sum();
    sum * WORDING_STEP
}

/// The kinds of words that ask for something other than coding and other than going on with the previous turn.
const OTHER_WORK: [RequestKind; 5] = [
    RequestKind::VersionControl,
    RequestKind::Run,
    RequestKind::Meta,
    RequestKind::Chat,
    RequestKind::Document,
];

/// Returns whether a prompt asks for something other than coding, such as version control, running a program, writing a
/// document or small talk. A prompt that names code or begins with a question does not: it may contain the same words, as
/// in "how does a push create a workflow run?".
#[must_use]
pub fn asks_for_other_work(prompt: &str, query: &Query) -> bool {
    let kinds = WordKinds::read(prompt);
    let is_about_code = !query.code_words.is_empty() || kinds.first[RequestKind::Question as usize];
    let mut other = OTHER_WORK.into_iter().chain([RequestKind::Approve, RequestKind::Continue]);
    !is_about_code && other.any(|kind| kinds.has(kind))
}

/// Returns whether a prompt only continues the work of the previous turn, such as "do it" or "yes, proceed".
#[must_use]
pub fn continues_session(prompt: &str) -> bool {
    let kinds = WordKinds::read(prompt);
    features::length(prompt) < features::MAX_SHORT
        && !OTHER_WORK.iter().any(|kind| kinds.has(*kind))
}

/// Returns the names of all features, in the order in which [`measure`] returns their values.
pub fn feature_names() -> impl Iterator<Item = String> {
    let of_kinds = KINDS.iter().flat_map(|kind| {
        KIND_FEATURES.iter().map(move |feature| format!("{feature}_{}", kind.name))
    });
    FEATURES.iter().map(|(name, ..)| (*name).to_owned()).chain(of_kinds)
}

/// Returns the names of at most [`MAX_REASONS`] features that contributed most to the decision. `contributions` are those
/// of the features, followed by that of the wording.
fn reasons(contributions: &[f32], amount: Amount) -> Vec<String> {
    let sign = if amount == Amount::Silent { -1.0 } else { 1.0 };
    let names = feature_names().chain([WORDING.to_owned()]);
    let mut named: Vec<(f32, String)> = contributions.iter().copied().zip(names).collect();
    named.retain(|(contribution, _)| contribution * sign >= MIN_CONTRIBUTION);
    named.sort_by(|a, b| (b.0 * sign).total_cmp(&(a.0 * sign)).then_with(|| a.1.cmp(&b.1)));
    // The wording is named last, because it tells a user less than the other features.
    named.sort_by_key(|(_, name)| name == WORDING);
    named.into_iter().take(MAX_REASONS).map(|(_, name)| name).collect()
}
