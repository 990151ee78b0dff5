//! Stores what is remembered about each session in a small file, in a folder owned by the user.
//!
//! A file contains hashes of the findings that were shown, and the redacted subject of the last prompt. If the file cannot
//! be read or written, later briefings repeat findings.

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
/// The maximum age of a session file. Older files may be deleted.
const MAX_AGE: Duration = Duration::from_secs(7 * 24 * 60 * 60);
/// The minimum number of files in the folder before old files are deleted.
const MIN_FILES_TO_SWEEP: usize = 64;
/// The maximum size of a session file that is read. A valid file is much smaller.
const MAX_BYTES: u64 = 256 * 1024;

/// The session memory: a folder with one file per session.
#[derive(Clone, Debug)]
pub struct Memory {
    pub folder: PathBuf,
    pub now: SystemTime,
    /// The maximum length of a briefing that clients pass on to the model completely. It applies both to the number of
    /// bytes and to the number of UTF-16 code units.
    pub max_units: usize,
}

/// The content of a session file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Remembered {
    format: u32,
    /// The number of briefings in the session so far.
    pub(crate) n_briefings: u64,
    /// The subject of the last prompt that was not a follow-up.
    pub(crate) subject: Option<Subject>,
    pub(crate) shown: Vec<Shown>,
}

/// The subject of a prompt. A follow-up prompt refers to it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Subject {
    /// The start of the redacted prompt.
    pub(crate) text: String,
    /// The symbol of the best finding, if the finding's confidence was high enough.
    pub(crate) symbol: Option<String>,
}

/// A finding or snippet that the model has read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Shown {
    pub(crate) hash: String,
    /// The sequence number of the briefing in which the item was shown, counted from 1 in each session.
    pub(crate) briefing: u64,
    /// The time when the item was shown, in seconds since 1970.
    pub(crate) at: u64,
}

impl Memory {
    /// Returns the path of the session file, or `None` if the request has no session id. A sub-agent has its own file,
    /// because it does not see its parent's transcript.
    pub(crate) fn file(&self, request: &Request, root: &Path) -> Option<PathBuf> {
        let session = request.session_id.as_deref().filter(|id| !id.is_empty())?;
        let client = request.client.clone().unwrap_or_default();
        let agent = request.agent_id.as_deref().unwrap_or_default();
        let name = hash(&[client.word(), session, agent, &root.to_string_lossy()], 24);
        Some(self.folder.join(format!("{name}.json")))
    }

    /// Returns whether clients pass a text on to the model completely.
    pub(crate) fn is_passed_on(&self, text: &str) -> bool {
        text.len() <= self.max_units && text.encode_utf16().count() <= self.max_units
    }

    pub(crate) fn seconds(&self) -> u64 {
        self.now.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_secs()
    }

    /// Writes the session file by writing a temporary file and renaming it, so that a reader never sees a partial
    /// file. If two processes write at the same time, one of the writes is lost.
    pub(crate) fn write(&self, file: &Path, remembered: &Remembered) -> std::io::Result<()> {
        disk::create_private_folder(&self.folder)?;
        if !file.exists() {
            self.delete_old();
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

    fn delete_old(&self) {
        let Ok(entries) = fs::read_dir(&self.folder) else { return };
        let files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        if files.len() < MIN_FILES_TO_SWEEP {
            return;
        }
        for file in files {
            let changed = fs::metadata(&file).and_then(|found| found.modified());
            let age = changed.ok().and_then(|changed| self.now.duration_since(changed).ok());
            if age.is_some_and(|age| age > MAX_AGE) {
                drop(fs::remove_file(file));
            }
        }
    }
}

/// Reads a session file. Returns an empty memory if the file cannot be read or has another format.
pub(crate) fn read(file: &Path) -> Remembered {
    let text = disk::read(file, Links::Refuse, MAX_BYTES).unwrap_or_default();
    let remembered: Remembered = serde_json::from_slice(&text).unwrap_or_default();
    if remembered.format == FORMAT { remembered } else { Remembered::default() }
}

#[cfg(test)]
mod tests;
