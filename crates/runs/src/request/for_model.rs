//! Checks a request that a model made. A model can describe the task and request a sandbox, approvals and network access.
//! Unlike a user, a model cannot read files outside the repository, change the location of the record, or start programs
//! through codex's configuration.

use std::path::{Component, Path};

use policy::Author;

use super::{RunPlace, RunRequest};
use crate::bounds::TimeLimit;
use crate::checks::RunError;
use crate::instructions::Piece;

impl RunRequest {
    /// Returns an error if the request contains what only a user may ask for. `is_message` says whether the run continues
    /// a conversation, which needs no task.
    pub(super) fn check_for_model(
        &self,
        place: RunPlace<'_>,
        is_message: bool,
    ) -> Result<(), RunError> {
        let refused = |message: String| Err(RunError::NotForModel(message));
        let only_user = |what: &str| {
            refused(format!("`{what}` can only be set by the user, with `adjutant run`"))
        };
        if let Some(flag) = self.log_place_flag().or_else(|| self.record_flag()) {
            return only_user(flag);
        }
        if self.patch_output.is_some() {
            return refused("`--patch-output` can only be set by the user, with `adjutant run`: the patch is stored with the session".to_owned());
        }
        let is_off =
            |limit: Option<TimeLimit>| limit.is_some_and(|limit| limit.milliseconds().is_none());
        if is_off(self.timeout) || is_off(self.idle_timeout) {
            return only_user("a run without a timeout");
        }
        if self.cwd.is_some() {
            return refused("use the field `cwd` instead of `--cwd`".to_owned());
        }
        let root = place.confined_to.unwrap_or(place.directory);
        self.stays_inside(root, place.directory).or_else(refused)?;
        if self.names_stdin() {
            return refused("a tool call has no stdin".to_owned());
        }
        if !is_message && !self.has_task() {
            return refused("`task` is missing".to_owned());
        }
        // The run checks these options again. They are also checked here to refuse them before any file is read. Only
        // the run checks whether the sandbox may be bypassed.
        let model = Author::Model { may_bypass: false };
        Ok(self.codex().check(self.requested(), model)?)
    }

    /// Returns the first given flag that changes the content of the record in a way that a model may not.
    fn record_flag(&self) -> Option<&'static str> {
        let named = [
            ("--aggregate-file", self.aggregate_file.is_some()),
            ("--aggregate-jsonl-file", self.aggregate_jsonl_file.is_some()),
            ("--no-redact", self.no_redact),
        ];
        named.into_iter().find(|(_, is_given)| *is_given).map(|(flag, _)| flag)
    }

    fn stays_inside(&self, root: &Path, directory: &Path) -> Result<(), String> {
        let pieces = self.pieces.iter().filter_map(|piece| match piece {
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
