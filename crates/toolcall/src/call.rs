//! One call of a tool: what is asked, by whom, and by which names others know it.

use std::time::Duration;

use serde_json::{Map, Value};

#[derive(Clone, Debug, PartialEq)]
pub struct ToolCall {
    pub tool: String,
    pub arguments: Map<String, Value>,
    pub timeout: Duration,
    pub identity: Identity,
}

/// Who wants the call. Hooks fire for all of them alike.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Caller {
    /// A briefing: automatic, so only tools of the allow-list.
    #[default]
    Kernel,
    /// A person, by hand.
    Command,
    /// The model of a client, through our MCP server.
    Mcp,
    /// An unattended run of codex.
    CodexRun,
    /// A client that tells us of a call it is about to make, or has made, itself.
    ClaudeCode,
    CodexCli,
}

impl Caller {
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Kernel => "kernel",
            Self::Command => "command",
            Self::Mcp => "mcp",
            Self::CodexRun => "codex-run",
            Self::ClaudeCode => "claude-code",
            Self::CodexCli => "codex-cli",
        }
    }
}

/// By what a call is known outside. A client and our MCP server see the same call; this is how they notice.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Identity {
    /// The client's own id of the call. An MCP server finds it in `_meta`: see [`Identity::from_mcp_meta`].
    pub tool_use_id: Option<String>,
    pub session_id: Option<String>,
    /// Set when a sub-agent makes the call.
    pub agent_id: Option<String>,
    /// The name the client knows the tool by, if it is another: `mcp__adjutant__ci_search`.
    pub seen_as: Option<String>,
}

impl Identity {
    /// From `params._meta` of `tools/call`: Claude Code and Codex both put the id there that their hooks get.
    #[must_use]
    pub fn from_mcp_meta(meta: &Map<String, Value>) -> Self {
        let text = |key: &str| meta.get(key).and_then(Value::as_str).map(str::to_owned);
        Self {
            tool_use_id: text("claudecode/toolUseId").or_else(|| text("callId")),
            session_id: text("sessionId"),
            agent_id: None,
            seen_as: None,
        }
    }
}

impl ToolCall {
    /// A call a client told us of. One of our own MCP tools gets its own name back.
    #[must_use]
    pub fn of_client(tool_name: &str, input: Value, mut identity: Identity) -> Self {
        let arguments = match input {
            Value::Object(map) => map,
            Value::Null => Map::new(),
            // Freeform tools have a bare text for input.
            other @ (Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_)) => {
                Map::from_iter([("input".to_owned(), other)])
            }
        };
        let own = own_tool(tool_name);
        if own.is_some() {
            identity.seen_as = Some(tool_name.to_owned());
        }
        let tool = own.unwrap_or_else(|| tool_name.to_owned());
        Self { tool, arguments, timeout: Duration::MAX, identity }
    }
}

/// `mcp__adjutant__ci_search` and `mcp__plugin_adjutant_adjutant__ci_search` are `ci_search`. Clients write `codex.exec` as
/// `codex_exec`.
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
