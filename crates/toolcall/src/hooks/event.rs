//! Builds the JSON object that a hook reads from standard input.

use contract::{Arguments, ToolMoment};
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::{HookDialect, HookKind};
use crate::call::{CallIdentity, Caller};

pub(crate) struct HookEvent<'a> {
    pub(crate) tool: &'a str,
    pub(crate) identity: &'a CallIdentity,
    pub(crate) caller: &'a Caller,
    pub(crate) cwd: String,
    pub(crate) arguments: Arguments,
    /// The tool's response or error. `None` before the call.
    pub(crate) result: Option<Result<Value, HookError>>,
}

/// A tool's error in the input of an after hook.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct HookError {
    pub(crate) name: &'static str,
    pub(crate) message: String,
}

/// The input of a hook. Matchers compare their patterns with its fields.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(transparent)]
pub struct HookInput(Map<String, Value>);

impl HookInput {
    #[must_use]
    pub fn new(fields: Map<String, Value>) -> Self {
        Self(fields)
    }

    /// Returns the field `key`, or an empty string if the field is missing or not a string.
    pub(super) fn text(&self, key: &str) -> &str {
        self.0.get(key).and_then(Value::as_str).unwrap_or_default()
    }

    /// Returns the value of the field `key`, or of the argument `key` if there is no such field. A value that is not a
    /// string is returned as JSON. Returns `None` if there is neither a field nor an argument `key`.
    pub(super) fn printed(&self, key: &str) -> Option<String> {
        let value = self.0.get(key).or_else(|| self.0.get("args")?.get(key))?;
        Some(value.as_str().map_or_else(|| value.to_string(), str::to_owned))
    }

    fn insert(&mut self, key: &str, value: impl Into<Value>) {
        self.0.insert(key.to_owned(), value.into());
    }
}

impl HookEvent<'_> {
    /// Returns the names of the tool: its Adjutant name and, if it differs, the client's name.
    pub(crate) fn names(&self) -> Vec<&str> {
        let mut names = vec![self.tool];
        names.extend(self.identity.client_tool_name.as_deref());
        names
    }

    /// Returns the input fields that all dialects share.
    pub(crate) fn input(&self, moment: ToolMoment) -> HookInput {
        let session = self.identity.session_id.as_deref().unwrap_or_default();
        let mut input = HookInput::default();
        input.insert("hookType", HookKind::of(moment).word());
        input.insert("toolName", self.tool);
        input.insert("args", json!(self.arguments));
        input.insert("caller", self.caller.word());
        input.insert("platform", std::env::consts::OS);
        input.insert("cwd", self.cwd.as_str());
        input.insert("sessionId", session);
        input.insert("session_id", session);
        let optional =
            [("toolUseId", &self.identity.tool_use_id), ("agentId", &self.identity.agent_id)];
        for (key, value) in optional {
            if let Some(value) = value {
                input.insert(key, value.as_str());
            }
        }
        if moment != ToolMoment::Before {
            input.insert("result", self.response());
            input.insert(
                "error",
                json!(self.result.as_ref().and_then(|result| result.as_ref().err())),
            );
        }
        input
    }

    /// Returns the JSON object that the hook receives on standard input, including the fields that are specific to `dialect`.
    pub(super) fn stdin(&self, moment: ToolMoment, dialect: HookDialect) -> HookInput {
        let mut input = self.input(moment);
        if dialect == HookDialect::Claude {
            let event = if moment == ToolMoment::Before { "PreToolUse" } else { "PostToolUse" };
            input.insert("hook_event_name", event);
            input.insert(
                "tool_name",
                self.identity.client_tool_name.as_deref().unwrap_or(self.tool),
            );
            input.insert("tool_input", json!(self.arguments));
            let id = self.identity.tool_use_id.as_deref().unwrap_or_default();
            input.insert("tool_use_id", id);
            if moment != ToolMoment::Before {
                input.insert("tool_response", self.response());
            }
        }
        input
    }

    /// Returns the tool's response, or `null` if there is none.
    fn response(&self) -> Value {
        self.result.clone().and_then(Result::ok).unwrap_or_default()
    }
}
