//! Configures Claude Code: settings in its home folder, a base URL and an API key in its environment.

use std::fs;
use std::path::Path;

use serde_json::json;

use super::{Client, HOOK_TIMEOUT_SECONDS};
use crate::LoopbackModel;

pub(super) fn prepare(client: Client, model: &LoopbackModel) -> Client {
    client
        .with_env("ANTHROPIC_BASE_URL", model.base_url())
        .with_env("ANTHROPIC_API_KEY", "loopback")
        .with_env("DISABLE_TELEMETRY", "1")
        .with_env("DISABLE_ERROR_REPORTING", "1")
        .with_env("DISABLE_AUTOUPDATER", "1")
        .with_env("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1")
}

pub(super) fn install(home: &Path, event: &str, command: &str) {
    let handler = json!({"type": "command", "command": command, "timeout": HOOK_TIMEOUT_SECONDS});
    let folder = home.join(".claude");
    fs::create_dir_all(&folder).expect("make Claude Code's settings folder");
    super::set_hook(&folder.join("settings.json"), event, &handler);
}
