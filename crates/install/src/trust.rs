//! Codex runs a hook only when the user has trusted it: a hash of the handler in `config.toml`.
//!
//! The hash is what Codex's own dialogue writes: SHA-256 over the handler as canonical JSON.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::json;

use crate::hooks_json::{self, Hook};
use crate::problem::Problem;
use crate::receipt::sha256;
use crate::toml::{parse, put_table, take_table};

/// What Codex thinks of our hook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TrustState {
    /// There is no hook of ours.
    Absent,
    /// Codex skips it without a word.
    Untrusted,
    Trusted,
}

/// Whether Codex would run the hook of ours in `hooks_file`, as its configuration stands.
pub fn trust_state(
    hooks_file: &Path,
    hooks: &str,
    configuration: &str,
) -> Result<TrustState, Problem> {
    let Some(hook) = installed(hooks) else { return Ok(TrustState::Absent) };
    let Some(key) = key(hooks_file, hooks, hook.event) else { return Ok(TrustState::Absent) };
    let document = parse(configuration)?;
    let is_trusted = trusted_hash(&document, &key) == Some(&hash(&hook));
    Ok(if is_trusted { TrustState::Trusted } else { TrustState::Untrusted })
}

/// What the user trusts under this key.
pub(crate) fn trusted_hash<'d>(document: &'d toml_edit::DocumentMut, key: &str) -> Option<&'d str> {
    document.get("hooks")?.get("state")?.get(key)?.get("trusted_hash")?.as_str()
}

/// Whether a client's settings have our prompt hook.
pub fn has_prompt_hook(text: &str) -> Result<bool, Problem> {
    crate::json::parse(Some(text))?;
    Ok(hooks_json::place(text, "UserPromptSubmit").is_some())
}

/// Whether Claude Code is told to run no hook at all.
pub fn hooks_are_disabled(text: &str) -> Result<bool, Problem> {
    let (root, _) = crate::json::parse(Some(text))?;
    Ok(root.to_serde_value().is_some_and(|settings| settings["disableAllHooks"] == json!(true)))
}

/// Whether Codex is told to run no hook at all, by today's name of the feature or, if that says nothing, the older one.
#[must_use]
pub fn codex_hooks_are_off(configuration: &str) -> bool {
    let Ok(document) = parse(configuration) else { return false };
    let feature = |name| document.get("features")?.get(name)?.as_bool();
    feature("hooks").or_else(|| feature("codex_hooks")) == Some(false)
}

/// Whether Codex loads what a folder has for it.
#[must_use]
pub fn codex_trusts(configuration: &str, folder: &Path) -> bool {
    let Ok(document) = parse(configuration) else { return false };
    let level = || {
        let folder = folder.to_str()?;
        document.get("projects")?.get(folder)?.get("trust_level")?.as_str()
    };
    level() == Some("trusted")
}

/// The launcher that a settings file names, if it is the one we install.
#[must_use]
pub fn names_launcher(text: &str) -> bool {
    text.contains(crate::command::LAUNCHER)
}

/// Our prompt hook as a `hooks.json` has it.
fn installed(hooks: &str) -> Option<Hook> {
    let (group, handler) = hooks_json::place(hooks, "UserPromptSubmit")?;
    let (root, _) = crate::json::parse(Some(hooks)).ok()?;
    let value = root.to_serde_value()?;
    let handler = &value["hooks"]["UserPromptSubmit"][group]["hooks"][handler];
    Some(Hook {
        event: "UserPromptSubmit",
        command: handler["command"].as_str()?.to_owned(),
        timeout_seconds: u32::try_from(handler["timeout"].as_u64().unwrap_or(600)).ok()?,
    })
}

/// The trust of `hooks`, as they stand in `text` of `file`, written into a configuration.
pub(crate) fn put(
    configuration: &str,
    file: &Path,
    text: &str,
    hooks: &[Hook],
) -> Result<String, Problem> {
    let mut configuration = configuration.to_owned();
    for hook in hooks {
        if let Some(key) = key(file, text, hook.event) {
            let mut entry = toml_edit::Table::new();
            entry["trusted_hash"] = toml_edit::value(hash(hook));
            configuration = put_table(&configuration, &["hooks", "state", &key], entry)?;
        }
    }
    Ok(configuration)
}

pub(crate) fn take(configuration: &str, file: &Path, text: &str) -> Result<String, Problem> {
    let mut configuration = configuration.to_owned();
    for event in ["UserPromptSubmit", "PreToolUse", "PostToolUse"] {
        if let Some(key) = key(file, text, event) {
            configuration = take_table(&configuration, &["hooks", "state", &key])?;
        }
    }
    Ok(configuration)
}

/// `<file>:<event>:<group>:<handler>`.
fn key(file: &Path, text: &str, event: &str) -> Option<String> {
    let (group, handler) = hooks_json::place(text, event)?;
    Some(format!("{}:{}:{group}:{handler}", file.display(), snake(event)))
}

pub(crate) fn snake(event: &str) -> String {
    let mut snake = String::new();
    for character in event.chars() {
        if character.is_ascii_uppercase() && !snake.is_empty() {
            snake.push('_');
        }
        snake.push(character.to_ascii_lowercase());
    }
    snake
}

pub(crate) fn hash(hook: &Hook) -> String {
    // Sorted keys are what canonical means here, whatever order `serde_json` is built to keep.
    let handler = BTreeMap::from([
        ("async", json!(false)),
        ("command", json!(hook.command)),
        ("timeout", json!(hook.timeout_seconds.max(1))),
        ("type", json!("command")),
    ]);
    let identity =
        BTreeMap::from([("event_name", json!(snake(hook.event))), ("hooks", json!([handler]))]);
    format!("sha256:{}", sha256(&json!(identity).to_string()))
}

#[cfg(test)]
mod tests;
