//! What a hook reads on stdin: the call, and after it how it went.

use serde_json::{Map, Value, json};

use super::{Dialect, HookKind, Moment};
use crate::call::{Caller, Identity};

pub(crate) struct HookEvent<'a> {
    pub(crate) tool: &'a str,
    pub(crate) identity: &'a Identity,
    pub(crate) caller: Caller,
    pub(crate) cwd: String,
    pub(crate) arguments: Map<String, Value>,
    /// After a call that answered.
    pub(crate) result: Option<Value>,
    /// After a call that did not: a name and a message.
    pub(crate) error: Option<(String, String)>,
}

impl HookEvent<'_> {
    /// Every name the tool is known by.
    pub(crate) fn names(&self) -> Vec<&str> {
        let mut names = vec![self.tool];
        names.extend(self.identity.seen_as.as_deref());
        names
    }

    /// The object every dialect gets; matchers look into it too.
    pub(crate) fn context(&self, moment: Moment) -> Map<String, Value> {
        let session = self.identity.session_id.as_deref().unwrap_or_default();
        let mut context = object(json!({
            "hookType": moment.kind().word(),
            "toolName": self.tool,
            "args": self.arguments,
            "caller": self.caller.word(),
            "platform": std::env::consts::OS,
            "cwd": self.cwd,
            "sessionId": session,
            "session_id": session,
        }));
        let optional =
            [("toolUseId", &self.identity.tool_use_id), ("agentId", &self.identity.agent_id)];
        for (key, value) in optional {
            if let Some(value) = value {
                context.insert(key.to_owned(), value.as_str().into());
            }
        }
        if moment == Moment::After {
            let error = self.error.as_ref();
            context.insert("result".to_owned(), self.result.clone().unwrap_or_default());
            context.insert(
                "error".to_owned(),
                error.map_or(
                    Value::Null,
                    |(name, message)| json!({ "name": name, "message": message }),
                ),
            );
        }
        context
    }

    /// The same, with the names a hook of that dialect looks for.
    pub(super) fn stdin(&self, moment: Moment, dialect: Dialect) -> Map<String, Value> {
        let mut context = self.context(moment);
        if dialect == Dialect::Claude {
            let event = if moment == Moment::Before { "PreToolUse" } else { "PostToolUse" };
            context.insert("hook_event_name".to_owned(), event.into());
            context.insert(
                "tool_name".to_owned(),
                self.identity.seen_as.as_deref().unwrap_or(self.tool).into(),
            );
            context.insert("tool_input".to_owned(), Value::Object(self.arguments.clone()));
            let id = self.identity.tool_use_id.as_deref().unwrap_or_default();
            context.insert("tool_use_id".to_owned(), id.into());
            if moment == Moment::After {
                context.insert("tool_response".to_owned(), context["result"].clone());
            }
        }
        context
    }
}

impl Moment {
    pub(crate) fn kind(self) -> HookKind {
        match self {
            Self::Before => HookKind::BeforeToolCall,
            Self::After => HookKind::AfterToolCall,
        }
    }
}

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(map) => map,
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
            Map::new()
        }
    }
}
