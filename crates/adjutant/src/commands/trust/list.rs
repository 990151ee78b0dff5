//! `adjutant trust --list`: lists all trusted files and whether they have changed.

use std::path::Path;
use std::process::ExitCode;

use policy::{CONFIG_PATH, RepositoryConfig, TrustStore, Uncovered};
use serde::Serialize;
use toolcall::{HookFolders, HookKind, find_hook_files};

use crate::commands::table::Table;
use crate::failure::Failure;
use crate::output;
use crate::output::visible;

pub(super) fn run(
    store: &TrustStore,
    folders: &HookFolders,
    as_json: bool,
) -> Result<ExitCode, Failure> {
    let files = store.list().map_err(|error| super::failure(&error))?;
    if as_json {
        let files = files.iter().map(|(path, contents)| {
            let contents = contents.iter().map(|content| content.text()).collect();
            let (state, uncovered) = current(path, store, folders);
            Row { contents, path, state, uncovered }
        });
        return output::json(&Files { files: files.collect() });
    }
    let mut table = Table::new(["state", "file", "covers no script of"]);
    for path in files.keys() {
        let (state, uncovered) = current(path, store, folders);
        let uncovered: Vec<String> = uncovered.iter().map(|it| format!("`{it}`")).collect();
        let path = path.display().to_string();
        table.row([state.to_owned(), visible(&path), visible(&uncovered.join(", "))]);
    }
    if table.is_empty() {
        output::data("nothing is trusted");
    }
    table.print_rows();
    Ok(ExitCode::SUCCESS)
}

#[derive(Serialize)]
struct Files<'a> {
    files: Vec<Row<'a>>,
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
