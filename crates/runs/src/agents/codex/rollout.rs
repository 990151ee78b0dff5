//! Reads codex's record of a thread, the rollout file. It says when and where the thread started, whether the thread
//! belongs to a sub-agent, how many tokens it used, and which usage limits the account has.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use disk::Links;
use jiff::Timestamp;
use process::Environment;
use serde::Deserialize;
use serde_json::Value;

use crate::files;
use crate::usage::Usage;

/// The maximum length of the first line in bytes. The line is long, because it contains the instructions for the model.
const MAX_FIRST_LINE: u64 = 4 * 1024 * 1024;
/// The number of bytes at the end of the file that are searched for token counts and usage limits.
const MAX_TAIL: u64 = 4 * 1024 * 1024;
/// The tolerance for comparing the time in a thread id with a clock. Thread ids have a resolution of one millisecond.
const ROUNDING: Duration = Duration::from_millis(2);

/// The first line of a rollout file. Newer versions of codex nest these fields in `payload`.
#[derive(Default, Deserialize)]
#[serde(default)]
struct SessionMeta {
    payload: Option<Box<Self>>,
    session_id: Option<String>,
    parent_thread_id: Option<String>,
    thread_source: Option<String>,
    cwd: Option<PathBuf>,
}

/// Returns true if a thread started after `clock`. The start time is read from the thread id, which is a version 7 UUID
/// and begins with a timestamp. Returns false for other ids.
pub(crate) fn began_after(thread: &str, clock: SystemTime) -> bool {
    let mut parts = thread.split('-');
    let (Some(high), Some(low), Some(version)) = (parts.next(), parts.next(), parts.next()) else {
        return false;
    };
    if high.len() != 8 || low.len() != 4 || !version.starts_with('7') {
        return false;
    }
    let Ok(milliseconds) = u64::from_str_radix(&format!("{high}{low}"), 16) else { return false };
    UNIX_EPOCH + Duration::from_millis(milliseconds) + ROUNDING >= clock
}

/// If `thread` belongs to a sub-agent, returns the id of the main agent's thread. Returns `None` for other threads, or
/// if the record cannot be read.
pub(crate) fn parent_of(thread: &str, environment: &Environment) -> Option<String> {
    let meta = read_meta(thread, environment)?;
    let is_sub_agent =
        meta.parent_thread_id.is_some() || meta.thread_source.as_deref() == Some("subagent");
    // A sub-agent can start further sub-agents. The session id is the id of the topmost thread.
    let root = meta.session_id.filter(|session| session != thread);
    root.or(meta.parent_thread_id).filter(|_| is_sub_agent)
}

/// Returns the directory in which a thread started, or `None` if the record cannot be read.
pub(crate) fn directory_of(thread: &str, environment: &Environment) -> Option<PathBuf> {
    read_meta(thread, environment)?.cwd
}

/// A usage limit of the account, as stored by codex after its last request.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct LimitWindow {
    used_percent: f64,
    pub(crate) resets_at: Timestamp,
}

impl LimitWindow {
    pub(crate) fn is_used_up(&self) -> bool {
        self.used_percent >= 100.0
    }
}

/// Searches the `token_count` records of a thread, newest first, and returns the usage limits in the first record that
/// contains any. Returns an empty list if there is no such record.
pub(crate) fn limits_of(thread: &str, environment: &Environment) -> Vec<LimitWindow> {
    let limits = last_token_count(thread, environment, "/payload/rate_limits");
    let windows = ["primary", "secondary"].into_iter().filter_map(|name| {
        let window = limits.as_ref()?.get(name)?;
        let resets_at = Timestamp::from_second(window["resets_at"].as_i64()?).ok()?;
        Some(LimitWindow { used_percent: window["used_percent"].as_f64()?, resets_at })
    });
    windows.collect()
}

/// Returns the tokens that a thread has used, or `None` if the record has no counts.
pub(crate) fn usage_of(thread: &str, environment: &Environment) -> Option<Usage> {
    let used = last_token_count(thread, environment, "/payload/info/total_token_usage")?;
    serde_json::from_value(used).ok()
}

/// Returns the newest value at this place in the `token_count` records of a thread.
fn last_token_count(thread: &str, environment: &Environment, place: &str) -> Option<Value> {
    let path = find_rollout(thread, &codex_home(environment)?.join("sessions"))?;
    let mut file = disk::open_file(&path, Links::Follow).ok()?;
    let tail = files::end_of(&mut file, MAX_TAIL).ok()?;
    tail.rsplit(|byte| *byte == b'\n').find_map(|line| {
        let record: Value = serde_json::from_slice(line).ok()?;
        record.pointer(place).filter(|value| !value.is_null()).cloned()
    })
}

/// Returns codex's home folder: `CODEX_HOME`, or `.codex` in the user's home folder.
#[must_use]
pub fn codex_home(environment: &Environment) -> Option<PathBuf> {
    let named = environment.text("CODEX_HOME").map(PathBuf::from);
    named.or_else(|| environment.text("HOME").map(|home| PathBuf::from(home).join(".codex")))
}

fn read_meta(thread: &str, environment: &Environment) -> Option<SessionMeta> {
    let path = find_rollout(thread, &codex_home(environment)?.join("sessions"))?;
    let file = disk::open_file(&path, Links::Follow).ok()?;
    let mut line = String::new();
    BufReader::new(file.take(MAX_FIRST_LINE)).read_line(&mut line).ok()?;
    let mut meta: SessionMeta = serde_json::from_str(&line).ok()?;
    Some(meta.payload.take().map_or(meta, |payload| *payload))
}

/// Finds the rollout file of a thread, such as `sessions/2026/01/02/rollout-2026-01-02T03-04-05-ID.jsonl`. Searches the
/// newest day first.
fn find_rollout(thread: &str, sessions: &Path) -> Option<PathBuf> {
    let entries = |folders: Vec<PathBuf>| -> Vec<PathBuf> {
        let entries = folders.into_iter().filter_map(|folder| fs::read_dir(folder).ok());
        let mut paths: Vec<PathBuf> =
            entries.flatten().flatten().map(|entry| entry.path()).collect();
        paths.sort_unstable_by(|a, b| b.cmp(a));
        paths
    };
    let ending = format!("-{thread}.jsonl");
    let days = entries(entries(entries(vec![sessions.to_owned()])));
    days.into_iter().find_map(|day| {
        let mut files = entries(vec![day]).into_iter();
        files.find(|file| file.to_string_lossy().ends_with(&ending))
    })
}
