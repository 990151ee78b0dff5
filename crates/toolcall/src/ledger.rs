//! Who has fired the hooks of a call already. A client's hook and our MCP server see the same call; the first of them
//! fires, and leaves a mark here for the other.
//!
//! A mark is an empty file; its name says whose it is. Marks are short-lived, and a ledger that cannot be written to makes
//! hooks fire twice rather than never.

use std::fs;
use std::path::{Path, PathBuf};
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
/// So many marks are worth looking for old ones.
const MANY: usize = 256;
/// Ends the name of a mark whose hooks are not through yet.
const PENDING: &str = ".pending";
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

/// The right to fire. Until it is settled, the server does not take the client's word for it: a hook that was asked and
/// never answered, or said no, has not let the call pass.
pub(crate) struct Claim {
    pending: Option<PathBuf>,
}

impl Claim {
    /// Of somebody who is alone with the call.
    pub(crate) fn alone() -> Self {
        Self { pending: None }
    }

    /// The hooks have fired, and the call may go on.
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
    /// A folder of the user's. Both sides must name the same one.
    #[must_use]
    pub fn in_folder(folder: PathBuf, now: SystemTime) -> Self {
        Self { folder, now }
    }

    /// The right to fire the hooks of this moment, if nobody has had it. The next one gets none.
    pub(crate) fn claim(
        &self,
        side: Side,
        moment: Moment,
        call: &ToolCall,
        arguments: &Map<String, Value>,
    ) -> Option<Claim> {
        let mark = Mark::new(side, moment, call, arguments);
        for name in self.marks() {
            match mark.likeness(&name) {
                Likeness::None => continue,
                Likeness::Id if self.sweep(&name) => continue,
                Likeness::Arguments if self.age(&name) > WINDOW => continue,
                Likeness::Id | Likeness::Arguments => {}
            }
            // A mark without an id is for one call: only who takes it away may stay silent.
            let is_for_one = mark.id == UNKNOWN || name.split('.').nth(2) == Some(UNKNOWN);
            if !is_for_one || fs::remove_file(self.folder.join(&name)).is_ok() {
                return None;
            }
        }
        // Before a call the server is the last to ask, after it the client is.
        let is_last = matches!(
            (side, moment),
            (Side::Server, Moment::Before) | (Side::Client, Moment::After)
        );
        if is_last && mark.id == UNKNOWN {
            return Some(Claim::alone());
        }
        let name = mark.name();
        let pending = self.folder.join(format!("{name}{PENDING}"));
        if !self.make(&pending) {
            return None;
        }
        // Somebody may have claimed and settled it since we looked.
        if self.folder.join(&name).exists() {
            drop(fs::remove_file(&pending));
            return None;
        }
        Some(Claim { pending: Some(pending) })
    }

    /// Whether this is said for the first time in a session.
    pub(crate) fn is_first(&self, session: &str, sentence: &str) -> bool {
        self.make(&self.folder.join(format!("said.{}", short(&[session, sentence]))))
    }

    /// False if it is there already. A folder that cannot be written to has nothing in it.
    fn make(&self, path: &Path) -> bool {
        drop(disk::create_private_folder(&self.folder));
        let made = fs::OpenOptions::new().write(true).create_new(true).open(path);
        !made.is_err_and(|error| error.kind() == std::io::ErrorKind::AlreadyExists)
    }

    /// The names of all marks, in order.
    fn marks(&self) -> Vec<String> {
        let Ok(entries) = fs::read_dir(&self.folder) else { return Vec::new() };
        let mut names: Vec<String> =
            entries.flatten().filter_map(|entry| entry.file_name().into_string().ok()).collect();
        // Now and then, and only where it is worth it.
        if names.len() > MANY && std::process::id().is_multiple_of(16) {
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

    /// Takes a mark away that nobody can want any more.
    fn sweep(&self, name: &str) -> bool {
        self.age(name) > KEPT && fs::remove_file(self.folder.join(name)).is_ok()
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

    fn name(&self) -> String {
        static SERIAL: AtomicU64 = AtomicU64::new(0);
        // With an id there is one name for the call, so that of two hooks that ask at once only one can make the file.
        let serial = if self.id == UNKNOWN {
            format!("{}x{}", std::process::id(), SERIAL.fetch_add(1, Ordering::Relaxed))
        } else {
            "0".to_owned()
        };
        let Self { moment, side, id, session, arguments } = self;
        format!("{moment}.{side}.{id}.{session}.{arguments}.{serial}")
    }

    /// By the id if both know it, else by tool and arguments, in the same session as far as that is known.
    fn likeness(&self, name: &str) -> Likeness {
        let mut parts = name.split('.');
        let (Some(moment), Some(side), Some(id), Some(session), Some(arguments)) =
            (parts.next(), parts.next(), parts.next(), parts.next(), parts.next())
        else {
            return Likeness::None;
        };
        if moment != self.moment || (side != self.side && name.ends_with(PENDING)) {
            return Likeness::None;
        }
        if id != UNKNOWN && self.id != UNKNOWN {
            return if id == self.id { Likeness::Id } else { Likeness::None };
        }
        // Without an id, two that come from the same side are two calls.
        let may_agree = |a: &str, b: &str| a == b || a == UNKNOWN || b == UNKNOWN;
        let is_alike =
            side != self.side && arguments == self.arguments && may_agree(session, &self.session);
        if is_alike { Likeness::Arguments } else { Likeness::None }
    }
}

/// Why a mark is taken for one of the same call.
enum Likeness {
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
