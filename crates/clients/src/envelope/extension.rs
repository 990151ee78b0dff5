//! The output for the plugin files that Adjutant generates (opencode, pi). It is read by the plugin file, not by the client.

use contract::{ToolDecision, ToolMoment, ToolVerdict};
use serde::Serialize;
use serde_json::{Map, Value};

use super::{Envelope, LIMIT, context_text, plain_text, reason_text};
use crate::Names;

#[derive(Default, Serialize)]
pub(crate) struct ExtensionOutput {
    /// The reason why the call is blocked.
    #[serde(skip_serializing_if = "Option::is_none")]
    block: Option<String>,
    /// The text for the model.
    #[serde(skip_serializing_if = "String::is_empty")]
    context: String,
    /// The new arguments of the call.
    #[serde(skip_serializing_if = "Option::is_none")]
    input: Option<Map<String, Value>>,
    /// The new result of the call.
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<String>,
}

impl ExtensionOutput {
    pub(crate) fn prompt(envelope: &Envelope) -> Self {
        Self { context: envelope.context.clone(), ..Self::default() }
    }

    pub(crate) fn tool(moment: ToolMoment, verdict: &ToolVerdict, names: &Names) -> Self {
        let verdict = names.tool_support.restrict(names.title, verdict);
        let context = context_text(LIMIT, &verdict.context);
        match moment {
            ToolMoment::Before => Self {
                block: (verdict.decision == ToolDecision::Block)
                    .then(|| reason_text(&verdict.reason)),
                input: verdict.updated_input,
                ..Self::default()
            },
            ToolMoment::After | ToolMoment::Failed => {
                let result = verdict.replacement.as_ref().map(plain_text);
                Self { context, result, ..Self::default() }
            }
        }
    }
}
