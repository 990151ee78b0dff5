//! The git history of files: when, by whom and together with which other files each was changed, and the commit
//! subjects.
//!
//! The history comes from `git log` with file names only. Line counts would take eighteen times as long and fail in
//! partial clones. The number of commits and the time are limited; a history cut short by these limits is used and
//! marked as partial.

mod log;
mod summary;
#[cfg(test)]
mod tests;

use std::path::PathBuf;
use std::time::Duration;

use process::Environment;

use crate::codec::{Cursor, put_text, put_varint, zigzag};
pub(crate) use log::{current_head, read_history};
pub(crate) use summary::{FileSummary, summarise};

/// How to run git, and the limits of the history.
#[derive(Clone, Debug)]
pub struct HistoryOptions {
    /// The git program. A bare name is looked up in the environment's `PATH`.
    pub git: PathBuf,
    /// The environment of the git process.
    pub environment: Environment,
    /// The maximum number of commits.
    pub max_commits: u32,
    /// The maximum time for git.
    pub time: Duration,
}

impl HistoryOptions {
    /// Returns the default limits.
    pub fn new(environment: Environment) -> Self {
        Self { git: "git".into(), environment, max_commits: 4_000, time: Duration::from_secs(8) }
    }
}

/// The part of the history that is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HistoryState {
    /// There is no git repository, or git failed.
    #[default]
    Absent,
    /// Cut short by the limits or by a shallow clone.
    Partial,
    Complete,
}

impl HistoryState {
    pub(crate) fn code(self) -> u8 {
        self as u8
    }

    pub(crate) fn of_code(code: u8) -> Self {
        match code {
            2 => Self::Complete,
            1 => Self::Partial,
            _ => Self::Absent,
        }
    }
}

/// A commit that is not a merge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Commit {
    /// Seconds since the Unix epoch.
    pub(crate) time: i64,
    pub(crate) author: u32,
    pub(crate) subject: String,
    /// Numbers of the paths that the commit changed.
    pub(crate) paths: Vec<u32>,
}

/// The commits from newest to oldest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct History {
    pub(crate) head: String,
    pub(crate) state: HistoryState,
    pub(crate) authors: Vec<String>,
    pub(crate) paths: Vec<String>,
    pub(crate) commits: Vec<Commit>,
}

impl History {
    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut out = Vec::new();
        put_text(&mut out, self.head.as_bytes());
        out.push(self.state.code());
        for texts in [&self.authors, &self.paths] {
            put_varint(&mut out, texts.len() as u64);
            for text in texts {
                put_text(&mut out, text.as_bytes());
            }
        }
        put_varint(&mut out, self.commits.len() as u64);
        for commit in &self.commits {
            put_varint(&mut out, zigzag(commit.time));
            put_varint(&mut out, u64::from(commit.author));
            put_text(&mut out, commit.subject.as_bytes());
            put_varint(&mut out, commit.paths.len() as u64);
            for path in &commit.paths {
                put_varint(&mut out, u64::from(*path));
            }
        }
        out
    }

    /// Decodes the output of [`Self::encode`], or returns `None` if the bytes are invalid.
    pub(crate) fn decode(bytes: &[u8]) -> Option<Self> {
        let mut cursor = Cursor::new(bytes);
        let head = cursor.utf8().to_owned();
        let state = HistoryState::of_code(cursor.byte());
        let mut texts = || {
            let n_texts = cursor.varint();
            let mut texts = Vec::new();
            for _ in 0..n_texts {
                if cursor.is_exhausted_early() {
                    break;
                }
                texts.push(cursor.utf8().to_owned());
            }
            texts
        };
        let (authors, paths) = (texts(), texts());
        let n_commits = cursor.varint();
        let mut commits = Vec::new();
        for _ in 0..n_commits {
            let (time, author, subject) =
                (cursor.signed(), cursor.small(), cursor.utf8().to_owned());
            let n_paths = cursor.small() as usize;
            if n_paths > cursor.remaining() {
                return None;
            }
            let paths = (0..n_paths).map(|_| cursor.small()).collect();
            if cursor.is_exhausted_early() {
                return None;
            }
            commits.push(Commit { time, author, subject, paths });
        }
        (!cursor.is_exhausted_early() && !head.is_empty()).then_some(Self {
            head,
            state,
            authors,
            paths,
            commits,
        })
    }
}
