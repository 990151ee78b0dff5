//! `adjutant trust --list`: everything that is trusted, wherever it is, and whether it is still the same.

use std::path::Path;
use std::process::ExitCode;

use policy::{CONFIG_PATH, RepositoryConfig, TrustStore};
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
                json!({ "path": file.path, "state": state(&file.path, store, folders), "contents": contents })
            })
            .collect();
        output::data(&json!({ "files": files }).to_string());
        return Ok(ExitCode::SUCCESS);
    }
    let mut table = Table::new(["state", "file"]);
    for file in &files {
        let path = file.path.display().to_string();
        table.row([state(&file.path, store, folders).to_owned(), guard::neutralise(&path).into()]);
    }
    output::data(&table.text("nothing is trusted"));
    Ok(ExitCode::SUCCESS)
}

/// `trusted`: as it was; `changed`: not in force until it is trusted anew.
fn state(path: &Path, store: &TrustStore, folders: &HookFolders) -> &'static str {
    const UNREADABLE: &str = "unreadable";
    if path.symlink_metadata().is_err() {
        return "gone";
    }
    if path.ends_with(CONFIG_PATH) {
        let repository = path.ancestors().nth(2).unwrap_or(path);
        return RepositoryConfig::read(repository, store)
            .map_or(UNREADABLE, |config| config.trust.word());
    }
    // A hook file is two folders below the top.
    let repository = path.ancestors().nth(3).unwrap_or(path);
    let found = find_hook_files(folders, repository, &HookKind::ALL);
    let found = found.iter().find(|found| found.path == path);
    found.map_or(UNREADABLE, |found| found.trust.word())
}
