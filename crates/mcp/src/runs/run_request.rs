//! Types for a codex run that an MCP client requests.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;

use codex::{Continues, Origin};
use serde::{Deserialize, Serialize};
use serde_json::{Number, json};

/// A client's request to run codex.
#[derive(Clone, Debug)]
pub struct RunRequest {
    pub origin: Origin,
    pub fields: RunFields,
    /// The working directory of codex, inside the server's repository.
    pub directory: PathBuf,
    pub continues: Option<Continues>,
}

/// The fields of `codex.exec`, `codex.start`, `codex.resume` and `codex.reply` that describe a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[expect(clippy::struct_excessive_bools, reason = "the published fields are booleans")]
#[serde(rename_all = "camelCase", default)]
pub struct RunFields {
    pub task: Option<String>,
    /// Additional flags of `adjutant run`.
    #[serde(skip_serializing)]
    pub args: Vec<String>,
    pub tag: Option<String>,
    pub cwd: Option<String>,
    pub sandbox: Option<String>,
    pub approval_policy: Option<String>,
    pub network: bool,
    pub full_auto: bool,
    pub dangerously_bypass: bool,
    pub model: Option<String>,
    pub profile: Option<String>,
    pub preset: Option<String>,
    pub codex_config: BTreeMap<String, ConfigValue>,
    /// The time limit in seconds.
    pub timeout: Option<u64>,
    pub max_tokens: Option<u64>,
    pub max_turns: Option<u64>,
    pub max_cost: Option<Number>,
    pub carry_context: Option<bool>,
    pub patch_mode: bool,
    pub require_change_in: Vec<String>,
    pub require_git_commit: bool,
    pub auto_commit_on_done: bool,
    pub auto_commit_message: Option<String>,
}

impl RunFields {
    pub(super) fn has_task(&self) -> bool {
        self.task.is_some() || !self.args.is_empty()
    }

    /// Returns the request as a list of strings for the session record: `name=value` for each given field, followed
    /// by `args`.
    #[must_use]
    pub fn words(&self) -> Vec<String> {
        let (fields, unset) = (json!(self), json!(Self::default()));
        let given = fields.as_object().into_iter().flatten();
        let given = given.filter(|(name, value)| unset[name.as_str()] != **value);
        let words = given.map(|(name, value)| match value.as_str() {
            Some(text) => format!("{name}={text}"),
            None => format!("{name}={value}"),
        });
        words.chain(self.args.iter().cloned()).collect()
    }
}

/// A JSON value for codex's configuration. Its [`fmt::Display`] output is TOML.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum ConfigValue {
    Null,
    Bool(bool),
    Number(Number),
    Text(String),
    List(Vec<Self>),
    Table(BTreeMap<String, Self>),
}

impl fmt::Display for ConfigValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |values: Vec<String>| values.join(", ");
        match self {
            Self::Null => f.write_str("\"\""),
            Self::Bool(value) => write!(f, "{value}"),
            Self::Number(value) => write!(f, "{value}"),
            Self::Text(text) => f.write_str(&quoted(text)),
            Self::List(values) => {
                write!(f, "[{}]", list(values.iter().map(ToString::to_string).collect()))
            }
            Self::Table(fields) => {
                let fields = fields.iter().map(|(key, value)| format!("{} = {value}", quoted(key)));
                write!(f, "{{ {} }}", list(fields.collect()))
            }
        }
    }
}

fn quoted(text: &str) -> String {
    serde_json::to_string(text).unwrap_or_default()
}
