//! Builds codex's arguments from the effective sandbox, approval policy and network access.
//!
//! The sandbox is always passed, so that it does not depend on a configuration file. A version of codex without a
//! sandbox flag is refused. The prompt is written to standard input.

use policy::{Bypass, Effective, Network, Sandbox};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

use crate::agents::codex::abilities::{Abilities, Dialect};
use crate::agents::{CommandLine, Unsupported, Wanted};

/// Options that are passed to codex in addition to the sandbox, approval and network options.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CodexOptions {
    pub profile: Option<String>,
    pub model: Option<String>,
    /// The reasoning effort: minimal, low, medium or high.
    pub effort: Option<String>,
    /// Configuration entries of the form `key=value`.
    pub config: Vec<String>,
    /// Further flags, in any spelling that codex accepts.
    pub arguments: Vec<String>,
}

impl CodexOptions {
    /// Returns the model that these options select: `model` if it is set, otherwise the last entry `model=NAME` in
    /// `config`.
    #[must_use]
    pub fn named_model(&self) -> Option<String> {
        let entries = self.config.iter().rev();
        let entry = entries.filter_map(|entry| entry.split_once('='));
        let in_config = entry.filter(|(key, _)| key.trim() == "model").map(|(_, value)| value);
        let unquoted = |value: &str| value.trim().trim_matches('"').to_owned();
        self.model.clone().or_else(|| in_config.map(unquoted).next())
    }
}

/// Splits `name effort` or `name-effort`, such as `gpt-5-codex-high`, into the model and the reasoning effort. If
/// `text` does not end with an effort, all of it is the model.
#[must_use]
pub fn model_and_effort(text: &str) -> (String, Option<String>) {
    const EFFORTS: [&str; 4] = ["minimal", "low", "medium", "high"];
    let text = text.trim();
    for effort in EFFORTS {
        let name = text.strip_suffix(effort).and_then(|rest| {
            rest.strip_suffix([' ', '-']).map(str::trim_end).filter(|name| !name.is_empty())
        });
        if let Some(name) = name {
            return (name.to_owned(), Some(effort.to_owned()));
        }
    }
    (text.to_owned(), None)
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
    let Effective { sandbox, network, bypass, .. } = wanted.effective;
    match bypass {
        Bypass::Yes if abilities.accepts(BYPASS) => exec.add([BYPASS]),
        Bypass::No if abilities.accepts("--sandbox") => exec.add(["--sandbox", sandbox.word()]),
        Bypass::Yes | Bypass::No => return Err(Unsupported::Sandbox { version: version() }),
    }
    if bypass == Bypass::No && abilities.accepts("--ask-for-approval") {
        exec.add(["--ask-for-approval", wanted.approval.word()]);
    }
    if bypass == Bypass::No && sandbox == Sandbox::WorkspaceWrite {
        add_workspace_entries(&mut exec, network, wanted.writable_roots);
    }
    if abilities.has_feature(ENDLESS_RETRIES) && abilities.accepts("--disable") {
        exec.add(["--disable", ENDLESS_RETRIES]);
    }
    add_options(&mut exec, wanted, abilities.accepts("--model"));
    if let Some(thread) = wanted.thread {
        if !abilities.can_resume() {
            return Err(Unsupported::Resume { version: version() });
        }
        exec.add(["resume", thread]);
    }
    exec.add(["-"]);
    Ok(CommandLine { global: Vec::new(), exec: exec.0 })
}

/// Builds the command line for a version of codex without JSON events. As documented for such versions, the sandbox and
/// approval options precede `exec`.
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
    if wanted.normalised.approval.is_some() {
        global.add(["--ask-for-approval", wanted.approval.word()]);
    }
    if wanted.normalised.full_auto && sandbox == Sandbox::WorkspaceWrite {
        global.add(["--full-auto"]);
    }
    if bypass == Bypass::Yes {
        global.add([BYPASS]);
    }
    if bypass == Bypass::No && sandbox == Sandbox::WorkspaceWrite {
        add_workspace_entries(&mut global, network, wanted.writable_roots);
    }
    add_options(&mut global, wanted, false);
    let mut exec = Words::new(["exec", "--output-last-message"]);
    exec.0.push(wanted.last_message.display().to_string());
    Ok(CommandLine { global: global.0, exec: exec.0 })
}

const BYPASS: &str = "--dangerously-bypass-approvals-and-sandbox";
/// A codex feature that retries forever if the network is unavailable. Adjutant disables it.
pub(crate) const ENDLESS_RETRIES: &str = "unbounded_connection_retries";

/// Adds the network access and the writable directories of `workspace-write`. Both are always passed, because the user's
/// configuration file or a profile may allow more.
fn add_workspace_entries(words: &mut Words, network: Network, roots: &[PathBuf]) {
    let has_network = bool::from(network);
    let roots: toml_edit::Array = roots.iter().filter_map(|root| root.to_str()).collect();
    words.add(["--config", &format!("sandbox_workspace_write.network_access={has_network}")]);
    words.add(["--config", &format!("sandbox_workspace_write.writable_roots={roots}")]);
}

fn add_options(words: &mut Words, wanted: &Wanted<'_>, has_model: bool) {
    let Wanted { options, profile, .. } = wanted;
    if let Some(profile) = profile {
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
