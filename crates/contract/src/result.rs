//! Types of `tool_results[]`: the result of one tool call, with the findings of the tool or any other JSON.

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

use crate::ErrorCode;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ToolResult {
    pub tool: String,
    pub status: Status,
    #[serde(default)]
    pub started_at: String,
    #[serde(default)]
    pub duration_ms: u64,
    #[serde(default)]
    pub summary: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<serde_json::Value>")]
    pub data: Option<ToolData>,
    #[serde(default)]
    pub error: Option<ToolError>,
    #[serde(default)]
    pub redactions: Vec<Redaction>,
    #[serde(default)]
    pub truncated: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    Ok,
    Timeout,
    Error,
    Skipped,
}

impl Status {
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Timeout => "timeout",
            Self::Error => "error",
            Self::Skipped => "skipped",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ToolError {
    pub message: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<ErrorCode>,
}

/// The number of secrets of one kind that were removed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct Redaction {
    pub kind: String,
    pub count: u64,
}

/// The data of a tool result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum ToolData {
    /// An object with a list of findings under `items`.
    Findings {
        #[serde(deserialize_with = "only_objects")]
        items: Vec<Finding>,
        /// The other fields of the object.
        #[serde(flatten)]
        more: Map<String, Value>,
    },
    Other(Value),
}

/// One finding of a tool. The fields are serialised in the order of their declaration.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "Map<String, Value>")]
pub struct Finding {
    /// The tool's confidence that the finding is relevant, from 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u64>,
    /// The path relative to the repository root.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The quoted lines, each with its line number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub snippet: Option<String>,
    /// How the tool found the location.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub symbol: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The remaining fields of an external tool's finding: fields with other names, and fields above that have an
    /// unexpected type.
    #[serde(flatten)]
    pub more: Map<String, Value>,
}

/// A statement that a tool makes about a subject. Two claims about the same subject contradict each other if their
/// polarities differ.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct Claim {
    pub claim_key: String,
    #[serde(default)]
    pub polarity: String,
    #[serde(default)]
    pub claim: String,
}

impl ToolData {
    /// Creates data that consists only of findings.
    #[must_use]
    pub fn of_findings(items: Vec<Finding>) -> Self {
        Self::Findings { items, more: Map::new() }
    }

    /// Returns the findings, or `None` if the data has no list of findings.
    #[must_use]
    pub fn findings(&self) -> Option<&[Finding]> {
        match self {
            Self::Findings { items, .. } => Some(items),
            Self::Other(_) => None,
        }
    }

    /// Returns the field `key` of the object, or `None` if there is no such field. The `items` of
    /// [`ToolData::Findings`] are not returned.
    #[must_use]
    pub fn field(&self, key: &str) -> Option<&Value> {
        match self {
            Self::Findings { more, .. } => more.get(key),
            Self::Other(value) => value.get(key),
        }
    }

    /// Returns the claims in the field `claims`. Invalid claims are skipped.
    #[must_use]
    pub fn claims(&self) -> Vec<Claim> {
        let claims = self.field("claims").and_then(Value::as_array).into_iter().flatten();
        claims.filter_map(|claim| Claim::deserialize(claim).ok()).collect()
    }
}

impl From<Value> for ToolData {
    fn from(value: Value) -> Self {
        serde_json::from_value(value).unwrap_or(Self::Other(Value::Null))
    }
}

impl Finding {
    /// Returns the field `summary`. If it is missing, returns `text` or `message`, which some external tools use
    /// instead, or an empty string.
    #[must_use]
    pub fn summary_text(&self) -> &str {
        let more = |key: &str| self.more.get(key).and_then(Value::as_str);
        let summary = self.summary.as_deref();
        summary.or_else(|| more("text")).or_else(|| more("message")).unwrap_or_default()
    }

    /// Returns `path:line`, or `path` if the finding has no line. Returns `None` if the finding has no path.
    #[must_use]
    pub fn citation(&self) -> Option<String> {
        self.path.as_deref().map(|path| citation(path, self.line))
    }

    /// Returns the first part of a rendered finding: the citation or the title, and the symbol.
    #[must_use]
    pub fn heading(&self) -> String {
        let citation = self.citation().or_else(|| self.title.clone()).unwrap_or_default();
        heading(&citation, self.symbol.as_deref())
    }
}

impl From<Map<String, Value>> for Finding {
    fn from(mut fields: Map<String, Value>) -> Self {
        Self {
            confidence: take(&mut fields, "confidence"),
            line: take(&mut fields, "line"),
            path: take(&mut fields, "path"),
            snippet: take(&mut fields, "snippet"),
            source: take(&mut fields, "source"),
            summary: take(&mut fields, "summary"),
            symbol: take(&mut fields, "symbol"),
            title: take(&mut fields, "title"),
            more: fields,
        }
    }
}

/// Formats a citation as `path:line`, or as `path` if there is no line.
pub(crate) fn citation(path: &str, line: Option<u64>) -> String {
    line.map_or_else(|| path.to_owned(), |line| format!("{path}:{line}"))
}

pub(crate) fn heading(place: &str, symbol: Option<&str>) -> String {
    symbol.map_or_else(|| place.to_owned(), |symbol| format!("{place} `{symbol}`"))
}

/// Removes and returns the field `key` if it has the expected type. Keeps a field of another type.
fn take<T: DeserializeOwned>(fields: &mut Map<String, Value>, key: &str) -> Option<T> {
    let value = T::deserialize(fields.get(key)?).ok()?;
    fields.remove(key);
    Some(value)
}

fn only_objects<'de, D: Deserializer<'de>>(items: D) -> Result<Vec<Finding>, D::Error> {
    let items = Vec::<Value>::deserialize(items)?;
    Ok(items.into_iter().filter_map(|item| serde_json::from_value(item).ok()).collect())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn findings_keep_fields_of_other_names_and_types() {
        let value = json!({
            "items": [{"path": "a.rs", "line": "3", "text": "found", "score": 7, "confidence": 0.5}],
            "note": "n",
        });
        let data = ToolData::from(value.clone());
        let [finding] = data.findings().unwrap() else { panic!("one finding") };
        assert_eq!((finding.path.as_deref(), finding.line), (Some("a.rs"), None));
        assert_eq!((finding.summary_text(), finding.confidence), ("found", Some(0.5)));
        assert_eq!(json!(data), value);
    }

    #[test]
    fn data_without_a_list_of_findings_does_not_change() {
        for value in [json!(null), json!("text"), json!([1]), json!({"items": "x"}), json!({})] {
            let data = ToolData::from(value.clone());
            assert_eq!((json!(data), data.findings()), (value, None));
        }
        let mixed = ToolData::from(json!({"items": [1, {"path": "a.rs"}]}));
        assert_eq!(json!(mixed), json!({"items": [{"path": "a.rs"}]}));
    }
}
