//! Environment variables, which are read once at the start of the program and then passed explicitly.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// Words that indicate a secret if they occur in a variable's name.
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

/// Names that contain a secret word although their values are not secret.
const HARMLESS: [&str; 2] = ["SSH_AUTH_SOCK", "XAUTHORITY"];
/// Prefixes of names that contain a secret word although their values are not secret. `GIT_CONFIG_KEY_n` must be kept,
/// because git fails if one of the keys counted by `GIT_CONFIG_COUNT` is missing.
const HARMLESS_STARTS: [&str; 2] = ["GIT_AUTHOR_", "GIT_CONFIG_KEY_"];

/// The value of `PATH` if no usable folder is left.
const SYSTEM_PATH: &str = "/usr/bin:/bin";

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Environment {
    variables: BTreeMap<OsString, OsString>,
}

impl Environment {
    pub fn new(variables: impl IntoIterator<Item = (OsString, OsString)>) -> Self {
        Self { variables: variables.into_iter().collect() }
    }

    /// Returns the value of a variable, or `None` if the variable is unset, empty or not UTF-8.
    #[must_use]
    pub fn text(&self, name: &str) -> Option<&str> {
        self.variables.get(OsStr::new(name))?.to_str().filter(|value| !value.is_empty())
    }

    /// Returns the factor by which timeouts are multiplied, from `ADJUTANT_TEST_SLOWNESS` (1 to 100, default 1). Tests set
    /// the variable on busy machines.
    #[must_use]
    pub fn slowness(&self) -> u32 {
        let factor = self.text("ADJUTANT_TEST_SLOWNESS").and_then(|text| text.parse().ok());
        factor.unwrap_or(1).clamp(1, 100)
    }

    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.variables.keys().filter_map(|name| name.to_str())
    }

    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<OsString>) -> Self {
        self.variables.insert(name.into(), value.into());
        self
    }

    #[must_use]
    pub fn without(mut self, name: &str) -> Self {
        self.variables.remove(OsStr::new(name));
        self
    }

    /// Returns a copy without the variables whose names indicate a secret.
    #[must_use]
    pub fn without_secrets(&self) -> Self {
        let kept = self.variables.iter().filter(|(name, _)| !names_a_secret(name));
        Self { variables: kept.map(|(name, value)| (name.clone(), value.clone())).collect() }
    }

    /// Removes relative folders from `PATH`, so that programs are not started from the working directory.
    #[must_use]
    pub fn with_absolute_path(self) -> Self {
        let Some(path) = self.variables.get(OsStr::new("PATH")) else { return self };
        let kept = std::env::split_paths(path).filter(|folder| folder.is_absolute());
        match std::env::join_paths(kept) {
            // With an empty `PATH`, a shell searches the working directory.
            Ok(path) if !path.is_empty() => self.with("PATH", path),
            Ok(_) | Err(_) => self.with("PATH", SYSTEM_PATH),
        }
    }

    /// Finds a program on `PATH`. Skips relative folders such as `node_modules/.bin`, because a repository controls their
    /// content.
    #[must_use]
    pub fn find_program(&self, name: &str) -> Option<PathBuf> {
        let folders = std::env::split_paths(self.text("PATH").unwrap_or_default());
        let folders = folders.filter(|folder| folder.is_absolute());
        folders.map(|folder| folder.join(name)).find(|path| is_executable(path))
    }

    pub(crate) fn variables(&self) -> impl Iterator<Item = (&OsString, &OsString)> {
        self.variables.iter()
    }
}

/// Returns whether a path is a regular file that at least one user may execute.
#[must_use]
pub fn is_executable(path: &Path) -> bool {
    path.metadata().is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}

fn names_a_secret(name: &OsStr) -> bool {
    let name = name.to_string_lossy().to_uppercase();
    let is_harmless = HARMLESS.contains(&name.as_str())
        || HARMLESS_STARTS.iter().any(|start| name.starts_with(start));
    !is_harmless && SECRET_WORDS.iter().any(|word| name.contains(word))
}

#[cfg(test)]
mod tests;
