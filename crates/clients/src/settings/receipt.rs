//! Stores the record of an installation, which is needed to restore the old files when uninstalling.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::write::read;

/// The files that an installation has written. There is one receipt per client and scope, in the user's state folder.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Receipt {
    pub(crate) files: BTreeMap<PathBuf, Written>,
    /// The folders that the installation created.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub(crate) folders: BTreeSet<PathBuf>,
}

/// The content of a file before the installation, if it is known: `Some(None)` if the file did not exist.
pub(crate) type OldText = Option<Option<String>>;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Written {
    /// The path of the backup, or `None` if the file did not exist.
    pub(crate) before: Option<PathBuf>,
    /// The SHA-256 hash of the installed content. A file with another hash was changed after the installation.
    pub(crate) after: String,
}

impl Receipt {
    /// Loads a receipt. If the file cannot be read, returns an empty receipt, so that uninstalling removes the entries
    /// one by one instead of restoring the old files.
    pub(crate) fn load(path: &Path) -> Self {
        let text = read(path).ok().flatten();
        text.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default()
    }

    pub(crate) fn text(&self) -> String {
        serde_json::to_string_pretty(self).unwrap_or_default()
    }

    /// Returns the content that a file had before the installation. It is not known if the file is not in the receipt, was
    /// changed after the installation, or has a backup that cannot be read.
    pub(crate) fn before(&self, path: &Path, current: Option<&str>) -> OldText {
        let written = self.files.get(path)?;
        if current.map(sha256) != Some(written.after.clone()) {
            return None;
        }
        match &written.before {
            None => Some(None),
            Some(backup) => read(backup).ok().flatten().map(Some),
        }
    }
}

pub(crate) fn sha256(text: &str) -> String {
    format!("{:x}", Sha256::digest(text))
}
