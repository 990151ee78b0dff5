//! The reasons why the options of a run (sandbox, approvals, network) differ from the request, or why they were
//! refused. The messages are shown to users and logged.

use std::fmt;

use crate::sandbox::{Approval, Sandbox};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    ApprovalAdded(Approval),
    Lowered { from: Sandbox, to: Sandbox },
    BypassAllowed,
    ApprovalUnavailable(Approval),
    SandboxBypassed(Sandbox),
    FullAuto,
    FullAutoKeepsSandbox(Sandbox),
    NoSandboxNamed,
    NoNetworkWhenReadOnly,
    Continued,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    #[error(
        "conflicting flags (参数冲突): `--dangerously-bypass-approvals-and-sandbox` cannot be combined with `--ask-for-approval` or `--full-auto`"
    )]
    Conflict,
    #[error(
        "invalid combination (组合无效): `--sandbox danger-full-access` with `--ask-for-approval never` would let codex run any command without approval"
    )]
    FullAccessWithNever,
    #[error(
        "a session keeps its sandbox: `{stored}` cannot become `{requested}`, and neither the network nor a bypass can be added"
    )]
    Wider { stored: Sandbox, requested: Sandbox },
    #[error(
        "the session had the sandbox `{stored}`, but a run that names no sandbox gets `{allowed}`"
    )]
    SandboxNotNamed { stored: Sandbox, allowed: Sandbox },
    #[error("a model cannot start codex without a sandbox: this server does not allow it")]
    BypassByModel,
    #[error("`{name}={value}`: {reason}")]
    Switch { name: &'static str, value: String, reason: String },
}

impl Refusal {
    /// Returns a hint about what the user can do instead.
    #[must_use]
    pub fn guidance(&self) -> &'static str {
        match self {
            Self::Conflict => "remove one of them; with the bypass, codex never asks",
            Self::FullAccessWithNever => {
                "set ALLOW_DFA_WITH_NEVER=1 to bypass the sandbox (in a container), or DFA_DEGRADE_ON_NEVER=1 to run in workspace-write, or use `--ask-for-approval on-request`"
            }
            Self::Wider { .. } => "start a new run with the wider sandbox",
            Self::SandboxNotNamed { .. } => {
                "name the sandbox again, for example `--sandbox workspace-write`, or name a narrower one"
            }
            Self::BypassByModel => {
                "use the sandbox `workspace-write`; the user can allow it with `adjutant mcp --allow-bypass` or ALLOW_MCP_BYPASS=1 in the server's environment (in a container)"
            }
            Self::Switch { .. } => "correct the variable or unset it",
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ApprovalAdded(approval) => write!(
                f,
                "added --ask-for-approval {approval}: danger-full-access was requested without an approval policy (DEFAULT_APPROVAL_FOR_DFA)"
            ),
            Self::Lowered { from, to } => write!(
                f,
                "lowered the sandbox: {from} -> {to}, because codex would not ask for approval (ALLOW_DFA_WITH_NEVER=1 allows it, DFA_DEGRADE_ON_NEVER=0 refuses instead)"
            ),
            Self::BypassAllowed => f.write_str(
                "added --dangerously-bypass-approvals-and-sandbox: ALLOW_DFA_WITH_NEVER=1 (dangerous)",
            ),
            Self::ApprovalUnavailable(approval) => write!(
                f,
                "approval {approval} becomes never: this version of codex does not ask in an unattended run"
            ),
            Self::SandboxBypassed(sandbox) => {
                write!(f, "the bypass was requested: sandbox {sandbox} is not enforced")
            }
            Self::FullAuto => f.write_str("--full-auto means sandbox workspace-write"),
            Self::FullAutoKeepsSandbox(sandbox) => {
                write!(f, "--full-auto has no effect: sandbox {sandbox} was named")
            }
            Self::NoSandboxNamed => f.write_str("no sandbox was named: read-only, the most restricted"),
            Self::NoNetworkWhenReadOnly => {
                f.write_str("the network stays restricted: only workspace-write can enable it")
            }
            Self::Continued => f.write_str("the session keeps its sandbox"),
        }
    }
}
