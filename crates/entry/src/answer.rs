//! The kernel's output, read as leniently as a newer or another kernel needs: the text for the model must be
//! there, everything else may be missing.

use serde_json::Value;

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Answer {
    pub(crate) json: Value,
    pub(crate) exit: u8,
}

impl Answer {
    pub(crate) fn parse(stdout: &[u8], exit: i32) -> Option<Self> {
        let json: Value = serde_json::from_slice(stdout).ok()?;
        let answer = Self { json, exit: u8::try_from(exit).unwrap_or(u8::MAX) };
        answer.json.get("schema_version")?.as_str()?;
        answer.text("/fused_context/for_model/additional_context").map(|_| ())?;
        Some(answer)
    }

    fn text(&self, pointer: &str) -> Option<&str> {
        self.json.pointer(pointer)?.as_str()
    }

    pub(crate) fn context(&self) -> &str {
        self.text("/fused_context/for_model/additional_context").unwrap_or_default()
    }

    /// The parts for a person that have anything in them.
    pub(crate) fn for_user(&self) -> Vec<&str> {
        ["tool_plan_text", "results_text", "limits_text"]
            .iter()
            .filter_map(|part| self.text(&format!("/fused_context/for_user/{part}")))
            .filter(|text| !text.is_empty())
            .collect()
    }

    /// One line about what was injected and what was not; nothing if nothing happened.
    pub(crate) fn message(&self) -> Option<String> {
        let count = |pointer: &str| {
            self.json.pointer(pointer).and_then(Value::as_array).map_or(0, Vec::len)
        };
        let n_findings = count("/fused_context/for_model/structured/items")
            + count("/fused_context/for_model/structured/conflicts");
        let mut limits: Vec<&str> =
            self.text("/fused_context/for_user/limits_text").unwrap_or_default().lines().collect();
        if count("/tool_plan/tools") == 0 && !self.is_degraded() {
            return None;
        }
        let first = if limits.is_empty() { None } else { Some(limits.remove(0)) };
        let limits = match (first, limits.len()) {
            (None, _) => String::new(),
            (Some(first), 0) => format!(" · {first}"),
            (Some(first), more) => format!(" · {first} (+{more} more)"),
        };
        let findings = match (self.context().is_empty(), n_findings) {
            (true, _) => "nothing injected".to_owned(),
            (false, 1) => "1 finding".to_owned(),
            (false, n) => format!("{n} findings"),
        };
        Some(format!("Adjutant: {findings}{limits}"))
    }

    fn is_degraded(&self) -> bool {
        self.json.pointer("/degraded/is_degraded").and_then(Value::as_bool).unwrap_or(false)
    }
}

#[cfg(test)]
mod tests;
