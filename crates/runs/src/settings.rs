//! The user's settings for unattended runs: model prices and additional accounts.
//!
//! Only the user's own configuration folder is read. A repository cannot change these settings.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use disk::Links;
use serde::Deserialize;

use crate::agents::AgentKind;
use crate::usage::Price;

/// The name of the file in the user's configuration folder.
pub const SETTINGS_FILE: &str = "unattended.toml";
const MAX_BYTES: u64 = 1024 * 1024;

#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct UnattendedSettings {
    /// The price of each model, by model name.
    pub prices: BTreeMap<String, Price>,
    /// Codex configuration profiles to try, in this order, when a run's account has reached a usage limit.
    pub next_profiles: Vec<String>,
    /// Folders with the login and configuration of further codex accounts (`CODEX_HOME`), to try after the profiles.
    next_codex_homes: Vec<String>,
    /// The same for Claude Code (`CLAUDE_CONFIG_DIR`).
    next_claude_homes: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cannot use `{}`: {reason}", path.display())]
pub struct BadSettings {
    pub path: PathBuf,
    pub reason: String,
}

/// A folder of `next_codex_homes` or `next_claude_homes` that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cannot use the account in `{named}` ({SETTINGS_FILE}): {reason}")]
pub struct BadHome {
    named: String,
    agent: AgentKind,
    reason: &'static str,
}

impl BadHome {
    /// Returns how the user can create the account.
    pub(crate) fn hint(&self) -> String {
        let (variable, named) = (self.agent.home_variable(), &self.named);
        let login = match self.agent {
            AgentKind::Codex => "codex login",
            AgentKind::Claude => "claude",
        };
        format!("create the folder and log in: {variable}={named} {login}")
    }
}

impl UnattendedSettings {
    /// Reads the settings. A missing file is the same as an empty file.
    pub fn read(folder: &Path) -> Result<Self, BadSettings> {
        let path = folder.join(SETTINGS_FILE);
        let bad = |reason: String| BadSettings { path: path.clone(), reason };
        let bytes = match disk::read(&path, Links::Follow, MAX_BYTES) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Ok(Self::default());
            }
            Err(error) => return Err(bad(error.to_string())),
        };
        let text = String::from_utf8(bytes).map_err(|_| bad("it is not UTF-8".to_owned()))?;
        toml_edit::de::from_str(&text).map_err(|error| bad(error.to_string().trim().to_owned()))
    }

    /// Returns the folders of further accounts of an agent. `~/` is replaced with the user's home directory.
    pub fn next_homes(
        &self,
        agent: AgentKind,
        user_home: Option<&Path>,
    ) -> Result<Vec<PathBuf>, BadHome> {
        let homes = match agent {
            AgentKind::Codex => &self.next_codex_homes,
            AgentKind::Claude => &self.next_claude_homes,
        };
        let folder = |named: &String| {
            let bad = |reason| BadHome { named: named.clone(), agent, reason };
            let path = match (named.strip_prefix("~/"), user_home) {
                (Some(rest), Some(home)) => home.join(rest),
                _ => PathBuf::from(named),
            };
            match () {
                () if !path.is_absolute() => Err(bad("it is not an absolute path")),
                () if !path.is_dir() => Err(bad("it is not a folder")),
                () => Ok(path),
            }
        };
        homes.iter().map(folder).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<UnattendedSettings, BadSettings> {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join(SETTINGS_FILE), text).unwrap();
        UnattendedSettings::read(folder.path())
    }

    #[test]
    fn prices_are_read_by_model() {
        let text = "next_profiles = [\"second\"]\n[prices.\"gpt-5.1\"]\ninput = 1.25\ncached_input = 0.125\noutput = 10\n";
        let settings = read(text).unwrap();
        assert_eq!(settings.prices["gpt-5.1"].output, "10".parse().unwrap());
        assert_eq!(settings.next_profiles, ["second"]);
        let nowhere = tempfile::tempdir().unwrap();
        assert_eq!(UnattendedSettings::read(nowhere.path()), Ok(UnattendedSettings::default()));
    }

    #[test]
    fn folders_of_accounts_are_absolute_and_exist() {
        let home = tempfile::tempdir().unwrap();
        std::fs::create_dir(home.path().join("second")).unwrap();
        for (key, agent, other) in [
            ("next_codex_homes", AgentKind::Codex, AgentKind::Claude),
            ("next_claude_homes", AgentKind::Claude, AgentKind::Codex),
        ] {
            let homes = |named: &str, agent| {
                let settings = read(&format!("{key} = [\"{named}\"]\n")).unwrap();
                settings.next_homes(agent, Some(home.path())).map_err(|bad| bad.to_string())
            };
            assert_eq!(homes("~/second", agent), Ok(vec![home.path().join("second")]));
            assert_eq!(homes("~/second", other), Ok(Vec::new()));
            for (named, reason) in [("second", "not an absolute path"), ("~/third", "not a folder")]
            {
                let error = homes(named, agent).unwrap_err();
                assert!(error.contains(named) && error.contains(reason), "{error}");
            }
        }
    }

    #[test]
    fn a_wrong_file_is_named_with_its_line() {
        for text in ["[prices.m]\ninput = 1\n", "[prices.m]\ninput = -1\n", "price = 1\n", "x ="] {
            let bad = read(text).unwrap_err();
            assert!(bad.path.ends_with(SETTINGS_FILE) && bad.reason.contains("line "), "{bad}");
        }
    }
}
