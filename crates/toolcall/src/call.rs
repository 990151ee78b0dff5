//! Types for a tool call: the tool, its arguments, and the call's identity.

use std::time::Duration;

use contract::{Arguments, ClientName};

#[derive(Clone, Debug, PartialEq)]
pub struct ToolCall {
    pub tool: String,
    pub arguments: Arguments,
    pub timeout: Duration,
    pub identity: CallIdentity,
}

/// The program or user that made a tool call. Hooks run for every caller.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Caller {
    /// The kernel, while it prepares a briefing. It may call only built-in tools and the tools that a trusted
    /// configuration defines.
    #[default]
    Kernel,
    /// A user who runs `adjutant tool call`.
    Command,
    /// A client's model, through the Adjutant MCP server.
    Mcp,
    /// An unattended run of codex.
    CodexRun,
    /// A client, which runs the tool itself and reports the call through its hooks.
    Client(ClientName),
}

impl Caller {
    #[must_use]
    pub fn word(&self) -> &str {
        match self {
            Self::Kernel => "kernel",
            Self::Command => "command",
            Self::Mcp => "mcp",
            Self::CodexRun => "codex-run",
            Self::Client(name) => name.word(),
        }
    }
}

/// The identifiers of a call. The client's hook and the MCP server use them to detect that they are handling the same
/// call.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CallIdentity {
    /// The id that the client assigned to the call.
    pub tool_use_id: Option<String>,
    pub session_id: Option<String>,
    /// The sub-agent's id, if a sub-agent makes the call.
    pub agent_id: Option<String>,
    /// The client's name for the tool, such as `mcp__adjutant__ci_search`, if it differs from [`ToolCall::tool`].
    pub client_tool_name: Option<String>,
}

impl CallIdentity {
    /// Reads the ids from `params._meta` of an MCP `tools/call` request. `field` returns a string field of `_meta`. Claude
    /// Code and Codex write the same ids to `_meta` and to the payloads of their hooks.
    #[must_use]
    pub fn from_mcp_meta<'m>(field: impl Fn(&str) -> Option<&'m str>) -> Self {
        let text = |key: &str| field(key).map(str::to_owned);
        Self {
            tool_use_id: text("claudecode/toolUseId").or_else(|| text("callId")),
            session_id: text("sessionId"),
            agent_id: None,
            client_tool_name: None,
        }
    }
}

impl ToolCall {
    /// Creates a call from a client's report. If the tool belongs to the Adjutant MCP server, [`ToolCall::tool`] is the
    /// name that the server uses.
    #[must_use]
    pub fn of_client(tool_name: &str, arguments: Arguments, mut identity: CallIdentity) -> Self {
        let own = own_tool(tool_name);
        if own.is_some() {
            identity.client_tool_name = Some(tool_name.to_owned());
        }
        let tool = own.unwrap_or_else(|| tool_name.to_owned());
        Self { tool, arguments, timeout: Duration::MAX, identity }
    }
}

/// Returns the Adjutant MCP server's name for a tool, such as `ci_search` for `mcp__adjutant__ci_search` and for
/// `mcp__plugin_adjutant_adjutant__ci_search`. Returns `codex.exec` for `mcp__adjutant__codex_exec`, because clients
/// replace the dot. Returns `None` if the tool belongs to another server or to the client.
fn own_tool(name: &str) -> Option<String> {
    let (server, tool) = name.strip_prefix("mcp__")?.rsplit_once("__")?;
    if !server.contains("adjutant") || tool.is_empty() {
        return None;
    }
    Some(match tool.strip_prefix("codex_") {
        Some(verb) => format!("codex.{verb}"),
        None => tool.to_owned(),
    })
}

#[cfg(test)]
mod tests;
