//! Defines what `adjutant install codex` writes.

use std::path::{Path, PathBuf};

use super::trust;
use crate::settings::hooks_json::{self, Events, Hook};
use crate::settings::launcher::hook_command;
use crate::settings::servers::NAME;
use crate::settings::{SettingsProblem, Setup, Target, read, toml};

pub(crate) const EVENTS: Events =
    Events { tools: &["PreToolUse", "PostToolUse"], ..Events::COMMON };

/// Returns the files to change: `hooks.json` with the hooks, and `config.toml` with the MCP server and the trusted hashes of
/// the hooks.
pub(super) fn targets(setup: &Setup) -> Vec<Target> {
    let file = setup.folder.join("hooks.json");
    let command = hook_command(&setup.programs, &super::NAMES);
    let hooks = hooks_json::hooks(&command, EVENTS, setup.with_tool_hooks);
    let programs = setup.programs.clone();
    let put_server = move |text: Option<&str>| put_server(text.unwrap_or_default(), &programs);
    let take_server = |text: &str| toml::take_table(text, &SERVER);
    let server = setup.servers.clone().map(|path| Target::entries(path, put_server, take_server));
    let mut targets = vec![hooks_json::target(file.clone(), hooks.clone())];
    let trust = setup.trust.clone().map(|path| trusted_hashes(path, file, hooks));
    match (trust, server) {
        // In the user scope, the server and the trusted hashes are in the same file.
        (Some(trust), Some(server)) if trust.path == server.path => {
            targets.push(trust.with_entries_of(server));
        }
        (trust, server) => targets.extend(server.into_iter().chain(trust)),
    }
    targets
}

/// Returns the target that adds the trusted hashes of the `hooks` in `file` to `config.toml`.
fn trusted_hashes(path: PathBuf, file: PathBuf, hooks: Vec<Hook>) -> Target {
    let hook_file = file.clone();
    let put = move |text: Option<&str>| {
        // The key of a trusted hash contains the position that the hook will have after the installation.
        let installed = hooks_json::put(read(&file)?.as_deref(), &hooks)?;
        trust::put(text.unwrap_or_default(), &file, &installed, &hooks)
    };
    let take =
        move |text: &str| trust::take(text, &hook_file, &read(&hook_file)?.unwrap_or_default());
    Target::entries(path, put, take)
}

const SERVER: [&str; 2] = ["mcp_servers", NAME];

/// Adds the table `[mcp_servers.adjutant]` to a configuration.
pub(crate) fn put_server(text: &str, programs: &Path) -> Result<String, SettingsProblem> {
    let mut server = toml_edit::Table::new();
    server["command"] = toml_edit::value(programs.join("adjutant").display().to_string());
    server["args"] = toml_edit::value(toml_edit::Array::from_iter(["mcp"]));
    toml::put_table(text, &SERVER, server)
}

/// Returns the program of the registered MCP server, or `None` if the server is not registered.
pub(super) fn registered_server(text: &str) -> Result<Option<String>, SettingsProblem> {
    let document = toml::parse(text)?;
    let server = SERVER.iter().try_fold(document.as_item(), |item, key| item.get(key));
    let command = server.and_then(|server| server.get("command"));
    Ok(command.and_then(toml_edit::Item::as_str).map(str::to_owned))
}
