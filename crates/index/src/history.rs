//! Reads the git history of files: the commits that changed each file, their authors, times and subjects, and the files
//! that changed in the same commits.
//!
//! The history is read with `git log`, which prints file names and exact renames only. Printing line counts would take eighteen times
//! as long and would fail in partial clones. The number of commits and the running time are limited. A history that
//! these limits cut short is still used, but is marked as partial.

mod git;
mod log;
mod summary;
#[cfg(test)]
mod tests;

use std::path::PathBuf;
use std::time::Duration;

use process::Environment;

use crate::codec::{Cursor, put_text, put_varint, zigzag};
pub(crate) use git::BuildGit;
pub(crate) use log::{TrackedFiles, current_head, read_history};
pub(crate) use summary::{FileSummary, Summaries};

/// Options for reading the history: the git program, its environment and the limits.
#[derive(Clone, Debug)]
pub struct HistoryOptions {
    /// The git program. A name without a slash is looked up in the `PATH` of `environment`.
    pub git: PathBuf,
    /// The environment of the git process.
    pub environment: Environment,
    /// The maximum number of commits to read.
    pub max_commits: u32,
    /// The maximum time that git may take. In a build with a deadline, git may also take only a part of the time that is
    /// left.
    pub time: Duration,
    /// Whether a build skips the history if none is stored yet, so that the index can be used sooner. The next build
    /// for which this is false reads the history.
    pub is_deferred: bool,
}

impl HistoryOptions {
    /// Returns options that run `git` with this environment and the default limits.
    pub fn new(environment: Environment) -> Self {
        Self {
            git: "git".into(),
            environment,
            max_commits: 4_000,
            time: Duration::from_secs(8),
            is_deferred: false,
        }
    }
}

/// How much of the history is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HistoryState {
    /// No history was read: it was not requested, there is no repository or no commit, or git failed.
    #[default]
    Absent,
    /// The history was cut short by the limits or by a shallow clone.
    Partial,
    Complete,
    /// The history has not been read yet. A later build reads it. See [`HistoryOptions::is_deferred`].
    Pending,
}

impl HistoryState {
    pub(crate) fn of_code(code: u8) -> Self {
        match code {
            3 => Self::Pending,
            2 => Self::Complete,
            1 => Self::Partial,
            _ => Self::Absent,
        }
    }
}

/// A commit that is not a merge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Commit {
    /// The commit time, in seconds since the Unix epoch.
    pub(crate) time: i64,
    /// The author, as a position in [`History::authors`].
    pub(crate) author: u32,
    pub(crate) subject: String,
    /// The paths that the commit changed, as positions in [`History::paths`].
    pub(crate) paths: Vec<u32>,
}

/// The history of a repository. Commits are ordered from newest to oldest.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct History {
    /// The hash of the commit that was current when the history was read.
    pub(crate) head: String,
    pub(crate) state: HistoryState,
    pub(crate) authors: Vec<String>,
    pub(crate) paths: Vec<String>,
    pub(crate) commits: Vec<Commit>,
}

impl History {
    /// Returns a placeholder for a history that the next build will read. Its `head` is empty, so it never equals a
    /// repository's current commit.
    pub(crate) fn pending() -> Self {
        Self { state: HistoryState::Pending, ..Self::default() }
    }

    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut out = Vec::new();
        put_text(&mut out, self.head.as_bytes());
        out.push(self.state as u8);
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

    /// Decodes the output of [`Self::encode`]. Returns `None` if the bytes are invalid.
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
