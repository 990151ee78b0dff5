//! `adjutant doctor`: is everything in its place, and if not, what to do about it.

mod clients;
mod here;

use std::process::ExitCode as Exit;

use clap::Args;
use contract::ExitCode;
use serde_json::json;

use super::repository::At;
use crate::failure::Failure;
use crate::{edge, output};

#[derive(Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    at: At,
}

/// How a thing stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Good,
    /// Works, but not as well as it could.
    Lacking,
    Bad,
}

/// One thing that was looked at.
struct Finding {
    name: &'static str,
    state: State,
    text: String,
    /// What to do about it.
    way_out: Option<String>,
}

impl Finding {
    fn good(name: &'static str, text: impl Into<String>) -> Self {
        Self { name, state: State::Good, text: text.into(), way_out: None }
    }

    fn lacking(name: &'static str, text: impl Into<String>, way_out: impl Into<String>) -> Self {
        Self { name, state: State::Lacking, text: text.into(), way_out: Some(way_out.into()) }
    }

    fn bad(name: &'static str, text: impl Into<String>, way_out: impl Into<String>) -> Self {
        Self { name, state: State::Bad, text: text.into(), way_out: Some(way_out.into()) }
    }
}

/// Ends with 20 when something is bad; what is only lacking does not fail.
pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let environment = edge::environment();
    let mut findings = here::programs();
    findings.extend(clients::claude_code(&environment));
    findings.extend(clients::codex(&environment));
    findings.extend(here::repository(&arguments.at));
    if arguments.at.json {
        output::data(&as_json(&findings));
    } else {
        findings.iter().for_each(|finding| output::data(&as_text(finding)));
    }
    let is_bad = findings.iter().any(|finding| finding.state == State::Bad);
    Ok(if is_bad { Exit::from(ExitCode::Configuration.number()) } else { Exit::SUCCESS })
}

fn as_text(finding: &Finding) -> String {
    let word = match finding.state {
        State::Good => "ok  ",
        State::Lacking => "lack",
        State::Bad => "BAD ",
    };
    let way_out = finding.way_out.as_ref().map(|way| format!("\n       → {way}"));
    format!("{word}  {}: {}{}", finding.name, finding.text, way_out.unwrap_or_default())
}

fn as_json(findings: &[Finding]) -> String {
    let word = |state| match state {
        State::Good => "ok",
        State::Lacking => "lacking",
        State::Bad => "bad",
    };
    let findings: Vec<_> = findings
        .iter()
        .map(|finding| {
            json!({
                "name": finding.name, "state": word(finding.state), "text": finding.text, "way_out": finding.way_out,
            })
        })
        .collect();
    json!({ "findings": findings }).to_string()
}
