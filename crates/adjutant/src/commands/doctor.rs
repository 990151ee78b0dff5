//! `adjutant doctor`: checks the installation and suggests fixes.
//!
//! Starts the clients to read their versions, and tests the codex sandbox in an empty folder. Never starts a program
//! that a repository names.

mod cache;
mod client;
mod codex;
mod log;
mod repository_state;
mod rules;
mod stale;

use std::path::Path;
use std::process::ExitCode as Exit;

use anstyle::Style;
use clap::Args;
use clients::{CLIENTS, Check, State};
use contract::ExitCode;
use process::Environment;
use serde_json::json;

use super::repository::At;
use crate::failure::Failure;
use crate::{edge, output, style};

#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    #[command(flatten)]
    at: At,
}

const AFTER_HELP: &str = "\
ok: works · lack: works, but something is missing · BAD: does not work. Every line that is not ok has a suggested fix.
Exit codes: 0 nothing is bad · 20 something is bad.";

/// Returns the name of a state for the JSON output, its name for the text output, and its colour. All names in the text output
/// have the same width.
fn shown(state: State) -> (&'static str, &'static str, Style) {
    match state {
        State::Good => ("ok", "ok  ", style::GOOD),
        State::Lacking => ("lacking", "lack", style::WARNING),
        State::Bad => ("bad", "BAD ", style::BAD),
    }
}

/// Runs all checks and prints the results. The exit code is 20 if a check has the state [`State::Bad`].
/// [`State::Lacking`] does not count as a failure.
pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let environment = edge::environment();
    let mut checks = vec![repository_state::programs()];
    let top = arguments.at.top().ok();
    checks.extend(clients(&environment, top.as_deref()));
    checks.push(cache::check(&environment));
    checks.push(log::check(&environment));
    checks.extend(repository_state::repository(&arguments.at));
    if arguments.at.json {
        output::data(&as_json(&checks));
    } else {
        checks.iter().for_each(|check| output::data(&as_text(check)));
    }
    let is_bad = checks.iter().any(|check| check.state == State::Bad);
    Ok(if is_bad { Exit::from(ExitCode::Configuration.number()) } else { Exit::SUCCESS })
}

/// Checks all clients. If at least one client is installed, the missing clients are listed together in one check.
fn clients(environment: &Environment, top: Option<&Path>) -> Vec<Check> {
    let (mut checks, mut missing, mut names) = (Vec::new(), Vec::new(), Vec::new());
    for client in CLIENTS {
        match client::check(client, environment, top) {
            Ok(found) => checks.extend(found),
            Err(check) if check.state == State::Lacking => {
                missing.push(check);
                names.push(client.names().title);
            }
            Err(check) => checks.push(check),
        }
    }
    if checks.is_empty() {
        return missing;
    }
    if !names.is_empty() {
        let text = format!("not on PATH: {}", names.join(", "));
        checks.push(Check::good("other clients", text));
    }
    checks
}

/// Formats a check for a terminal. Removes control characters, because the strings may come from a repository.
fn as_text(check: &Check) -> String {
    let fix = check.fix.as_ref().map(|fix| format!("\n      → {}", guard::neutralise(fix)));
    let text = guard::neutralise(&check.text);
    let (_, mark, colour) = shown(check.state);
    let mark = style::paint(colour, mark);
    format!("{mark}  {}: {text}{}", check.name, fix.unwrap_or_default())
}

fn as_json(checks: &[Check]) -> String {
    let count = |state| checks.iter().filter(|check| check.state == state).count();
    let listed: Vec<_> = checks
        .iter()
        .map(|check| {
            let Check { name, state, text, fix, details } = check;
            // The id stays the same if the other strings of the check change.
            let id = name.to_lowercase().replace(' ', "-");
            let (state, _, _) = shown(*state);
            json!({
                "id": id, "name": name, "state": state, "text": text, "way_out": fix,
                "details": details,
            })
        })
        .collect();
    json!({
        "version": env!("CARGO_PKG_VERSION"), "ok": count(State::Bad) == 0, "bad": count(State::Bad),
        "lacking": count(State::Lacking), "findings": listed,
    })
    .to_string()
}
