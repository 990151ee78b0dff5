//! Parses entries of codex's configuration (`key=value`) and defines how each key affects a run's permissions.
//!
//! Like codex, this module splits the key at every dot, without quoting, and parses the value as TOML. A value that is
//! not valid TOML is a string. The effect of a key that is not in the tables on the sandbox is unknown.

use toml_edit::{DocumentMut, Value};

use super::{Permission, RawArgumentError};

#[derive(Clone, Debug)]
pub(super) struct Entry {
    /// The key as the caller wrote it.
    pub(super) key: String,
    pub(super) value: Value,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum KeyMeaning {
    /// `sandbox_mode`
    Sandbox,
    /// `approval_policy`
    Approval,
    /// `sandbox_workspace_write` and the keys in it.
    WorkspaceWrite,
    /// `features` and the keys in it.
    Features,
    /// `web_search`. Cached results are harmless; a live search contacts other servers.
    WebSearch,
    Other(Permission),
    /// The key is not in the tables.
    Unknown,
}

/// The reason to refuse a key that is not in the tables.
pub(super) const UNKNOWN: &str =
    "Adjutant does not know this key, so its effect on the sandbox cannot be judged";

const fn recorded(effect: &'static str) -> KeyMeaning {
    KeyMeaning::Other(Permission::Recorded(effect))
}

const fn refused(reason: &'static str) -> KeyMeaning {
    KeyMeaning::Other(Permission::Refused(reason))
}

const PERMISSIONS: &str = "it replaces the sandbox that was ordered; use `--sandbox`, `--network` and `--codex-arg=--add-dir=DIR`";
const REVIEW: &str = "codex would decide about its own approvals; use `--ask-for-approval`";
const PROFILE: &str = "use `--profile`";

/// Configuration keys and their meanings. The keys of a row are separated by spaces. A dotted key has the meaning of the
/// part before its first dot.
const KEYS: [(&str, KeyMeaning); 20] = [
    ("sandbox_mode", KeyMeaning::Sandbox),
    ("approval_policy", KeyMeaning::Approval),
    ("sandbox_workspace_write", KeyMeaning::WorkspaceWrite),
    ("features", KeyMeaning::Features),
    ("web_search", KeyMeaning::WebSearch),
    (ANYONE_KEYS, KeyMeaning::Other(Permission::Anyone)),
    (PERSON_ONLY_KEYS, KeyMeaning::Other(Permission::PersonOnly)),
    ("agents", recorded("codex's agents read other configuration files")),
    ("analytics", recorded("codex reports different usage data")),
    ("hooks", recorded("codex runs hooks outside the sandbox")),
    ("mcp_servers", recorded("codex starts or contacts MCP servers outside the sandbox")),
    ("notify", recorded("codex starts a program outside the sandbox after each turn")),
    ("otel", recorded("codex sends telemetry to another server")),
    (
        "projects",
        recorded(
            "codex loads the configuration and hooks of the repositories that this key trusts",
        ),
    ),
    ("shell_environment_policy", recorded("commands get other environment variables")),
    (TOOL_KEYS, recorded("codex gets tools that its sandbox does not confine")),
    (PROVIDER_KEYS, recorded("prompts go to another server")),
    ("approvals_reviewer auto_review", refused(REVIEW)),
    (PERMISSION_KEYS, refused(PERMISSIONS)),
    ("profile profiles", refused(PROFILE)),
];
const ANYONE_KEYS: &str = "\
    model model_reasoning_effort model_reasoning_summary model_verbosity model_context_window \
    hide_agent_reasoning";
const PERSON_ONLY_KEYS: &str = "\
    allow_login_shell background_terminal_max_timeout check_for_update_on_startup compact_prompt \
    developer_instructions experimental_compact_prompt_file feedback file_opener goals history \
    include_apps_instructions include_environment_context include_permissions_instructions instructions \
    log_dir memories model_auto_compact_token_limit model_catalog_json model_instructions_file notice \
    personality plan_mode_reasoning_effort project_doc_fallback_filenames project_doc_max_bytes review_model \
    service_tier show_raw_agent_reasoning sqlite_home suppress_unstable_features_warning \
    tool_output_token_limit tui";
const PERMISSION_KEYS: &str =
    "default_permissions permissions sandbox_permissions use_legacy_landlock";
const TOOL_KEYS: &str = "apps browser_use computer_use marketplaces plugins skills tools";
const PROVIDER_KEYS: &str = "chatgpt_base_url model_provider model_providers openai_base_url";

/// Features that change neither the sandbox nor which servers are contacted.
const HARMLESS_FEATURES: &str = "fast_mode multi_agent prevent_idle_sleep shell_snapshot sleep_tool \
    unbounded_connection_retries unified_exec view_image";

impl Entry {
    pub(super) fn parse(text: &str) -> Result<Self, RawArgumentError> {
        let unusable = |reason| RawArgumentError::Config {
            key: text.to_owned(),
            reason: String::from(reason),
        };
        let (key, value) = text.split_once('=').ok_or_else(|| unusable("expected `KEY=VALUE`"))?;
        let key = key.trim();
        if key.is_empty() {
            return Err(unusable("the key is empty"));
        }
        Ok(Self { key: key.to_owned(), value: parse_value(value.trim()) })
    }

    pub(super) fn feature(name: &str, is_enabled: bool) -> Self {
        Self { key: format!("features.{name}"), value: Value::from(is_enabled) }
    }

    pub(super) fn meaning(&self) -> Result<KeyMeaning, RawArgumentError> {
        let first = self.key.split('.').next().unwrap_or_default();
        let Some(meaning) = meaning_of(first) else {
            return if self.key.chars().all(is_plain) {
                Ok(KeyMeaning::Unknown)
            } else {
                Err(self.refused("a key consists of letters, digits, `_`, `-` and dots"))
            };
        };
        let is_table = !matches!(
            meaning,
            KeyMeaning::Sandbox
                | KeyMeaning::Approval
                | KeyMeaning::WebSearch
                | KeyMeaning::Other(Permission::Anyone)
        );
        if self.key != first && !is_table {
            return Err(self.refused(&format!("`{first}` does not contain keys")));
        }
        Ok(meaning)
    }

    pub(super) fn refused(&self, reason: &str) -> RawArgumentError {
        RawArgumentError::Config { key: self.key.clone(), reason: reason.to_owned() }
    }

    /// Returns the value as a string, such as `read-only`. Fails if the value is not a string.
    pub(super) fn word(&self) -> Result<&str, RawArgumentError> {
        self.value.as_str().ok_or_else(|| self.refused("the value must be a string"))
    }

    /// Returns the fields that this entry sets: all fields of an inline table (`table={a=1, b=2}`), or the single field
    /// of a dotted key (`table.a=1`).
    pub(super) fn fields(&self) -> Result<Fields<'_>, RawArgumentError> {
        let Some((_, name)) = self.key.split_once('.') else {
            let table = self.value.as_inline_table();
            let table = table.ok_or_else(|| self.refused("the value must be an inline table"))?;
            return Ok(Fields { replaces_all: true, entries: table.iter().collect() });
        };
        Ok(Fields { replaces_all: false, entries: vec![(name, &self.value)] })
    }

    /// Returns the entry in the form in which it is passed to codex.
    pub(super) fn written(&self) -> String {
        let mut value = self.value.clone();
        value.decor_mut().clear();
        format!("{}={value}", self.key)
    }
}

pub(super) struct Fields<'a> {
    /// Whether the entry sets the whole table and so replaces the fields of earlier entries.
    pub(super) replaces_all: bool,
    pub(super) entries: Vec<(&'a str, &'a Value)>,
}

/// Returns false for spaces and quotation marks, which another parser might not read as a part of the key.
fn is_plain(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || "_-.".contains(letter)
}

/// Returns the meaning of a key without dots, or `None` if it is not in the table.
fn meaning_of(key: &str) -> Option<KeyMeaning> {
    let row = KEYS.iter().find(|(names, _)| names.split(' ').any(|name| name == key));
    row.map(|(_, meaning)| *meaning)
}

/// Returns the reason to refuse a feature that has the name of a refused key.
pub(super) fn refusal_of_feature(name: &str) -> Option<&'static str> {
    match meaning_of(name) {
        Some(KeyMeaning::Other(Permission::Refused(reason))) => Some(reason),
        _ => None,
    }
}

pub(super) fn is_harmless_feature(name: &str) -> bool {
    HARMLESS_FEATURES.split(' ').any(|harmless| harmless == name)
}

fn parse_value(raw: &str) -> Value {
    const NAME: &str = "_x_";
    let document = format!("{NAME} = {raw}").parse::<DocumentMut>().ok();
    let value = document.and_then(|mut document| document.remove(NAME)?.into_value().ok());
    value.unwrap_or_else(|| Value::from(raw.trim_matches(['"', '\''])))
}
