//! A session's id, folder and file names on disk.

use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::files;
use crate::run_host::RunHost;
use crate::spec::{LogPlace, Origin, Spec};

const MAX_ATTEMPTS: usize = 64;
const MAX_TAG: usize = 80;

/// A session id. It is always a safe file name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SessionId(String);

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not the id of a session: only letters, digits, `_`, `-` and `.` are allowed")]
pub struct InvalidId(pub String);

impl SessionId {
    pub fn new(id: &str) -> Result<Self, InvalidId> {
        let is_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
        let is_valid = id.starts_with(|c: char| c.is_ascii_alphanumeric())
            && id.len() <= 200
            && id.chars().all(is_word)
            && !id.contains("..");
        if is_valid { Ok(Self(id.to_owned())) } else { Err(InvalidId(id.to_owned())) }
    }

    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Display for SessionId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// Makes a tag safe for file names: replaces each run of characters other than letters, digits, `_` and `.` with one
/// `-`, replaces each run of dots with one dot, removes `-` at both ends, and cuts the result to 80 characters.
#[must_use]
pub fn sanitised_tag(tag: &str) -> String {
    let mut clean = String::new();
    for c in tag.chars() {
        let kept = if c.is_ascii_alphanumeric() || matches!(c, '_' | '.') { c } else { '-' };
        let is_repeated = matches!(kept, '-' | '.') && clean.ends_with(kept);
        if !is_repeated {
            clean.push(kept);
        }
    }
    clean.trim_matches('-').chars().take(MAX_TAG).collect()
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Session {
    pub id: String,
    /// The start time, such as `20260102_030405`. Empty if an existing session was opened.
    pub timestamp: String,
    folder: PathBuf,
    /// The prefix of the file names: `job`, or the log file's name without `.log` if the session has no folder.
    stem: String,
    /// The name of the log file, if the caller chose it.
    log_name: Option<String>,
}

impl Session {
    /// Creates a session, with the id in [`LogPlace::Session`] or otherwise with a new id.
    pub fn create(spec: &Spec, host: &RunHost) -> io::Result<Self> {
        let timestamp = host.compact_time();
        let tag = if spec.tag.is_empty() { String::new() } else { format!("-{}", spec.tag) };
        for _ in 0..MAX_ATTEMPTS {
            let random: String = (host.entropy)().chars().take(6).collect();
            match Self::claim(spec, host, &timestamp, &format!("{timestamp}-{random}{tag}")) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                created => return created,
            }
        }
        Err(io::Error::other("every attempted session name exists"))
    }

    fn claim(spec: &Spec, host: &RunHost, timestamp: &str, name: &str) -> io::Result<Self> {
        let prefix = match spec.origin {
            Origin::Run => "exec",
            Origin::Job => "cdx",
        };
        let mut id = format!("{prefix}-{name}");
        let (folder, stem, log_name) = match &spec.log.place {
            place @ (LogPlace::Folder | LogPlace::Session(_)) => {
                disk::create_private_folder(&host.sessions)?;
                if let LogPlace::Session(named) = place {
                    id.clone_from(named);
                }
                let folder = host.sessions.join(&id);
                files::create_new_folder(&folder)?;
                (folder, "job".to_owned(), None)
            }
            LogPlace::Named(folder) => {
                disk::create_private_folder(folder)?;
                (folder.clone(), "job".to_owned(), None)
            }
            LogPlace::Flat => {
                disk::create_private_folder(&host.sessions)?;
                let stem = format!("codex-{name}");
                std::fs::File::create_new(host.sessions.join(format!("{stem}.log")))?;
                (host.sessions.clone(), stem, None)
            }
            LogPlace::File(path) => {
                let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
                let folder = folder.unwrap_or_else(|| Path::new(".")).to_owned();
                files::create_folder(&folder)?;
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                let stem = name.strip_suffix(".log").unwrap_or(&name).to_owned();
                (folder, stem, Some(name.into_owned()))
            }
        };
        let (folder, timestamp) = (folder.canonicalize()?, timestamp.to_owned());
        Ok(Self { id, timestamp, folder, stem, log_name })
    }

    /// Opens an existing session. Returns `None` if the folder contains no journal.
    pub(crate) fn open(root: &Path, id: &SessionId) -> Option<Self> {
        let folder = root.join(id.as_str());
        let is_folder = folder.symlink_metadata().is_ok_and(|found| found.is_dir());
        let session = Self {
            id: id.as_str().to_owned(),
            timestamp: String::new(),
            folder,
            stem: "job".to_owned(),
            log_name: None,
        };
        (is_folder && session.events().is_file()).then_some(session)
    }

    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    #[must_use]
    pub fn log(&self) -> PathBuf {
        self.log_name.as_ref().map_or_else(|| self.file("log"), |name| self.folder.join(name))
    }

    #[must_use]
    pub fn events(&self) -> PathBuf {
        self.own("events.jsonl")
    }

    #[must_use]
    pub fn state(&self) -> PathBuf {
        self.own("state.json")
    }

    #[must_use]
    pub fn instructions(&self, iteration: u32) -> PathBuf {
        self.of(iteration, "instructions.md")
    }

    #[must_use]
    pub fn meta(&self, iteration: u32) -> PathBuf {
        self.of(iteration, "meta.json")
    }

    #[must_use]
    pub fn last_message(&self, iteration: u32) -> PathBuf {
        self.file(&format!("r{iteration}.last.txt"))
    }

    /// Reads the recorded last message of a run. Returns an empty string if there is none.
    #[must_use]
    pub fn last_message_text(&self, iteration: u32) -> String {
        let bytes = files::read(&self.last_message(iteration), u64::MAX).unwrap_or_default();
        String::from_utf8_lossy(&bytes).into_owned()
    }

    #[must_use]
    pub fn meta_glob(&self) -> PathBuf {
        self.file("*meta.json")
    }

    #[must_use]
    pub fn last_message_glob(&self) -> PathBuf {
        self.file("*.last.txt")
    }

    pub(crate) fn patch(&self) -> PathBuf {
        if self.has_own_folder() {
            self.folder.join("patches").join("patch.diff")
        } else {
            self.file("patch.diff")
        }
    }

    pub(crate) fn aggregate(&self, extension: &str) -> PathBuf {
        self.own(&format!("aggregate.{extension}"))
    }

    /// Returns the path of the reserve file. If a write fails, this file is deleted to free space, so that the end of
    /// the session can still be recorded.
    pub(crate) fn reserve(&self) -> PathBuf {
        self.own("reserve")
    }

    fn of(&self, iteration: u32, name: &str) -> PathBuf {
        if iteration <= 1 { self.file(name) } else { self.file(&format!("r{iteration}.{name}")) }
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.join(format!("{}.{name}", self.stem))
    }

    fn has_own_folder(&self) -> bool {
        self.stem == "job"
    }

    fn own(&self, name: &str) -> PathBuf {
        if self.has_own_folder() { self.folder.join(name) } else { self.file(name) }
    }
}

#[cfg(test)]
mod tests;
