//! Ensures that a prompt gets only one briefing, even if a client runs several Adjutant hooks (of the plugin, the user
//! and the project).
//!
//! The first hook creates an empty file whose name is the prompt's identity; the other hooks then print an empty
//! envelope. If the folder is not writable, every hook adds a briefing to the prompt.

use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// The maximum age of a claim file. Older files are removed, because all hooks for a prompt run at about the same time.
const MAX_AGE: Duration = Duration::from_secs(60 * 60);

/// The right to add a briefing to a prompt, represented by a file.
pub(crate) struct Claim {
    file: Option<PathBuf>,
}

impl Claim {
    /// Claims a prompt. Returns `None` if another hook has already claimed it. Prompts without an identity are not
    /// deduplicated: every hook can claim them.
    pub(crate) fn make(
        folder: Option<&Path>,
        identity: Option<&str>,
        now: SystemTime,
    ) -> Option<Self> {
        let (Some(folder), Some(identity)) = (folder, identity) else {
            return Some(Self { file: None });
        };
        // The folder is private, because the file names contain session ids.
        drop(disk::create_private_folder(folder));
        let file = folder.join(identity);
        match File::create_new(&file) {
            Ok(_) => {
                remove_old(folder, now);
                Some(Self { file: Some(file) })
            }
            Err(error) if error.kind() == ErrorKind::AlreadyExists => None,
            Err(_) => Some(Self { file: None }),
        }
    }

    /// Releases the claim, so that a later hook can add a briefing to the prompt. Called if nothing was added to the
    /// prompt, for example in plan mode.
    pub(crate) fn release(self) {
        if let Some(file) = self.file {
            drop(fs::remove_file(file));
        }
    }
}

fn remove_old(folder: &Path, now: SystemTime) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let modified = entry.metadata().and_then(|found| found.modified());
        let age = modified.ok().and_then(|then| now.duration_since(then).ok());
        if age.is_some_and(|age| age > MAX_AGE) {
            drop(fs::remove_file(entry.path()));
        }
    }
}

#[cfg(test)]
mod tests;
