//! `adjutant trust --list`: everything that is trusted, wherever it is, and whether it is still the same.

use std::path::Path;
use std::process::ExitCode;

use policy::{CONFIG_PATH, RepositoryConfig, TrustStore, Uncovered};
use serde_json::{Value, json};
use toolcall::{HookFolders, HookKind, find_hook_files};

use crate::commands::table::Table;
use crate::failure::Failure;
use crate::output;

pub(super) fn run(
    store: &TrustStore,
    folders: &HookFolders,
    as_json: bool,
) -> Result<ExitCode, Failure> {
    let files = store.list().map_err(|error| super::failure(&error))?;
    if as_json {
        let files: Vec<Value> = files
            .iter()
            .map(|file| {
                let contents: Vec<&str> =
                    file.contents.iter().map(|content| content.text()).collect();
                let now = look_at(&file.path, store, folders);
                json!({ "path": file.path, "state": now.state, "contents": contents, "uncovered": now.uncovered })
            })
            .collect();
        output::data(&json!({ "files": files }).to_string());
        return Ok(ExitCode::SUCCESS);
    }
    let mut table = Table::new(["state", "file", "covers no script of"]);
    for file in &files {
        let path = file.path.display().to_string();
        let now = look_at(&file.path, store, folders);
        let uncovered: Vec<String> =
            now.uncovered.iter().map(|command| format!("`{command}`")).collect();
        let uncovered = guard::neutralise(&uncovered.join(", ")).into();
        table.row([now.state.to_owned(), guard::neutralise(&path).into(), uncovered]);
    }
    output::data(&table.text("nothing is trusted"));
    Ok(ExitCode::SUCCESS)
}

/// A trusted file as it is now.
struct Now {
    /// `trusted`: as it was; `changed`: not in force until it is trusted again.
    state: &'static str,
    /// Commands whose changes are not noticed.
    uncovered: Vec<String>,
}

impl Now {
    fn new(state: &'static str, uncovered: Vec<Uncovered>) -> Self {
        let uncovered = uncovered.into_iter().map(|uncovered| uncovered.command).collect();
        Self { state, uncovered }
    }
}

fn look_at(path: &Path, store: &TrustStore, folders: &HookFolders) -> Now {
    let unreadable = || Now::new("unreadable", Vec::new());
    if path.symlink_metadata().is_err() {
        return Now::new("gone", Vec::new());
    }
    if path.ends_with(CONFIG_PATH) {
        let repository = path.ancestors().nth(2).unwrap_or(path);
        return RepositoryConfig::read(repository, store).map_or_else(
            |_| unreadable(),
            |config| Now::new(config.trust.word(), config.uncovered()),
        );
    }
    // A hook file is two folders below the top.
    let repository = path.ancestors().nth(3).unwrap_or(path);
    let found = find_hook_files(folders, repository, &HookKind::ALL);
    let found = found.iter().find(|found| found.path == path);
    found.map_or_else(unreadable, |found| Now::new(found.trust.word(), found.uncovered(repository)))
}
