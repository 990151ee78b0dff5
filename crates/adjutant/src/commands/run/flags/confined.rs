//! A command line that a model wrote. It may say what is to be done and how far codex may go; it may not reach files
//! outside the repository, move the record, or start programs through codex's configuration. A person may.

use std::path::{Component, Path};

use codex::Piece;
use policy::Author;
use process::Environment;

use super::RunFlags;

impl RunFlags {
    /// Why this is not for a model to say.
    pub(in crate::commands) fn confine(
        &self,
        root: &Path,
        directory: &Path,
        is_message: bool,
    ) -> Result<(), String> {
        let refused =
            |flag: &str| Err(format!("`{flag}` is for a person to say, with `adjutant run`"));
        let flag = self.log.not_for_a_model().or_else(|| self.record.not_for_a_model());
        if let Some(flag) = flag {
            return refused(flag);
        }
        if self.patch_output.is_some() {
            return Err("`--patch-output` is for a person to say, with `adjutant run`: the patch is kept with the session"
                .to_owned());
        }
        if self.timeout.milliseconds().is_none() || self.idle_timeout.milliseconds().is_none() {
            return refused("a run without a time-out");
        }
        if self.cwd.is_some() {
            return Err("say `--cwd` in the field `cwd`".to_owned());
        }
        self.stays_inside(root, directory)?;
        let sources = self.sources(&Environment::default());
        if sources.need_stdin() {
            return Err("there is no stdin to read from".to_owned());
        }
        if !is_message && !sources.have_a_task() {
            return Err("there is nothing to do: say it in `task`".to_owned());
        }
        // The run checks them again; here they are refused before a file is read. The bypass is judged there.
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
                return Err(format!("`{shown}` is a list of files: name the files themselves"));
            }
            if !is_inside(path, root, directory) {
                return Err(format!("`{shown}` is outside `{}`", root.display()));
            }
        }
        Ok(())
    }
}

/// A first look, for a clear message: a pattern must not climb, and what is there must not be a link to elsewhere. What a
/// pattern or a folder matches is judged when it is opened, beneath the repository.
fn is_inside(path: &Path, root: &Path, directory: &Path) -> bool {
    let full = directory.join(path);
    if full.components().any(|part| part == Component::ParentDir) || !full.starts_with(root) {
        return false;
    }
    full.canonicalize().is_ok_and(|real| real.starts_with(root)) || full.symlink_metadata().is_err()
}

#[cfg(test)]
mod tests;
