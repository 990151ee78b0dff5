//! Verifies a trusted command immediately before it runs, and copies the files that it names, so that the bytes that were
//! hashed are the bytes that run.

use std::collections::BTreeSet;
use std::fs::{self, DirBuilder, File, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use super::command::{Script, WrittenCommand};
use super::{CoverError, hash_and_copy, judge};
use crate::ContentHash;

/// The maximum number of links per folder of a copy.
const MAX_LINKS: usize = 4096;
/// The age above which a copy was left by a killed process. No hook and no tool runs this long.
const MAX_AGE: Duration = Duration::from_secs(60 * 60);

/// A trusted file, and the commands in it.
#[derive(Clone, Debug)]
pub struct TrustedContent {
    pub text: String,
    pub commands: Vec<WrittenCommand>,
    /// The canonical path of the repository.
    pub repository: PathBuf,
    /// The hash that the user trusts. See [`covered_content`](super::covered_content).
    pub hash: ContentHash,
}

#[derive(Debug, thiserror::Error)]
pub enum VerifyError {
    #[error("a script it names changed since it was trusted")]
    Changed,
    #[error(transparent)]
    Unhashed(#[from] CoverError),
    #[error("its script cannot be copied to the state folder: {0}")]
    NotCopied(io::Error),
}

/// A verified command. If it runs a file of the repository, it names a private copy of that file, which is removed when the
/// value is dropped.
#[derive(Debug)]
pub struct Verified {
    pub command: WrittenCommand,
    /// The file in the repository that the command runs.
    pub script: Option<PathBuf>,
    _copy: Option<Copy>,
}

impl Verified {
    /// Returns a command that needs no trust.
    #[must_use]
    pub fn unchecked(command: WrittenCommand) -> Self {
        Self { command, script: None, _copy: None }
    }
}

impl TrustedContent {
    /// Hashes the file and all scripts again, and returns `command` in the form in which it runs. The script of the command
    /// and each argument of the form `PATH` or `NAME=PATH` that names a hashed file (with at least one `/`) are replaced by
    /// copies of the bytes that were hashed. The copies are created in the folder `copies`, which belongs to the user.
    ///
    /// # Errors
    /// If the hash is not the trusted hash, or if the files cannot be copied.
    pub fn verify(
        &self,
        command: &WrittenCommand,
        copies: Option<&Path>,
    ) -> Result<Verified, VerifyError> {
        // The same judgement decides what is hashed and what runs, because the files can change at any time.
        let judged = judge(&self.commands, &self.repository);
        let position = self.commands.iter().position(|known| known == command);
        let script = match position.map(|position| &judged[position]) {
            None => return Err(VerifyError::Changed),
            Some(judged) => judged.as_ref().ok().and_then(Option::as_ref),
        };
        let wanted = script.map(|script| wanted(script, &self.repository)).unwrap_or_default();
        let mut copy = match script {
            None => None,
            Some(_) => Some(Copy::create(copies).map_err(VerifyError::NotCopied)?),
        };
        let keep = |relative: &Path, file: &File| -> io::Result<Box<dyn Write>> {
            match &mut copy {
                Some(copy) if wanted.contains(&self.repository.join(relative)) => {
                    Ok(Box::new(copy.add(relative, file)?))
                }
                _ => Ok(Box::new(io::sink())),
            }
        };
        let hash = hash_and_copy(&self.text, &self.commands, &judged, &self.repository, keep)?;
        if hash != self.hash {
            return Err(VerifyError::Changed);
        }
        let (Some(script), Some(copy)) = (script, copy) else {
            return Ok(Verified::unchecked(command.clone()));
        };
        copy.link_neighbours(&self.repository);
        let words = copied_words(script, &copy, &self.repository)?;
        let command = match command {
            WrittenCommand::Program(_) => WrittenCommand::Program(words),
            WrittenCommand::Shell(_) => WrittenCommand::Shell(quoted(&words)),
        };
        Ok(Verified { command, script: Some(script.path.clone()), _copy: Some(copy) })
    }
}

/// Returns the paths of the files that a command reads from the copy, if they are hashed. The decision depends only on the
/// words and not on the files, which can change at any time.
fn wanted(script: &Script, repository: &Path) -> BTreeSet<PathBuf> {
    let named = script.words.iter().skip(1).filter_map(|word| path_in(word));
    named.map(|path| repository.join(path)).chain([script.path.clone()]).collect()
}

/// Returns the path in an argument of the form `PATH` or `NAME=PATH`. A word without `/` is not treated as a path, because it
/// may be a word such as `test` that is also the name of a file.
fn path_in(word: &str) -> Option<&str> {
    let path = word.split_once('=').map_or(word, |(_, path)| path);
    path.contains('/').then_some(path)
}

/// Returns the words of the command with the paths of the copies.
fn copied_words(
    script: &Script,
    copy: &Copy,
    repository: &Path,
) -> Result<Vec<String>, VerifyError> {
    let copied = |path: &Path| -> Option<String> {
        let relative = path.strip_prefix(repository).ok()?;
        let is_copied = copy.files.contains(relative);
        is_copied.then(|| copy.folder.join(relative).to_str().map(str::to_owned))?
    };
    let mut words = script.words.clone();
    for word in words.iter_mut().skip(1) {
        let Some(path) = path_in(word) else { continue };
        if let Some(copied) = copied(&repository.join(path)) {
            *word = format!("{}{copied}", &word[..word.len() - path.len()]);
        }
    }
    words[script.position] = copied(&script.path).ok_or(VerifyError::Changed)?;
    Ok(words)
}

/// Returns a command line for a shell that consists of exactly these words.
fn quoted(words: &[String]) -> String {
    let quoted = words.iter().map(|word| format!("'{}'", word.replace('\'', r"'\''")));
    quoted.collect::<Vec<_>>().join(" ")
}

/// A private copy of some files of a repository, at the same relative paths. The neighbours of the files, except `.git`, are
/// links into the repository, so that a script finds the files next to it. Dropping the value deletes the copy.
#[derive(Debug)]
struct Copy {
    folder: PathBuf,
    files: BTreeSet<PathBuf>,
}

impl Copy {
    fn create(copies: Option<&Path>) -> io::Result<Self> {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let copies = copies.ok_or_else(|| io::Error::other("the state folder is not known"))?;
        disk::create_private_folder(copies)?;
        loop {
            let number = NEXT.fetch_add(1, Ordering::Relaxed);
            let folder = copies.join(format!("{}-{number}", std::process::id()));
            match DirBuilder::new().mode(0o700).create(&folder) {
                Ok(()) => {
                    remove_old(copies, &folder);
                    return Ok(Self { folder, files: BTreeSet::new() });
                }
                // A killed process that had the same process id left the folder.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Creates the copy of `original` at `relative`. The copy is executable if the original is.
    fn add(&mut self, relative: &Path, original: &File) -> io::Result<File> {
        let path = self.folder.join(relative);
        disk::create_private_folder(path.parent().unwrap_or(&self.folder))?;
        let is_executable = original.metadata()?.permissions().mode() & 0o111 != 0;
        let copy = File::create_new(path)?;
        copy.set_permissions(Permissions::from_mode(if is_executable { 0o500 } else { 0o400 }))?;
        self.files.insert(relative.to_owned());
        Ok(copy)
    }

    /// Links the other files and folders in each folder of the copy. A file without a link is not found by the script, which
    /// is not an error.
    fn link_neighbours(&self, repository: &Path) {
        let folders: BTreeSet<&Path> =
            self.files.iter().flat_map(|file| file.ancestors().skip(1)).collect();
        for folder in folders {
            let Ok(entries) = fs::read_dir(repository.join(folder)) else { continue };
            let entries = entries.flatten().filter(|entry| entry.file_name() != ".git");
            for entry in entries.take(MAX_LINKS) {
                let copy = self.folder.join(folder).join(entry.file_name());
                // This fails if the entry is copied.
                let _exists = symlink(entry.path(), copy);
            }
        }
    }
}

impl Drop for Copy {
    fn drop(&mut self) {
        let _removed = fs::remove_dir_all(&self.folder);
    }
}

/// Deletes the copies that are much older than `newest`.
fn remove_old(copies: &Path, newest: &Path) {
    let modified = |path: &Path| fs::symlink_metadata(path).and_then(|found| found.modified()).ok();
    let (Some(now), Ok(entries)) = (modified(newest), fs::read_dir(copies)) else { return };
    for path in entries.flatten().map(|entry| entry.path()) {
        let age = modified(&path).and_then(|then| now.duration_since(then).ok());
        if age.is_some_and(|age| age > MAX_AGE) {
            let _removed = fs::remove_dir_all(path);
        }
    }
}

#[cfg(test)]
mod tests;
