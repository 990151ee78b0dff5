//! Parses one action of a hook rule: a command, its timeout, and the secret variables that it may read.

use std::time::Duration;

use policy::WrittenCommand;
use serde::{Deserialize, Deserializer};

const DEFAULT_TIMEOUT_MS: u64 = 5000;
const MAX_TIMEOUT_MS: u64 = 600_000;
/// The placeholders in command lines of older hook files, which are written as `$NAME$`.
const PLACEHOLDERS: [&str; 3] = ["TOOLSRESULT", "STOPSESSION", "SUBAGENTRESULT"];

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "WrittenAction")]
pub struct HookAction {
    pub run: Run,
    pub timeout: Duration,
    pub enabled: bool,
    /// Names of environment variables that are passed to the hook although they look like secrets.
    pub environment: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Run {
    /// A command line for `/bin/sh -c`. The call's values are passed as environment variables and are never inserted into
    /// the command line.
    Shell(String),
    /// A program and its arguments, started without a shell.
    Program(Vec<String>),
    /// A message for a model. Not allowed in hooks before and after tool calls.
    Text(String),
}

impl Run {
    /// Returns the command that runs, or `None` if it is a message.
    pub(super) fn command(&self) -> Option<WrittenCommand> {
        match self {
            Self::Shell(command) => Some(WrittenCommand::Shell(with_variables(command))),
            Self::Program(words) => Some(WrittenCommand::Program(words.clone())),
            Self::Text(_) => None,
        }
    }

    /// Returns the command or the message, formatted for display.
    #[must_use]
    pub fn text(&self) -> String {
        match self {
            Self::Shell(command) | Self::Text(command) => command.clone(),
            Self::Program(arguments) => arguments.join(" "),
        }
    }
}

/// An action in the format of a hook file.
#[derive(Deserialize)]
struct WrittenAction {
    #[serde(rename = "type", default)]
    kind: WrittenKind,
    command: Option<String>,
    argv: Option<Vec<String>>,
    prompt: Option<String>,
    content: Option<String>,
    timeout: Option<f64>,
    #[serde(default, deserialize_with = "is_true")]
    enabled: bool,
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

/// Deserializes a field of any type. Returns true only if the value is the JSON literal `true`.
fn is_true<'de, D: Deserializer<'de>>(field: D) -> Result<bool, D::Error> {
    Ok(serde_json::Value::deserialize(field)? == true)
}

impl TryFrom<WrittenAction> for HookAction {
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
                (Some(_), Some(_)) => return Err("`command` and `argv` cannot be combined"),
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
            Some(timeout) if timeout >= 1.0 => timeout.min(MAX_TIMEOUT_MS as f64) as u64,
            Some(_) | None => DEFAULT_TIMEOUT_MS,
        };
        Ok(Self {
            run,
            timeout: Duration::from_millis(timeout),
            enabled: written.enabled,
            environment: written.env,
        })
    }
}

/// Replaces each placeholder by a reference to a shell variable, not by the value. The result is the command line that
/// runs, so trust is judged on it: inside single quotes, a shell does not expand the reference.
fn with_variables(command: &str) -> String {
    PLACEHOLDERS.iter().fold(command.to_owned(), |command, name| {
        command.replace(&format!("${name}$"), &format!("${{{name}}}"))
    })
}

/// Returns the variables that the placeholders in `command` refer to.
pub(super) fn placeholder_variables(command: &str) -> impl Iterator<Item = &'static str> {
    PLACEHOLDERS.into_iter().filter(move |name| command.contains(&format!("${name}$")))
}
