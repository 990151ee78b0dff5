//! The options of an unattended run: sandbox, approval policy, network access and bypass.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// The sandbox mode, which determines what codex may read and write. Ordered from most to least restricted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Sandbox {
    ReadOnly,
    WorkspaceWrite,
    DangerFullAccess,
}

/// The approval policy, which determines when codex asks the user before it runs a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Approval {
    Untrusted,
    OnFailure,
    OnRequest,
    Never,
}

/// Whether commands in the `workspace-write` sandbox can access the network. Stored as a Boolean value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(from = "bool", into = "bool")]
pub enum Network {
    #[default]
    Restricted,
    Enabled,
}

/// Whether the sandbox and the approvals are bypassed. Stored as a Boolean value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(from = "bool", into = "bool")]
pub enum Bypass {
    #[default]
    No,
    Yes,
}

/// Who requested a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Author {
    /// A user on the command line.
    #[default]
    Person,
    /// A model, through an MCP call. `may_bypass` is true if the server was started with `--allow-bypass`.
    Model { may_bypass: bool },
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{given}` is not a valid {what}; use one of {allowed}")]
pub struct UnknownWord {
    pub given: String,
    pub what: &'static str,
    pub allowed: String,
}

impl Sandbox {
    pub const ALL: [Self; 3] = [Self::ReadOnly, Self::WorkspaceWrite, Self::DangerFullAccess];

    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::ReadOnly => "read-only",
            Self::WorkspaceWrite => "workspace-write",
            Self::DangerFullAccess => "danger-full-access",
        }
    }
}

impl Approval {
    pub const ALL: [Self; 4] = [Self::Untrusted, Self::OnFailure, Self::OnRequest, Self::Never];

    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Untrusted => "untrusted",
            Self::OnFailure => "on-failure",
            Self::OnRequest => "on-request",
            Self::Never => "never",
        }
    }
}

impl Network {
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Restricted => "restricted",
            Self::Enabled => "enabled",
        }
    }
}

impl From<bool> for Network {
    fn from(is_enabled: bool) -> Self {
        if is_enabled { Self::Enabled } else { Self::Restricted }
    }
}

impl From<Network> for bool {
    fn from(network: Network) -> Self {
        network == Network::Enabled
    }
}

impl From<bool> for Bypass {
    fn from(is_bypassed: bool) -> Self {
        if is_bypassed { Self::Yes } else { Self::No }
    }
}

impl From<Bypass> for bool {
    fn from(bypass: Bypass) -> Self {
        bypass == Bypass::Yes
    }
}

impl FromStr for Sandbox {
    type Err = UnknownWord;

    fn from_str(word: &str) -> Result<Self, UnknownWord> {
        let found = Self::ALL.into_iter().find(|sandbox| sandbox.word() == word);
        found.ok_or_else(|| unknown(word, "sandbox", &Self::ALL.map(Self::word)))
    }
}

impl FromStr for Approval {
    type Err = UnknownWord;

    fn from_str(word: &str) -> Result<Self, UnknownWord> {
        let found = Self::ALL.into_iter().find(|approval| approval.word() == word);
        found.ok_or_else(|| unknown(word, "approval policy", &Self::ALL.map(Self::word)))
    }
}

fn unknown(given: &str, what: &'static str, allowed: &[&str]) -> UnknownWord {
    UnknownWord { given: given.to_owned(), what, allowed: allowed.join(", ") }
}

impl fmt::Display for Sandbox {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

impl fmt::Display for Approval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}
