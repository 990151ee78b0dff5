//! One prompt of a session: what it takes from the prompts before it, and what it leaves to the next.
//!
//! The transcript keeps every briefing, and the client sends it again with each turn: a finding that is repeated costs twice
//! and says nothing. Old ones are shown again, because clients shorten long transcripts.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use contract::{Evidence, Limit, ModelText, Request, SignalKind};
use policy::{Mode, Settings, Switch};

use crate::fusion::{Fused, strongest_first};
use crate::memory::{self, Memory, Remembered, Shown, Subject};
use crate::run_id::hash;
use crate::signals::{Reading, refers_back, signal};
use crate::{inputs, model_text};

/// What was shown so many briefings ago may be gone from the transcript.
const BRIEFINGS: u64 = 20;
const SECONDS: u64 = 4 * 60 * 60;
const MAX_SHOWN: usize = 400;
const SUBJECT_CHARS: usize = 600;
/// A finding this sure is what "it" means.
const SURE: f64 = 0.3;
const WEIGHT: f64 = 0.6;
/// So many places are named when findings are left out.
const NAMED: usize = 5;

/// A session as it is when a prompt arrives.
pub(crate) struct Session<'a> {
    memory: &'a Memory,
    file: PathBuf,
    remembered: Remembered,
    /// The prompt does not say itself what it is about.
    is_follow_up: bool,
    /// The best finding, known or new; none if there was none.
    best: Option<Evidence>,
}

impl<'a> Session<'a> {
    /// None without a session, and none for a prompt that nothing is done for: a plan remembers nothing.
    pub(crate) fn recall(
        memory: Option<&'a Memory>,
        request: &Request,
        root: &Path,
        settings: &Settings,
    ) -> Option<Self> {
        let is_idle = settings.mode.value == Mode::Plan
            || settings.switch.value == Switch::Off
            || inputs::is_for_the_client(&request.prompt);
        let memory = memory.filter(|_| !is_idle)?;
        let file = memory.file(request, root)?;
        let remembered = memory::read(&file);
        Some(Self { memory, file, remembered, is_follow_up: false, best: None })
    }

    /// A prompt that points back gets the subject it points to: as a signal, and in the request to search with.
    pub(crate) fn follow_up(
        &mut self,
        reading: &mut Reading,
        request: &Request,
    ) -> Option<Request> {
        let subject = self.remembered.subject.as_ref()?;
        if !refers_back(&request.prompt, reading) {
            return None;
        }
        self.is_follow_up = true;
        reading.intent.is_code = true;
        let about = format!("session: {}", subject.symbol.as_ref().unwrap_or(&subject.text));
        reading.signals.push(signal(SignalKind::Historical, &about, WEIGHT));
        let named = subject.symbol.as_ref().map(|symbol| format!("\n`{symbol}`"));
        let prompt = format!("{}\n{}{}", request.prompt, subject.text, named.unwrap_or_default());
        Some(Request { prompt, ..request.clone() })
    }

    /// Takes out what the model has read already, and says which places that were.
    pub(crate) fn without_repeats(&mut self, fused: &mut Fused) -> Option<Limit> {
        self.best = strongest_first(&fused.items).first().map(|best| (*best).clone());
        let known = self.known();
        let mut repeated: Vec<(f64, String)> = Vec::new();
        fused.items.retain_mut(|item| {
            let is_known = known.contains(finding_hash(item).as_str());
            let knows_snippet =
                snippet_hash(item).is_none_or(|snippet| known.contains(snippet.as_str()));
            if is_known && knows_snippet {
                let place = item.citation().unwrap_or_else(|| item.title.clone());
                repeated.push((item.confidence, place));
                return false;
            }
            if knows_snippet {
                item.snippet = None;
            }
            true
        });
        repeated.sort_by(|a, b| b.0.total_cmp(&a.0));
        let mut places: Vec<String> = Vec::new();
        for (_, place) in repeated {
            if !places.contains(&place) {
                places.push(place);
            }
        }
        (!places.is_empty()).then(|| {
            let more = if places.len() > NAMED { ", …" } else { "" };
            Limit::Said(format!(
                "shown earlier in this session, not repeated: {}{more}",
                places[..places.len().min(NAMED)].join(", ")
            ))
        })
    }

    /// What of the briefing reached the model, for the next prompt.
    pub(crate) fn remember(self, request: &Request, fused: &Fused, context: &str) {
        let Self { memory, file, mut remembered, is_follow_up, best } = self;
        let now = memory.seconds();
        remembered.n_briefings = remembered.n_briefings.saturating_add(1);
        let briefing = remembered.n_briefings;
        let strongest = strongest_first(&fused.items);
        let n_seen = seen(context, memory.most_units).saturating_sub(fused.conflicts.len());
        for item in strongest.iter().take(n_seen) {
            let hashes = [Some(finding_hash(item)), snippet_hash(item)];
            let shown = hashes.into_iter().flatten();
            remembered.shown.extend(shown.map(|hash| Shown { hash, briefing, at: now }));
        }
        let too_many = remembered.shown.len().saturating_sub(MAX_SHOWN);
        remembered.shown.drain(..too_many);
        if let Some(best) = best.filter(|_| !is_follow_up) {
            remembered.subject = Some(Subject {
                text: model_text::safe(&request.prompt).chars().take(SUBJECT_CHARS).collect(),
                symbol: best.symbol.filter(|_| best.confidence >= SURE),
            });
        }
        // A session that is not remembered repeats itself, nothing else.
        let _forgotten = memory.write(&file, &remembered);
    }

    fn known(&self) -> BTreeSet<&str> {
        let Remembered { n_briefings, shown, .. } = &self.remembered;
        let now = self.memory.seconds();
        shown
            .iter()
            .filter(|shown| n_briefings.saturating_sub(shown.briefing) < BRIEFINGS)
            .filter(|shown| now.saturating_sub(shown.at) < SECONDS)
            .map(|shown| shown.hash.as_str())
            .collect()
    }
}

/// How many findings are in the part of a text that a client hands on.
fn seen(context: &str, most_units: usize) -> usize {
    let fits = |text: &str| text.len() <= most_units && text.encode_utf16().count() <= most_units;
    let text = ModelText::parse(context);
    let n_findings = text.fit(fits).n_findings;
    // The last of them may be the mark that stands for those left out.
    text.findings.iter().take(n_findings).filter(|finding| finding.starts_with("- ")).count()
}

fn finding_hash(item: &Evidence) -> String {
    let line = item.line.unwrap_or_default().to_string();
    let path = item.path.as_deref().unwrap_or_default();
    let symbol = item.symbol.as_deref().unwrap_or_default();
    hash(&[&item.tool, path, &line, symbol, &item.title, &item.summary], 16)
}

fn snippet_hash(item: &Evidence) -> Option<String> {
    let path = item.path.as_deref().unwrap_or_default();
    item.snippet.as_deref().map(|snippet| hash(&["snippet", path, snippet], 16))
}

#[cfg(test)]
mod tests;
