//! One action of a rule: a program to run, for how long, with which secrets.

use std::time::Duration;

use serde::Deserialize;
use serde_json::Value;

/// How long a hook may take that does not say.
const DEFAULT_TIMEOUT_MS: u64 = 5000;
/// Nothing a person waits for takes longer.
const LONGEST_TIMEOUT_MS: u64 = 600_000;

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "WrittenAction")]
pub struct Action {
    pub run: Run,
    pub timeout: Duration,
    pub enabled: bool,
    /// Names of variables it gets although they look like secrets.
    pub environment: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Run {
    /// For `/bin/sh -c`. Nothing is ever pasted into it.
    Shell(String),
    /// A program and its arguments, without a shell.
    Program(Vec<String>),
    /// A text for a model. Only other types of hooks have these.
    Text(String),
}

impl Run {
    /// As one line for a person.
    #[must_use]
    pub fn text(&self) -> String {
        match self {
            Self::Shell(command) | Self::Text(command) => command.clone(),
            Self::Program(arguments) => arguments.join(" "),
        }
    }
}

/// As it stands in the file.
#[derive(Deserialize)]
struct WrittenAction {
    #[serde(rename = "type", default)]
    kind: WrittenKind,
    command: Option<String>,
    argv: Option<Vec<String>>,
    prompt: Option<String>,
    content: Option<String>,
    timeout: Option<f64>,
    #[serde(default)]
    enabled: Value,
    #[serde(default)]
    env: Vec<String>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum WrittenKind {
    #[default]
    Command,
    Prompt,
    Context,
}

impl TryFrom<WrittenAction> for Action {
    type Error = &'static str;

    fn try_from(written: WrittenAction) -> Result<Self, Self::Error> {
        let run = match written.kind {
            WrittenKind::Prompt => Run::Text(written.prompt.ok_or("`prompt` is missing")?),
            WrittenKind::Context => Run::Text(written.content.ok_or("`content` is missing")?),
            WrittenKind::Command => match (written.command, written.argv) {
                (Some(command), None) if !command.trim().is_empty() => Run::Shell(command),
                (None, Some(argv)) if argv.first().is_some_and(|program| !program.is_empty()) => {
                    Run::Program(argv)
                }
                (Some(_), Some(_)) => return Err("`command` and `argv` exclude each other"),
                _ => return Err("a command needs `command` or `argv`"),
            },
        };
        let timeout = match written.timeout {
            Some(timeout) if timeout < 0.0 => return Err("`timeout` is below 0"),
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "cut to a range first"
            )]
            Some(timeout) if timeout >= 1.0 => timeout.min(LONGEST_TIMEOUT_MS as f64) as u64,
            Some(_) | None => DEFAULT_TIMEOUT_MS,
        };
        Ok(Self {
            run,
            timeout: Duration::from_millis(timeout),
            // As its ancestors had it: whatever is not literally true is off.
            enabled: written.enabled == Value::Bool(true),
            environment: written.env,
        })
    }
}
