//! Flags about what is written down, and what is taken out of it.

use std::path::{Path, PathBuf};

use clap::Args;
use codex::{Aggregate, Echo, LogSpec, RedactionRules};
use process::Environment;

const DEFAULT_ECHO_LINES: usize = 120;

#[derive(Args, Clone, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "flags are the vocabulary of a command line")]
#[command(next_help_heading = "Record")]
pub(in crate::commands) struct RecordFlags {
    /// A word in the name of the session
    #[arg(long, value_name = "NAME")]
    tag: Option<String>,
    /// Put the instructions into the log, which is the default
    #[arg(long, conflicts_with = "no_echo_instructions")]
    echo_instructions: bool,
    /// Keep the instructions out of the log
    #[arg(long)]
    no_echo_instructions: bool,
    /// So many lines of them; 0 for all
    #[arg(long, value_name = "N")]
    echo_limit: Option<usize>,
    /// Keep no list of all runs
    #[arg(long)]
    no_aggregate: bool,
    /// One line for each run, appended here
    #[arg(long, value_name = "PATH")]
    aggregate_file: Option<PathBuf>,
    /// The meta of each run, appended here
    #[arg(long, value_name = "PATH")]
    aggregate_jsonl_file: Option<PathBuf>,
    /// Take secrets out of everything written down, which is the default
    #[arg(long)]
    redact: bool,
    /// One more pattern to take out: a regular expression
    #[arg(long, value_name = "REGEX", allow_hyphen_values = true)]
    redact_pattern: Vec<String>,
    /// Write everything down as it is
    #[arg(long, conflicts_with_all = ["redact", "redact_pattern"])]
    no_redact: bool,
}

impl RecordFlags {
    /// A flag that writes elsewhere, or writes down what should not be.
    pub(super) fn not_for_a_model(&self) -> Option<&'static str> {
        let named = [
            ("--aggregate-file", self.aggregate_file.is_some()),
            ("--aggregate-jsonl-file", self.aggregate_jsonl_file.is_some()),
            ("--no-redact", self.no_redact),
        ];
        named.into_iter().find(|(_, is_there)| *is_there).map(|(flag, _)| flag)
    }

    pub(super) fn tag(&self, environment: &Environment) -> String {
        let tag = self.tag.as_deref().or_else(|| environment.text("CODEX_LOG_TAG"));
        tag.unwrap_or_default().to_owned()
    }

    pub(super) fn redaction(&self) -> RedactionRules {
        RedactionRules { enabled: !self.no_redact, patterns: self.redact_pattern.clone() }
    }

    pub(super) fn log(&self, environment: &Environment, here: &Path, is_analysis: bool) -> LogSpec {
        let says = |name: &str| environment.text(name);
        let number = |name: &str| says(name).and_then(|text| text.parse().ok());
        let is_off = self.no_echo_instructions
            || (says("CODEX_ECHO_INSTRUCTIONS") == Some("0") && !self.echo_instructions);
        let lines = self
            .echo_limit
            .or(is_analysis.then_some(200))
            .or_else(|| number("CODEX_ECHO_INSTRUCTIONS_LIMIT"))
            .unwrap_or(DEFAULT_ECHO_LINES);
        let path = |flag: &Option<PathBuf>, name: &str| {
            let path = flag.clone().or_else(|| says(name).map(PathBuf::from));
            path.map(|path| here.join(path))
        };
        let has_aggregate = !self.no_aggregate && says("CODEX_LOG_AGGREGATE") != Some("0");
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
