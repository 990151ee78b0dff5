//! Builds Claude Code's arguments from the effective sandbox, approval policy and network access.
//!
//! Claude Code has no sandbox flag. These permissions are expressed with the list of available tools, the permission
//! mode and the sandbox setting for commands. Permissions that cannot be expressed are refused, and never approximated
//! with more permissive ones.

use policy::{Bypass, Effective, Network, Sandbox};
use serde_json::json;

use super::abilities::ClaudeAbilities;
use crate::agents::{CommandLine, Unsupported, Wanted};

/// The tools that only read files. Claude Code restricts them to the working directory and the `--add-dir` directories.
const READ_TOOLS: &str = "Read,Glob,Grep";
/// The tools that also write files and run commands.
const WRITE_TOOLS: &str = "Read,Glob,Grep,Edit,Write,NotebookEdit,Bash";

pub(crate) fn command_line(
    abilities: &ClaudeAbilities,
    wanted: &Wanted<'_>,
) -> Result<CommandLine, Unsupported> {
    let refused = |reason: String| Err(Unsupported::Claude(reason));
    let Some(version) = &abilities.version else {
        return refused("the program does not identify itself as Claude Code".to_owned());
    };
    if let [flag, ..] = abilities.lacks().as_slice() {
        return refused(format!("this version ({version}) has no `{flag}`"));
    }
    let mut words: Vec<String> =
        ["--print", "--output-format", "stream-json", "--verbose"].map(str::to_owned).to_vec();
    let mut add = |more: &[&str]| words.extend(more.iter().map(|word| (*word).to_owned()));
    let Effective { sandbox, network, bypass, .. } = wanted.effective;
    match (bypass, sandbox) {
        (Bypass::Yes, _) => add(&["--permission-mode", "bypassPermissions"]),
        (Bypass::No, Sandbox::ReadOnly) => {
            // The settings of the user and of the repository may allow more, so they are not loaded.
            add(&["--restricted", "--strict-mcp-config", "--permission-mode", "dontAsk"]);
            add(&["--tools", READ_TOOLS]);
        }
        (Bypass::No, Sandbox::WorkspaceWrite) if network == Network::Enabled => {
            return refused(
                "its sandbox can only allow named hosts, so `--network` is not supported"
                    .to_owned(),
            );
        }
        (Bypass::No, Sandbox::WorkspaceWrite) => {
            if !abilities.missing_programs.is_empty() {
                let programs = abilities.missing_programs.join(" and ");
                return refused(format!(
                    "the sandbox `workspace-write` needs {programs}, which are not on PATH"
                ));
            }
            add(&["--restricted", "--strict-mcp-config", "--permission-mode", "acceptEdits"]);
            add(&["--tools", WRITE_TOOLS, "--settings", &sandbox_settings()]);
        }
        (Bypass::No, Sandbox::DangerFullAccess) => {
            return refused(
                "`danger-full-access` is only available as a bypass of the sandbox".to_owned(),
            );
        }
    }
    for root in wanted.writable_roots {
        add(&["--add-dir", &root.to_string_lossy()]);
    }
    add_options(wanted, &mut words)?;
    Ok(CommandLine { global: Vec::new(), exec: words })
}

/// Returns settings that run every command in the sandbox without network access, and that make Claude Code exit if the
/// sandbox is unavailable.
fn sandbox_settings() -> String {
    let sandbox = json!({
        "enabled": true,
        "failIfUnavailable": true,
        "autoAllowBashIfSandboxed": true,
        "allowUnsandboxedCommands": false,
        "excludedCommands": [],
        "network": { "allowedDomains": [], "allowLocalBinding": false, "allowUnixSockets": [] },
    });
    json!({ "sandbox": sandbox }).to_string()
}

fn add_options(wanted: &Wanted<'_>, words: &mut Vec<String>) -> Result<(), Unsupported> {
    let options = wanted.options;
    let of_codex = match () {
        () if wanted.profile.is_some() => Some("--profile"),
        () if !options.config.is_empty() => Some("--codex-config"),
        () if !options.arguments.is_empty() => Some("arguments for codex"),
        () => None,
    };
    if let Some(flag) = of_codex {
        return Err(Unsupported::Claude(format!("{flag} is supported only with codex")));
    }
    let mut add = |flag: &str, value: String| words.extend([flag.to_owned(), value]);
    if let Some(model) = &options.model {
        add("--model", model.clone());
    }
    match options.effort.as_deref() {
        Some("minimal") => {
            return Err(Unsupported::Claude("the effort `minimal` is not supported".to_owned()));
        }
        Some(effort) => add("--effort", effort.to_owned()),
        None => {}
    }
    let budget = wanted.budget;
    let (max_turns, max_cost) = budget.turns_and_cost();
    if let Some(max) = max_turns {
        add("--max-turns", max.saturating_sub(wanted.used.turns).max(1).to_string());
    }
    if let Some(max) = max_cost.filter(|_| budget.price.is_none()) {
        let left = max.minus(wanted.used.cost.unwrap_or_default());
        add("--max-budget-usd", f64::from(left).to_string());
    }
    if let Some(thread) = wanted.thread {
        add("--resume", thread.to_owned());
    }
    Ok(())
}

#[cfg(test)]
mod tests;
