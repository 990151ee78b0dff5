//! What git remembers: which files changed when, by whom, together with what, and why.
//!
//! Asks `git log` for names only, because line counts cost eighteen times as much and fail on partial clones. Bounded in
//! commits and time; a history cut short is used as far as it goes and says so.

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

/// How to ask git, and how much.
#[derive(Clone, Debug)]
pub struct HistoryOptions {
    /// The git program; a bare name is looked up in the environment's `PATH`.
    pub git: PathBuf,
    /// What git is started with.
    pub environment: Environment,
    /// No more than this many commits back.
    pub max_commits: u32,
    /// The longest git may take.
    pub time: Duration,
}

impl HistoryOptions {
    /// The usual bounds.
    pub fn new(environment: Environment) -> Self {
        Self { git: "git".into(), environment, max_commits: 4_000, time: Duration::from_secs(8) }
    }
}

/// How much of the history is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HistoryState {
    /// No git here, or it did not answer.
    #[default]
    Absent,
    /// Cut short by the bounds, or by a shallow clone.
    Partial,
    /// All of it.
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

/// One commit, without merges.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Commit {
    /// Seconds since 1970.
    pub(crate) time: i64,
    pub(crate) author: u32,
    pub(crate) subject: String,
    /// Numbers of the paths it touched.
    pub(crate) paths: Vec<u32>,
}

/// Commits from the newest back.
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

    /// What [`Self::encode`] wrote; nothing if the bytes do not fit.
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
