//! Describes the installation of a client that keeps its hooks and its MCP servers in one `settings.json` (Gemini CLI, Qwen
//! Code).

use std::path::PathBuf;

use super::hooks_json::{self, Events};
use super::{Locations, Setup, Target, servers};

/// Returns the user's settings file and, if `project` is given, the settings file in that folder of the repository.
pub(crate) fn settings_files(locations: &Locations, project: Option<PathBuf>) -> Vec<PathBuf> {
    let folders = std::iter::once(locations.folder.clone()).chain(project);
    folders.map(|folder| folder.join("settings.json")).collect()
}

/// Returns the installation targets of a client that keeps its hooks and its MCP servers in one `settings.json`. That
/// file is the only target.
pub(crate) fn settings_targets(setup: &Setup, command: &str, events: Events) -> Vec<Target> {
    let hooks = hooks_json::hooks(command, events, setup.with_tool_hooks);
    let programs = setup.servers.as_ref().map(|_| setup.programs.clone());
    let has_server = programs.is_some();
    let put = move |text: Option<&str>| {
        let text = hooks_json::put(text, &hooks)?;
        match &programs {
            Some(programs) => servers::put(Some(&text), programs),
            None => Ok(text),
        }
    };
    let take = move |text: &str| {
        let text = hooks_json::take(text)?;
        if has_server { servers::take(&text) } else { Ok(text) }
    };
    vec![Target::entries(setup.folder.join("settings.json"), put, take)]
}
