//! Entries of codex's configuration (`key=value`), read the way codex reads them, and what each key means for a run.
//!
//! Codex splits the key at every dot, without quoting, and parses the value as TOML; a value that is not TOML is a string.
//! A key without a row in the tables is refused: nobody has judged what it does to the sandbox.

use toml_edit::{DocumentMut, Value};

use super::RawArgumentError;

/// One entry.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    /// As written, for codex and for messages.
    pub(super) key: String,
    pub(super) value: Value,
}

/// What a key means for a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// `sandbox_mode`
    Sandbox,
    /// `approval_policy`
    Approval,
    /// `sandbox_workspace_write` and the keys in it.
    WorkspaceWrite,
    /// `features` and the keys in it.
    Features,
    /// `web_search`: cached results are harmless, live search contacts other servers.
    WebSearch,
    Harmless,
    /// Reads or writes files that a model must not name, or changes what codex is told. A person may set it.
    PersonOnly,
    /// A person may set it, and the record states the effect.
    Recorded(&'static str),
    /// Refused for everybody.
    Refused(&'static str),
}

const PERMISSIONS: &str = "it replaces the sandbox that was ordered; use `--sandbox`, `--network` and `--codex-arg=--add-dir=DIR`";
const REVIEW: &str = "codex would decide about its own approvals; use `--ask-for-approval`";
const PROFILE: &str = "use `--profile`";
const TOOLS: &str = "codex gets tools that its sandbox does not confine";
const PROVIDER: &str = "prompts go to another server";

/// By the first part of the key.
const KEYS: [(&str, Meaning); 66] = [
    ("sandbox_mode", Meaning::Sandbox),
    ("approval_policy", Meaning::Approval),
    ("sandbox_workspace_write", Meaning::WorkspaceWrite),
    ("features", Meaning::Features),
    ("web_search", Meaning::WebSearch),
    ("model", Meaning::Harmless),
    ("model_reasoning_effort", Meaning::Harmless),
    ("model_reasoning_summary", Meaning::Harmless),
    ("model_verbosity", Meaning::Harmless),
    ("model_context_window", Meaning::Harmless),
    ("hide_agent_reasoning", Meaning::Harmless),
    ("allow_login_shell", Meaning::PersonOnly),
    ("background_terminal_max_timeout", Meaning::PersonOnly),
    ("check_for_update_on_startup", Meaning::PersonOnly),
    ("compact_prompt", Meaning::PersonOnly),
    ("developer_instructions", Meaning::PersonOnly),
    ("experimental_compact_prompt_file", Meaning::PersonOnly),
    ("feedback", Meaning::PersonOnly),
    ("file_opener", Meaning::PersonOnly),
    ("goals", Meaning::PersonOnly),
    ("history", Meaning::PersonOnly),
    ("include_apps_instructions", Meaning::PersonOnly),
    ("include_environment_context", Meaning::PersonOnly),
    ("include_permissions_instructions", Meaning::PersonOnly),
    ("instructions", Meaning::PersonOnly),
    ("log_dir", Meaning::PersonOnly),
    ("memories", Meaning::PersonOnly),
    ("model_auto_compact_token_limit", Meaning::PersonOnly),
    ("model_catalog_json", Meaning::PersonOnly),
    ("model_instructions_file", Meaning::PersonOnly),
    ("notice", Meaning::PersonOnly),
    ("personality", Meaning::PersonOnly),
    ("plan_mode_reasoning_effort", Meaning::PersonOnly),
    ("project_doc_fallback_filenames", Meaning::PersonOnly),
    ("project_doc_max_bytes", Meaning::PersonOnly),
    ("review_model", Meaning::PersonOnly),
    ("service_tier", Meaning::PersonOnly),
    ("show_raw_agent_reasoning", Meaning::PersonOnly),
    ("sqlite_home", Meaning::PersonOnly),
    ("suppress_unstable_features_warning", Meaning::PersonOnly),
    ("tool_output_token_limit", Meaning::PersonOnly),
    ("tui", Meaning::PersonOnly),
    ("agents", Meaning::Recorded("agents of codex read other configuration files")),
    ("analytics", Meaning::Recorded("codex changes what it reports about its use")),
    ("apps", Meaning::Recorded(TOOLS)),
    ("browser_use", Meaning::Recorded(TOOLS)),
    ("chatgpt_base_url", Meaning::Recorded(PROVIDER)),
    ("computer_use", Meaning::Recorded(TOOLS)),
    ("hooks", Meaning::Recorded("codex runs hooks outside the sandbox")),
    ("marketplaces", Meaning::Recorded(TOOLS)),
    ("mcp_servers", Meaning::Recorded("codex starts or contacts MCP servers outside the sandbox")),
    ("model_provider", Meaning::Recorded(PROVIDER)),
    ("model_providers", Meaning::Recorded(PROVIDER)),
    ("notify", Meaning::Recorded("codex starts a program outside the sandbox after each turn")),
    ("openai_base_url", Meaning::Recorded(PROVIDER)),
    ("otel", Meaning::Recorded("codex sends telemetry to another server")),
    ("plugins", Meaning::Recorded(TOOLS)),
    (
        "projects",
        Meaning::Recorded(
            "codex loads the configuration and hooks of a repository it is told to trust",
        ),
    ),
    ("shell_environment_policy", Meaning::Recorded("commands get other environment variables")),
    ("skills", Meaning::Recorded(TOOLS)),
    ("tools", Meaning::Recorded(TOOLS)),
    ("approvals_reviewer", Meaning::Refused(REVIEW)),
    ("auto_review", Meaning::Refused(REVIEW)),
    ("default_permissions", Meaning::Refused(PERMISSIONS)),
    ("permissions", Meaning::Refused(PERMISSIONS)),
    ("profile", Meaning::Refused(PROFILE)),
];

/// Features that change neither the sandbox nor who is contacted.
const HARMLESS_FEATURES: [&str; 8] = [
    "fast_mode",
    "multi_agent",
    "prevent_idle_sleep",
    "shell_snapshot",
    "sleep_tool",
    "unbounded_connection_retries",
    "unified_exec",
    "view_image",
];

impl Entry {
    pub(super) fn parse(text: &str) -> Result<Self, RawArgumentError> {
        let unusable = |reason| RawArgumentError::Config {
            key: text.to_owned(),
            reason: String::from(reason),
        };
        let (key, value) =
            text.split_once('=').ok_or_else(|| unusable("an entry is `KEY=VALUE`"))?;
        let key = key.trim();
        if key.is_empty() {
            return Err(unusable("the key is empty"));
        }
        Ok(Self { key: key.to_owned(), value: parse_value(value.trim()) })
    }

    pub(super) fn feature(name: &str, is_enabled: bool) -> Self {
        Self { key: format!("features.{name}"), value: Value::from(is_enabled) }
    }

    pub(super) fn meaning(&self) -> Result<Meaning, RawArgumentError> {
        let first = self.key.split('.').next().unwrap_or_default();
        let found = KEYS.iter().find(|(name, _)| *name == first);
        let (_, meaning) = found.ok_or_else(|| {
            self.refused(
                "Adjutant does not know this key, so its effect on the sandbox cannot be judged",
            )
        })?;
        let takes_parts = !matches!(
            meaning,
            Meaning::Sandbox | Meaning::Approval | Meaning::WebSearch | Meaning::Harmless
        );
        if self.key != first && !takes_parts {
            return Err(self.refused(&format!("`{first}` has no keys in it")));
        }
        Ok(*meaning)
    }

    pub(super) fn refused(&self, reason: &str) -> RawArgumentError {
        RawArgumentError::Config { key: self.key.clone(), reason: reason.to_owned() }
    }

    /// The value as one word, such as `read-only`.
    pub(super) fn word(&self) -> Result<&str, RawArgumentError> {
        self.value.as_str().ok_or_else(|| self.refused("only a word can be judged here"))
    }

    /// The entries of a table that was written whole, or the one entry of it that was written with a dotted key.
    pub(super) fn fields(&self) -> Result<Fields<'_>, RawArgumentError> {
        let Some((_, name)) = self.key.split_once('.') else {
            let table = self.value.as_inline_table();
            let table = table.ok_or_else(|| self.refused("only a table can be judged here"))?;
            return Ok(Fields { replaces_all: true, entries: table.iter().collect() });
        };
        Ok(Fields { replaces_all: false, entries: vec![(name, &self.value)] })
    }

    /// The entry as codex is given it.
    pub(super) fn written(&self) -> String {
        let mut value = self.value.clone();
        value.decor_mut().clear();
        format!("{}={value}", self.key)
    }
}

pub(super) struct Fields<'a> {
    /// The table takes the place of what was said about it before.
    pub(super) replaces_all: bool,
    pub(super) entries: Vec<(&'a str, &'a Value)>,
}

pub(super) fn is_harmless_feature(name: &str) -> bool {
    HARMLESS_FEATURES.contains(&name)
}

fn parse_value(raw: &str) -> Value {
    const NAME: &str = "_x_";
    let document = format!("{NAME} = {raw}").parse::<DocumentMut>().ok();
    let value = document.and_then(|mut document| document.remove(NAME)?.into_value().ok());
    value.unwrap_or_else(|| Value::from(raw.trim_matches(['"', '\''])))
}
