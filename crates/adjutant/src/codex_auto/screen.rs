//! What a person or a program sees: answers and JSON on stdout, everything else on stderr.

use std::collections::BTreeSet;
use std::io::IsTerminal;
use std::time::Duration;

use anstyle::{AnsiColor, Style};
use codex::{Talked, Told};
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::{Value, json};

use super::arguments::Audience;
use super::briefing::Briefed;
use crate::output;

const DIM: Style = Style::new().dimmed();

/// Changes when a field of `--json` is renamed or taken away.
const FORMAT: &str = "codex-auto/1";

pub(super) struct Screen {
    audience: Audience,
    /// Somebody sits there and can be asked to type something.
    is_interactive: bool,
    spinner: Option<ProgressBar>,
    /// What a codex without events printed, for `--json`.
    captured: Vec<u8>,
    /// Warnings that codex repeats with every prompt are shown once.
    warned: BTreeSet<String>,
}

/// One prompt of `--json`.
pub(super) struct Report<'a> {
    pub(super) briefing: Option<&'a Briefed>,
    /// None: nothing was run.
    pub(super) codex: Option<(&'a [String], &'a Talked)>,
    pub(super) limits: &'a [String],
    pub(super) exit: u8,
}

impl Screen {
    pub(super) fn new(audience: Audience, is_interactive: bool) -> Self {
        Self {
            audience,
            is_interactive,
            spinner: None,
            captured: Vec::new(),
            warned: BTreeSet::new(),
        }
    }

    pub(super) fn is_interactive(&self) -> bool {
        self.is_interactive
    }

    pub(super) fn is_for_program(&self) -> bool {
        self.audience == Audience::Program
    }

    pub(super) fn say(&self, text: &str) {
        match &self.spinner {
            Some(spinner) => spinner.suspend(|| output::talk(text)),
            None => output::talk(text),
        }
    }

    pub(super) fn aside(&self, text: &str) {
        self.say(&format!("{DIM}{text}{DIM:#}"));
    }

    /// One or two lines above the answer.
    pub(super) fn briefing(&self, briefed: &Briefed) {
        let cyan = Style::new().fg_color(Some(AnsiColor::Cyan.into()));
        let has_limits = self.is_interactive && !briefed.limits_text().is_empty();
        let more = if has_limits { " (/limits)" } else { "" };
        self.say(&format!("{cyan}{}{more}{cyan:#}", briefed.summary()));
        if let Some(warning) = briefed.warning() {
            self.limit(warning);
        }
    }

    pub(super) fn limit(&self, line: &str) {
        let yellow = Style::new().fg_color(Some(AnsiColor::Yellow.into()));
        self.say(&format!("{yellow}{line}{yellow:#}"));
    }

    pub(super) fn begin_waiting(&mut self, what: &'static str) {
        if self.is_for_program() || !std::io::stderr().is_terminal() {
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

    pub(super) fn told(&mut self, told: Told<'_>) {
        match told {
            Told::Warning(line) => {
                if self.warned.insert(line.to_owned()) {
                    self.aside(&printable(line));
                }
            }
            Told::Progress(line) => self.aside(&printable(line)),
            Told::Stdout(bytes) if self.is_for_program() => self.captured.extend_from_slice(bytes),
            Told::Stdout(bytes) => {
                self.end_waiting();
                output::pass_on_data(bytes);
            }
            Told::Stderr(bytes) => {
                self.end_waiting();
                output::pass_on_talk(bytes);
            }
        }
    }

    pub(super) fn answer(&mut self, answer: &str) {
        if !self.is_for_program() {
            let is_shown = std::io::stdout().is_terminal();
            output::data(&if is_shown { printable(answer) } else { answer.to_owned() });
            if self.is_interactive {
                self.say("");
            }
        }
    }

    /// One object a line.
    pub(super) fn report(&mut self, report: &Report<'_>) {
        if !self.is_for_program() {
            return;
        }
        let captured = std::mem::take(&mut self.captured);
        let codex = report.codex.map(|(command, talked)| codex_json(command, talked, &captured));
        let line = json!({
            "format": FORMAT,
            "briefing": report.briefing.map(|briefed| &briefed.json),
            "codex": codex,
            "limits": report.limits,
            "exit_code": report.exit,
        });
        output::data(&line.to_string());
    }
}

fn codex_json(command: &[String], talked: &Talked, captured: &[u8]) -> Value {
    let printed = String::from_utf8_lossy(captured);
    let printed = Some(printed.trim_end()).filter(|printed| !printed.is_empty());
    json!({
        "command": command,
        "thread_id": talked.thread,
        "is_new_thread": talked.is_new_thread,
        "answer": talked.answer.as_deref().or(printed),
        "exit_code": talked.exit_code(),
        "classification": talked.classification.word(),
        "reason": talked.reason,
        "usage": talked.usage.map(|usage| json!({
            "input_tokens": usage.input,
            "cached_input_tokens": usage.cached_input,
            "output_tokens": usage.output,
        })),
        "duration_ms": u64::try_from(talked.duration.as_millis()).unwrap_or(u64::MAX),
    })
}

/// What a model says may hold anything; a terminal must not act on it.
fn printable(text: &str) -> String {
    text.chars().filter(|c| !c.is_control() || matches!(c, '\n' | '\t')).collect()
}
