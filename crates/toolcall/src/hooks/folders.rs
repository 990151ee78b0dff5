//! Where hook files are, and in which order they run: the user's own first, the repository's last.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use disk::Links;

use super::{HookKind, Scope};

/// No set of rules is larger.
const MAX_BYTES: u64 = 1024 * 1024;

/// The user's folders; the repository's follow from its root.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HookFolders {
    /// `~`, for `~/.snow/hooks`.
    pub home: Option<PathBuf>,
    /// `~/.config/adjutant`, for `hooks` in it and for what is trusted.
    pub configuration: Option<PathBuf>,
}

/// A text that was found.
pub(super) struct Text {
    /// The real path: no links, no `..`.
    pub(super) path: PathBuf,
    pub(super) text: String,
}

impl HookFolders {
    /// Whether there is any file of the two types that fire around tool calls. Looks, and reads nothing.
    #[must_use]
    pub fn has_any(&self, repository: &Path) -> bool {
        let is_there = |path: PathBuf| match fs::symlink_metadata(path) {
            Ok(_) => true,
            Err(error) => !is_absent(&error),
        };
        self.in_order(repository).into_iter().any(|(_, folder)| {
            HookKind::OF_TOOLS
                .iter()
                .any(|kind| is_there(folder.join(format!("{}.json", kind.word()))))
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

/// The file of one type in one folder, if there is one.
pub(super) fn read(
    folder: &Path,
    kind: HookKind,
    scope: Scope,
    repository: &Path,
) -> io::Result<Option<Text>> {
    let named = folder.join(format!("{}.json", kind.word()));
    match fs::metadata(&named) {
        Ok(_) => {}
        // A link that leads nowhere is a file that cannot be read, not a file that is not there.
        Err(error) if is_absent(&error) && fs::symlink_metadata(&named).is_err() => {
            return Ok(None);
        }
        Err(error) => return Err(error),
    }
    // Whoever may write to a folder of the user's own hooks decides what runs.
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
