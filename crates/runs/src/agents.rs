//! The coding agents that can run unattended. Each agent has a module for its command line and its events.

pub(crate) mod claude {
    pub(crate) mod abilities;
    pub(crate) mod arguments;
    pub(crate) mod events;
}
pub(crate) mod codex {
    pub(crate) mod abilities;
    pub(crate) mod arguments;
    pub(crate) mod events;
    pub(crate) mod raw_orders;
    pub(crate) mod rollout;
}

use std::path::{Path, PathBuf};

use policy::{Approval, Effective, Normalised};
use process::Environment;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::stream::Account;
use crate::usage::{SessionBudget, TotalUse};

use claude::abilities::ClaudeAbilities;
use codex::abilities::{Abilities, CodexMissing, Dialect, find_codex};
use codex::arguments::{self, CodexOptions};

/// The agent that a run starts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AgentKind {
    #[default]
    Codex,
    Claude,
}

impl AgentKind {
    /// Returns the environment variable that names the folder with the agent's login and configuration.
    #[must_use]
    pub fn home_variable(self) -> &'static str {
        match self {
            Self::Codex => "CODEX_HOME",
            Self::Claude => "CLAUDE_CONFIG_DIR",
        }
    }

    /// Returns the environment variables with keys that the agent prefers to the login in its folder.
    pub(crate) fn key_variables(self) -> &'static [&'static str] {
        match self {
            Self::Codex => &["CODEX_API_KEY"],
            Self::Claude => {
                &["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"]
            }
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unsupported {
    #[error("this version of codex ({version}) does not accept a sandbox")]
    Sandbox { version: String },
    #[error("this version of codex ({version}) cannot resume threads")]
    Resume { version: String },
    #[error(
        "this version of codex ({version}) does not report its tokens, so a cap cannot be enforced"
    )]
    Caps { version: String },
    #[error("Claude Code cannot be run with these orders: {0}")]
    Claude(String),
}

/// The values that an agent's command line is built from.
pub(crate) struct Wanted<'a> {
    pub(crate) effective: Effective,
    /// The approval policy to name to codex.
    pub(crate) approval: Approval,
    pub(crate) normalised: Normalised,
    /// The directories that the agent can write to, in addition to the working directory.
    pub(crate) writable_roots: &'a [PathBuf],
    pub(crate) options: &'a CodexOptions,
    /// The codex configuration profile to use instead of the one in `options`.
    pub(crate) profile: Option<&'a str>,
    /// The id of the thread to continue.
    pub(crate) thread: Option<&'a str>,
    /// The file to which codex writes its last message, if this version of codex does not print JSON events.
    pub(crate) last_message: &'a Path,
    pub(crate) budget: &'a SessionBudget,
    /// The tokens, turns and cost that the session used before this process started.
    pub(crate) used: TotalUse,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct CommandLine {
    /// The arguments before `exec`.
    pub(crate) global: Vec<String>,
    /// `exec` and all arguments after it, or all arguments of an agent without sub-commands.
    pub(crate) exec: Vec<String>,
}

impl CommandLine {
    pub(crate) fn words(&self) -> Vec<String> {
        self.global.iter().chain(&self.exec).cloned().collect()
    }
}

/// An installed agent.
#[derive(Clone, Debug)]
pub(crate) enum Agent {
    Codex(Abilities),
    Claude(ClaudeAbilities),
}

impl Agent {
    /// Finds an agent's program and determines which flags and features it supports.
    pub(crate) fn find(
        kind: AgentKind,
        environment: &Environment,
        cache: Option<&Path>,
    ) -> Result<(PathBuf, Self), CodexMissing> {
        match kind {
            AgentKind::Codex => {
                let program = find_codex(environment)?;
                let abilities = Abilities::of(&program, environment, cache);
                Ok((program, Self::Codex(abilities)))
            }
            AgentKind::Claude => {
                let program = claude::abilities::find_claude(environment)?;
                let abilities = ClaudeAbilities::of(&program, environment);
                Ok((program, Self::Claude(abilities)))
            }
        }
    }

    /// Returns an agent with the abilities of a recent version. Used for a dry run, which does not start the agent.
    pub(crate) fn assumed(kind: AgentKind) -> (PathBuf, Self) {
        match kind {
            AgentKind::Codex => (PathBuf::from("codex"), Self::Codex(Abilities::assumed())),
            AgentKind::Claude => {
                (PathBuf::from("claude"), Self::Claude(ClaudeAbilities::assumed()))
            }
        }
    }

    /// Returns the agent's name, capitalised for the start of a sentence.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Codex(_) => "Codex",
            Self::Claude(_) => "Claude Code",
        }
    }

    pub(crate) fn version(&self) -> Option<&str> {
        match self {
            Self::Codex(abilities) => abilities.version.as_deref(),
            Self::Claude(abilities) => abilities.version.as_deref(),
        }
    }

    /// Returns whether the agent can ask for approval in an unattended run. If this cannot be determined, the agent is
    /// assumed not to ask, because full access with approvals would then become full access without them.
    pub(crate) fn can_ask(&self) -> bool {
        match self {
            Self::Codex(abilities) => abilities.accepts("--ask-for-approval"),
            Self::Claude(_) => false,
        }
    }

    pub(crate) fn can_resume(&self) -> bool {
        match self {
            Self::Codex(abilities) => abilities.can_resume(),
            Self::Claude(_) => true,
        }
    }

    pub(crate) fn has_events(&self) -> bool {
        match self {
            Self::Codex(abilities) => abilities.dialect() == Dialect::Events,
            Self::Claude(_) => true,
        }
    }

    pub(crate) fn command_line(&self, wanted: &Wanted<'_>) -> Result<CommandLine, Unsupported> {
        match self {
            Self::Codex(abilities) => arguments::command_line(abilities, wanted),
            Self::Claude(abilities) => claude::arguments::command_line(abilities, wanted),
        }
    }
}

/// An event in an agent's output.
pub(crate) trait AgentEvent: DeserializeOwned {
    /// Whether a process can have several turns. If so, a cap can be exceeded before the process ends.
    const HAS_INNER_TURNS: bool;

    /// Parses a line. Returns `None` if the line is not a JSON object with a `type`.
    fn parse(line: &str) -> Option<Self> {
        line.starts_with('{').then(|| serde_json::from_str(line).ok()).flatten()
    }

    /// Adds the event to the summary of the process that printed it.
    fn add_to(&self, account: &mut Account);

    /// Returns the thread id if this event starts or continues a thread.
    fn thread_id(&self) -> Option<&str>;

    /// Returns the log line for the event, or `None` if the event is not logged.
    fn log_line(&self) -> Option<String>;
}
