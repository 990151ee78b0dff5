//! Who has fired the hooks of a call already. A client's hook and our MCP server see the same call; the first of them
//! fires, and leaves a mark here for the other.
//!
//! A mark is an empty file; its name says whose it is. Marks are short-lived, and a ledger that cannot be written to makes
//! hooks fire twice rather than never.

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

use policy::ContentHash;
use serde_json::{Map, Value};

use crate::call::{Identity, ToolCall};
use crate::hooks::Moment;

/// A mark without an id stands for a call with the same arguments so long.
const WINDOW: Duration = Duration::from_secs(60 * 60);
/// No call waits longer for its permission.
const KEPT: Duration = Duration::from_secs(24 * 60 * 60);
/// A mark by somebody who did not know the id, or the session.
const UNKNOWN: &str = "-";

#[derive(Clone, Debug)]
pub struct Ledger {
    folder: PathBuf,
    now: SystemTime,
}

/// Which side of a call is asking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    /// The client's hook: it comes first before a call, and last after it.
    Client,
    /// The server that runs the call.
    Server,
}

struct Mark {
    moment: &'static str,
    side: &'static str,
    id: String,
    session: String,
    arguments: String,
}

impl Ledger {
    /// A folder of the user's. Both sides must name the same one.
    #[must_use]
    pub fn in_folder(folder: PathBuf, now: SystemTime) -> Self {
        Self { folder, now }
    }

    /// Whether the hooks of this moment are still to be fired. Asking claims it: the next one is told no.
    pub(crate) fn claim(
        &self,
        side: Side,
        moment: Moment,
        call: &ToolCall,
        arguments: &Map<String, Value>,
    ) -> bool {
        let mark = Mark::new(side, moment, call, arguments);
        for (name, age) in self.marks() {
            if !mark.is_same_call(&name, age) {
                continue;
            }
            // A mark without an id is for one call: only who takes it away may stay silent.
            let is_for_one = mark.id == UNKNOWN || name.split('.').nth(2) == Some(UNKNOWN);
            if !is_for_one || fs::remove_file(self.folder.join(&name)).is_ok() {
                return false;
            }
        }
        // Before a call the server is the last to ask, after it the client is.
        let is_last = matches!(
            (side, moment),
            (Side::Server, Moment::Before) | (Side::Client, Moment::After)
        );
        if is_last && mark.id == UNKNOWN { true } else { self.leave(&mark) }
    }

    /// Whether this is said for the first time in a session.
    pub(crate) fn is_first(&self, session: &str, sentence: &str) -> bool {
        drop(fs::create_dir_all(&self.folder));
        let name = format!("said.{}", short(&[session, sentence]));
        let made = fs::OpenOptions::new().write(true).create_new(true).open(self.folder.join(name));
        !made.is_err_and(|error| error.kind() == std::io::ErrorKind::AlreadyExists)
    }

    fn leave(&self, mark: &Mark) -> bool {
        static SERIAL: AtomicU64 = AtomicU64::new(0);
        // With an id there is one name for the call, so that of two hooks that ask at once only one can make the file.
        let serial = if mark.id == UNKNOWN {
            format!("{}x{}", std::process::id(), SERIAL.fetch_add(1, Ordering::Relaxed))
        } else {
            "0".to_owned()
        };
        let Mark { moment, side, id, session, arguments } = mark;
        let name = format!("{moment}.{side}.{id}.{session}.{arguments}.{serial}");
        drop(fs::create_dir_all(&self.folder));
        let made = fs::OpenOptions::new().write(true).create_new(true).open(self.folder.join(name));
        !made.is_err_and(|error| error.kind() == std::io::ErrorKind::AlreadyExists)
    }

    /// All marks with their age; those nobody can want any more are taken away.
    fn marks(&self) -> Vec<(String, Duration)> {
        let Ok(entries) = fs::read_dir(&self.folder) else { return Vec::new() };
        let mut marks = Vec::new();
        for entry in entries.flatten() {
            let modified = entry.metadata().and_then(|metadata| metadata.modified());
            let age = modified.ok().and_then(|modified| self.now.duration_since(modified).ok());
            let age = age.unwrap_or_default();
            if age > KEPT {
                drop(fs::remove_file(entry.path()));
            } else if let Ok(name) = entry.file_name().into_string() {
                marks.push((name, age));
            }
        }
        marks.sort();
        marks
    }
}

impl Mark {
    fn new(side: Side, moment: Moment, call: &ToolCall, arguments: &Map<String, Value>) -> Self {
        let Identity { tool_use_id, session_id, .. } = &call.identity;
        let text = serde_json::to_string(arguments).unwrap_or_default();
        Self {
            moment: match moment {
                Moment::Before => "before",
                Moment::After => "after",
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

    /// By the id if both know it, else by tool and arguments, in the same session as far as that is known.
    fn is_same_call(&self, name: &str, age: Duration) -> bool {
        let mut parts = name.split('.');
        let (Some(moment), Some(side), Some(id), Some(session), Some(arguments)) =
            (parts.next(), parts.next(), parts.next(), parts.next(), parts.next())
        else {
            return false;
        };
        if moment != self.moment {
            return false;
        }
        if id != UNKNOWN && self.id != UNKNOWN {
            return id == self.id;
        }
        // Without an id, two that come from the same side are two calls.
        if side == self.side {
            return false;
        }
        let may_agree = |a: &str, b: &str| a == b || a == UNKNOWN || b == UNKNOWN;
        age <= WINDOW && arguments == self.arguments && may_agree(session, &self.session)
    }
}

fn short(pieces: &[&str]) -> String {
    let hash = ContentHash::of(pieces.iter().map(|piece| piece.as_bytes()));
    hash.text().trim_start_matches("sha256:").chars().take(20).collect()
}

#[cfg(test)]
mod tests;
