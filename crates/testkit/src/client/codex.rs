//! Configures Codex: a provider in `config.toml`, a hook in `hooks.json`, and the hash of a trusted hook.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::Path;

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::{Client, HOOK_TIMEOUT_SECONDS};
use crate::LoopbackModel;

#[cfg(test)]
mod tests;

pub(super) fn prepare(client: Client, model: &LoopbackModel) -> Client {
    let config = format!(
        r#"model = "loopback"
model_provider = "loopback"
check_for_update_on_startup = false

[analytics]
enabled = false

[model_providers.loopback]
name = "loopback"
base_url = "{}/v1"
wire_api = "responses"
env_key = "LOOPBACK_API_KEY"
request_max_retries = 0
stream_max_retries = 0
"#,
        model.base_url()
    );
    fs::write(client.home().join("config.toml"), config).expect("write Codex's configuration");
    let home = client.home().to_owned();
    client
        .with_env("CODEX_HOME", home)
        .with_env("LOOPBACK_API_KEY", "loopback")
        .with_argument("exec")
        // By default, Codex retries a failed connection indefinitely.
        .with_argument("--disable")
        .with_argument("unbounded_connection_retries")
        .with_argument("--sandbox")
        .with_argument("read-only")
}

pub(super) fn install(home: &Path, event: &str, command: &str) {
    let handler = json!({"type": "command", "command": command, "timeout": HOOK_TIMEOUT_SECONDS});
    super::set_hook(&home.join("hooks.json"), event, &handler);
}

pub(super) fn trust(home: &Path, event: &str, command: &str) {
    let source = home.join("hooks.json");
    let event = snake_case(event);
    let key = Value::String(format!("{}:{event}:0:0", source.display()));
    let hash = hook_hash(&event, command, HOOK_TIMEOUT_SECONDS);
    OpenOptions::new()
        .append(true)
        .open(home.join("config.toml"))
        .and_then(|mut config| write!(config, "\n[hooks.state.{key}]\ntrusted_hash = \"{hash}\"\n"))
        .expect("write the trust into Codex's configuration");
}

/// Adds an MCP server to `config.toml`. Strings and lists of strings have the same syntax in JSON and TOML.
pub(super) fn add_mcp_server(home: &Path, name: &str, program: &Path, arguments: &[&str]) {
    let (program, arguments) = (json!(program), json!(arguments));
    OpenOptions::new()
        .append(true)
        .open(home.join("config.toml"))
        .and_then(|mut config| {
            write!(config, "\n[mcp_servers.{name}]\ncommand = {program}\nargs = {arguments}\n")
        })
        .expect("write the MCP server into Codex's configuration");
}

/// Returns the hash of a command hook. It is the hash of the hook in canonical JSON: sorted keys, no spaces, explicit
/// defaults.
fn hook_hash(event: &str, command: &str, timeout_seconds: u32) -> String {
    let command = Value::String(command.to_owned());
    // The JSON is formatted as text, because the key order of a JSON value depends on a feature of serde_json.
    let handler = format!(
        r#"{{"async":false,"command":{command},"timeout":{timeout_seconds},"type":"command"}}"#
    );
    let identity = format!(r#"{{"event_name":"{event}","hooks":[{handler}]}}"#);
    format!("sha256:{:x}", Sha256::digest(identity))
}

/// Converts an event name such as `PreToolUse` to `pre_tool_use`.
fn snake_case(event: &str) -> String {
    let mut name = String::new();
    for letter in event.chars() {
        if letter.is_uppercase() && !name.is_empty() {
            name.push('_');
        }
        name.extend(letter.to_lowercase());
    }
    name
}
