//! Finds and reads hook files in the user's folders and in the repository's folders. The user's hooks run first.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use disk::Links;

use super::{HookKind, Scope};

/// The maximum size of a hook file, in bytes.
const MAX_BYTES: u64 = 1024 * 1024;

/// The user's folders that may contain hook files, and the folder in which hooks are copied. The repository's folders are
/// derived from its root.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HookFolders {
    /// The home folder, which may contain `.snow/hooks`.
    pub home: Option<PathBuf>,
    /// `~/.config/adjutant`, which may contain `hooks` and the trust store.
    pub configuration: Option<PathBuf>,
    /// The folder for copies of trusted scripts, from which they run. Without it, no script of a repository runs.
    pub copies: Option<PathBuf>,
}

/// A hook file that has been read but not parsed.
pub(super) struct Text {
    /// The file's canonical path.
    pub(super) path: PathBuf,
    pub(super) text: String,
}

impl HookFolders {
    /// Returns true if a hook file for tool calls exists. Does not read the files.
    #[must_use]
    pub fn has_any(&self, repository: &Path) -> bool {
        let exists = |path: PathBuf| match fs::symlink_metadata(path) {
            Ok(_) => true,
            Err(error) => !is_absent(&error),
        };
        self.in_order(repository).into_iter().any(|(_, folder)| {
            HookKind::OF_TOOLS
                .iter()
                .any(|kind| exists(folder.join(format!("{}.json", kind.word()))))
        })
    }

    pub(super) fn in_order(&self, repository: &Path) -> Vec<(Scope, PathBuf)> {
        let mut folders = Vec::new();
        folders.extend(self.home.as_ref().map(|home| (Scope::Global, home.join(".snow/hooks"))));
        folders.extend(
            self.configuration.as_ref().map(|folder| (Scope::Global, folder.join("hooks"))),
        );
        folders.push((Scope::Project, repository.join(".snow/hooks")));
        folders.push((Scope::Project, repository.join(".adjutant/hooks")));
        folders
    }
}

/// Reads the hook file of one type in one folder. Returns `None` if the file does not exist.
pub(super) fn read(
    folder: &Path,
    kind: HookKind,
    scope: Scope,
    repository: &Path,
) -> io::Result<Option<Text>> {
    let named = folder.join(format!("{}.json", kind.word()));
    match fs::metadata(&named) {
        Ok(_) => {}
        // A dangling symbolic link is treated as an unreadable file, not as a missing one.
        Err(error) if is_absent(&error) && fs::symlink_metadata(&named).is_err() => {
            return Ok(None);
        }
        Err(error) => return Err(error),
    }
    // If another user can write to the folder, that user could add hooks.
    if scope == Scope::Global {
        disk::check_private_folder(folder)?;
    }
    let path = named.canonicalize()?;
    if scope == Scope::Project && !path.starts_with(repository) {
        return Err(io::Error::other("is a link out of the repository"));
    }
    let text = disk::read_text(&path, Links::Refuse, MAX_BYTES)?;
    Ok(Some(Text { path, text }))
}

fn is_absent(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}
