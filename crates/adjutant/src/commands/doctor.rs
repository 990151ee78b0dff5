//! `adjutant doctor`: checks the installation and suggests fixes.
//!
//! Starts the clients to read their versions, and tests the codex sandbox in an empty folder. Never starts a program
//! that a repository names.

mod client;
mod codex;
mod repository_state;
mod rules;

use std::fs;
use std::path::Path;
use std::process::ExitCode as Exit;

use anstyle::Style;
use clients::{CLIENTS, Check, CheckState};
use contract::{ExitCode, counted};
use process::Environment;
use serde_json::json;

use super::repository::At;
use crate::failure::Failure;
use crate::{edge, output, run_log, style};

pub(super) const AFTER_HELP: &str = "\
ok: works · lack: works, but something is missing · BAD: does not work. Every line that is not ok has a suggested fix.
Exit codes: 0 nothing is bad · 20 something is bad.";

/// Returns the name of a state for the JSON output, its name for the text output, and its colour. All names in the text output
/// have the same width.
fn shown(state: CheckState) -> (&'static str, &'static str, Style) {
    match state {
        CheckState::Good => ("ok", "ok  ", style::GOOD),
        CheckState::Lacking => ("lacking", "lack", style::WARNING),
        CheckState::Bad => ("bad", "BAD ", style::BAD),
    }
}

/// Runs all checks and prints the results. The exit code is 20 if a check has the state [`CheckState::Bad`].
/// [`CheckState::Lacking`] does not count as a failure.
pub(crate) fn run(at: &At) -> Result<Exit, Failure> {
    let environment = edge::environment();
    let mut checks = vec![repository_state::programs()];
    let top = at.top().ok();
    checks.extend(clients(&environment, top.as_deref()));
    checks.push(cache(&environment));
    checks.push(log(&environment));
    checks.extend(repository_state::repository(at));
    if at.json {
        output::data(&as_json(&checks));
    } else {
        checks.iter().for_each(|check| output::data(&as_text(check)));
    }
    let is_bad = checks.iter().any(|check| check.state == CheckState::Bad);
    Ok(if is_bad { Exit::from(ExitCode::Configuration.number()) } else { Exit::SUCCESS })
}

/// Checks all clients. If at least one client is installed, the missing clients are listed together in one check.
fn clients(environment: &Environment, top: Option<&Path>) -> Vec<Check> {
    let (mut checks, mut missing) = (Vec::new(), Vec::new());
    for client in CLIENTS {
        match client::check(client, environment, top) {
            Ok(found) => checks.extend(found),
            Err(check) if check.state == CheckState::Lacking => missing.push(check),
            Err(check) => checks.push(check),
        }
    }
    if checks.is_empty() {
        return missing;
    }
    if !missing.is_empty() {
        let names: Vec<&str> = missing.iter().map(|check| check.name.as_str()).collect();
        let text = format!("not on PATH: {}", names.join(", "));
        checks.push(Check::good("other clients", text));
    }
    checks
}

/// Checks the cache folder: its path, whether it is writable, and its size.
fn cache(environment: &Environment) -> Check {
    const NAME: &str = "cache";
    const FIX: &str = "set ADJUTANT_CACHE_DIR to a writable folder";
    if let Some(problem) = edge::refused_folders(environment).into_iter().next() {
        let fix = "make the folder your own, or set ADJUTANT_CACHE_DIR and ADJUTANT_STATE_DIR";
        return Check::bad(NAME, problem, fix);
    }
    let Some(folder) = edge::cache_directory(environment) else {
        return Check::lacking(
            NAME,
            "no cache folder is known: prompts are briefed without an index",
            FIX,
        );
    };
    let place = folder.display();
    if let Err(error) = write(&folder) {
        let text =
            format!("{place} cannot be written to ({error}): prompts are briefed without an index");
        return Check::lacking(NAME, text, FIX);
    }
    let (bytes, n_files) = size(&folder);
    let details = json!({ "folder": folder, "bytes": bytes, "files": n_files });
    Check::good(NAME, format!("{place}, {:.1} MB", bytes as f64 / 1e6)).with(details)
}

fn write(folder: &Path) -> std::io::Result<()> {
    disk::create_private_folder(folder)?;
    let file = folder.join(format!(".doctor-{}", std::process::id()));
    fs::write(&file, "x")?;
    fs::remove_file(file)
}

/// Returns the total size in bytes and the number of files. Does not follow symbolic links.
fn size(folder: &Path) -> (u64, usize) {
    /// The maximum number of files to count, so that the check is fast.
    const MAX_FILES: usize = 200_000;
    let (mut bytes, mut n_files) = (0, 0);
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let Ok(found) = entry.metadata() else { continue };
            if found.is_dir() {
                folders.push(entry.path());
            } else {
                bytes += found.len();
                n_files += 1;
            }
            if n_files >= MAX_FILES {
                return (bytes, n_files);
            }
        }
    }
    (bytes, n_files)
}

/// Names the command that shows what the briefings of the last days were used for.
fn log(environment: &Environment) -> Check {
    const NAME: &str = "log";
    const DAYS: u64 = 7;
    let Some(file) = run_log::file(environment) else {
        return Check::good(NAME, "switched off, so `adjutant log --summary` has no data");
    };
    let mut runs = run_log::read(&file);
    run_log::retain_since(&mut runs, Some(DAYS * 24 * 60 * 60));
    let briefings = runs.iter().filter(|run| run.characters > 0).count();
    let (counts, prompts) = (counted(briefings, "briefing"), counted(runs.len(), "prompt"));
    let text = format!(
        "{counts} for {prompts} in {DAYS} days; `adjutant log --summary --all` counts what was used"
    );
    Check::good(NAME, text).with(json!({ "briefings": briefings, "prompts": runs.len() }))
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
        "version": env!("CARGO_PKG_VERSION"), "ok": count(CheckState::Bad) == 0, "bad": count(CheckState::Bad),
        "lacking": count(CheckState::Lacking), "findings": listed,
    })
    .to_string()
}
