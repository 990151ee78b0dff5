//! Files with rules that git opens by name when it looks at a work tree. A FIFO, a socket or a device under such a name
//! would make git wait until its deadline, because git opens it without checking what it is.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::{ANSWER_TIME, Git};
use crate::{Bounds, End, run};

/// git reads these in every directory of a work tree. It does not follow links to them.
const NAMES_IN_EVERY_DIRECTORY: [&str; 2] = [".gitignore", ".gitattributes"];
/// A larger tree is not searched to its end; git's own deadline then limits the wait.
const SEARCH_TIMEOUT: Duration = Duration::from_secs(10);

impl Git {
    /// The first file with rules for this work tree that is not a regular file. Without a work tree, the directory counts.
    pub(super) fn blocking_rule_file(&self) -> Option<PathBuf> {
        let top = self.line(&["rev-parse", "--show-toplevel"]).map(PathBuf::from);
        let named = ["core.excludesFile", "core.attributesFile"]
            .into_iter()
            .filter_map(|key| self.line(&["config", "--type=path", "--get", key]));
        let of_repository = ["info/exclude", "info/attributes"]
            .into_iter()
            .filter_map(|name| self.line(&["rev-parse", "--git-path", name]));
        let top = top.unwrap_or_else(|| self.directory.clone());
        // git follows links to these. A relative name counts from where git runs.
        let followed = named.chain(of_repository).map(|path| self.directory.join(path));
        let mut followed = followed
            .filter(|path| fs::metadata(path).is_ok_and(|found| !is_harmless(found.file_type())));
        followed.next().or_else(|| blocking_below(&top))
    }

    /// What git prints, without the last line break. None if git fails or prints nothing.
    fn line(&self, arguments: &[&str]) -> Option<String> {
        let bounds = Bounds {
            deadline: Instant::now() + ANSWER_TIME,
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
