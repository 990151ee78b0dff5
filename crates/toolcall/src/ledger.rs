//! Prevents the hooks of a call from running twice when the client's hook process and the MCP server handle the same
//! call. The first of the two processes runs the user's hooks and creates a mark for the other.
//!
//! A mark is an empty file whose name identifies the call. Old marks are deleted. If the folder is not writable, both
//! processes run the hooks.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

use contract::{Arguments, ToolMoment};
use policy::ContentHash;

use crate::call::{CallIdentity, ToolCall};

/// A mark without an id matches a call with the same arguments only up to this age.
const MATCH_WINDOW: Duration = Duration::from_secs(60 * 60);
/// The age above which a mark is deleted. No call waits this long for permission.
const MAX_AGE: Duration = Duration::from_secs(24 * 60 * 60);
/// The number of marks above which old marks are deleted.
const MIN_MARKS_TO_SWEEP: usize = 256;
/// The suffix of a mark whose claim has not been settled, because the hooks are still running or did not permit the
/// call.
const PENDING: &str = ".pending";
/// The placeholder for an unknown id or session in the name of a mark.
const UNKNOWN: &str = "-";

#[derive(Clone, Debug)]
pub struct Ledger {
    folder: PathBuf,
    now: SystemTime,
}

/// The process that claims the hooks of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    /// The client's hook process. Before a call, it claims the hooks before the server does. After a call, it claims
    /// them after the server.
    Client,
    /// The MCP server that runs the tool.
    Server,
}

/// The right to run the before hooks or the after hooks of a call. Until the claim is settled, the other process
/// ignores its mark, because the hooks have not permitted the call yet.
pub(crate) struct Claim {
    pending: Option<PathBuf>,
}

impl Claim {
    /// Creates a claim for a call that no other process handles.
    pub(crate) fn alone() -> Self {
        Self { pending: None }
    }

    /// Records that the hooks have run and that the call may continue.
    pub(crate) fn settle(self) {
        if let Some(pending) = self.pending {
            let text = pending.to_string_lossy();
            let settled = text.strip_suffix(PENDING).map(PathBuf::from);
            drop(settled.map(|settled| fs::rename(&pending, settled)));
        }
    }
}

struct Mark {
    moment: &'static str,
    side: &'static str,
    id: String,
    session: String,
    arguments: String,
}

impl Ledger {
    /// Creates a ledger in a folder owned by the user. The client's hook process and the server must use the same folder.
    #[must_use]
    pub fn in_folder(folder: PathBuf, now: SystemTime) -> Self {
        Self { folder, now }
    }

    /// Claims the before hooks or the after hooks of a call. Returns `None` if the other process has already run them.
    pub(crate) fn claim(
        &self,
        side: Side,
        moment: ToolMoment,
        call: &ToolCall,
        arguments: &Arguments,
    ) -> Option<Claim> {
        let mark = Mark::new(side, moment, call, arguments);
        for name in self.marks() {
            match mark.match_with(&name) {
                MarkMatch::None => continue,
                MarkMatch::Id if self.sweep(&name) => continue,
                MarkMatch::Arguments if self.age(&name) > MATCH_WINDOW => continue,
                MarkMatch::Id | MarkMatch::Arguments => {}
            }
            // A mark without an id matches only one call: the process that deletes the mark skips the hooks.
            let is_for_one = mark.id == UNKNOWN || name.split('.').nth(2) == Some(UNKNOWN);
            if !is_for_one || fs::remove_file(self.folder.join(&name)).is_ok() {
                return None;
            }
        }
        // Before a call, the server claims last; after a call, the client claims last.
        let is_last = matches!(
            (side, moment),
            (Side::Server, ToolMoment::Before)
                | (Side::Client, ToolMoment::After | ToolMoment::Failed)
        );
        if is_last && mark.id == UNKNOWN {
            return Some(Claim::alone());
        }
        let name = mark.name();
        let pending = self.folder.join(format!("{name}{PENDING}"));
        if !self.make(&pending) {
            return None;
        }
        // Another process may have settled its claim after this process listed the marks.
        if self.folder.join(&name).exists() {
            drop(fs::remove_file(&pending));
            return None;
        }
        Some(Claim { pending: Some(pending) })
    }

    /// Returns true if the sentence has not been shown in this session yet. Records the sentence as shown.
    pub(crate) fn is_first(&self, session: &str, sentence: &str) -> bool {
        self.make(&self.folder.join(format!("said.{}", short(&[session, sentence]))))
    }

    /// Creates a mark. Returns false only if the mark already exists; other errors count as success.
    fn make(&self, path: &Path) -> bool {
        drop(disk::create_private_folder(&self.folder));
        let made = fs::OpenOptions::new().write(true).create_new(true).open(path);
        !made.is_err_and(|error| error.kind() == std::io::ErrorKind::AlreadyExists)
    }

    /// Returns the names of all marks, sorted.
    fn marks(&self) -> Vec<String> {
        let Ok(entries) = fs::read_dir(&self.folder) else { return Vec::new() };
        let mut names: Vec<String> =
            entries.flatten().filter_map(|entry| entry.file_name().into_string().ok()).collect();
        // Only about one process in 16 deletes old marks.
        if names.len() > MIN_MARKS_TO_SWEEP && std::process::id().is_multiple_of(16) {
            names.retain(|name| !self.sweep(name));
        }
        names.sort();
        names
    }

    fn age(&self, name: &str) -> Duration {
        let modified =
            fs::metadata(self.folder.join(name)).and_then(|metadata| metadata.modified());
        modified.ok().and_then(|then| self.now.duration_since(then).ok()).unwrap_or_default()
    }

    /// Deletes a mark if it is old. Returns true if the mark was deleted.
    fn sweep(&self, name: &str) -> bool {
        self.age(name) > MAX_AGE && fs::remove_file(self.folder.join(name)).is_ok()
    }
}

impl Mark {
    fn new(side: Side, moment: ToolMoment, call: &ToolCall, arguments: &Arguments) -> Self {
        let CallIdentity { tool_use_id, session_id, .. } = &call.identity;
        let text = arguments.to_string();
        Self {
            moment: match moment {
                ToolMoment::Before => "before",
                ToolMoment::After | ToolMoment::Failed => "after",
            },
            side: match side {
                Side::Client => "client",
                Side::Server => "server",
            },
            id: tool_use_id.as_deref().map_or(UNKNOWN.to_owned(), |id| short(&[id])),
            session: session_id.as_deref().map_or(UNKNOWN.to_owned(), |id| short(&[id])),
            arguments: short(&[&call.tool, &text]),
        }
    }

    fn name(&self) -> String {
        static SERIAL: AtomicU64 = AtomicU64::new(0);
        // If the call has an id, its mark has the same name in every process of one side, so only one of two
        // concurrent processes can create the file.
        let serial = if self.id == UNKNOWN {
            format!("{}x{}", std::process::id(), SERIAL.fetch_add(1, Ordering::Relaxed))
        } else {
            "0".to_owned()
        };
        let Self { moment, side, id, session, arguments } = self;
        format!("{moment}.{side}.{id}.{session}.{arguments}.{serial}")
    }

    /// Compares this mark with a stored mark. The sessions must agree if both are known. In addition, the ids must be
    /// equal if both marks have one; otherwise, the tool and the arguments must be equal.
    fn match_with(&self, name: &str) -> MarkMatch {
        let mut parts = name.split('.');
        let (Some(moment), Some(side), Some(id), Some(session), Some(arguments)) =
            (parts.next(), parts.next(), parts.next(), parts.next(), parts.next())
        else {
            return MarkMatch::None;
        };
        if moment != self.moment || (side != self.side && name.ends_with(PENDING)) {
            return MarkMatch::None;
        }
        let may_agree = |a: &str, b: &str| a == b || a == UNKNOWN || b == UNKNOWN;
        if id != UNKNOWN && self.id != UNKNOWN {
            // Two clients may use the same id, such as `call_1`, in different sessions.
            let is_match = id == self.id && may_agree(session, &self.session);
            return if is_match { MarkMatch::Id } else { MarkMatch::None };
        }
        // Two marks without an id from the same side belong to different calls.
        let is_match =
            side != self.side && arguments == self.arguments && may_agree(session, &self.session);
        if is_match { MarkMatch::Arguments } else { MarkMatch::None }
    }
}

/// How a stored mark matches a call.
enum MarkMatch {
    None,
    Id,
    Arguments,
}

fn short(pieces: &[&str]) -> String {
    let hash = ContentHash::of(pieces.iter().map(|piece| piece.as_bytes()));
    hash.text().trim_start_matches("sha256:").chars().take(20).collect()
}

#[cfg(test)]
mod tests;
