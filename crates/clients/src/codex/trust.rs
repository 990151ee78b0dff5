//! Reads and writes the trusted hashes of hooks. Codex runs a hook only if `config.toml` contains the hash of the hook's
//! handler.
//!
//! Codex computes the hash as SHA-256 of the handler in canonical JSON. This module computes it in the same way.

use std::path::Path;

use serde::Serialize;

use crate::plugin;
use crate::settings::hooks_json::{self, Hook, PROMPT_EVENT};
use crate::settings::toml::{parse, put_table, take_table};
use crate::settings::{SettingsProblem, json, sha256};

/// The trust state of the prompt hook in a `hooks.json` file. It determines whether Codex runs the hook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum TrustState {
    /// The file does not contain the hook.
    Absent,
    /// Codex skips the hook without a message.
    Untrusted,
    Trusted,
}

/// Returns the trust state of the prompt hook in `hooks_file`. `hooks` is the content of that file, and `configuration` the
/// content of `config.toml`.
pub(crate) fn trust_state(
    hooks_file: &Path,
    hooks: &str,
    configuration: &str,
) -> Result<TrustState, SettingsProblem> {
    let Some(hook) = installed(hooks) else { return Ok(TrustState::Absent) };
    let Some(key) = key(hooks_file, hooks, hook.event) else { return Ok(TrustState::Absent) };
    let document = parse(configuration)?;
    let is_trusted = trusted_hash(&document, &key) == Some(&hash(&hook));
    Ok(if is_trusted { TrustState::Trusted } else { TrustState::Untrusted })
}

/// Returns whether the prompt hook of the plugin with this id is trusted.
pub(crate) fn is_plugin_trusted(document: &toml_edit::DocumentMut, id: &str) -> bool {
    plugin::hooks().iter().filter(|hook| hook.event == PROMPT_EVENT).all(|hook| {
        let key = format!("{id}:hooks/hooks.json:{}:0:0", snake(hook.event));
        // Codex hashes the command before it expands the variable.
        let trusted = trusted_hash(document, &key);
        trusted.is_some_and(|trusted| trusted.split('/').next() == Some(&hash(hook)))
    })
}

fn trusted_hash<'d>(document: &'d toml_edit::DocumentMut, key: &str) -> Option<&'d str> {
    document.get("hooks")?.get("state")?.get(key)?.get("trusted_hash")?.as_str()
}

/// Returns Adjutant's prompt hook from the content of a `hooks.json` file, if it is installed.
fn installed(hooks: &str) -> Option<Hook> {
    let (group, handler) = hooks_json::position(hooks, PROMPT_EVENT)?;
    let value = json::value(hooks).ok()?;
    let handler = &value["hooks"][PROMPT_EVENT][group]["hooks"][handler];
    Some(Hook {
        matcher: None,
        event: PROMPT_EVENT,
        command: handler["command"].as_str()?.to_owned(),
        timeout: u32::try_from(handler["timeout"].as_u64().unwrap_or(600)).ok()?,
    })
}

/// Adds the trusted hashes of `hooks` to a configuration. `text` is the content of the `hooks.json` file at `file`, which
/// already contains `hooks`.
pub(crate) fn put(
    configuration: &str,
    file: &Path,
    text: &str,
    hooks: &[Hook],
) -> Result<String, SettingsProblem> {
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

/// Removes from `configuration` the trusted hashes of Adjutant's hooks that are defined in `file`. `text` is the content of
/// `file`.
pub(crate) fn take(
    configuration: &str,
    file: &Path,
    text: &str,
) -> Result<String, SettingsProblem> {
    let mut configuration = configuration.to_owned();
    for event in std::iter::once(&PROMPT_EVENT).chain(super::install::EVENTS.tools) {
        if let Some(key) = key(file, text, event) {
            configuration = take_table(&configuration, &["hooks", "state", &key])?;
        }
    }
    Ok(configuration)
}

/// Returns the key of a trusted hash, `<file>:<event>:<group>:<handler>`, or `None` if the hook is not in `text`.
fn key(file: &Path, text: &str, event: &str) -> Option<String> {
    let (group, handler) = hooks_json::position(text, event)?;
    Some(format!("{}:{}:{group}:{handler}", file.display(), snake(event)))
}

fn snake(event: &str) -> String {
    let mut snake = String::new();
    for character in event.chars() {
        if character.is_ascii_uppercase() && !snake.is_empty() {
            snake.push('_');
        }
        snake.push(character.to_ascii_lowercase());
    }
    snake
}

/// Returns the hash of a hook. The struct fields are declared in alphabetical order, as canonical JSON requires.
pub(crate) fn hash(hook: &Hook) -> String {
    #[derive(Serialize)]
    struct Identity<'a> {
        event_name: String,
        hooks: [Handler<'a>; 1],
    }
    #[derive(Serialize)]
    struct Handler<'a> {
        r#async: bool,
        command: &'a str,
        timeout: u32,
        r#type: &'static str,
    }
    let timeout = hook.timeout.max(1);
    let handler = Handler { r#async: false, command: &hook.command, timeout, r#type: "command" };
    let identity = Identity { event_name: snake(hook.event), hooks: [handler] };
    format!("sha256:{}", sha256(&serde_json::to_string(&identity).unwrap_or_default()))
}

#[cfg(test)]
mod tests;
