//! `adjutant doctor`: is everything in its place, and if not, what to do about it.
//!
//! Starts the clients to ask for their version and codex's sandbox in an empty folder; never a program a repository names.

mod cache;
mod claude_code;
mod codex;
mod here;
mod rules;

use std::path::Path;
use std::process::ExitCode as Exit;

use clap::Args;
use contract::ExitCode;
use disk::Links;
use serde_json::{Value, json};

use super::repository::At;
use crate::failure::Failure;
use crate::{edge, output};

#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    #[command(flatten)]
    at: At,
}

const AFTER_HELP: &str = "\
ok: in its place · lack: works, but not as well as it could · BAD: does not work. Every line that is not ok has a way out.
Exit codes: 0 nothing is bad · 20 something is.";

/// How a thing stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Good,
    /// Works, but not as well as it could.
    Lacking,
    Bad,
}

impl State {
    /// In JSON.
    fn word(self) -> &'static str {
        match self {
            Self::Good => "ok",
            Self::Lacking => "lacking",
            Self::Bad => "bad",
        }
    }

    /// On a terminal, all as wide.
    fn mark(self) -> &'static str {
        match self {
            Self::Good => "ok  ",
            Self::Lacking => "lack",
            Self::Bad => "BAD ",
        }
    }
}

/// One thing that was looked at.
struct Finding {
    name: &'static str,
    state: State,
    text: String,
    /// What to do about it.
    way_out: Option<String>,
    /// For programs.
    details: Value,
}

impl Finding {
    fn good(name: &'static str, text: impl Into<String>) -> Self {
        Self { name, state: State::Good, text: text.into(), way_out: None, details: Value::Null }
    }

    fn lacking(name: &'static str, text: impl Into<String>, way_out: impl Into<String>) -> Self {
        Self { state: State::Lacking, way_out: Some(way_out.into()), ..Self::good(name, text) }
    }

    fn bad(name: &'static str, text: impl Into<String>, way_out: impl Into<String>) -> Self {
        Self { state: State::Bad, way_out: Some(way_out.into()), ..Self::good(name, text) }
    }

    fn with(self, details: Value) -> Self {
        Self { details, ..self }
    }

    /// The name in JSON: it stays when the words around it change.
    fn id(&self) -> String {
        self.name.to_lowercase().replace(' ', "-")
    }
}

/// Ends with 20 when something is bad; what is only lacking does not fail.
pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let environment = edge::environment();
    let mut findings = here::programs();
    let top = arguments.at.top().ok();
    findings.extend(claude_code::look(&environment, top.as_deref()));
    findings.extend(codex::look(&environment, top.as_deref()));
    findings.push(cache::look(&environment));
    findings.extend(here::repository(&arguments.at));
    if arguments.at.json {
        output::data(&as_json(&findings));
    } else {
        findings.iter().for_each(|finding| output::data(&as_text(finding)));
    }
    let is_bad = findings.iter().any(|finding| finding.state == State::Bad);
    Ok(if is_bad { Exit::from(ExitCode::Configuration.number()) } else { Exit::SUCCESS })
}

/// No settings of a client are larger.
const MAX_SETTINGS_BYTES: u64 = 64 * 1024 * 1024;

/// The text of a client's settings, empty if it cannot be read. The user may keep the file elsewhere and link to it.
fn settings_text(file: &Path) -> String {
    disk::read_text(file, Links::Follow, MAX_SETTINGS_BYTES).unwrap_or_default()
}

/// Without a home nobody knows where a client's settings are.
fn homeless(name: &'static str, failure: Failure) -> Finding {
    Finding::lacking(name, failure.message, "set HOME to your home folder")
}

/// Names and texts of a repository are as untrusted on a terminal as anywhere.
fn as_text(finding: &Finding) -> String {
    let way_out =
        finding.way_out.as_ref().map(|way| format!("\n      → {}", guard::neutralise(way)));
    let text = guard::neutralise(&finding.text);
    format!("{}  {}: {text}{}", finding.state.mark(), finding.name, way_out.unwrap_or_default())
}

fn as_json(findings: &[Finding]) -> String {
    let count = |state| findings.iter().filter(|finding| finding.state == state).count();
    let listed: Vec<_> = findings
        .iter()
        .map(|finding| {
            json!({
                "id": finding.id(), "name": finding.name, "state": finding.state.word(), "text": finding.text,
                "way_out": finding.way_out, "details": finding.details,
            })
        })
        .collect();
    json!({
        "version": env!("CARGO_PKG_VERSION"), "ok": count(State::Bad) == 0, "bad": count(State::Bad),
        "lacking": count(State::Lacking), "findings": listed,
    })
    .to_string()
}
