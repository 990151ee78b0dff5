//! What a prompt says: words, structure, place and history, each with a weight. Pure.

mod structure;

use contract::{Request, Signal, SignalKind};

use crate::intent::{Intent, Need};
use crate::vocabulary::{CHINESE, DEEDS, FOLLOW_UPS, NEEDS, PRONOUNS, QUESTIONS, THINGS};

/// A longer prompt says itself what it is about.
const SHORT: usize = 60;
/// Enough to say that a prompt is about code.
const CODE_THRESHOLD: f64 = 0.55;
const MAX_SIGNALS: usize = 24;

/// A prompt, read.
#[derive(Clone, Debug, PartialEq)]
pub struct Reading {
    /// Strongest first within each kind.
    pub signals: Vec<Signal>,
    pub intent: Intent,
}

#[must_use]
pub fn read_signals(request: &Request) -> Reading {
    let lower = request.prompt.to_lowercase();
    let words: Vec<&str> = lower
        .split(|c: char| !c.is_alphanumeric() && c != '-' && c != '_')
        .filter(|word| !word.is_empty())
        .collect();
    let mut signals = explicit(&lower, &words);
    signals.extend(structure::signals(&request.prompt));
    signals.extend(implicit(request));
    signals.extend(historical(request, &lower));
    let needs = needs(&lower, &words, &signals);
    let is_code = is_code(&lower, &signals);
    signals.sort_by(|a, b| a.kind.cmp(&b.kind).then(b.weight.total_cmp(&a.weight)));
    signals.truncate(MAX_SIGNALS);
    Reading { signals, intent: Intent { is_code, needs } }
}

pub(crate) fn signal(kind: SignalKind, matched: &str, weight: f64) -> Signal {
    Signal { kind, matched: matched.chars().take(80).collect(), weight }
}

fn explicit(lower: &str, words: &[&str]) -> Vec<Signal> {
    let english = THINGS.iter().chain(DEEDS).filter(|word| has_english(lower, words, word.text));
    let chinese = CHINESE.iter().filter(|word| lower.contains(word.text));
    english
        .chain(chinese)
        .map(|word| signal(SignalKind::Explicit, word.text, word.weight))
        .collect()
}

/// A single word must stand alone, give or take its ending; a phrase is looked for as it is.
fn has_english(lower: &str, words: &[&str], wanted: &str) -> bool {
    if wanted.contains(' ') {
        return lower.contains(wanted);
    }
    words.iter().any(|word| *word == wanted || is_inflection(word, wanted))
}

fn is_inflection(word: &str, base: &str) -> bool {
    if base.len() < 3 {
        return false;
    }
    let without_e = base.strip_suffix('e').unwrap_or(base);
    let endings = ["s", "es", "ed", "d", "ing", "er", "ers"];
    let consonant_y =
        base.strip_suffix('y').is_some_and(|stem| word.strip_prefix(stem) == Some("ies"));
    // `debugged`, `debugging`: the last letter is doubled.
    let doubled = word.strip_prefix(base).is_some_and(|rest| {
        rest.strip_prefix(&base[base.len() - 1..]).is_some_and(|rest| endings.contains(&rest))
    });
    consonant_y
        || doubled
        || word.strip_prefix(base).is_some_and(|rest| endings.contains(&rest))
        || (without_e != base && word.strip_prefix(without_e).is_some_and(|rest| rest == "ing"))
}

fn implicit(request: &Request) -> Vec<Signal> {
    let mut signals = Vec::new();
    if let Some(file) = &request.file {
        let place = request.line.map_or_else(|| file.clone(), |line| format!("{file}:{line}"));
        signals.push(signal(SignalKind::Implicit, &place, 0.6));
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
    let is_short = lower.chars().count() <= SHORT;
    FOLLOW_UPS.iter().copied().find(|phrase| is_short && lower.contains(phrase))
}

/// Whether a prompt leaves its subject to what was said before: "go on", "who calls it?". One that names a file or an
/// identifier has a subject of its own, and "thanks, that works" wants nothing.
pub(crate) fn refers_back(prompt: &str, reading: &Reading) -> bool {
    let lower = prompt.to_lowercase();
    if lower.chars().count() > SHORT
        || reading.signals.iter().any(|signal| signal.kind == SignalKind::Code)
    {
        return false;
    }
    let words: Vec<&str> = lower.split(|c: char| !c.is_alphanumeric()).collect();
    let points = PRONOUNS.iter().any(|pronoun| {
        if pronoun.is_ascii() { words.contains(pronoun) } else { lower.contains(pronoun) }
    });
    let wants = asks_in(&lower)
        || !reading.intent.needs.is_empty()
        || reading.signals.iter().any(|signal| signal.kind == SignalKind::Explicit);
    follow_up(&lower).is_some() || (points && wants)
}

fn needs(lower: &str, words: &[&str], signals: &[Signal]) -> std::collections::BTreeSet<Need> {
    let phrases = NEEDS.iter().filter(|(phrase, _)| {
        if phrase.is_ascii() { has_english(lower, words, phrase) } else { lower.contains(phrase) }
    });
    let mut needs: std::collections::BTreeSet<Need> = phrases.map(|(_, need)| *need).collect();
    if signals.iter().any(|signal| signal.matched == structure::STACK_TRACE) {
        needs.insert(Need::Locate);
    }
    needs
}

/// One strong signal, or two that agree. A deed alone, without a thing it is done to, may as well be about a
/// cake; a question about a deed of software is not.
fn is_code(lower: &str, signals: &[Signal]) -> bool {
    let is_deed = |signal: &&Signal| {
        DEEDS.iter().any(|deed| deed.text == signal.matched && deed.weight < CODE_THRESHOLD)
    };
    let strongest = |signals: &mut dyn Iterator<Item = &Signal>| {
        signals.map(|signal| signal.weight).fold(0.0, f64::max)
    };
    let deed = strongest(&mut signals.iter().filter(is_deed));
    let thing = strongest(&mut signals.iter().filter(|signal| !is_deed(signal)));
    let things: f64 =
        signals.iter().filter(|signal| !is_deed(signal)).map(|signal| signal.weight).sum();
    let asks = asks_in(lower);
    thing >= CODE_THRESHOLD
        || things >= 0.9
        || (deed > 0.0 && thing >= 0.4)
        || (deed >= 0.45 && asks)
}

/// Whether a prompt asks rather than tells.
pub(crate) fn asks(prompt: &str) -> bool {
    asks_in(&prompt.to_lowercase())
}

fn asks_in(lower: &str) -> bool {
    QUESTIONS.iter().any(|question| lower.contains(question))
}

#[cfg(test)]
mod tests;
