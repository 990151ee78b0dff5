//! Parses the kernel's output. Only the schema version and the text for the model are required, because a newer kernel or a
//! custom kernel may omit other fields.

use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer, Serialize};

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Answer {
    pub(crate) briefing: Briefing,
    /// The kernel's output, unchanged.
    pub(crate) bytes: Vec<u8>,
    pub(crate) exit: u8,
}

/// The fields of JSON 1.0 that the hook uses. An optional field with an unexpected type is replaced with its default.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub(crate) struct Briefing {
    #[serde(rename = "schema_version")]
    _version: String,
    #[serde(default, deserialize_with = "or_default")]
    pub(crate) inputs: Inputs,
    #[serde(default, deserialize_with = "or_default")]
    tool_plan: ToolPlan,
    fused_context: FusedContext,
    #[serde(default, deserialize_with = "or_default")]
    degraded: Degraded,
}

#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(default)]
pub(crate) struct Inputs {
    pub(crate) prompt: String,
    pub(crate) signals: Vec<Signal>,
}

#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub(crate) struct Signal {
    #[serde(rename = "match")]
    pub(crate) matched: String,
    #[serde(rename = "type")]
    pub(crate) kind: String,
    pub(crate) weight: f64,
}

#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
struct ToolPlan {
    tools: Vec<IgnoredAny>,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
struct FusedContext {
    for_model: ForModel,
    #[serde(default, deserialize_with = "or_default")]
    for_user: ForUser,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
struct ForModel {
    additional_context: String,
    #[serde(default, deserialize_with = "or_default")]
    structured: Structured,
}

#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
struct Structured {
    items: Vec<IgnoredAny>,
    conflicts: Vec<IgnoredAny>,
}

#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
struct ForUser {
    tool_plan_text: String,
    results_text: String,
    limits_text: String,
}

#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
struct Degraded {
    is_degraded: bool,
}

fn or_default<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de> + Default,
{
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Field<T> {
        Known(T),
        Other(IgnoredAny),
    }
    Ok(match Field::deserialize(deserializer)? {
        Field::Known(known) => known,
        Field::Other(_) => T::default(),
    })
}

impl Answer {
    /// Parses the kernel's output. Returns `None` if it is not a briefing.
    pub(crate) fn parse(bytes: Vec<u8>, exit: i32) -> Option<Self> {
        let briefing = serde_json::from_slice(&bytes).ok()?;
        Some(Self { briefing, bytes, exit: u8::try_from(exit).unwrap_or(u8::MAX) })
    }

    pub(crate) fn context(&self) -> &str {
        &self.briefing.fused_context.for_model.additional_context
    }

    /// Returns the non-empty messages for the user.
    pub(crate) fn for_user(&self) -> Vec<&str> {
        let ForUser { tool_plan_text, results_text, limits_text } =
            &self.briefing.fused_context.for_user;
        let parts = [tool_plan_text, results_text, limits_text].into_iter();
        parts.filter(|text| !text.is_empty()).map(String::as_str).collect()
    }

    /// Returns one line for the user: the number of findings, the first `[Limits]` message, and the number of other
    /// messages. Returns `None` if no tool was planned and the briefing is not degraded.
    pub(crate) fn message(&self) -> Option<String> {
        let Briefing { tool_plan, fused_context, degraded, .. } = &self.briefing;
        if tool_plan.tools.is_empty() && !degraded.is_degraded {
            return None;
        }
        let mut limits = fused_context.for_user.limits_text.lines();
        let limits = match (limits.next(), limits.count()) {
            (None, _) => String::new(),
            (Some(first), 0) => format!(" · {first}"),
            (Some(first), more) => format!(" · {first} (+{more} more)"),
        };
        let Structured { items, conflicts } = &fused_context.for_model.structured;
        let findings = match (self.context().is_empty(), items.len() + conflicts.len()) {
            (true, _) => "nothing injected".to_owned(),
            (false, n) => contract::counted(n, "finding"),
        };
        Some(format!("Adjutant: {findings}{limits}"))
    }
}

#[cfg(test)]
mod tests;
