//! Checks the flags of a run that a model requested. A model can describe the task and request a sandbox, approvals
//! and network access. Unlike a user, a model cannot read files outside the repository, change the location of the
//! record, or start programs through codex's configuration.

use std::path::{Component, Path};

use codex::Piece;
use policy::Author;
use process::Environment;

use super::{Limit, RunFlags};

impl RunFlags {
    /// Returns an error if the flags include one that only a user may use. `root` is the repository root.
    pub(in crate::commands) fn confine(
        &self,
        root: &Path,
        directory: &Path,
        is_message: bool,
    ) -> Result<(), String> {
        let refused =
            |flag: &str| Err(format!("`{flag}` can only be set by the user, with `adjutant run`"));
        let flag = self.log.person_only_flag().or_else(|| self.record.person_only_flag());
        if let Some(flag) = flag {
            return refused(flag);
        }
        if self.patch_output.is_some() {
            return Err("`--patch-output` can only be set by the user, with `adjutant run`: the patch is stored with the session"
                .to_owned());
        }
        let is_off =
            |limit: Option<Limit>| limit.is_some_and(|limit| limit.milliseconds().is_none());
        if is_off(self.timeout) || is_off(self.idle_timeout) {
            return refused("a run without a timeout");
        }
        if self.cwd.is_some() {
            return Err("use the field `cwd` instead of `--cwd`".to_owned());
        }
        self.stays_inside(root, directory)?;
        let sources = self.sources(&Environment::default());
        if sources.need_stdin() {
            return Err("a tool call has no stdin".to_owned());
        }
        if !is_message && !sources.have_a_task() {
            return Err("`task` is missing".to_owned());
        }
        // The run checks these options again. They are also checked here to refuse them before any file is read. Only
        // the run checks whether the sandbox may be bypassed.
        let model = Author::Model { may_bypass: false };
        self.codex().check(self.orders.requested(), model).map_err(|error| match error.hint() {
            Some(hint) => format!("{error}; {hint}"),
            None => error.to_string(),
        })
    }

    fn stays_inside(&self, root: &Path, directory: &Path) -> Result<(), String> {
        let pieces = self.pieces.0.iter().filter_map(|piece| match piece {
            Piece::File(file) => Some(Path::new(file)),
            Piece::Folder(folder) => Some(folder.as_path()),
            Piece::Text(_) => None,
        });
        let paths = self.prepend_file.iter().chain(&self.append_file);
        let paths = paths.map(|path| path.as_path());
        for path in pieces.chain(paths).chain(self.file_override.as_deref().map(Path::new)) {
            let shown = path.display();
            if path.to_string_lossy().starts_with('@') {
                return Err(format!("`{shown}` is a list of files: name each file instead"));
            }
            if !is_inside(path, root, directory) {
                return Err(format!("`{shown}` is outside `{}`", root.display()));
            }
        }
        Ok(())
    }
}

/// Returns whether a path is inside the repository, contains no `..`, and does not lead out of the repository through
/// a symbolic link. A path that does not exist counts as inside. The check only serves to report a clear error early:
/// files are checked again when they are opened.
fn is_inside(path: &Path, root: &Path, directory: &Path) -> bool {
    let full = directory.join(path);
    if full.components().any(|part| part == Component::ParentDir) || !full.starts_with(root) {
        return false;
    }
    full.canonicalize().is_ok_and(|real| real.starts_with(root)) || full.symlink_metadata().is_err()
}

#[cfg(test)]
mod tests;
