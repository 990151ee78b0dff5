//! Claude Code: there, told about us, not told to ignore us.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use install::{
    PluginState, claude_code_loads, claude_code_plugin, claude_code_server, has_prompt_hook,
    hooks_are_disabled, names_launcher,
};
use process::{Bounds, End, Environment, Program};
use serde_json::json;

use super::Finding;
use crate::commands::install::{Client, Place, obstacle};

/// A client that does not say its version by then has something else to do.
const PATIENCE: Duration = Duration::from_secs(15);

const HOOK: &str = "Claude Code hook";

/// `top` is the repository, whose settings can switch hooks off.
pub(super) fn look(environment: &Environment, top: Option<&Path>) -> Vec<Finding> {
    const NAME: &str = "Claude Code";
    let Some(version) = version("claude", environment) else {
        let way_out = "npm install -g @anthropic-ai/claude-code, if you want it";
        return vec![Finding::lacking(NAME, "`claude` is not on PATH", way_out)];
    };
    let details = json!({ "version": version });
    let mut findings = vec![Finding::good(NAME, version).with(details)];
    match Place::of_user(Client::ClaudeCode, environment) {
        Ok(place) => {
            findings.push(hook(&place, top));
            findings.push(server(&place.servers));
        }
        Err(failure) => findings.push(super::homeless(HOOK, failure)),
    }
    findings
}

fn hook(place: &Place, top: Option<&Path>) -> Finding {
    let file = place.folder.join("settings.json");
    if let Some(problem) = obstacle(Client::ClaudeCode, place) {
        return Finding::bad(HOOK, problem.to_string(), "repair the file, or move it away");
    }
    let text = fs::read_to_string(&file).unwrap_or_default();
    if let Err(problem) = claude_code_loads(&text) {
        let text = format!("Claude Code loads nothing of `{}`: {problem}", file.display());
        return Finding::bad(HOOK, text, "take that out of the file");
    }
    let has_hook = has_prompt_hook(&text).unwrap_or(false);
    let plugin = claude_code_plugin(&text).unwrap_or(PluginState::Absent);
    let settings = ["settings.json", "settings.local.json"];
    let of_top =
        top.into_iter().flat_map(|top| settings.map(|name| top.join(".claude").join(name)));
    // A repository may have a pipe there, which nobody ever writes to.
    let read = |file: &PathBuf| file.is_file().then(|| fs::read_to_string(file).ok()).flatten();
    let is_off =
        |file: &PathBuf| read(file).is_some_and(|text| hooks_are_disabled(&text).unwrap_or(false));
    let off = [file.clone()].into_iter().chain(of_top).find(is_off);
    let launcher = place.folder.join("hooks/context-inject-global.sh");
    match (has_hook, plugin, off) {
        (true, _, Some(off)) | (_, PluginState::Active, Some(off)) => Finding::bad(
            HOOK,
            format!("`disableAllHooks` is true in {}", off.display()),
            "take `disableAllHooks` out of the file",
        ),
        (false, PluginState::Active, None) => Finding::good(HOOK, "in the plugin `adjutant`"),
        (false, PluginState::Disabled, _) => Finding::lacking(
            HOOK,
            "the plugin `adjutant` is switched off",
            "`/plugin` in Claude Code, or adjutant install claude-code",
        ),
        (false, PluginState::Absent | PluginState::Untrusted, _) => Finding::lacking(
            HOOK,
            format!("not in {}", file.display()),
            "adjutant install claude-code",
        ),
        (true, _, None) if names_launcher(&text) && !is_executable(&launcher) => Finding::bad(
            HOOK,
            format!("{} is gone or no program; the hook does nothing", launcher.display()),
            "adjutant install claude-code",
        ),
        (true, _, None) => Finding::good(HOOK, format!("in {}", file.display())),
    }
}

fn is_executable(path: &Path) -> bool {
    path.metadata().is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o100 != 0)
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
