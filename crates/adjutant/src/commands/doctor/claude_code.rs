//! Claude Code: there, told about us, not told to ignore us.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use install::{
    PluginState, claude_code_plugin, claude_code_server, has_prompt_hook, hooks_are_disabled,
    names_launcher,
};
use process::{Bounds, End, Environment, Program};
use serde_json::json;

use super::Finding;
use crate::commands::install::{Client, Place};

/// A client that does not say its version by then has something else to do.
const PATIENCE: Duration = Duration::from_secs(15);

pub(super) fn look(environment: &Environment) -> Vec<Finding> {
    const NAME: &str = "Claude Code";
    let Some(version) = version("claude", environment) else {
        let way_out = "npm install -g @anthropic-ai/claude-code, if you want it";
        return vec![Finding::lacking(NAME, "`claude` is not on PATH", way_out)];
    };
    let details = json!({ "version": version });
    let mut findings = vec![Finding::good(NAME, version).with(details)];
    let Ok(place) = Place::of_user(Client::ClaudeCode, environment) else { return findings };
    findings.push(hook(&place.folder));
    findings.push(server(&place.servers));
    findings
}

fn hook(folder: &Path) -> Finding {
    const NAME: &str = "Claude Code hook";
    let file = folder.join("settings.json");
    let text = fs::read_to_string(&file).unwrap_or_default();
    let launcher = folder.join("hooks/context-inject-global.sh");
    let plugin = claude_code_plugin(&text).unwrap_or(PluginState::Absent);
    match (has_prompt_hook(&text), hooks_are_disabled(&text)) {
        (Err(problem), _) | (_, Err(problem)) => Finding::bad(
            NAME,
            format!("`{}`: {problem}", file.display()),
            "repair the file; Claude Code cannot read it either",
        ),
        (Ok(has_hook), Ok(true)) if has_hook || plugin == PluginState::Active => Finding::bad(
            NAME,
            format!("`disableAllHooks` is true in {}", file.display()),
            "take `disableAllHooks` out of the file",
        ),
        (Ok(false), _) => match plugin {
            PluginState::Active => Finding::good(NAME, "in the plugin `adjutant`"),
            PluginState::Disabled => Finding::lacking(
                NAME,
                "the plugin `adjutant` is switched off",
                "`/plugin` in Claude Code, or adjutant install claude-code",
            ),
            PluginState::Absent | PluginState::Untrusted => Finding::lacking(
                NAME,
                format!("not in {}", file.display()),
                "adjutant install claude-code",
            ),
        },
        (Ok(true), Ok(_)) if names_launcher(&text) && !launcher.is_file() => Finding::bad(
            NAME,
            format!("{} is gone; the hook does nothing", launcher.display()),
            "adjutant install claude-code",
        ),
        (Ok(true), Ok(_)) => Finding::good(NAME, format!("in {}", file.display())),
    }
}

/// Nobody needs it for a briefing.
fn server(file: &Path) -> Finding {
    const NAME: &str = "Claude Code MCP";
    let registered = claude_code_server(&fs::read_to_string(file).unwrap_or_default());
    super::codex::server_finding(NAME, file, registered, "adjutant install claude-code --mcp")
}

/// The first line a program says when asked for its version. It starts outside of any repository.
fn version(name: &str, environment: &Environment) -> Option<String> {
    let program = Program::new(name, environment.clone().with_absolute_path())
        .argument("--version")
        .directory("/");
    let bounds =
        Bounds { deadline: Instant::now() + PATIENCE, stdout_bytes: 4096, stderr_bytes: 4096 };
    let finished = process::run(&program, &bounds).ok()?;
    let said = finished.stdout.text().lines().next().unwrap_or_default().trim().to_owned();
    (finished.end == End::Exited(0)).then_some(said)
}
