//! One prompt is briefed once, however many hooks of ours a client has: those of the plugin, of `adjutant install`, of a project.
//!
//! The first one leaves an empty file that names the prompt; the others stay silent. A folder that cannot be written to makes
//! a prompt briefed twice rather than never.

use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// No hook is asked about a prompt that is older.
const KEPT: Duration = Duration::from_secs(60 * 60);

/// The right to brief a prompt.
pub(crate) struct Claim {
    mark: Option<PathBuf>,
}

impl Claim {
    /// None if somebody else has it. A prompt without an identity is everybody's.
    pub(crate) fn make(
        folder: Option<&Path>,
        identity: Option<&str>,
        now: SystemTime,
    ) -> Option<Self> {
        let (Some(folder), Some(identity)) = (folder, identity) else {
            return Some(Self { mark: None });
        };
        // Names of sessions are nobody else's business.
        drop(disk::create_private_folder(folder));
        let mark = folder.join(identity);
        match File::create_new(&mark) {
            Ok(_) => {
                sweep(folder, now);
                Some(Self { mark: Some(mark) })
            }
            Err(error) if error.kind() == ErrorKind::AlreadyExists => None,
            Err(_) => Some(Self { mark: None }),
        }
    }

    /// Nothing was injected: whoever is asked later may do better. Plan mode leaves nothing behind that way.
    pub(crate) fn give_back(self) {
        if let Some(mark) = self.mark {
            drop(fs::remove_file(mark));
        }
    }
}

fn sweep(folder: &Path, now: SystemTime) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let modified = entry.metadata().and_then(|found| found.modified());
        let age = modified.ok().and_then(|then| now.duration_since(then).ok());
        if age.is_some_and(|age| age > KEPT) {
            drop(fs::remove_file(entry.path()));
        }
    }
}

#[cfg(test)]
mod tests;
