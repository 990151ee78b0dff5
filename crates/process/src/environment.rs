//! The environment a child gets: named values, taken once at the edge, never read behind our back.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};

/// Parts of a variable's name that mark its value as a secret.
const SECRET_WORDS: [&str; 9] = [
    "KEY",
    "TOKEN",
    "SECRET",
    "PASSWORD",
    "PASSWD",
    "CREDENTIAL",
    "AUTH",
    "COOKIE",
    "MESSAGING_SOCKET",
];

/// Names that contain such a word and are harmless and needed.
const HARMLESS: [&str; 2] = ["SSH_AUTH_SOCK", "XAUTHORITY"];
/// The same for whole families: git fails without the key of a value it was promised.
const HARMLESS_STARTS: [&str; 2] = ["GIT_AUTHOR_", "GIT_CONFIG_KEY_"];

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Environment {
    variables: BTreeMap<OsString, OsString>,
}

impl Environment {
    pub fn new(variables: impl IntoIterator<Item = (OsString, OsString)>) -> Self {
        Self { variables: variables.into_iter().collect() }
    }

    /// The value as text; a variable that is unset, empty or not UTF-8 counts as absent.
    #[must_use]
    pub fn text(&self, name: &str) -> Option<&str> {
        self.variables.get(OsStr::new(name))?.to_str().filter(|value| !value.is_empty())
    }

    /// How many times slower than any user's this machine is said to be: tests that run beside many others say so, because
    /// budgets are part of what is tested and a busy machine is not.
    #[must_use]
    pub fn slowness(&self) -> u32 {
        let said = self.text("ADJUTANT_TEST_SLOWNESS").and_then(|said| said.parse().ok());
        said.unwrap_or(1).clamp(1, 100)
    }

    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.variables.keys().filter_map(|name| name.to_str())
    }

    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<OsString>) -> Self {
        self.variables.insert(name.into(), value.into());
        self
    }

    /// For programs that have no business with the client's keys.
    #[must_use]
    pub fn without_secrets(&self) -> Self {
        let kept = self.variables.iter().filter(|(name, _)| !names_a_secret(name));
        Self { variables: kept.map(|(name, value)| (name.clone(), value.clone())).collect() }
    }

    /// Programs are found where the user keeps them, never in the folder one happens to stand in.
    #[must_use]
    pub fn with_absolute_path(self) -> Self {
        let Some(path) = self.variables.get(OsStr::new("PATH")) else { return self };
        let kept = std::env::split_paths(path).filter(|folder| folder.is_absolute());
        match std::env::join_paths(kept) {
            Ok(path) => self.with("PATH", path),
            Err(_) => self,
        }
    }

    pub(crate) fn variables(&self) -> impl Iterator<Item = (&OsString, &OsString)> {
        self.variables.iter()
    }
}

fn names_a_secret(name: &OsStr) -> bool {
    let name = name.to_string_lossy().to_uppercase();
    let is_harmless = HARMLESS.contains(&name.as_str())
        || HARMLESS_STARTS.iter().any(|start| name.starts_with(start));
    !is_harmless && SECRET_WORDS.iter().any(|word| name.contains(word))
}

#[cfg(test)]
mod tests;
