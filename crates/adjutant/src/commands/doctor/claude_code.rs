//! Claude Code: there, told about us, not told to ignore us.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use disk::Links;
use install::{
    PluginState, Problem, claude_code_loads, claude_code_plugin, claude_code_server,
    has_prompt_hook, hooks_are_disabled, names_launcher,
};
use process::{Bounds, End, Environment, Program};
use serde_json::json;

use super::{Finding, MAX_SETTINGS_BYTES, settings_text};
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
    let own = place.folder.join("settings.json");
    if let Some(problem) = obstacle(Client::ClaudeCode, place) {
        return Finding::bad(HOOK, problem.to_string(), "repair the file, or move it away");
    }
    let names = ["settings.json", "settings.local.json"];
    let of_top = top.map(|top| names.map(|name| top.join(".claude").join(name)));
    let files: Vec<PathBuf> =
        [own.clone()].into_iter().chain(of_top.into_iter().flatten()).collect();
    let find = |says: fn(&str) -> Result<bool, Problem>| {
        files.iter().find(|file| says(&read(file)).unwrap_or(false))
    };
    let plugin = claude_code_plugin(&read(&own)).unwrap_or(PluginState::Absent);
    match (find(has_prompt_hook), plugin, find(hooks_are_disabled)) {
        (Some(_), _, Some(off)) | (_, PluginState::Active, Some(off)) => Finding::bad(
            HOOK,
            format!("`disableAllHooks` is true in {}", off.display()),
            "take `disableAllHooks` out of the file",
        ),
        (Some(file), _, None) => {
            installed(file, if *file == own { "" } else { " --scope project" })
        }
        (None, PluginState::Active, None) => Finding::good(HOOK, "in the plugin `adjutant`"),
        (None, PluginState::Disabled, _) => Finding::lacking(
            HOOK,
            "the plugin `adjutant` is switched off",
            "`/plugin` in Claude Code, or adjutant install claude-code",
        ),
        (None, PluginState::Absent | PluginState::Untrusted, _) => Finding::lacking(
            HOOK,
            format!("not in {}", own.display()),
            "adjutant install claude-code",
        ),
    }
}

/// A repository may have a pipe there, which nobody ever writes to.
fn read(file: &Path) -> String {
    let text = disk::read_text(file, Links::Follow, MAX_SETTINGS_BYTES).ok();
    text.unwrap_or_default()
}

/// Our hook is in this file; whether it runs.
fn installed(file: &Path, scope: &str) -> Finding {
    let text = read(file);
    let launcher = file.with_file_name("hooks").join("context-inject-global.sh");
    if let Err(problem) = claude_code_loads(&text) {
        let text = format!("Claude Code loads nothing of `{}`: {problem}", file.display());
        return Finding::bad(HOOK, text, "take that out of the file");
    }
    if names_launcher(&text) && !is_executable(&launcher) {
        let text = format!("{} is gone or no program; the hook does nothing", launcher.display());
        return Finding::bad(HOOK, text, format!("adjutant install claude-code{scope}"));
    }
    Finding::good(HOOK, format!("in {}", file.display()))
}

fn is_executable(path: &Path) -> bool {
    path.metadata().is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o100 != 0)
}

/// Nobody needs it for a briefing.
fn server(file: &Path) -> Finding {
    const NAME: &str = "Claude Code MCP";
    let registered = claude_code_server(&settings_text(file));
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
