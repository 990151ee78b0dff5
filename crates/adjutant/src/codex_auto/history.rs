//! What was typed, kept between loops: one JSON text a line in a file of the user's alone, without secrets.

use std::fs::{self, OpenOptions};
use std::io::{Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::PathBuf;

use disk::Links;
use process::Environment;

use crate::edge;

/// The newest are kept.
pub(super) const MAX_LINES: usize = 1000;
const MAX_BYTES: u64 = 1024 * 1024;

/// None where it is switched off, or nobody knows where to keep it.
pub(super) struct History {
    file: Option<PathBuf>,
}

impl History {
    pub(super) fn of(environment: &Environment, keeps: bool) -> Self {
        let folder = if keeps { edge::state_directory(environment) } else { None };
        Self { file: folder.map(|folder| folder.join("codex-auto-history.jsonl")) }
    }

    /// What may be kept of a line; nothing of one that begins with a space.
    pub(super) fn entry(line: &str) -> Option<String> {
        let is_kept = !line.starts_with(' ') && !line.trim().is_empty();
        is_kept.then(|| guard::redact(line.trim_end()).text.into_owned())
    }

    /// The oldest first. What cannot be read is passed over: a history is a convenience.
    pub(super) fn load(&self) -> Vec<String> {
        let Some(path) = &self.file else { return Vec::new() };
        let mut bytes = Vec::new();
        let Ok(file) = disk::open_file(path, Links::Follow) else { return Vec::new() };
        drop(file.take(2 * MAX_BYTES).read_to_end(&mut bytes));
        let text = String::from_utf8_lossy(&bytes);
        let lines: Vec<String> =
            text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        let skipped = lines.len().saturating_sub(MAX_LINES);
        if bytes.len() as u64 > MAX_BYTES || skipped > MAX_LINES / 2 {
            self.shorten(&lines[skipped..]);
        }
        lines.into_iter().skip(skipped).collect()
    }

    /// An entry that cannot be kept costs nobody a prompt.
    pub(super) fn add(&self, entry: &str) {
        let Some(path) = &self.file else { return };
        if let Some(folder) = path.parent() {
            drop(disk::create_private_folder(folder));
        }
        let line = format!("{}\n", serde_json::Value::from(entry));
        let file = OpenOptions::new().create(true).append(true).mode(0o600).open(path);
        // One write: two loops at once do not mix their lines.
        drop(file.and_then(|mut file| file.write_all(line.as_bytes())));
    }

    fn shorten(&self, lines: &[String]) {
        let Some(path) = &self.file else { return };
        let newer = path.with_extension("new");
        let kept: Vec<&String> = {
            let mut room = usize::try_from(MAX_BYTES).unwrap_or(usize::MAX) / 2;
            let fits = |line: &&String| {
                room = room.saturating_sub(line.len() + 3);
                room > 0
            };
            lines.iter().rev().take_while(fits).collect()
        };
        let text: String = kept
            .iter()
            .rev()
            .map(|line| format!("{}\n", serde_json::Value::from(line.as_str())))
            .collect();
        let file =
            OpenOptions::new().create(true).truncate(true).write(true).mode(0o600).open(&newer);
        let written = file.and_then(|mut file| file.write_all(text.as_bytes()));
        drop(written.and_then(|()| fs::rename(&newer, path)));
    }
}

#[cfg(test)]
mod tests;
