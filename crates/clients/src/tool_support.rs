//! Describes which changes to a client's tool calls a hook can make.

use contract::{ToolDecision, ToolVerdict};

use crate::envelope::{plain_text, reason_text};

/// The changes that a client accepts from a hook before and after a tool call. If a user's hook needs more than that, the next
/// stricter decision is used: a call that cannot be changed or confirmed is denied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "one field per ability")]
pub struct ToolSupport {
    /// Whether the client can ask the user before a call.
    pub ask: bool,
    /// Whether the client can run a call with other arguments.
    pub new_input: bool,
    /// Whether the client can give the model another result after a call.
    pub new_result: bool,
    /// Whether the client can give the model additional context after a call.
    pub context: bool,
}

impl ToolSupport {
    pub(crate) const ALL: Self =
        Self { ask: true, new_input: true, new_result: true, context: true };

    /// Replaces the parts of a verdict that the client does not support. If a hook changes a call or requires
    /// confirmation, and the client does not support this, the call is denied. A new result that the client would
    /// ignore is added as context.
    pub(crate) fn restrict(self, title: &str, verdict: &ToolVerdict) -> ToolVerdict {
        let mut verdict = verdict.clone();
        let deny = |verdict: &mut ToolVerdict, note: String| {
            verdict.decision = ToolDecision::Block;
            verdict.reason = format!("{} ({note})", reason_text(&verdict.reason));
            verdict.updated_input = None;
        };
        if verdict.decision == ToolDecision::Ask && !self.ask {
            deny(&mut verdict, format!("{title} cannot ask you here, so the call does not run"));
        }
        if let Some(input) = verdict.updated_input.take_if(|_| !self.new_input)
            && verdict.decision != ToolDecision::Block
        {
            let input = serde_json::Value::from(input);
            let note = format!("{title} cannot change the arguments of a call to {input}");
            deny(&mut verdict, note);
        }
        if let Some(new) = verdict.replacement.take_if(|_| !self.new_result) {
            let note = format!("A hook replaces the result above with: {}", plain_text(&new));
            let contexts = [std::mem::take(&mut verdict.context), note];
            verdict.context =
                contexts.into_iter().filter(|it| !it.is_empty()).collect::<Vec<_>>().join("\n");
        }
        verdict
    }

    /// Lists the unsupported features, such as `asking the user`. Returns `None` if the client supports all of them.
    #[must_use]
    pub fn missing(self) -> Option<String> {
        let parts = [
            (self.ask, "asking the user"),
            (self.new_input, "other arguments"),
            (self.new_result, "another result"),
            (self.context, "additional context"),
        ];
        let missing: Vec<&str> =
            parts.into_iter().filter(|(has, _)| !has).map(|(_, name)| name).collect();
        (!missing.is_empty()).then(|| missing.join(", "))
    }
}
