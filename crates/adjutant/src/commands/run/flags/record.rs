//! Flags for the record of a run and its redaction.

use std::path::{Path, PathBuf};

use clap::Args;
use codex::{Aggregate, Echo, LogSpec, RedactionRules};
use process::Environment;

const DEFAULT_ECHO_LINES: usize = 120;

#[derive(Args, Clone, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each flag is a field")]
#[command(next_help_heading = "Record")]
pub(in crate::commands) struct RecordFlags {
    /// Add this word to the name of the session
    #[arg(long, value_name = "NAME")]
    pub(super) tag: Option<String>,
    /// Write the instructions to the log (default)
    #[arg(long, conflicts_with = "no_echo_instructions")]
    echo_instructions: bool,
    /// Do not write the instructions to the log
    #[arg(long)]
    no_echo_instructions: bool,
    /// Write at most this many lines of the instructions; 0 for all [default: 120]
    #[arg(long, value_name = "N")]
    echo_limit: Option<usize>,
    /// Do not append to the list of runs
    #[arg(long)]
    no_aggregate: bool,
    /// Append one line per run to this file
    #[arg(long, value_name = "PATH")]
    aggregate_file: Option<PathBuf>,
    /// Append the metadata of each run to this file
    #[arg(long, value_name = "PATH")]
    aggregate_jsonl_file: Option<PathBuf>,
    /// Redact secrets in the record (default)
    #[arg(long)]
    redact: bool,
    /// Also redact matches of this regular expression
    #[arg(long, value_name = "REGEX", allow_hyphen_values = true)]
    redact_pattern: Vec<String>,
    /// Write the record without redaction
    #[arg(long, conflicts_with_all = ["redact", "redact_pattern"])]
    no_redact: bool,
}

impl RecordFlags {
    /// Returns the first given flag that a model may not use, or `None` if there is none.
    pub(super) fn person_only_flag(&self) -> Option<&'static str> {
        let named = [
            ("--aggregate-file", self.aggregate_file.is_some()),
            ("--aggregate-jsonl-file", self.aggregate_jsonl_file.is_some()),
            ("--no-redact", self.no_redact),
        ];
        named.into_iter().find(|(_, is_given)| *is_given).map(|(flag, _)| flag)
    }

    pub(super) fn tag(&self, environment: &Environment) -> String {
        let tag = self.tag.as_deref().or_else(|| environment.text("CODEX_LOG_TAG"));
        tag.unwrap_or_default().to_owned()
    }

    pub(super) fn redaction(&self) -> RedactionRules {
        RedactionRules { enabled: !self.no_redact, patterns: self.redact_pattern.clone() }
    }

    pub(super) fn log(&self, environment: &Environment, here: &Path, is_analysis: bool) -> LogSpec {
        let variable = |name: &str| environment.text(name);
        let number = |name: &str| variable(name).and_then(|text| text.parse().ok());
        let is_off = self.no_echo_instructions
            || (variable("CODEX_ECHO_INSTRUCTIONS") == Some("0") && !self.echo_instructions);
        let lines = self
            .echo_limit
            .or(is_analysis.then_some(200))
            .or_else(|| number("CODEX_ECHO_INSTRUCTIONS_LIMIT"))
            .unwrap_or(DEFAULT_ECHO_LINES);
        let path = |flag: &Option<PathBuf>, name: &str| {
            let path = flag.clone().or_else(|| variable(name).map(PathBuf::from));
            path.map(|path| here.join(path))
        };
        let has_aggregate = !self.no_aggregate && variable("CODEX_LOG_AGGREGATE") != Some("0");
        LogSpec {
            echo: match lines {
                _ if is_off => Echo::Off,
                0 => Echo::All,
                lines => Echo::Lines(lines),
            },
            aggregate: has_aggregate.then(|| Aggregate {
                text: path(&self.aggregate_file, "CODEX_LOG_AGGREGATE_FILE"),
                jsonl: path(&self.aggregate_jsonl_file, "CODEX_LOG_AGGREGATE_JSONL_FILE"),
            }),
            ..LogSpec::default()
        }
    }
}
