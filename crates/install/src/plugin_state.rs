//! Whether a client has our plugin, and would run its hook.

use serde_json::Value;

use crate::plugin::{self, HOOKS, NAME};
use crate::problem::Problem;
use crate::trust::{hash, snake, trusted_hash};

/// How our plugin stands with a client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PluginState {
    Absent,
    /// Installed, and switched off by the user.
    Disabled,
    /// Codex only: its hook was never trusted, or is not the one that was; it is skipped without a word.
    Untrusted,
    /// Its hook runs. Codex also compares a hash of the plugin's whole content, which is not looked at here.
    Active,
}

/// Claude Code, by its `settings.json`.
pub fn claude_code_plugin(settings: &str) -> Result<PluginState, Problem> {
    let (root, _) = crate::json::parse(Some(settings))?;
    let settings = root.to_serde_value().unwrap_or_default();
    let plugins = settings["enabledPlugins"].as_object();
    let ours: Vec<&Value> = plugins
        .into_iter()
        .flatten()
        .filter(|(id, _)| is_ours(id))
        .map(|(_, switch)| switch)
        .collect();
    Ok(match ours.as_slice() {
        [] => PluginState::Absent,
        switches if switches.iter().any(|switch| switch.as_bool() == Some(true)) => {
            PluginState::Active
        }
        _ => PluginState::Disabled,
    })
}

/// Codex, by its `config.toml`.
pub fn codex_plugin(configuration: &str) -> Result<PluginState, Problem> {
    let document = crate::toml::parse(configuration)?;
    let plugins = document.get("plugins").and_then(toml_edit::Item::as_table_like);
    let mut found = PluginState::Absent;
    for (id, plugin) in plugins.into_iter().flat_map(toml_edit::TableLike::iter) {
        if !is_ours(id) {
            continue;
        }
        let is_enabled = plugin.get("enabled").and_then(toml_edit::Item::as_bool).unwrap_or(true);
        match (is_enabled, is_trusted(&document, id)) {
            (true, true) => return Ok(PluginState::Active),
            (true, false) => found = PluginState::Untrusted,
            (false, _) if found == PluginState::Absent => found = PluginState::Disabled,
            (false, _) => {}
        }
    }
    Ok(found)
}

/// The prompt hook alone: it is what briefs.
fn is_trusted(document: &toml_edit::DocumentMut, id: &str) -> bool {
    plugin::hooks().iter().take(1).all(|hook| {
        let key = format!("{id}:{HOOKS}:{}:0:0", snake(hook.event));
        // Before it is expanded, the command is the same on every machine.
        trusted_hash(document, &key)
            .is_some_and(|trusted| trusted.split('/').next() == Some(&hash(hook)))
    })
}

/// From whatever marketplace.
fn is_ours(id: &str) -> bool {
    id.split_once('@').is_some_and(|(name, _)| name == NAME)
}

#[cfg(test)]
mod tests;
