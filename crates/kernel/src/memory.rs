//! What a session has been told, from one prompt to the next: a small file of the user's for each session.
//!
//! It holds hashes of what was shown, and the last subject as redacted as it left the kernel. A memory that cannot be
//! read or written makes a briefing repeat itself, nothing else.

use std::fs;
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use contract::Request;
use disk::Links;
use serde::{Deserialize, Serialize};

use crate::run_id::hash;

const FORMAT: u32 = 1;
/// A session nobody has come back to for so long is forgotten.
const KEPT: Duration = Duration::from_secs(7 * 24 * 60 * 60);
/// So many sessions are worth looking for old ones.
const MANY: usize = 64;
/// Far more than [`Remembered`] ever holds.
const MAX_BYTES: u64 = 256 * 1024;

/// Where sessions are remembered.
#[derive(Clone, Debug)]
pub struct Memory {
    pub folder: PathBuf,
    pub now: SystemTime,
    /// What is beyond so many bytes or UTF-16 units of a briefing never reaches a model.
    pub most_units: usize,
}

/// One session's memory.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Remembered {
    format: u32,
    /// Counts the briefings of the session.
    pub(crate) n_briefings: u64,
    /// What the user spoke of last, when the prompt had a subject of its own.
    pub(crate) subject: Option<Subject>,
    pub(crate) shown: Vec<Shown>,
}

/// What a prompt was about.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Subject {
    /// The prompt, redacted and cut.
    pub(crate) text: String,
    /// The name of the best finding, if it was a sure one.
    pub(crate) symbol: Option<String>,
}

/// Something the model has read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Shown {
    pub(crate) hash: String,
    /// In which briefing, and when, in seconds since 1970.
    pub(crate) briefing: u64,
    pub(crate) at: u64,
}

impl Memory {
    /// The file of a session. A sub-agent reads none of what its parent was told, so it has its own.
    pub(crate) fn file(&self, request: &Request, root: &Path) -> Option<PathBuf> {
        let session = request.session_id.as_deref().filter(|id| !id.is_empty())?;
        let client = request.client.unwrap_or_default().word();
        let agent = request.agent_id.as_deref().unwrap_or_default();
        let name = hash(&[client, session, agent, &root.to_string_lossy()], 24);
        Some(self.folder.join(format!("{name}.json")))
    }

    pub(crate) fn seconds(&self) -> u64 {
        self.now.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_secs()
    }

    /// Writes beside the file and renames, so that nobody reads half a memory; two at once lose one of the two.
    pub(crate) fn write(&self, file: &Path, remembered: &Remembered) -> std::io::Result<()> {
        disk::create_private_folder(&self.folder)?;
        if !file.exists() {
            self.forget_old();
        }
        let text = serde_json::to_vec(&Remembered { format: FORMAT, ..remembered.clone() })?;
        let draft = file.with_extension(format!("{}.draft", std::process::id()));
        let written = fs::OpenOptions::new()
            .create(true)
            .write(true)
            .truncate(true)
            .mode(0o600)
            .open(&draft)
            .and_then(|mut opened| opened.write_all(&text))
            .and_then(|()| fs::rename(&draft, file));
        if written.is_err() {
            drop(fs::remove_file(&draft));
        }
        written
    }

    fn forget_old(&self) {
        let Ok(entries) = fs::read_dir(&self.folder) else { return };
        let files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        if files.len() < MANY {
            return;
        }
        for file in files {
            let changed = fs::metadata(&file).and_then(|found| found.modified());
            let age = changed.ok().and_then(|changed| self.now.duration_since(changed).ok());
            if age.is_some_and(|age| age > KEPT) {
                drop(fs::remove_file(file));
            }
        }
    }
}

/// Nothing, if there is nothing that can be read.
pub(crate) fn read(file: &Path) -> Remembered {
    let text = disk::read(file, Links::Refuse, MAX_BYTES).unwrap_or_default();
    let remembered: Remembered = serde_json::from_slice(&text).unwrap_or_default();
    if remembered.format == FORMAT { remembered } else { Remembered::default() }
}

#[cfg(test)]
mod tests;
