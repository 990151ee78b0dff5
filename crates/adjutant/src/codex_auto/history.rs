//! Stores the typed lines as one redacted JSON string per line, in a file that only the user can read.

use std::fs::OpenOptions;
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::PathBuf;

use disk::Links;
use process::Environment;

use crate::edge;

/// The maximum number of stored lines. Older lines are dropped.
pub(super) const MAX_LINES: usize = 1000;
const MAX_BYTES: u64 = 1024 * 1024;

pub(super) struct History {
    /// The history file. `None` if the history is disabled or the state folder is not known.
    file: Option<PathBuf>,
}

impl History {
    pub(super) fn of(environment: &Environment, keeps: bool) -> Self {
        let folder = if keeps { edge::state_directory(environment) } else { None };
        Self { file: folder.map(|folder| folder.join("codex-auto-history.jsonl")) }
    }

    /// Returns the line with secrets redacted. Returns `None` for a line that must not be stored: an empty line, or one
    /// that starts with a space.
    pub(super) fn entry(line: &str) -> Option<String> {
        let is_kept = !line.starts_with(' ') && !line.trim().is_empty();
        is_kept.then(|| guard::redact(line.trim_end()).text.into_owned())
    }

    /// Returns the stored lines, oldest first. Lines that cannot be parsed are skipped.
    pub(super) fn load(&self) -> Vec<String> {
        let Some(path) = &self.file else { return Vec::new() };
        let bytes = disk::read_start(path, Links::Follow, 2 * MAX_BYTES).unwrap_or_default();
        let text = String::from_utf8_lossy(&bytes);
        let lines: Vec<String> =
            text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        let skipped = lines.len().saturating_sub(MAX_LINES);
        if bytes.len() as u64 > MAX_BYTES || skipped > MAX_LINES / 2 {
            self.shorten(&lines[skipped..]);
        }
        lines.into_iter().skip(skipped).collect()
    }

    /// Appends a line to the history file. Errors are ignored.
    pub(super) fn add(&self, entry: &str) {
        let Some(path) = &self.file else { return };
        if let Some(folder) = path.parent() {
            drop(disk::create_private_folder(folder));
        }
        let line = json_line(entry);
        let file = OpenOptions::new().create(true).append(true).mode(0o600).open(path);
        // Each line is written with a single call, so that lines of two processes do not mix.
        drop(file.and_then(|mut file| file.write_all(line.as_bytes())));
    }

    fn shorten(&self, lines: &[String]) {
        let Some(path) = &self.file else { return };
        let kept: Vec<&String> = {
            let mut room = usize::try_from(MAX_BYTES).unwrap_or(usize::MAX) / 2;
            let fits = |line: &&String| {
                room = room.saturating_sub(line.len() + 3);
                room > 0
            };
            lines.iter().rev().take_while(fits).collect()
        };
        let text: String = kept.iter().rev().map(|line| json_line(line)).collect();
        drop(disk::replace_file(path, text.as_bytes(), Some(0o600)));
    }
}

fn json_line(text: &str) -> String {
    format!("{}\n", serde_json::to_string(text).unwrap_or_default())
}

#[cfg(test)]
mod tests;
