//! Parses the JSON decision that a hook prints if its file uses the `claude` dialect.

use contract::{Arguments, ToolMoment};
use serde::Deserialize;
use serde_json::Value;

use super::dialect::{Effect, Meaning};

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Decision {
    #[serde(rename = "continue")]
    should_continue: Option<bool>,
    stop_reason: Option<String>,
    decision: Option<Word>,
    reason: Option<String>,
    hook_specific_output: Specific,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Specific {
    permission_decision: Option<Permission>,
    permission_decision_reason: Option<String>,
    updated_input: Option<Arguments>,
    additional_context: Option<String>,
    updated_tool_output: Option<Value>,
    #[serde(rename = "updatedMCPToolOutput")]
    updated_mcp_tool_output: Option<Value>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Word {
    Approve,
    Block,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Permission {
    Allow,
    Deny,
    Ask,
    Defer,
}

/// Parses a decision. If `text` is invalid, a before hook blocks the call, and an after hook counts as failed.
pub(super) fn read(moment: ToolMoment, text: &str) -> Meaning {
    let decision: Decision = match serde_json::from_str(text) {
        Ok(decision) => decision,
        Err(error) => {
            let effect = if moment == ToolMoment::Before { Effect::Block } else { Effect::Fail };
            return Meaning::new(effect, format!("its output is not a decision: {error}"));
        }
    };
    let Decision { should_continue, stop_reason, decision, reason, hook_specific_output: specific } =
        decision;
    let is_stopped = should_continue == Some(false);
    let (effect, reason) = match moment {
        _ if is_stopped => (
            if moment == ToolMoment::Before { Effect::Block } else { Effect::Tell },
            stop_reason.or(reason),
        ),
        ToolMoment::Before => (
            permitted(specific.permission_decision, decision),
            specific.permission_decision_reason.or(reason),
        ),
        ToolMoment::After | ToolMoment::Failed => match decision {
            Some(Word::Block) => (Effect::Tell, reason),
            Some(Word::Approve) | None => (Effect::Go, reason),
        },
    };
    let replacement = match moment {
        ToolMoment::Before => None,
        ToolMoment::After | ToolMoment::Failed => {
            specific.updated_tool_output.or(specific.updated_mcp_tool_output)
        }
    };
    Meaning {
        effect: if replacement.is_some() && effect == Effect::Go {
            Effect::Replace
        } else {
            effect
        },
        reason: reason.unwrap_or_else(|| "the hook gave no reason".to_owned()),
        note: specific.additional_context.filter(|note| !note.is_empty()),
        updated_input: specific.updated_input.filter(|_| moment == ToolMoment::Before),
        replacement,
    }
}

fn permitted(permission: Option<Permission>, word: Option<Word>) -> Effect {
    match (permission, word) {
        (Some(Permission::Deny), _) | (None, Some(Word::Block)) => Effect::Block,
        (Some(Permission::Ask), _) => Effect::Ask,
        (Some(Permission::Allow), _) | (None, Some(Word::Approve)) => Effect::Allow,
        (Some(Permission::Defer), _) | (None, None) => Effect::Go,
    }
}

#[cfg(test)]
mod tests;
