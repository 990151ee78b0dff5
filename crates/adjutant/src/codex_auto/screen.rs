//! Prints answers and JSON to standard output, and everything else to standard error.

use std::collections::BTreeSet;
use std::io::IsTerminal;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use runs::TurnOutput;
use serde_json::json;

use super::arguments::Settings;
use super::briefing::Briefed;
use super::conversation::Turn;
use crate::{output, style};

/// The version of the `--json` format. The version changes if a field is renamed or removed.
const FORMAT: &str = "codex-auto/1";

pub(super) struct Screen {
    /// Whether standard output gets one JSON object per prompt.
    is_json: bool,
    /// Whether a user types the prompts at a terminal.
    is_interactive: bool,
    spinner: Option<ProgressBar>,
    /// The output of a codex version without JSON events, collected for `--json`.
    captured: Vec<u8>,
    /// Warnings that have been shown. Codex repeats its warnings for every prompt.
    warned: BTreeSet<String>,
}

impl Screen {
    pub(super) fn new(settings: &Settings, is_interactive: bool) -> Self {
        Self {
            is_json: settings.is_json,
            is_interactive,
            spinner: None,
            captured: Vec::new(),
            warned: BTreeSet::new(),
        }
    }

    pub(super) fn is_interactive(&self) -> bool {
        self.is_interactive
    }

    pub(super) fn is_json(&self) -> bool {
        self.is_json
    }

    pub(super) fn say(&self, text: &str) {
        match &self.spinner {
            Some(spinner) => spinner.suspend(|| output::talk(text)),
            None => output::talk(text),
        }
    }

    pub(super) fn aside(&self, text: &str) {
        self.say(&style::paint(style::DIM, text));
    }

    /// Prints the summary of a briefing and, if there is one, its warning.
    pub(super) fn briefing(&self, briefed: &Briefed) {
        let has_limits = self.is_interactive && !briefed.limits_text().is_empty();
        let more = if has_limits { " (/limits)" } else { "" };
        self.say(&style::paint(style::HINT, format!("{}{more}", briefed.summary())));
        if let Some(warning) = briefed.warning() {
            self.limit(warning);
        }
    }

    pub(super) fn limit(&self, line: &str) {
        self.say(&style::paint(style::WARNING, line));
    }

    pub(super) fn begin_waiting(&mut self, what: &'static str) {
        if self.is_json() || !std::io::stderr().is_terminal() {
            return;
        }
        let spinner = ProgressBar::new_spinner().with_message(what);
        if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} · {elapsed}") {
            spinner.set_style(style);
        }
        spinner.enable_steady_tick(Duration::from_millis(120));
        self.spinner = Some(spinner);
    }

    pub(super) fn end_waiting(&mut self) {
        if let Some(spinner) = self.spinner.take() {
            spinner.finish_and_clear();
        }
    }

    pub(super) fn output(&mut self, output: TurnOutput<'_>) {
        match output {
            TurnOutput::Warning(line) => {
                if self.warned.insert(line.to_owned()) {
                    self.aside(line);
                }
            }
            TurnOutput::Progress(line) => self.aside(line),
            TurnOutput::Stdout(bytes) if self.is_json() => {
                self.captured.extend_from_slice(bytes);
            }
            TurnOutput::Stdout(bytes) => {
                self.end_waiting();
                output::pass_on_data(bytes);
            }
            TurnOutput::Stderr(bytes) => {
                self.end_waiting();
                output::pass_on_talk(bytes);
            }
        }
    }

    pub(super) fn answer(&mut self, answer: &str) {
        if !self.is_json() {
            output::data(answer);
            if self.is_interactive {
                self.say("");
            }
        }
    }

    /// With `--json`, prints the result of one prompt as a JSON object on one line. `turn` is `None` if codex was not
    /// started.
    pub(super) fn report(&mut self, briefed: Option<&Briefed>, turn: Option<&Turn>, exit: u8) {
        if !self.is_json() {
            return;
        }
        let captured = std::mem::take(&mut self.captured);
        let printed = String::from_utf8_lossy(&captured);
        let printed = Some(printed.trim_end()).filter(|printed| !printed.is_empty());
        let codex = turn.map(|Turn { command, result, .. }| {
            json!({
                "command": command,
                "thread_id": result.thread,
                "is_new_thread": result.is_new_thread,
                "answer": result.answer.as_deref().or(printed),
                "exit_code": result.exit_code(),
                "classification": result.classification.word(),
                "reason": result.reason,
                "usage": result.usage,
                "duration_ms": u64::try_from(result.duration.as_millis()).unwrap_or(u64::MAX),
            })
        });
        let line = json!({
            "format": FORMAT,
            "briefing": briefed.map(|briefed| &briefed.briefing),
            "codex": codex,
            "limits": turn.map(|turn| turn.limits.as_slice()).unwrap_or_default(),
            "exit_code": exit,
        });
        output::data(&line.to_string());
    }
}
