//! What is known about a thread of codex's: when it began, from its id; whether a sub-agent had it and in which directory it
//! began, from the file codex keeps it in.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use disk::Links;
use process::Environment;
use serde_json::Value;

/// The first line holds the instructions for the model, too.
const LONGEST_FIRST_LINE: u64 = 4 * 1024 * 1024;
/// The id has milliseconds; the clocks are the same.
const ROUNDING: Duration = Duration::from_millis(2);

/// A version 7 UUID begins with the milliseconds since the epoch. Of other ids nobody can tell.
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

/// The thread that a sub-agent's thread was started from; None for a thread of its own, or where it cannot be read.
pub(crate) fn parent_of(thread: &str, environment: &Environment) -> Option<String> {
    let meta = meta_of(thread, environment)?;
    let text = |name: &str| meta.get(name).and_then(Value::as_str);
    let root = text("session_id").filter(|session| *session != thread);
    let is_below = text("parent_thread_id").is_some() || text("thread_source") == Some("subagent");
    // Below a sub-agent there may be others: the session is named after the first thread.
    is_below.then(|| root.or(text("parent_thread_id")).map(str::to_owned)).flatten()
}

/// The directory that a thread was started in; None where it cannot be read.
pub(crate) fn directory_of(thread: &str, environment: &Environment) -> Option<PathBuf> {
    meta_of(thread, environment)?.get("cwd")?.as_str().map(PathBuf::from)
}

/// The first line of the thread's file.
fn meta_of(thread: &str, environment: &Environment) -> Option<Value> {
    let home = environment
        .text("CODEX_HOME")
        .map(PathBuf::from)
        .or_else(|| environment.text("HOME").map(|home| PathBuf::from(home).join(".codex")))?;
    let file = disk::open_file(&file_of(thread, &home.join("sessions"))?, Links::Follow).ok()?;
    let mut line = String::new();
    BufReader::new(file.take(LONGEST_FIRST_LINE)).read_line(&mut line).ok()?;
    let mut first: Value = serde_json::from_str(&line).ok()?;
    Some(first.get_mut("payload").map(Value::take).unwrap_or(first))
}

/// `sessions/2026/01/02/rollout-2026-01-02T03-04-05-ID.jsonl`
fn file_of(thread: &str, sessions: &Path) -> Option<PathBuf> {
    let inside = |folders: Vec<PathBuf>| -> Vec<PathBuf> {
        let entries = folders.into_iter().filter_map(|folder| fs::read_dir(folder).ok());
        let mut paths: Vec<PathBuf> =
            entries.flatten().flatten().map(|entry| entry.path()).collect();
        paths.sort_unstable_by(|a, b| b.cmp(a));
        paths
    };
    let ending = format!("-{thread}.jsonl");
    let days = inside(inside(inside(vec![sessions.to_owned()])));
    days.into_iter().find_map(|day| {
        let mut files = inside(vec![day]).into_iter();
        files.find(|file| file.to_string_lossy().ends_with(&ending))
    })
}
