//! Reads a part of a session's log, and what a running session is doing from the end of its log.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};

use regex::Regex;
use serde::Serialize;

use super::{JobError, Sessions};
use crate::files;
use crate::session::SessionId;
use crate::state::SessionStatus;

const MAX_BYTES: u64 = 4 * 1024 * 1024;
/// The end of the log in which the last tool call is searched for.
const MAX_TAIL_BYTES: u64 = 64 * 1024;
const MAX_CHARACTERS: usize = 200;
/// The log lines of tool calls begin with these words.
const CALLS: [&str; 4] = ["[command] ", "[tool] ", "[files] ", "[web_search] "];
const STARTED: &str = " [started]";

#[derive(Clone, Debug)]
pub struct LogQuery {
    pub window: Window,
    /// If set, only lines that match this regular expression are returned.
    pub grep: Option<String>,
    /// Whether only codex's output is returned, without the heading, instructions and arguments.
    pub is_result_only: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Window {
    Bytes { offset: u64, limit: u64 },
    Lines { offset: usize, limit: usize },
    Tail(usize),
    All,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum LogPage {
    #[serde(rename_all = "camelCase")]
    Bytes { chunk: String, offset: u64, limit: u64, next_offset: u64, eof: bool, size: u64 },
    #[serde(rename_all = "camelCase")]
    Lines { lines: Vec<String>, total_lines: usize },
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Activity {
    /// The number of the current turn, starting at 1.
    pub turn: u64,
    /// The tokens of the turns that have ended.
    pub tokens: u64,
    /// The last tool call, redacted and shortened.
    pub last_call: Option<String>,
}

impl Sessions {
    pub fn logs(&self, id: &SessionId, query: &LogQuery) -> Result<LogPage, JobError> {
        let (session, _) = self.summary(id)?;
        let path = session.log();
        let file = match files::open(&path) {
            Ok(file) => Some(file),
            // The log does not exist immediately after the start and during a rotation. It is empty then.
            Err(_) if self.status(id)?.state == SessionStatus::Running => None,
            Err(_) => return Err(JobError::NoLog(id.to_string())),
        };
        let unreadable = |source| JobError::Unreadable { path: path.clone(), source };
        if let Window::Bytes { offset, limit } = query.window {
            let size = file.as_ref().map(File::metadata).transpose().map_err(unreadable)?;
            let size = size.map_or(0, |found| found.len());
            let offset = offset.min(size);
            let limit = limit.clamp(1, MAX_BYTES);
            let mut chunk = Vec::new();
            if let Some(mut file) = file {
                file.seek(SeekFrom::Start(offset)).map_err(unreadable)?;
                file.take(limit).read_to_end(&mut chunk).map_err(unreadable)?;
            }
            let next_offset = offset + chunk.len() as u64;
            let chunk = String::from_utf8_lossy(&chunk).into_owned();
            let eof = next_offset >= size;
            return Ok(LogPage::Bytes { chunk, offset, limit, next_offset, eof, size });
        }
        let mut bytes = Vec::new();
        file.map(|mut file| file.read_to_end(&mut bytes)).transpose().map_err(unreadable)?;
        let text = String::from_utf8_lossy(&bytes);
        let pattern = match &query.grep {
            None => None,
            Some(pattern) => Some(Regex::new(pattern).map_err(|error| JobError::Pattern {
                pattern: pattern.clone(),
                reason: error.to_string(),
            })?),
        };
        let lines: Vec<&str> = viewed(&text, query.is_result_only)
            .into_iter()
            .filter(|line| pattern.as_ref().is_none_or(|pattern| pattern.is_match(line)))
            .collect();
        let total_lines = lines.len();
        let (skip, take) = match query.window {
            Window::Lines { offset, limit } => (offset, limit),
            Window::Tail(count) => (total_lines.saturating_sub(count), count),
            Window::All | Window::Bytes { .. } => (0, usize::MAX),
        };
        let lines = lines.into_iter().skip(skip).take(take).map(str::to_owned).collect();
        Ok(LogPage::Lines { lines, total_lines })
    }

    /// Returns what a running session is doing now, or `None` if its record cannot be read.
    #[must_use]
    pub fn activity(&self, id: &SessionId) -> Option<Activity> {
        let (session, summary) = self.summary(id).ok()?;
        let used = summary.state.total_use.unwrap_or_default();
        let mut file = files::open(&session.log()).ok()?;
        let bytes = files::end_of(&mut file, MAX_TAIL_BYTES).ok()?;
        Some(Activity {
            turn: used.turns + 1,
            tokens: used.tokens.input.saturating_add(used.tokens.output),
            last_call: last_call(&String::from_utf8_lossy(&bytes)),
        })
    }
}

fn viewed(text: &str, is_result_only: bool) -> Vec<&str> {
    if !is_result_only {
        return text.lines().collect();
    }
    let mut inside = false;
    let mut in_arguments = false;
    let mut lines = Vec::new();
    for line in text.lines() {
        // The second file of a long log begins in the middle of the output.
        if line.starts_with("----- Begin Codex Output") || line.starts_with("[log] continued from")
        {
            inside = true;
        } else if line == "----- End Codex Output -----" {
            inside = false;
        } else if line == "----- Invocation Args -----" {
            in_arguments = true;
        } else if line == "----- End Invocation Args -----" {
            in_arguments = false;
        } else if inside && !in_arguments {
            lines.push(line);
        }
    }
    lines
}

fn last_call(log: &str) -> Option<String> {
    let is_end = |call: &str| call.starts_with("ended ");
    let mut calls = log.lines().rev().filter_map(|line| {
        let call = CALLS.iter().find_map(|word| line.strip_prefix(word))?;
        (!is_end(call)).then(|| call.strip_suffix(STARTED).unwrap_or(call))
    });
    calls.next().map(|call| call.chars().take(MAX_CHARACTERS).collect())
}

#[cfg(test)]
mod tests {
    use super::last_call;

    #[test]
    fn the_last_tool_call_is_found_in_the_log() {
        let log = "[command] ls [started]\na\n[command] ended completed, exit code 0\n\
            [command] cargo test [started]\noutput\n[command] ended failed, exit code 1\n[message] hm\n";
        assert_eq!(last_call(log).as_deref(), Some("cargo test"));
        assert_eq!(
            last_call("[files] completed src/a.rs\n").as_deref(),
            Some("completed src/a.rs")
        );
        assert_eq!(last_call("[message] hello\n"), None);
    }
}
