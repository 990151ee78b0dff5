//! Parses `config/auto-tools.yaml` and collects its unknown keys.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::{SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

use crate::{BriefingMode, Switch};

/// The path of the configuration file, relative to the repository.
pub const CONFIG_PATH: &str = "config/auto-tools.yaml";

#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct ConfigFile {
    pub auto_tools: Option<Switch>,
    pub mode: Option<BriefingMode>,
    pub tier_max: Option<u64>,
    pub budget: BudgetSection,
    pub repo_root: Option<String>,
    pub tools: BTreeMap<String, ToolSection>,
    /// Dotted paths of keys that are not supported.
    #[serde(skip)]
    pub unknown_keys: Vec<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct BudgetSection {
    pub wall_ms: Option<u64>,
    pub max_concurrency: Option<u64>,
    pub max_injected_chars: Option<u64>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct ToolSection {
    pub enabled: Option<bool>,
    pub timeout_ms: Option<u64>,
    /// The program that runs instead of the built-in tool, or that implements a tool of the repository. It runs only if
    /// the user trusts the file.
    pub command: Option<CommandLine>,
    /// The tier of a tool that the repository defines. Ignored for built-in tools.
    pub tier: Option<u64>,
    /// The purpose of the tool, shown in the plan.
    pub reason: Option<String>,
    /// Values of the tool's numeric arguments.
    pub args: BTreeMap<String, u64>,
}

/// A program and its arguments, run without a shell. In YAML, it is written as a list, or as a string that names the
/// program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CommandLine(pub Vec<String>);

impl<'de> Deserialize<'de> for CommandLine {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(CommandLineVisitor)
    }
}

struct CommandLineVisitor;

impl<'de> Visitor<'de> for CommandLineVisitor {
    type Value = CommandLine;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a program, or a list of a program and its arguments")
    }

    fn visit_str<E: serde::de::Error>(self, program: &str) -> Result<CommandLine, E> {
        Ok(CommandLine(vec![program.to_owned()]))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<CommandLine, A::Error> {
        let mut words = Vec::new();
        while let Some(word) = list.next_element()? {
            words.push(word);
        }
        Ok(CommandLine(words))
    }
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {reason}")]
pub struct ConfigError {
    /// The position of the error, such as `config/auto-tools.yaml:3:12`.
    pub place: String,
    pub reason: String,
}

impl ConfigError {
    pub(crate) fn whole_file(reason: impl Into<String>) -> Self {
        Self { place: CONFIG_PATH.into(), reason: reason.into() }
    }
}

impl ConfigFile {
    pub fn parse(text: &str) -> Result<Self, ConfigError> {
        let mut unknown_keys = Vec::new();
        let parsed: Option<Self> = serde_saphyr::with_deserializer_from_str(text, |deserializer| {
            serde_ignored::deserialize(deserializer, |path| {
                unknown_keys.push(dotted(&path.to_string()));
            })
        })
        .map_err(|error| located(text, &error))?;
        Ok(Self { unknown_keys, ..parsed.unwrap_or_default() })
    }
}

/// Converts a parser error into a [`ConfigError`] that names the position and quotes the line.
fn located(text: &str, error: &serde_saphyr::Error) -> ConfigError {
    let error = error.without_snippet();
    let message = one_line(&error.to_string()).replace("invalid u64", "not a whole number");
    let message = message.split(" at line ").next().unwrap_or_default();
    let Some(location) = error.location() else { return ConfigError::whole_file(message) };
    let line = usize::try_from(location.line())
        .ok()
        .and_then(|line| text.lines().nth(line.saturating_sub(1)));
    let quoted: String = line.unwrap_or_default().trim().chars().take(60).collect();
    ConfigError {
        place: format!("{CONFIG_PATH}:{}:{}", location.line(), location.column()),
        reason: format!("{message} in `{quoted}`"),
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Removes the `?` components that `serde_ignored` inserts into a path for optional values.
fn dotted(path: &str) -> String {
    path.split('.').filter(|part| *part != "?").collect::<Vec<_>>().join(".")
}

#[cfg(test)]
mod tests;
