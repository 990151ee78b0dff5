//! `config/auto-tools.yaml`, as typed: what it says, and what in it nobody understands.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Read};
use std::path::Path;

use serde::Deserialize;

use crate::{Mode, Switch};

/// Where a repository keeps it.
pub const CONFIG_PATH: &str = "config/auto-tools.yaml";

/// No control plane is larger; a file that is was not written by a person.
const MAX_BYTES: u64 = 256 * 1024;

#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct ConfigFile {
    pub auto_tools: Option<Switch>,
    pub mode: Option<Mode>,
    pub tier_max: Option<u64>,
    pub budget: BudgetSection,
    pub repo_root: Option<String>,
    pub tools: BTreeMap<String, ToolSection>,
    /// Dotted paths of keys that mean nothing here.
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
    /// A program to run. Refused: a repository may not start one.
    pub command: Option<serde_json::Value>,
    /// Numbers for the tool's arguments.
    pub args: BTreeMap<String, u64>,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {reason}")]
pub struct ConfigError {
    /// `config/auto-tools.yaml:3:12`
    pub place: String,
    pub reason: String,
}

impl ConfigError {
    fn whole_file(reason: impl Into<String>) -> Self {
        Self { place: CONFIG_PATH.into(), reason: reason.into() }
    }
}

impl ConfigFile {
    /// Reads the file of one repository. No file is an empty one.
    pub fn read(repository: &Path) -> Result<Self, ConfigError> {
        match read_text(repository) {
            Ok(text) => Self::parse(&text),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Self::default()),
            Err(error) => Err(ConfigError::whole_file(error.to_string())),
        }
    }

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

/// A link out of the repository is not followed: its text would end up in an error message.
fn read_text(repository: &Path) -> io::Result<String> {
    let path = repository.join(CONFIG_PATH).canonicalize()?;
    if !path.starts_with(repository.canonicalize()?) {
        return Err(io::Error::other("is a link out of the repository"));
    }
    let file = fs::File::open(path)?;
    if !file.metadata()?.is_file() {
        return Err(io::Error::other("is not a file"));
    }
    let mut text = String::new();
    file.take(MAX_BYTES + 1).read_to_string(&mut text)?;
    if text.len() as u64 > MAX_BYTES {
        return Err(io::Error::other(format!("is larger than {MAX_BYTES} bytes")));
    }
    Ok(text)
}

/// Place, the line itself, and the reason in a user's words.
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

/// `serde_ignored` writes an optional value as `?`.
fn dotted(path: &str) -> String {
    path.split('.').filter(|part| *part != "?").collect::<Vec<_>>().join(".")
}

#[cfg(test)]
mod tests;
