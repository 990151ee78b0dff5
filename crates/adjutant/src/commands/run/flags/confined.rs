//! A command line that a model wrote. It may say what is to be done and how far codex may go; it may not reach files
//! outside the repository, move the record, or start programs through codex's configuration. A person may.

use std::path::{Component, Path};

use codex::Piece;
use process::Environment;

use super::RunFlags;

/// What codex may be told beside its orders, which are judged elsewhere.
const CODEX_FLAGS: [&str; 8] = [
    "--sandbox",
    "--ask-for-approval",
    "--full-auto",
    "--dangerously-bypass-approvals-and-sandbox",
    "--yolo",
    "--model",
    "--skip-git-repo-check",
    "--ephemeral",
];
const CODEX_SHORT_FLAGS: [&str; 4] = ["-s", "-a", "-m", "-c"];
/// Keys of its configuration that start no program and open no directory.
const CONFIG_KEYS: [&str; 10] = [
    "model",
    "model_reasoning_effort",
    "model_reasoning_summary",
    "model_verbosity",
    "model_context_window",
    "sandbox_mode",
    "approval_policy",
    "sandbox_workspace_write.network_access",
    "hide_agent_reasoning",
    "web_search",
];

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
        let is_name =
            |name: &str| name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'));
        if !self.profile.as_deref().is_none_or(is_name) {
            return Err("`--profile` must be the name of a profile".to_owned());
        }
        if let Some(entry) = self.codex_config.iter().find(|entry| !is_harmless(entry)) {
            return refused(&format!("--codex-config {}", key_of(entry)));
        }
        match raw_refused(self.codex_arg.iter().chain(&self.rest)) {
            Some(word) => refused(&word),
            None => Ok(()),
        }
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

fn key_of(entry: &str) -> &str {
    entry.split('=').next().unwrap_or_default().trim()
}

fn is_harmless(entry: &str) -> bool {
    CONFIG_KEYS.contains(&key_of(entry))
}

/// The first raw argument for codex that is not known to be harmless.
fn raw_refused<'a>(mut words: impl Iterator<Item = &'a String>) -> Option<String> {
    while let Some(word) = words.next() {
        if word == "-c" || word == "--config" {
            match words.next() {
                Some(entry) if is_harmless(entry) => continue,
                Some(entry) => return Some(format!("{word} {}", key_of(entry))),
                None => return Some(word.clone()),
            }
        }
        if let Some(entry) = word.strip_prefix("--config=").or_else(|| word.strip_prefix("-c")) {
            if is_harmless(entry.trim_start_matches('=')) {
                continue;
            }
            return Some(word.clone());
        }
        let flag = word.split('=').next().unwrap_or_default();
        let is_known = CODEX_FLAGS.contains(&flag)
            || CODEX_SHORT_FLAGS
                .iter()
                .any(|short| word.starts_with(short) && !word.starts_with("--"));
        if word.starts_with('-') && !is_known {
            return Some(word.clone());
        }
    }
    None
}

#[cfg(test)]
mod tests;
