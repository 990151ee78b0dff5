//! What an install wrote, so that taking it back can give the very bytes that were there.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::write::read;

/// One file per client and scope, in the user's state folder.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Receipt {
    pub(crate) files: BTreeMap<PathBuf, Written>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Written {
    /// Where the bytes of before are; none when there was no file.
    pub(crate) before: Option<PathBuf>,
    /// Of what was written. Another hash means that somebody else wrote since.
    pub(crate) after: String,
}

impl Receipt {
    /// A receipt that is missing or cannot be understood is an empty one: then entries are taken out one by one.
    pub(crate) fn load(path: &Path) -> Self {
        let text = read(path).ok().flatten();
        text.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default()
    }

    pub(crate) fn text(&self) -> String {
        serde_json::to_string_pretty(self).unwrap_or_default()
    }

    /// What was there before us, if what we wrote is still what is there.
    pub(crate) fn before(&self, path: &Path, current: Option<&str>) -> Option<Option<String>> {
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
