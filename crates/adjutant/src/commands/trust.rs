//! `adjutant trust`: shows what a repository requests, and records the user's consent.

mod candidate;
mod list;

use std::io::{BufRead, IsTerminal};
use std::path::{Path, PathBuf};
use std::process::ExitCode as Exit;

use clap::Args;
use contract::{ExitCode, counted};
use policy::{Trust, TrustError, Uncovered};
use serde_json::json;

use super::repository::At;
use crate::failure::Failure;
use crate::output::visible;
use crate::pages::page;
use crate::{edge, output};
use candidate::Candidate;

#[derive(Args)]
#[command(after_help = AFTER_HELP)]
#[expect(clippy::struct_excessive_bools, reason = "one field per flag")]
pub(crate) struct Arguments {
    /// Trust one file, or the repository of a directory (default: the repository of the working directory)
    #[arg(value_name = "FILE|DIR")]
    path: Option<PathBuf>,
    #[command(flatten)]
    at: At,
    /// Trust without asking
    #[arg(long)]
    yes: bool,
    /// Also trust commands whose scripts cannot be determined; changes to these scripts are not detected
    #[arg(long, conflicts_with_all = ["revoke", "list"])]
    allow_uncovered: bool,
    /// Revoke the trust
    #[arg(long, visible_alias = "withdraw", conflicts_with = "yes")]
    revoke: bool,
    /// List all trusted files of all repositories
    #[arg(long, conflicts_with_all = ["yes", "revoke"])]
    list: bool,
}

const AFTER_HELP: &str = concat!(
    "\
The command first shows what the repository requests: the settings in config/auto-tools.yaml that need trust (a larger \
budget, programs as tools) and the commands in .adjutant/hooks and .snow/hooks. You trust exactly this \
content and the files of the repository that its commands name; any change revokes the trust. \
A command whose script cannot be determined (`make`, `npm run`, `sh tools/*.sh`) is listed as \
\"covers no script\" and needs a second confirmation or --allow-uncovered: changes of what it runs are not detected. \
A repository can never enable tier 2, use paths outside the repository, or change what is hidden from the model.

More: ",
    page!("guide/trust.md")
);

#[derive(Args)]
pub(crate) struct Untrust {
    /// Revoke trust in one file, or in all files below a directory (default: the repository of the working directory)
    #[arg(value_name = "FILE|DIR")]
    path: Option<PathBuf>,
    #[command(flatten)]
    at: At,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let folders = edge::hook_folders(&edge::environment());
    let mut store = edge::trust_store(&edge::environment());
    if arguments.list {
        return list::run(&store, &folders, arguments.at.json);
    }
    if arguments.revoke {
        return revoke(arguments.path.as_deref(), &arguments.at);
    }
    let (top, found) = candidate::find(arguments.path.as_deref(), &arguments.at, &folders, &store)?;
    if let Some(problem) = found.iter().find_map(|candidate| candidate.problem.as_ref()) {
        let failure = Failure::new(visible(problem), ExitCode::Configuration);
        return Err(failure.hint("repair the file, then try again"));
    }
    let new: Vec<Candidate> =
        found.into_iter().filter(|candidate| candidate.trust != Trust::Trusted).collect();
    if new.is_empty() {
        return Ok(report(&arguments.at, &top, &[], "trusted"));
    }
    new.iter().for_each(|candidate| show(&top, candidate));
    if !arguments.yes && !confirm("Trust exactly this content? [y/N]", "--yes")? {
        return Err(Failure::new("nothing was trusted", ExitCode::Usage));
    }
    let n_uncovered = new.iter().map(|candidate| candidate.uncovered.len()).sum();
    if !arguments.allow_uncovered && n_uncovered > 0 && !confirm_uncovered(n_uncovered)? {
        return Err(Failure::new("nothing was trusted", ExitCode::Usage));
    }
    for candidate in &new {
        if let Some(content) = &candidate.content {
            store.add(&candidate.path, content).map_err(|error| failure(&error))?;
        }
    }
    let trusted: Vec<(PathBuf, Option<String>)> = new
        .into_iter()
        .map(|candidate| {
            (candidate.path, candidate.content.map(|content| content.text().to_owned()))
        })
        .collect();
    Ok(report(&arguments.at, &top, &trusted, "trusted"))
}

pub(crate) fn untrust(arguments: &Untrust) -> Result<Exit, Failure> {
    revoke(arguments.path.as_deref(), &arguments.at)
}

/// Revokes trust. Reads only the trust store, so that trust in a deleted repository can be revoked too.
fn revoke(path: Option<&Path>, at: &At) -> Result<Exit, Failure> {
    let mut store = edge::trust_store(&edge::environment());
    let target = match path {
        None => at.top()?,
        Some(path) => candidate::real(&candidate::absolute(path, at)),
    };
    let known = store.list().map_err(|error| failure(&error))?.keys();
    let known: Vec<PathBuf> = known.filter(|path| path.starts_with(&target)).cloned().collect();
    let mut removed = Vec::new();
    for path in known {
        store.remove(&path).map_err(|error| failure(&error))?;
        removed.push((path, None));
    }
    Ok(report(at, &target, &removed, "untrusted"))
}

fn show(top: &Path, candidate: &Candidate) {
    let path = candidate.path.strip_prefix(top).unwrap_or(&candidate.path).display().to_string();
    output::talk(&format!("{} ({}):", visible(&path), candidate.trust.word()));
    for request in &candidate.requests {
        output::talk(&format!("  {}", visible(request)));
    }
    for Uncovered { command, reason } in &candidate.uncovered {
        let line = format!("covers no script of `{command}`: {reason}");
        output::talk(&format!("  {}", visible(&line)));
    }
}

/// Asks whether to trust commands whose scripts are not included in the trusted hash. This question follows the
/// question about the files.
fn confirm_uncovered(n_uncovered: usize) -> Result<bool, Failure> {
    let commands = counted(n_uncovered, "command");
    confirm(
        &format!(
            "Trust covers no script of {commands} above: changes to their scripts are not detected. \
             Trust them anyway? [y/N]"
        ),
        "--allow-uncovered",
    )
}

/// Asks the user at a terminal. `flag` is the flag that skips the question.
fn confirm(question: &str, flag: &str) -> Result<bool, Failure> {
    if !std::io::stdin().is_terminal() {
        let message = match flag {
            "--yes" => "consent cannot be requested without a terminal",
            _ => {
                "trust covers no script of the commands listed above, and consent cannot be requested without a terminal"
            }
        };
        return Err(Failure::new(message, ExitCode::Usage)
            .hint(format!("review the files above, then add `{flag}`")));
    }
    output::talk(question);
    let mut line = String::new();
    let read = std::io::stdin().lock().read_line(&mut line);
    Ok(read.is_ok() && matches!(line.trim(), "y" | "Y" | "yes"))
}

fn report(at: &At, top: &Path, files: &[(PathBuf, Option<String>)], word: &str) -> Exit {
    let shown = |path: &Path| {
        let relative = path.strip_prefix(top).ok().filter(|rest| !rest.as_os_str().is_empty());
        relative.unwrap_or(path).display().to_string()
    };
    if at.json {
        let files: Vec<_> = files
            .iter()
            .map(|(path, content)| json!({ "path": shown(path), "content": content }))
            .collect();
        output::data(&json!({ word: files }).to_string());
    } else if files.is_empty() {
        let verb = if word == "trusted" { "needs to be trusted" } else { "was trusted" };
        output::data(&format!("nothing here {verb}"));
    } else {
        let lines: Vec<String> =
            files.iter().map(|(path, _)| format!("{word} {}", shown(path))).collect();
        output::data(&lines.join("\n"));
    }
    Exit::SUCCESS
}

fn failure(error: &TrustError) -> Failure {
    let source =
        std::error::Error::source(error).map(|source| format!(": {source}")).unwrap_or_default();
    Failure::new(format!("{error}{source}"), ExitCode::Configuration)
        .hint("the trust store is ~/.config/adjutant/trust.json, or in ADJUTANT_CONFIG_DIR")
}
