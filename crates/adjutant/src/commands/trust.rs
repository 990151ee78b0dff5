//! `adjutant trust`: the user looks at what a repository wants to run, and lets it.

use std::io::{BufRead, IsTerminal};
use std::path::Path;
use std::process::ExitCode as Exit;

use clap::Args;
use contract::ExitCode;
use policy::{Trust, TrustError, TrustStore};
use serde_json::json;
use toolcall::{Found, HookFolders, HookKind, Scope, find_hook_files};

use super::repository::At;
use crate::failure::Failure;
use crate::{edge, output};

#[derive(Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    at: At,
    /// Do not ask
    #[arg(long)]
    yes: bool,
    /// Take the trust back
    #[arg(long)]
    withdraw: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let top = arguments.at.top()?;
    let folders = edge::hook_folders(&edge::environment());
    let mut store = TrustStore::in_folder(folders.configuration.as_deref());
    let found: Vec<Found> = project_files(&folders, &top);
    if arguments.withdraw {
        for file in &found {
            store.remove(&file.path).map_err(|error| failure(&error))?;
        }
        return Ok(report(arguments, &top, &found, "untrusted"));
    }
    if let Some(problem) = found.iter().find_map(|file| file.file.as_ref().err()) {
        let failure = Failure::new(problem.to_string(), ExitCode::Configuration);
        return Err(failure.hint("a file that cannot be read cannot be trusted"));
    }
    let new: Vec<Found> = found.into_iter().filter(|file| file.trust != Trust::Trusted).collect();
    if new.is_empty() {
        return Ok(report(arguments, &top, &new, "trusted"));
    }
    if !arguments.yes && !asked(&top, &new)? {
        return Err(Failure::new("nothing was trusted", ExitCode::Usage));
    }
    for file in &new {
        if let Some(content) = &file.content {
            store.add(&file.path, content).map_err(|error| failure(&error))?;
        }
    }
    Ok(report(arguments, &top, &new, "trusted"))
}

fn project_files(folders: &HookFolders, top: &Path) -> Vec<Found> {
    let found = find_hook_files(folders, top, &HookKind::ALL);
    found.into_iter().filter(|file| file.scope == Scope::Project).collect()
}

/// Shows what would run before it is trusted. Only a person at a terminal can say yes.
fn asked(top: &Path, files: &[Found]) -> Result<bool, Failure> {
    for found in files {
        let path = found.path.strip_prefix(top).unwrap_or(&found.path);
        output::talk(&format!("{} ({}):", path.display(), found.trust.word()));
        let rules = found.file.as_ref().map(|file| file.rules.as_slice()).unwrap_or_default();
        for action in rules.iter().flat_map(|rule| &rule.actions) {
            let state = if action.enabled { "" } else { " (off)" };
            output::talk(&format!("  runs `{}`{state}", guard::neutralise(&action.run.text())));
        }
        for script in found.scripts(top) {
            let script = script.strip_prefix(top).unwrap_or(&script).display().to_string();
            output::talk(&format!("  with {}", guard::neutralise(&script)));
        }
    }
    if !std::io::stdin().is_terminal() {
        return Err(Failure::new("there is nobody to ask", ExitCode::Usage)
            .hint("look at the files above, then add `--yes`"));
    }
    output::talk("Trust exactly this content? [y/N]");
    let mut line = String::new();
    let read = std::io::stdin().lock().read_line(&mut line);
    Ok(read.is_ok() && matches!(line.trim(), "y" | "Y" | "yes"))
}

fn report(arguments: &Arguments, top: &Path, files: &[Found], word: &str) -> Exit {
    let path =
        |file: &Found| file.path.strip_prefix(top).unwrap_or(&file.path).display().to_string();
    if arguments.at.json {
        let files: Vec<_> = files
            .iter()
            .map(|file| {
                json!({ "path": path(file), "content": file.content.as_ref().map(|content| content.text()) })
            })
            .collect();
        output::data(&json!({ word: files }).to_string());
    } else if files.is_empty() {
        output::data(&format!("nothing here needs to be {word}"));
    } else {
        let lines: Vec<String> =
            files.iter().map(|file| format!("{word} {}", path(file))).collect();
        output::data(&lines.join("\n"));
    }
    Exit::SUCCESS
}

fn failure(error: &TrustError) -> Failure {
    let source =
        std::error::Error::source(error).map(|source| format!(": {source}")).unwrap_or_default();
    Failure::new(format!("{error}{source}"), ExitCode::Configuration)
        .hint("it is kept in ~/.config/adjutant/trust.json, or below ADJUTANT_CONFIG_DIR")
}
