//! The plugin folder that both clients install: the same hooks and the same server that `adjutant install` writes.
//!
//! The files are checked in, generated from here by `cargo xtask generate`. A plugin is copied to where the client likes, so its
//! launcher looks for the program, and the server's command has to be on `PATH`: Codex expands no variable there.

use std::path::Path;

use serde_json::json;

use crate::command::{FALLBACK, MARK};
use crate::hooks_json::{self, Hook};
use crate::problem::Problem;
use crate::{claude_code, servers};

/// Both the plugin's name and the marketplace's: `adjutant@adjutant`.
pub(crate) const NAME: &str = "adjutant";
/// Where the hooks are in the plugin, as Codex names them.
pub(crate) const HOOKS: &str = "hooks/hooks.json";
/// The clients put the plugin's folder in.
const COMMAND: &str = r#""${CLAUDE_PLUGIN_ROOT}/hooks/launch.sh""#;
const DESCRIPTION: &str = "Briefs the agent before it answers: the places in the repository a prompt is about, as cited, untrusted evidence. Nothing leaves the machine.";

/// One file of the checkout, by its path from the root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PluginFile {
    pub path: &'static str,
    pub text: String,
    pub is_program: bool,
}

/// The marketplace and the plugin in it, as they are checked in.
pub fn plugin_files() -> Result<Vec<PluginFile>, Problem> {
    let version = env!("CARGO_PKG_VERSION");
    let text = |path, text| PluginFile { path, text, is_program: false };
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
    let manifest = json!({
        "name": NAME,
        "version": version,
        "description": DESCRIPTION,
        "author": { "name": "Adjutant" },
        "license": "MIT OR Apache-2.0",
        "keywords": ["context", "code-search", "hooks", "mcp"],
    });
    Ok(vec![
        text(".claude-plugin/marketplace.json", pretty(&marketplace)),
        text("plugin/.claude-plugin/plugin.json", pretty(&manifest)),
        text("plugin/hooks/hooks.json", hooks_json::put(None, &hooks())?),
        PluginFile { path: "plugin/hooks/launch.sh", text: launcher(), is_program: true },
        text("plugin/.mcp.json", servers::put_json(None, Path::new(""))?),
    ])
}

/// Claude Code has one event more than Codex, which passes over what it does not know.
pub(crate) fn hooks() -> Vec<Hook> {
    hooks_json::hooks(COMMAND, claude_code::TOOL_EVENTS)
}

/// Not in a folder `bin`: Claude Code puts that on `PATH`, and a launcher must not find itself.
fn launcher() -> String {
    format!(
        r#"#!/bin/sh
{MARK} hands the client's payload to adjutant-hook, wherever that is. Written by `cargo xtask generate`.
for program in "${{ADJUTANT_BIN_DIR:-}}/adjutant-hook" "$(command -v adjutant-hook)" \
    "$HOME/.cargo/bin/adjutant-hook" "$HOME/.local/bin/adjutant-hook" \
    "$(dirname -- "$0")/../../target/release/adjutant-hook"; do
    # A relative path would be a program of the repository's.
    case $program in /*) [ -x "$program" ] && exec "$program" --client auto ;; esac
done
{FALLBACK}"#
    )
}

fn pretty(value: &serde_json::Value) -> String {
    serde_json::to_string_pretty(value).unwrap_or_default() + "\n"
}

#[cfg(test)]
mod tests;
