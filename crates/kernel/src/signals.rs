//! Extracts signals from a prompt: words from the vocabulary, code, the location that the prompt is about, and
//! references to earlier prompts. Each signal has a weight.

use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

use contract::{Request, Signal, SignalKind};
use engine::{CodeWord, CodeWordKind, DirectQuestion, Query, ReadPrompt};
use index::text::stem;
use policy::ToolId;

use crate::intent::{Intent, Need};
use crate::vocabulary::{self, FOLLOW_UPS, FORMS, PRONOUNS, QUESTIONS, Word};

/// The maximum length of a prompt that may refer to an earlier prompt.
const MAX_FOLLOW_UP_CHARS: usize = 60;
/// The minimum weight at which a single signal shows that a prompt is about code.
const CODE_THRESHOLD: f64 = 0.55;
const MAX_SIGNALS: usize = 24;
const MAX_CODE_SIGNALS: usize = 12;
const STACK_TRACE: &str = "stack trace";

/// A prompt that has been read, with its signals and intent.
#[derive(Clone, Debug, PartialEq)]
pub struct Reading {
    /// The signals, grouped by kind. Within a kind, the highest weight comes first.
    pub signals: Vec<Signal>,
    pub intent: Intent,
    pub prompt: Arc<ReadPrompt>,
}

/// Reads the prompt of a request. This is the only place where it is read: the gate, the plan and the tools get the
/// reading.
#[must_use]
pub fn read_signals(request: &Request) -> Reading {
    let prompt = ReadPrompt::new(request.prompt.clone());
    let ReadPrompt { query, questions, .. } = &prompt;
    let words = Words::new(&prompt.text, query);
    let vocabulary: Vec<Word> = vocabulary::words().collect();
    let mut signals = explicit(&words, &vocabulary);
    signals.extend(code(query));
    signals.extend(implicit(request));
    signals.extend(historical(request, &words.lower));
    let mut needs = needs(&words, query);
    // `ci_graph_rag` answers direct questions. Any need other than a scan adds it to the plan.
    if !questions.is_empty() && needs.iter().all(|need| *need == Need::Scan) {
        needs.insert(Need::Structure);
    }
    let is_code = is_code(&words.lower, &signals, &vocabulary)
        || questions.iter().any(DirectQuestion::is_about_code);
    signals.sort_by(|a, b| a.kind.cmp(&b.kind).then(b.weight.total_cmp(&a.weight)));
    signals.truncate(MAX_SIGNALS);
    Reading { signals, intent: Intent { is_code, needs }, prompt: Arc::new(prompt) }
}

pub(crate) fn signal(kind: SignalKind, matched: &str, weight: f64) -> Signal {
    Signal { kind, matched: matched.chars().take(80).collect(), weight }
}

/// The words of a prompt, prepared for the comparison with the vocabulary.
struct Words {
    lower: String,
    /// The words, and the base forms of inflected words.
    forms: HashSet<String>,
}

impl Words {
    fn new(prompt: &str, query: &Query) -> Self {
        let mut forms = HashSet::new();
        for word in &query.words {
            let mut stemmed = word.clone();
            stem(&mut stemmed);
            let is_form = |(form, _): &&(&str, &str)| form == word || *form == stemmed;
            let irregular = FORMS.iter().filter(is_form).map(|(_, base)| (*base).to_owned());
            forms.extend(irregular);
            if stemmed != *word {
                forms.insert(format!("{stemmed}e"));
                forms.insert(stemmed);
            }
            forms.insert(word.clone());
        }
        Self { lower: prompt.to_lowercase(), forms }
    }

    /// Returns whether the prompt contains `text`: an English word in any form, an English phrase, or a Chinese word.
    fn contain(&self, text: &str) -> bool {
        if text.is_ascii() && !text.contains(' ') {
            self.forms.contains(text)
        } else {
            self.lower.contains(text)
        }
    }
}

fn explicit(words: &Words, vocabulary: &[Word]) -> Vec<Signal> {
    vocabulary
        .iter()
        .filter(|word| words.contain(word.text))
        .map(|word| signal(SignalKind::Explicit, word.text, word.weight))
        .collect()
}

fn code(query: &Query) -> Vec<Signal> {
    let code = |matched: &str, weight: f64| signal(SignalKind::Code, matched, weight);
    let block = query.has_code_block.then(|| code("code block", 0.8));
    let trace = query.has_trace.then(|| code(STACK_TRACE, 0.9));
    let words = query.code_words.iter().map(|CodeWord { kind, text }| {
        let weight = match kind {
            CodeWordKind::Error => 0.9,
            CodeWordKind::Reference => 0.8,
            CodeWordKind::Path | CodeWordKind::Identifier => 0.7,
        };
        code(text, weight)
    });
    let mut signals: Vec<Signal> = block.into_iter().chain(trace).collect();
    for word in words {
        let is_new = signals.iter().all(|known| known.matched != word.matched);
        if is_new && signals.len() < MAX_CODE_SIGNALS {
            signals.push(word);
        }
    }
    signals
}

fn implicit(request: &Request) -> Vec<Signal> {
    let mut signals = Vec::new();
    if let Some(file) = &request.file {
        let location = request.line.map_or_else(|| file.clone(), |line| format!("{file}:{line}"));
        signals.push(signal(SignalKind::Implicit, &location, 0.6));
    }
    if let Some(function) = &request.function {
        signals.push(signal(SignalKind::Code, function, 0.7));
    }
    signals
}

fn historical(request: &Request, lower: &str) -> Vec<Signal> {
    let mut signals = Vec::new();
    if request.with_history {
        signals.push(signal(SignalKind::Historical, "with-history", 0.6));
    }
    if let Some(phrase) = follow_up(lower) {
        signals.push(signal(SignalKind::Historical, phrase, 0.4));
    }
    signals
}

fn follow_up(lower: &str) -> Option<&'static str> {
    let is_short = lower.chars().count() <= MAX_FOLLOW_UP_CHARS;
    FOLLOW_UPS.iter().copied().find(|phrase| is_short && lower.contains(phrase))
}

/// Returns whether a prompt can be understood only together with an earlier prompt, as in "go on" or "who calls it?".
/// Returns false if the prompt names a file or an identifier, or if it contains no request, as in "thanks, that works".
pub(crate) fn refers_back(reading: &Reading) -> bool {
    let lower = reading.prompt.text.to_lowercase();
    if lower.chars().count() > MAX_FOLLOW_UP_CHARS
        || reading.signals.iter().any(|signal| signal.kind == SignalKind::Code)
    {
        return false;
    }
    let has_word = |wanted: &str| reading.prompt.query.words.iter().any(|word| word == wanted);
    let has_pronoun = PRONOUNS.iter().any(|pronoun| {
        if pronoun.is_ascii() { has_word(pronoun) } else { lower.contains(pronoun) }
    });
    let has_request = asks_in(&lower)
        || !reading.intent.needs.is_empty()
        || reading.signals.iter().any(|signal| signal.kind == SignalKind::Explicit);
    follow_up(&lower).is_some() || (has_pronoun && has_request)
}

fn needs(words: &Words, query: &Query) -> BTreeSet<Need> {
    let phrases = vocabulary::needs().filter(|(phrase, _)| words.contain(phrase));
    let trace = query.has_trace.then_some(Need::Question(ToolId::BugLocate));
    phrases.map(|(_, need)| need).chain(trace).collect()
}

/// Returns whether a prompt is about code: it has one strong signal or several weak ones. A verb alone ("fix my sink") is not
/// enough, unless the prompt is a question and the verb is typical of programming.
fn is_code(lower: &str, signals: &[Signal], vocabulary: &[Word]) -> bool {
    let is_weak_action = |word: &&Word| word.is_action && word.weight < CODE_THRESHOLD;
    let verbs: Vec<&str> = vocabulary.iter().filter(is_weak_action).map(|word| word.text).collect();
    let (actions, things): (Vec<&Signal>, Vec<&Signal>) =
        signals.iter().partition(|signal| verbs.contains(&signal.matched.as_str()));
    let strongest =
        |signals: &[&Signal]| signals.iter().map(|signal| signal.weight).fold(0.0, f64::max);
    let (action, thing) = (strongest(&actions), strongest(&things));
    let sum_of_things: f64 = things.iter().map(|signal| signal.weight).sum();
    thing >= CODE_THRESHOLD
        || sum_of_things >= 0.9
        || (action > 0.0 && thing >= 0.4)
        || (action >= 0.45 && asks_in(lower))
}

/// Returns whether a prompt contains a question.
pub(crate) fn asks(prompt: &str) -> bool {
    asks_in(&prompt.to_lowercase())
}

fn asks_in(lower: &str) -> bool {
    QUESTIONS.iter().any(|question| lower.contains(question))
}

#[cfg(test)]
mod tests;
