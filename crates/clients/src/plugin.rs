//! Generates the plugin folder, which Claude Code and Codex can install. The plugin contains the same hooks and the same MCP
//! server as `adjutant install` writes.
//!
//! `cargo xtask generate` writes the plugin of a checkout, and `cargo xtask package` the plugin of a release, which contains
//! the programs. A client copies the plugin folder, so the launcher script has to search for `adjutant-hook`.

use std::path::Path;

use serde_json::{Value, json};

use crate::claude_code;
use crate::settings::hooks_json::{self, Hook};
use crate::settings::launcher::{DENIAL, MARK};
use crate::settings::{SettingsProblem, servers, skill};

/// The name of both the plugin and its marketplace. The plugin id is `adjutant@adjutant`.
const NAME: &str = "adjutant";
/// The hook command. Claude Code and Codex replace the variable with the plugin's folder.
const COMMAND: &str = r#""${CLAUDE_PLUGIN_ROOT}/hooks/launch.sh""#;
const DESCRIPTION: &str = "Briefs the agent before it answers: the code that a prompt is about, as cited, untrusted evidence. Nothing leaves the machine.";

/// A generated file, with its path relative to the root of this repository.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PluginFile {
    pub path: &'static str,
    pub text: String,
    pub is_program: bool,
}

/// The state of the plugin, which determines whether a client runs the plugin's hook. If the plugin is installed from
/// several marketplaces, the greatest state counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PluginState {
    Absent,
    /// The user has disabled the plugin.
    Disabled,
    /// The client skips the hook until the user trusts it.
    Untrusted,
    /// The plugin is enabled and, for Codex, its hook is trusted. Codex also compares a hash of the whole plugin, which is
    /// not checked here.
    Active,
}

/// The location of the plugin's programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PluginPrograms {
    /// The programs are not in the plugin. The MCP server's program must be on `PATH`, because Codex does not expand
    /// variables in its command.
    OnPath,
    /// The programs are in the plugin's folder `bin`.
    Inside,
}

/// Returns the files of the marketplace and the plugin, without the programs.
pub fn plugin_files(programs: PluginPrograms) -> Result<Vec<PluginFile>, SettingsProblem> {
    let version = env!("CARGO_PKG_VERSION");
    let marketplace = json!({
        "name": NAME,
        "owner": { "name": "Adjutant" },
        "metadata": { "description": DESCRIPTION },
        "plugins": [{
            "name": NAME,
            "source": "./plugin",
            "description": DESCRIPTION,
            "version": version,
        }],
    });
    let mut manifest = json!({
        "name": NAME,
        "version": version,
        "description": DESCRIPTION,
        "author": { "name": "Adjutant" },
        "license": "MIT OR Apache-2.0",
        "keywords": ["context", "code-search", "hooks", "mcp"],
    });
    let text = |path, text| PluginFile { path, text, is_program: false };
    let json = |path, json: &Value| {
        text(path, serde_json::to_string_pretty(json).unwrap_or_default() + "\n")
    };
    let mut files = vec![
        json(".claude-plugin/marketplace.json", &marketplace),
        json("plugin/.claude-plugin/plugin.json", &manifest),
        text("plugin/hooks/hooks.json", hooks_json::put(None, &hooks())?),
        // Claude Code adds the plugin's folder `bin` to `PATH`.
        text("plugin/skills/adjutant-explore/SKILL.md", skill::text("adjutant")),
        PluginFile { path: "plugin/hooks/launch.sh", text: launcher(), is_program: true },
    ];
    match programs {
        PluginPrograms::OnPath => {
            files.push(text("plugin/.mcp.json", servers::plugin_file(Path::new(""))?));
        }
        PluginPrograms::Inside => {
            let folder = Path::new("${CLAUDE_PLUGIN_ROOT}/bin");
            files.push(text("plugin/.mcp.json", servers::plugin_file(folder)?));
            manifest["mcpServers"] = json!({ servers::NAME: codex_server(version) });
            files.push(json("plugin/.codex-plugin/plugin.json", &manifest));
        }
    }
    Ok(files)
}

/// Returns the MCP server entry of the Codex manifest. Codex prefers this manifest to the Claude Code manifest.
///
/// Codex starts the server in the repository and does not tell it where the plugin is installed. The entry therefore
/// runs a shell command that derives the path of Codex's copy of the plugin from `CODEX_HOME`.
fn codex_server(version: &str) -> Value {
    let folder = format!("${{CODEX_HOME:-$HOME/.codex}}/plugins/cache/{NAME}/{NAME}/{version}");
    json!({
        "command": "/bin/sh",
        "args": ["-c", format!(r#"exec "{folder}/bin/adjutant" {}"#, servers::PLUGIN_ARGUMENTS.join(" "))],
        "env_vars": ["CODEX_HOME"],
    })
}

/// Returns the plugin's hooks for the events of Claude Code. Codex ignores `PostToolUseFailure`, because it does not have
/// this event.
pub(crate) fn hooks() -> Vec<Hook> {
    hooks_json::hooks(COMMAND, claude_code::EVENTS, true)
}

/// Returns whether a plugin id of the form `name@marketplace` refers to this plugin. The marketplace may have any name.
pub(crate) fn is_ours(id: &str) -> bool {
    id.split_once('@').is_some_and(|(name, _)| name == NAME)
}

/// Returns the launcher script. It prefers the program in the plugin's own folder. If no program is found, the script prints
/// nothing. The exception is a tool call for which the user has hooks: that call is denied.
///
/// The script must not be in a folder named `bin`: Claude Code adds a plugin's `bin` folder to `PATH`, and the script would
/// then find itself.
fn launcher() -> String {
    format!(
        r#"#!/bin/sh
{MARK} passes the client's payload to adjutant-hook. Written by `cargo xtask generate`.
for program in "${{ADJUTANT_BIN_DIR:-}}/adjutant-hook" "${{0%/*}}/../bin/adjutant-hook" \
    "$(command -v adjutant-hook)" "$HOME/.cargo/bin/adjutant-hook" "$HOME/.local/bin/adjutant-hook" \
    "${{0%/*}}/../../target/release/adjutant-hook"; do
    # A relative path could name a program in the repository.
    case $program in /*) [ -x "$program" ] && exec "$program" --client auto ;; esac
done
payload=
{DENIAL}"#
    )
}

#[cfg(test)]
mod tests;
