//! From effective orders to the arguments the installed codex accepts.
//!
//! The sandbox is always said, never left to a configuration file; what this codex cannot be told is refused if it
//! would make the run wider, and left out with a note if not. The prompt goes through stdin.

use policy::{Approval, Bypass, Effective, Network, Normalised, Sandbox};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

use crate::abilities::{Abilities, Dialect};

/// What is handed on to codex beside the orders.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CodexOptions {
    pub profile: Option<String>,
    pub model: Option<String>,
    /// minimal, low, medium, high
    pub effort: Option<String>,
    /// `key=value`
    pub config: Vec<String>,
    /// Flags of codex, in any spelling that codex takes.
    pub arguments: Vec<String>,
}

/// `name [effort]`, or `name-effort` the way `gpt-5-codex-high` has it.
#[must_use]
pub fn model_and_effort(said: &str) -> (String, Option<String>) {
    const EFFORTS: [&str; 4] = ["minimal", "low", "medium", "high"];
    let said = said.trim();
    for effort in EFFORTS {
        let name = said.strip_suffix(effort).and_then(|rest| {
            rest.strip_suffix([' ', '-']).map(str::trim_end).filter(|name| !name.is_empty())
        });
        if let Some(name) = name {
            return (name.to_owned(), Some(effort.to_owned()));
        }
    }
    (said.to_owned(), None)
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unsupported {
    #[error("this codex ({version}) cannot be told its sandbox")]
    Sandbox { version: String },
    #[error("this codex ({version}) cannot go on with a thread")]
    Resume { version: String },
}

pub(crate) struct Wanted<'a> {
    pub(crate) effective: Effective,
    pub(crate) normalised: Normalised,
    /// Directories that codex may write to beside the working directory.
    pub(crate) writable_roots: &'a [PathBuf],
    pub(crate) options: &'a CodexOptions,
    /// The thread to go on with.
    pub(crate) thread: Option<&'a str>,
    /// Where a codex without events puts its last message.
    pub(crate) last_message: &'a Path,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct CommandLine {
    /// Before `exec`.
    pub(crate) global: Vec<String>,
    /// `exec` and everything after it.
    pub(crate) exec: Vec<String>,
}

impl CommandLine {
    pub(crate) fn words(&self) -> Vec<String> {
        self.global.iter().chain(&self.exec).cloned().collect()
    }
}

pub(crate) fn command_line(
    abilities: &Abilities,
    wanted: &Wanted<'_>,
) -> Result<CommandLine, Unsupported> {
    match abilities.dialect() {
        Dialect::Events => with_events(abilities, wanted),
        Dialect::Plain => plain(abilities, wanted),
    }
}

fn with_events(abilities: &Abilities, wanted: &Wanted<'_>) -> Result<CommandLine, Unsupported> {
    let version = || abilities.version.clone().unwrap_or_default();
    let mut exec = Words::new(["exec", "--json"]);
    if abilities.accepts("--color") {
        exec.add(["--color", "never"]);
    }
    let Effective { sandbox, approval, network, bypass } = wanted.effective;
    match bypass {
        Bypass::Yes if abilities.accepts(BYPASS) => exec.add([BYPASS]),
        Bypass::No if abilities.accepts("--sandbox") => exec.add(["--sandbox", sandbox.word()]),
        Bypass::Yes | Bypass::No => return Err(Unsupported::Sandbox { version: version() }),
    }
    if bypass == Bypass::No && abilities.accepts("--ask-for-approval") {
        exec.add(["--ask-for-approval", approval.word()]);
    }
    if bypass == Bypass::No && sandbox == Sandbox::WorkspaceWrite {
        // Both are always stated: the user's configuration file or a profile may have widened them for other runs.
        exec.add(["--config", network_entry(network)]);
        exec.add(["--config", &roots_entry(wanted.writable_roots)]);
    }
    if abilities.has_feature(ENDLESS_RETRIES) && abilities.accepts("--disable") {
        exec.add(["--disable", ENDLESS_RETRIES]);
    }
    add_options(&mut exec, wanted.options, abilities.accepts("--model"));
    if let Some(thread) = wanted.thread {
        if !abilities.can_resume() {
            return Err(Unsupported::Resume { version: version() });
        }
        exec.add(["resume", thread]);
    }
    exec.add(["-"]);
    Ok(CommandLine { global: Vec::new(), exec: exec.0 })
}

/// The command line as documented: orders before `exec`, the last message in a file.
fn plain(abilities: &Abilities, wanted: &Wanted<'_>) -> Result<CommandLine, Unsupported> {
    if wanted.thread.is_some() {
        let version = abilities.version.clone().unwrap_or_else(|| "of unknown version".to_owned());
        return Err(Unsupported::Resume { version });
    }
    let mut global = Words::default();
    let Effective { sandbox, network, bypass, .. } = wanted.effective;
    let named = match bypass {
        Bypass::Yes => wanted.normalised.sandbox,
        Bypass::No => Some(sandbox),
    };
    if let Some(sandbox) = named {
        global.add(["--sandbox", sandbox.word()]);
    }
    if let Some(approval) = wanted.normalised.approval.map(Approval::word) {
        global.add(["--ask-for-approval", approval]);
    }
    if wanted.normalised.full_auto && sandbox == Sandbox::WorkspaceWrite {
        global.add(["--full-auto"]);
    }
    if bypass == Bypass::Yes {
        global.add([BYPASS]);
    }
    if bypass == Bypass::No && sandbox == Sandbox::WorkspaceWrite && network == Network::Enabled {
        global.add(["--config", network_entry(network)]);
    }
    if !wanted.writable_roots.is_empty() {
        global.add(["--config", &roots_entry(wanted.writable_roots)]);
    }
    add_options(&mut global, wanted.options, false);
    let mut exec = Words::new(["exec", "--output-last-message"]);
    exec.0.push(wanted.last_message.display().to_string());
    Ok(CommandLine { global: global.0, exec: exec.0 })
}

const BYPASS: &str = "--dangerously-bypass-approvals-and-sandbox";
/// Without this off, codex waits for a network that is gone for ever.
pub(crate) const ENDLESS_RETRIES: &str = "unbounded_connection_retries";

fn network_entry(network: Network) -> &'static str {
    match network {
        Network::Enabled => "sandbox_workspace_write.network_access=true",
        Network::Restricted => "sandbox_workspace_write.network_access=false",
    }
}

fn roots_entry(roots: &[PathBuf]) -> String {
    let roots: toml_edit::Array = roots.iter().filter_map(|root| root.to_str()).collect();
    format!("sandbox_workspace_write.writable_roots={roots}")
}

fn add_options(words: &mut Words, options: &CodexOptions, has_model: bool) {
    if let Some(profile) = &options.profile {
        words.add(["--profile", profile]);
    }
    if let Some(model) = &options.model {
        if has_model {
            words.add(["--model", model]);
        } else {
            words.add(["--config", &format!("model={}", toml_text(model))]);
        }
    }
    if let Some(effort) = &options.effort {
        words.add(["--config", &format!("model_reasoning_effort={}", toml_text(effort))]);
    }
    for entry in &options.config {
        words.add(["--config", entry]);
    }
    words.0.extend(options.arguments.iter().cloned());
}

fn toml_text(value: &str) -> String {
    format!("\"{}\"", value.replace('\\', "\\\\").replace('"', "\\\""))
}

#[derive(Default)]
struct Words(Vec<String>);

impl Words {
    fn new<const N: usize>(words: [&str; N]) -> Self {
        Self(words.map(str::to_owned).to_vec())
    }

    fn add<const N: usize>(&mut self, words: [&str; N]) {
        self.0.extend(words.map(str::to_owned));
    }
}

#[cfg(test)]
mod tests;
