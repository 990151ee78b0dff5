//! The clients: there, new enough, told about us, and — Codex — trusting us.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use codex::{Abilities, Dialect, find_codex};
use install::{TrustState, has_prompt_hook, trust_state};
use process::{Bounds, End, Environment, Program};

use super::Finding;
use crate::commands::install::{Client, Place};
use crate::edge;

/// A client that does not say its version by then has something else to do.
const PATIENCE: Duration = Duration::from_secs(10);

pub(super) fn claude_code(environment: &Environment) -> Vec<Finding> {
    const NAME: &str = "Claude Code";
    let Some(version) = version("claude", environment) else {
        let way_out = "npm install -g @anthropic-ai/claude-code, if you want it";
        return vec![Finding::lacking(NAME, "`claude` is not on PATH", way_out)];
    };
    let mut findings = vec![Finding::good(NAME, version)];
    let Ok(place) = Place::of_user(Client::ClaudeCode, environment) else { return findings };
    let file = place.folder.join("settings.json");
    let text = fs::read_to_string(&file).unwrap_or_default();
    findings.push(match has_prompt_hook(&text) {
        Ok(true) => Finding::good("Claude Code hook", format!("in {}", file.display())),
        Ok(false) => Finding::lacking(
            "Claude Code hook",
            format!("not in {}", file.display()),
            "adjutant install claude-code",
        ),
        Err(problem) => Finding::bad(
            "Claude Code hook",
            format!("`{}`: {problem}", file.display()),
            "repair the file; Claude Code cannot read it either",
        ),
    });
    findings
}

pub(super) fn codex(environment: &Environment) -> Vec<Finding> {
    const NAME: &str = "Codex";
    let Ok(program) = find_codex(environment) else {
        let way_out = "npm install -g @openai/codex, if you want it";
        return vec![Finding::lacking(NAME, "`codex` is not on PATH", way_out)];
    };
    let abilities =
        Abilities::of(&program, environment, edge::cache_directory(environment).as_deref());
    let mut findings = vec![match (&abilities.version, abilities.dialect()) {
        (None, _) => Finding::bad(
            NAME,
            format!("`{}` does not say that it is codex", program.display()),
            "is it the real one? try `codex --version`",
        ),
        (Some(version), Dialect::Events) => {
            Finding::good(NAME, format!("{version}, tells what happens as events"))
        }
        (Some(version), Dialect::Plain) => Finding::lacking(
            NAME,
            format!("{version}, has no `exec --json`: unattended runs know less"),
            "npm install -g @openai/codex",
        ),
    }];
    let Ok(place) = Place::of_user(Client::Codex, environment) else { return findings };
    findings.push(codex_hook(&place.folder));
    findings
}

fn codex_hook(folder: &Path) -> Finding {
    const NAME: &str = "Codex hook";
    let file = folder.join("hooks.json");
    let read = |path: &PathBuf| fs::read_to_string(path).unwrap_or_default();
    match trust_state(&file, &read(&file), &read(&folder.join("config.toml"))) {
        Ok(TrustState::Trusted) => Finding::good(NAME, format!("in {}, trusted", file.display())),
        Ok(TrustState::Untrusted) => Finding::bad(
            NAME,
            "installed but not trusted: Codex skips it without a word",
            "adjutant install codex --trust, or start `codex` and review it",
        ),
        Ok(TrustState::Absent) => Finding::lacking(
            NAME,
            format!("not in {}", file.display()),
            "adjutant install codex --trust",
        ),
        Err(problem) => {
            Finding::bad(NAME, format!("{}: {problem}", folder.display()), "repair the file")
        }
    }
}

/// The first line a program says when asked for its version.
fn version(name: &str, environment: &Environment) -> Option<String> {
    let program = Program::new(name, environment.clone()).argument("--version");
    let bounds =
        Bounds { deadline: Instant::now() + PATIENCE, stdout_bytes: 4096, stderr_bytes: 4096 };
    let finished = process::run(&program, &bounds).ok()?;
    let said = finished.stdout.text().lines().next().unwrap_or_default().trim().to_owned();
    (finished.end == End::Exited(0)).then_some(said)
}
