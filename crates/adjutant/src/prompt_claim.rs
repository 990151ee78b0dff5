//! A prompt is briefed once, even if a client has several hooks of Adjutant: of the plugin, of the user, of a project.
//!
//! The first hook creates an empty file with the identity of the prompt as its name; the others then print nothing. If the folder
//! cannot be written to, every hook briefs the prompt.

use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// Hooks for one prompt are called at about the same time, so older files are removed.
const MAX_AGE: Duration = Duration::from_secs(60 * 60);

/// The right to brief a prompt, represented by a file.
pub(crate) struct Claim {
    file: Option<PathBuf>,
}

impl Claim {
    /// `None` if another hook has claimed the prompt. A prompt without an identity can be claimed by every hook.
    pub(crate) fn make(
        folder: Option<&Path>,
        identity: Option<&str>,
        now: SystemTime,
    ) -> Option<Self> {
        let (Some(folder), Some(identity)) = (folder, identity) else {
            return Some(Self { file: None });
        };
        // Private, because the names contain session ids.
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

    /// Lets a later hook brief the prompt. Called if nothing was injected, so that plan mode leaves no file.
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
