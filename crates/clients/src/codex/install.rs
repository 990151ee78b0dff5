//! Defines what `adjutant install codex` writes.

use std::path::{Path, PathBuf};

use super::trust;
use crate::settings::hooks_json::{self, Events, Hook};
use crate::settings::launcher::hook_command;
use crate::settings::servers::NAME;
use crate::settings::{Problem, Setup, Target, read, toml};

pub(crate) const EVENTS: Events =
    Events { tools: &["PreToolUse", "PostToolUse"], ..Events::COMMON };

/// Returns the files to change: `hooks.json` with the hooks, and `config.toml` with the MCP server and the trusted hashes of
/// the hooks.
pub(super) fn targets(setup: &Setup) -> Vec<Target> {
    let file = setup.folder.join("hooks.json");
    let command = hook_command(&setup.programs, &super::NAMES);
    let hooks = hooks_json::hooks(&command, EVENTS, setup.with_tool_hooks);
    let mut targets = vec![hooks_json::target(file.clone(), hooks.clone())];
    // In the user scope, the server and the trusted hashes are in the same file.
    let programs = setup.servers.as_ref().map(|_| setup.programs.clone());
    match (&setup.servers, &setup.trust) {
        (Some(servers), Some(trust)) if servers == trust => {
            targets.push(configuration(servers.clone(), programs, Some((file, hooks))));
        }
        (servers, trust) => {
            targets.extend(servers.clone().map(|path| configuration(path, programs, None)));
            let trusted = Some((file, hooks));
            targets.extend(trust.clone().map(|path| configuration(path, None, trusted)));
        }
    }
    targets
}

/// Returns the target that adds the MCP server to `config.toml` if `programs` is set, and the trusted hashes if
/// `trusted` is set.
fn configuration(
    path: PathBuf,
    programs: Option<PathBuf>,
    trusted: Option<(PathBuf, Vec<Hook>)>,
) -> Target {
    let has_server = programs.is_some();
    let hook_file = trusted.as_ref().map(|(file, _)| file.clone());
    let put = move |text: Option<&str>| {
        let mut text = text.unwrap_or_default().to_owned();
        if let Some((file, hooks)) = &trusted {
            // The key of a trusted hash contains the position that the hook will have after the installation.
            let installed = hooks_json::put(read(file)?.as_deref(), hooks)?;
            text = trust::put(&text, file, &installed, hooks)?;
        }
        match &programs {
            Some(programs) => put_server(&text, programs),
            None => Ok(text),
        }
    };
    let take = move |text: &str| {
        let mut text = text.to_owned();
        if let Some(file) = &hook_file {
            text = trust::take(&text, file, &read(file)?.unwrap_or_default())?;
        }
        if has_server { toml::take_table(&text, &SERVER) } else { Ok(text) }
    };
    Target::entries(path, put, take)
}

const SERVER: [&str; 2] = ["mcp_servers", NAME];

/// Adds the table `[mcp_servers.adjutant]` to a configuration.
pub(crate) fn put_server(text: &str, programs: &Path) -> Result<String, Problem> {
    let mut server = toml_edit::Table::new();
    server["command"] = toml_edit::value(programs.join("adjutant").display().to_string());
    server["args"] = toml_edit::value(toml_edit::Array::from_iter(["mcp"]));
    toml::put_table(text, &SERVER, server)
}

/// Returns the program of the registered MCP server, or `None` if the server is not registered.
pub(super) fn registered_server(text: &str) -> Result<Option<String>, Problem> {
    let document = toml::parse(text)?;
    let server = SERVER.iter().try_fold(document.as_item(), |item, key| item.get(key));
    let command = server.and_then(|server| server.get("command"));
    Ok(command.and_then(toml_edit::Item::as_str).map(str::to_owned))
}
