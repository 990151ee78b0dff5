//! The fields with which an MCP client requests a codex run.

use std::collections::BTreeMap;

use policy::{Approval, Sandbox};
use runs::{Cost, Piece, Preset, RunRequest, TimeLimit};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The fields of `codex.exec`, `codex.start`, `codex.resume` and `codex.reply` that describe a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[expect(clippy::struct_excessive_bools, reason = "the published fields are booleans")]
#[serde(rename_all = "camelCase", default)]
pub(super) struct RunFields {
    pub(super) task: Option<String>,
    /// Additional flags of `adjutant run`.
    #[serde(skip_serializing)]
    pub(super) args: Vec<String>,
    pub(super) tag: Option<String>,
    pub(super) cwd: Option<String>,
    pub(super) sandbox: Option<Sandbox>,
    pub(super) approval_policy: Option<Approval>,
    pub(super) network: bool,
    pub(super) full_auto: bool,
    pub(super) dangerously_bypass: bool,
    pub(super) model: Option<String>,
    pub(super) profile: Option<String>,
    pub(super) preset: Option<Preset>,
    pub(super) codex_config: BTreeMap<String, Value>,
    /// The time limit in seconds.
    pub(super) timeout: Option<u64>,
    pub(super) max_tokens: Option<u64>,
    pub(super) max_turns: Option<u64>,
    pub(super) max_cost: Option<Cost>,
    pub(super) carry_context: Option<bool>,
    pub(super) patch_mode: bool,
    pub(super) require_change_in: Vec<String>,
    pub(super) require_git_commit: bool,
    pub(super) auto_commit_on_done: bool,
    pub(super) auto_commit_message: Option<String>,
}

impl RunFields {
    /// Adds the fields to the request that `args` make. Returns an error if a value is given both as a field and in
    /// `args`. The task in the field precedes the tasks in `args`.
    pub(super) fn add_to(self, request: &mut RunRequest) -> Result<(), String> {
        set("--model", &mut request.model, self.model)?;
        set("--profile", &mut request.profile, self.profile)?;
        set("--preset", &mut request.preset, self.preset)?;
        set("--timeout", &mut request.timeout, self.timeout.map(TimeLimit::from_seconds))?;
        set("--max-tokens", &mut request.max_tokens, self.max_tokens)?;
        set("--max-turns", &mut request.max_turns, self.max_turns)?;
        set("--max-cost", &mut request.max_cost, self.max_cost)?;
        set("--tag", &mut request.tag, self.tag)?;
        set("--sandbox", &mut request.sandbox, self.sandbox)?;
        set("--ask-for-approval", &mut request.ask_for_approval, self.approval_policy)?;
        set("--auto-commit-message", &mut request.auto_commit_message, self.auto_commit_message)?;
        request.network |= self.network;
        request.full_auto |= self.full_auto;
        request.dangerously_bypass_approvals_and_sandbox |= self.dangerously_bypass;
        request.require_change_in.extend(self.require_change_in);
        request.require_git_commit |= self.require_git_commit;
        request.auto_commit_on_done |= self.auto_commit_on_done;
        request.no_carry_context |= self.carry_context == Some(false);
        request.patch_mode |= self.patch_mode;
        request.pieces.splice(0..0, self.task.map(Piece::Text));
        let entries = self.codex_config.iter().map(|(key, value)| format!("{key}={}", toml(value)));
        request.codex_config.splice(0..0, entries);
        Ok(())
    }

    /// Returns the request as a list of strings for the session record: `name=value` for each given field, followed
    /// by `args`.
    pub(super) fn words(&self) -> Vec<String> {
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

fn set<T>(flag: &str, option: &mut Option<T>, field: Option<T>) -> Result<(), String> {
    if option.is_some() && field.is_some() {
        return Err(format!("`{flag}` is given twice: as a field and in `args`"));
    }
    *option = option.take().or(field);
    Ok(())
}

/// Returns a value for codex's configuration as TOML.
pub(super) fn toml(value: &Value) -> String {
    match value {
        Value::Null => "\"\"".to_owned(),
        Value::Bool(_) | Value::Number(_) => value.to_string(),
        Value::String(text) => quoted(text),
        Value::Array(values) => {
            format!("[{}]", values.iter().map(toml).collect::<Vec<_>>().join(", "))
        }
        Value::Object(fields) => {
            let fields =
                fields.iter().map(|(key, value)| format!("{} = {}", quoted(key), toml(value)));
            format!("{{ {} }}", fields.collect::<Vec<_>>().join(", "))
        }
    }
}

fn quoted(text: &str) -> String {
    serde_json::to_string(text).unwrap_or_default()
}
