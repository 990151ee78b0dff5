//! Checks the ignore and attribute files that git opens when it reads a work tree.
//!
//! git opens these files without checking their type. A FIFO, a socket or a device with such a name would block git until
//! its deadline.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::{GIT_TIMEOUT, Git};
use crate::{Bounds, End, run};

/// File names that git reads in every directory of a work tree. git does not open them if they are symbolic links.
const NAMES_IN_EVERY_DIRECTORY: [&str; 2] = [".gitignore", ".gitattributes"];
/// The maximum duration of the search for blocking files. If it is exceeded, git runs without the check and may block until
/// its own deadline.
const SEARCH_TIMEOUT: Duration = Duration::from_secs(10);

impl Git {
    /// Returns the first ignore or attribute file of this work tree that would block git: a FIFO, a socket or a device.
    /// Outside a work tree, searches the directory in which git runs.
    pub(super) fn blocking_rule_file(&self) -> Option<PathBuf> {
        let top = self.line(&["rev-parse", "--show-toplevel"]).map(PathBuf::from);
        let named = ["core.excludesFile", "core.attributesFile"]
            .into_iter()
            .filter_map(|key| self.line(&["config", "--type=path", "--get", key]));
        let of_repository = ["info/exclude", "info/attributes"]
            .into_iter()
            .filter_map(|name| self.line(&["rev-parse", "--git-path", name]));
        let top = top.unwrap_or_else(|| self.directory.clone());
        // git follows links for these files. Relative paths are relative to the directory in which git runs.
        let followed = named.chain(of_repository).map(|path| self.directory.join(path));
        let mut followed = followed
            .filter(|path| fs::metadata(path).is_ok_and(|found| !is_harmless(found.file_type())));
        followed.next().or_else(|| blocking_below(&top))
    }

    /// Runs git and returns its output without trailing line breaks. Returns `None` if git fails or prints nothing.
    fn line(&self, arguments: &[&str]) -> Option<String> {
        let bounds = Bounds {
            deadline: Instant::now() + GIT_TIMEOUT,
            stdout_bytes: 64 * 1024,
            stderr_bytes: 4096,
        };
        let finished = run(&self.command(arguments), &bounds).ok()?;
        let text = finished.stdout.text();
        let line = text.trim_end_matches('\n');
        (finished.end == End::Exited(0) && !line.is_empty()).then(|| line.to_owned())
    }
}

fn is_harmless(kind: fs::FileType) -> bool {
    kind.is_file() || kind.is_dir()
}

fn blocking_below(top: &Path) -> Option<PathBuf> {
    let deadline = Instant::now() + SEARCH_TIMEOUT;
    let mut pending = vec![top.to_owned()];
    while let Some(folder) = pending.pop() {
        if Instant::now() > deadline {
            return None;
        }
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let Ok(kind) = entry.file_type() else { continue };
            let name = entry.file_name();
            if kind.is_dir() {
                if name != ".git" {
                    pending.push(entry.path());
                }
            } else if !kind.is_file()
                && !kind.is_symlink()
                && NAMES_IN_EVERY_DIRECTORY.iter().any(|rules| name.eq_ignore_ascii_case(rules))
            {
                return Some(entry.path());
            }
        }
    }
    None
}
