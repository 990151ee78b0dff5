//! `adjutant trust`: shows what a repository requests, and records the user's consent.

mod candidate;

use std::collections::BTreeMap;
use std::io::{BufRead, IsTerminal};
use std::path::{Path, PathBuf};
use std::process::ExitCode as Exit;

use clap::Args;
use contract::counted;
use policy::{CONFIG_PATH, RepositoryConfig, Trust, TrustError, TrustStore, Uncovered};
use serde::Serialize;
use serde_json::json;
use toolcall::{HookFolders, HookKind, find_hook_files};

use super::repository::{At, relative};
use super::table::Table;
use crate::failure::Failure;
use crate::output::visible;
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
        return list(&store, &folders, arguments.at.json);
    }
    if arguments.revoke {
        return revoke(arguments.path.as_deref(), &arguments.at);
    }
    let (top, found) = candidate::find(arguments.path.as_deref(), &arguments.at, &folders, &store)?;
    if let Some(problem) = found.iter().find_map(|candidate| candidate.problem.as_ref()) {
        let failure = Failure::configuration(visible(problem));
        return Err(failure.hint("repair the file, then try again"));
    }
    let new: Vec<Candidate> =
        found.into_iter().filter(|candidate| candidate.trust != Trust::Trusted).collect();
    if new.is_empty() {
        return Ok(report(&arguments.at, &top, &[], "trusted"));
    }
    new.iter().for_each(|candidate| show(&top, candidate));
    if !arguments.yes && !confirm("Trust exactly this content? [y/N]", "--yes")? {
        return Err(Failure::usage("nothing was trusted"));
    }
    let n_uncovered = new.iter().map(|candidate| candidate.uncovered.len()).sum();
    if !arguments.allow_uncovered && n_uncovered > 0 && !confirm_uncovered(n_uncovered)? {
        return Err(Failure::usage("nothing was trusted"));
    }
    for candidate in &new {
        if let Some(content) = &candidate.content {
            store.add(&candidate.path, content)?;
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

/// Lists all trusted files and whether they have changed.
fn list(store: &TrustStore, folders: &HookFolders, as_json: bool) -> Result<Exit, Failure> {
    let files = store.list()?;
    let rows = files.iter().map(|(path, contents)| {
        let contents = contents.iter().map(|content| content.text()).collect();
        let (state, uncovered) = current(path, store, folders);
        Row { contents, path, state, uncovered }
    });
    let rows: Vec<Row<'_>> = rows.collect();
    if as_json {
        return output::json(&BTreeMap::from([("files", rows)]));
    }
    let mut table = Table::new(["state", "file", "covers no script of"]);
    for Row { path, state, uncovered, .. } in &rows {
        let path = path.display().to_string();
        let uncovered: Vec<String> = uncovered.iter().map(|it| format!("`{it}`")).collect();
        table.row([(*state).to_owned(), visible(&path), visible(&uncovered.join(", "))]);
    }
    if table.is_empty() {
        output::data("nothing is trusted");
    }
    table.print_rows();
    Ok(Exit::SUCCESS)
}

#[derive(Serialize)]
struct Row<'a> {
    contents: Vec<&'a str>,
    path: &'a Path,
    state: &'static str,
    uncovered: Vec<String>,
}

/// Returns the current state of a trusted file (`trusted`, `changed`, `gone` or `unreadable`), and the commands whose scripts
/// are not included in the trusted hash.
fn current(path: &Path, store: &TrustStore, folders: &HookFolders) -> (&'static str, Vec<String>) {
    let commands = |uncovered: Vec<Uncovered>| uncovered.into_iter().map(|it| it.command).collect();
    let unreadable = ("unreadable", Vec::new());
    if path.symlink_metadata().is_err() {
        return ("gone", Vec::new());
    }
    if path.ends_with(CONFIG_PATH) {
        let repository = path.ancestors().nth(2).unwrap_or(path);
        return RepositoryConfig::read(repository, store)
            .map_or(unreadable, |config| (config.trust.word(), commands(config.uncovered())));
    }
    // A hook file is in a folder two levels below the top folder of the repository.
    let repository = path.ancestors().nth(3).unwrap_or(path);
    let found = find_hook_files(folders, repository, &HookKind::ALL);
    let found = found.iter().find(|found| found.path == path);
    found.map_or(unreadable, |found| (found.trust.word(), commands(found.uncovered(repository))))
}

/// Revokes trust. Reads only the trust store, so that trust in a deleted repository can be revoked too.
fn revoke(path: Option<&Path>, at: &At) -> Result<Exit, Failure> {
    let mut store = edge::trust_store(&edge::environment());
    let target = match path {
        None => at.top()?,
        Some(path) => candidate::real(&candidate::absolute(path, at)),
    };
    let known = store.list()?.keys().filter(|path| path.starts_with(&target));
    let known: Vec<PathBuf> = known.cloned().collect();
    let mut removed = Vec::new();
    for path in known {
        store.remove(&path)?;
        removed.push((path, None));
    }
    Ok(report(at, &target, &removed, "untrusted"))
}

fn show(top: &Path, candidate: &Candidate) {
    let path = visible(&relative(&candidate.path, top));
    output::talk(&format!("{path} ({}):", candidate.trust.word()));
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
        return Err(
            Failure::usage(message).hint(format!("review the files above, then add `{flag}`"))
        );
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

impl From<TrustError> for Failure {
    fn from(error: TrustError) -> Self {
        Self::configuration(Self::message_of(&error))
            .hint("the trust store is ~/.config/adjutant/trust.json, or in ADJUTANT_CONFIG_DIR")
    }
}
