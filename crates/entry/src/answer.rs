//! Parses the kernel's output. Only the schema version and the text for the model are required, because a newer kernel or a
//! custom kernel may omit other fields.

use contract::is_about_settings;
use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

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
    items: Vec<Value>,
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

    /// Returns one line for the user: the place of the strongest finding and the number of other findings. The first
    /// `[Limits]` message follows if nothing was injected, if the briefing is degraded, or if a setting of the
    /// repository was not applied. Returns `None` if no tool was planned and the briefing is not degraded.
    pub(crate) fn message(&self) -> Option<String> {
        let Briefing { tool_plan, fused_context, degraded, .. } = &self.briefing;
        if tool_plan.tools.is_empty() && !degraded.is_degraded {
            return None;
        }
        let Structured { items, conflicts } = &fused_context.for_model.structured;
        let shows_all = self.context().is_empty() || degraded.is_degraded;
        let is_shown = |line: &&str| {
            is_about_settings(line) || shows_all && !line.ends_with(contract::NOT_QUOTED)
        };
        let mut limits = fused_context.for_user.limits_text.lines().filter(is_shown);
        let limits = match (limits.next(), limits.count()) {
            (None, _) => String::new(),
            (Some(first), 0) => format!(" · {first}"),
            (Some(first), more) => format!(" · {first} (+{more} more)"),
        };
        let confidence = |item: &Value| item["confidence"].as_f64().unwrap_or(0.0);
        let by_confidence = |a: &&Value, b: &&Value| confidence(a).total_cmp(&confidence(b));
        let strongest = items.iter().rev().max_by(by_confidence).and_then(place);
        let findings = match (strongest, items.len() + conflicts.len()) {
            _ if self.context().is_empty() => "nothing injected".to_owned(),
            (Some(place), 1) => place,
            (Some(place), n) => format!("{place} (+{})", n - 1),
            (None, n) => contract::counted(n, "finding"),
        };
        Some(format!("Adjutant: {findings}{limits}"))
    }
}

/// Returns the name of a finding's file, followed by the line if it is known. Returns `None` if there is no path.
fn place(item: &Value) -> Option<String> {
    let name = item["path"].as_str()?.rsplit('/').next()?;
    let line = item["line"].as_u64();
    Some(line.map_or_else(|| name.to_owned(), |line| format!("{name}:{line}")))
}

#[cfg(test)]
mod tests;
