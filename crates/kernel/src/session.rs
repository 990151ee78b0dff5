//! Connects the prompts of a session: finds the subject of follow-ups, and leaves out findings that the model has already
//! read.
//!
//! The client keeps each briefing in its transcript and sends it again with each turn, so a repeated finding would be sent
//! twice. After a compaction, in which the client replaces the conversation with a summary, the model no longer has them, and
//! they are shown again. Old findings are shown again in any case, because not every client reports its compactions.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use contract::{Evidence, Limit, Request, SignalKind};
use policy::{BriefingMode, Settings, Switch};

use crate::fusion::{Fused, strongest_first};
use crate::memory::{self, Memory, Remembered, Shown, Subject};
use crate::run_id::hash;
use crate::signals::{Reading, refers_back, signal};
use crate::{inputs, model_text};

/// The number of briefings after which a finding is shown again.
const MAX_AGE_BRIEFINGS: u64 = 20;
/// The time after which a finding is shown again.
const MAX_AGE_SECONDS: u64 = 4 * 60 * 60;
const MAX_SHOWN: usize = 400;
const MAX_SUBJECT_CHARS: usize = 600;
/// The minimum confidence of a finding whose symbol becomes the subject of follow-ups.
const MIN_SUBJECT_CONFIDENCE: f64 = 0.3;
const SUBJECT_WEIGHT: f64 = 0.6;
/// The maximum number of locations listed in the note about findings that were shown earlier.
const MAX_NAMED: usize = 5;

/// The state of a session while one prompt is handled.
pub(crate) struct Session<'a> {
    memory: &'a Memory,
    file: PathBuf,
    remembered: Remembered,
    /// Whether the model has lost findings in a compaction since the last prompt.
    is_forgotten: bool,
    /// Whether the prompt refers to the subject of an earlier prompt.
    is_follow_up: bool,
    /// The strongest finding for the prompt, even if the model has already read it.
    best: Option<Evidence>,
}

impl<'a> Session<'a> {
    /// Reads the session file. Returns `None` if nothing is to be remembered: without a session id or a session memory,
    /// in plan mode, if briefings are disabled, and for a prompt that is meant for the client.
    pub(crate) fn recall(
        memory: Option<&'a Memory>,
        request: &Request,
        root: &Path,
        settings: &Settings,
    ) -> Option<Self> {
        let is_idle = settings.mode.value == BriefingMode::Plan
            || settings.switch.value == Switch::Off
            || inputs::is_for_the_client(&request.prompt);
        let memory = memory.filter(|_| !is_idle)?;
        let file = memory.file(request, root)?;
        let mut remembered = memory::read(&file);
        let n_shown = remembered.shown.len();
        let compacted_at = request.activity.as_ref().and_then(|activity| activity.compacted_at);
        // Within the same second, the order is unknown. A repeated finding does less harm than a missing one.
        remembered.shown.retain(|shown| compacted_at.is_none_or(|compacted| shown.at > compacted));
        let is_forgotten = remembered.shown.len() < n_shown;
        Some(Self { memory, file, remembered, is_forgotten, is_follow_up: false, best: None })
    }

    /// Returns whether the prompt refers to a subject whose findings the model has lost in a compaction.
    pub(crate) fn has_lost_subject(&self) -> bool {
        self.is_forgotten && self.is_follow_up
    }

    /// Returns whether the session has had no briefing yet.
    pub(crate) fn is_first(&self) -> bool {
        self.remembered.n_briefings == 0
    }

    /// If the prompt refers to an earlier prompt, returns the prompt followed by the subject of the earlier prompt. Also
    /// adds the subject to the signals. Otherwise returns `None`.
    pub(crate) fn follow_up(&mut self, reading: &mut Reading) -> Option<String> {
        let subject = self.remembered.subject.as_ref()?;
        if !refers_back(reading) {
            return None;
        }
        self.is_follow_up = true;
        reading.intent.is_code = true;
        let about = format!("session: {}", subject.symbol.as_ref().unwrap_or(&subject.text));
        reading.signals.push(signal(SignalKind::Historical, &about, SUBJECT_WEIGHT));
        let named = subject.symbol.as_ref().map(|symbol| format!("\n`{symbol}`"));
        Some(format!("{}\n{}{}", reading.prompt.text, subject.text, named.unwrap_or_default()))
    }

    /// Removes findings and snippets that the model has already read. Returns a `[Limits]` message with the locations
    /// of the removed findings, or `None` if no finding was removed.
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
            let more = if places.len() > MAX_NAMED { ", …" } else { "" };
            Limit::Said(format!(
                "shown earlier in this session, not repeated: {}{more}",
                places[..places.len().min(MAX_NAMED)].join(", ")
            ))
        })
    }

    /// Stores which findings the model has read, and the subject of the prompt. The model has read the
    /// `n_read` strongest findings. `is_briefed` says whether it has read anything at all.
    pub(crate) fn remember(
        self,
        request: &Request,
        fused: &Fused,
        n_read: usize,
        is_briefed: bool,
    ) {
        let Self { memory, file, mut remembered, is_follow_up, best, .. } = self;
        let now = memory.seconds();
        remembered.n_briefings = remembered.n_briefings.saturating_add(u64::from(is_briefed));
        let briefing = remembered.n_briefings;
        let strongest = strongest_first(&fused.items);
        for item in strongest.iter().take(n_read) {
            let hashes = [Some(finding_hash(item)), snippet_hash(item)];
            let shown = hashes.into_iter().flatten();
            remembered.shown.extend(shown.map(|hash| Shown { hash, briefing, at: now }));
        }
        let too_many = remembered.shown.len().saturating_sub(MAX_SHOWN);
        remembered.shown.drain(..too_many);
        if let Some(best) = best.filter(|_| !is_follow_up) {
            remembered.subject = Some(Subject {
                text: model_text::safe(&request.prompt).chars().take(MAX_SUBJECT_CHARS).collect(),
                symbol: best.symbol.filter(|_| best.confidence >= MIN_SUBJECT_CONFIDENCE),
            });
        }
        // If the file cannot be written, the next briefing repeats findings.
        let _ignored = memory.write(&file, &remembered);
    }

    fn known(&self) -> BTreeSet<&str> {
        let Remembered { n_briefings, shown, .. } = &self.remembered;
        let now = self.memory.seconds();
        shown
            .iter()
            .filter(|shown| n_briefings.saturating_sub(shown.briefing) < MAX_AGE_BRIEFINGS)
            .filter(|shown| now.saturating_sub(shown.at) < MAX_AGE_SECONDS)
            .map(|shown| shown.hash.as_str())
            .collect()
    }
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
