//! Hashes the content that the user trusts together with a file: the file itself and every repository file named in its
//! commands.
//!
//! This module parses commands but never runs them. Files that a script loads are not covered. [`uncovered_commands`]
//! lists the commands whose script cannot be determined.

mod command;
mod route;
mod verified;

use std::collections::BTreeSet;
use std::fmt;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use disk::{PathRefusal, Root};

pub use command::{Uncovered, WrittenCommand, uncovered_commands};
pub use route::is_outside;
pub use verified::{TrustedContent, Verified, VerifyError};

use crate::ContentHash;
use crate::trust::ContentHasher;
use command::{BLANKS, Script};
use route::Route;

/// The maximum total size in bytes of the scripts that one file names. If the scripts are larger, hashing fails,
/// because trust covers a script only if it is hashed completely.
const MAX_SCRIPT_BYTES: u64 = 32 * 1024 * 1024;
/// The maximum number of words in a command that are looked up as paths.
const MAX_WORDS: usize = 1000;
/// The maximum number of folders in a command in which the command's words are looked up. For example,
/// `cd tools && ./check` names the folder `tools` and runs `tools/check`.
const MAX_FOLDERS: usize = 16;

/// The version of the hash format if all commands are covered. It is part of the hash. In version 1, only the first 8 MiB
/// of a script were hashed, and the user was not asked about uncovered commands.
const COVERED_VERSION: &[u8] = b"covered content 2";
/// The version of the hash format if a command is not covered. The positions of the uncovered commands are part of the hash,
/// so that trust is lost if a covered command becomes uncovered, and no covered command is treated as uncovered when it is
/// verified. In version 3, the positions were not hashed. In version 2, some uncovered commands were treated as covered, such
/// as `sh +c`.
const UNCOVERED_VERSION: &[u8] = b"covered content 4";

/// Variables that contain the repository root when a command runs. They are removed from a command before its words
/// are looked up as paths.
const ROOT_VARIABLES: [&str; 4] = ["ADJUTANT_ROOT", "SNOW_CWD", "CLAUDE_PROJECT_DIR", "PWD"];

/// A script that cannot be hashed completely, and the reason.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("trust cannot cover `{}`: {reason}", path.display())]
pub struct CoverError {
    pub path: PathBuf,
    pub reason: String,
}

/// What a command runs, or the reason why it cannot be determined. See [`WrittenCommand::script`].
type Judged = Result<Option<Script>, String>;

fn judge(commands: &[WrittenCommand], repository: &Path) -> Vec<Judged> {
    commands.iter().map(|command| command.script(repository)).collect()
}

/// Hashes `text`, which is the content of a file, together with the complete content of each repository file that
/// `commands` name.
///
/// # Errors
/// If a named file cannot be read or changes while it is read, or if the named files exceed 32 MiB in total.
pub fn covered_content(
    text: &str,
    commands: &[WrittenCommand],
    repository: &Path,
) -> Result<ContentHash, CoverError> {
    let judged = judge(commands, repository);
    hash_and_copy(text, commands, &judged, repository, |_, _| Ok(Box::new(io::sink())))
}

/// Does the same as [`covered_content`], and writes the content of each named file to the writer that `copy` returns for
/// its path relative to the repository.
fn hash_and_copy(
    text: &str,
    commands: &[WrittenCommand],
    judged: &[Judged],
    repository: &Path,
    mut copy: impl FnMut(&Path, &File) -> io::Result<Box<dyn Write>>,
) -> Result<ContentHash, CoverError> {
    let mut hasher = ContentHasher::default();
    let uncovered: Vec<usize> =
        (0..judged.len()).filter(|position| judged[*position].is_err()).collect();
    hasher.piece(if uncovered.is_empty() { COVERED_VERSION } else { UNCOVERED_VERSION });
    uncovered.iter().for_each(|position| hasher.piece(&(*position as u64).to_le_bytes()));
    hasher.piece(text.as_bytes());
    let files = named_files_of(commands, judged, repository);
    let failed = |path: &Path, reason: &dyn fmt::Display| CoverError {
        path: path.strip_prefix(repository).unwrap_or(path).to_owned(),
        reason: reason.to_string(),
    };
    let Some(first) = files.first() else { return Ok(hasher.end()) };
    let root = Root::open(repository).map_err(|refusal| failed(first, &refusal))?;
    let mut left = MAX_SCRIPT_BYTES;
    for path in &files {
        let relative = path.strip_prefix(repository).unwrap_or(path);
        let file = root.open_file(relative).map_err(|refusal| match refusal {
            PathRefusal::Unreadable { source, .. } => failed(path, &source),
            PathRefusal::Escapes { .. } => failed(path, &refusal),
        })?;
        let length = file.metadata().map_err(|error| failed(path, &error))?.len();
        left = left.checked_sub(length).ok_or_else(|| {
            failed(path, &format!("the scripts have more than {MAX_SCRIPT_BYTES} bytes"))
        })?;
        hasher.piece(path.as_os_str().as_encoded_bytes());
        copy(relative, &file)
            .map_err(|error| io::Error::other(format!("it cannot be copied: {error}")))
            .and_then(|mut copy| hasher.stream(length, file, &mut copy))
            .map_err(|error| failed(path, &error))?;
    }
    Ok(hasher.end())
}

/// Returns the canonical paths of the repository files that the commands name. `repository` must be a canonical path.
///
/// Includes every word that is the path of a file, even if the command does not run that file, so that a change to
/// the file revokes the trust.
#[must_use]
pub fn named_files(commands: &[WrittenCommand], repository: &Path) -> BTreeSet<PathBuf> {
    named_files_of(commands, &judge(commands, repository), repository)
}

fn named_files_of(
    commands: &[WrittenCommand],
    judged: &[Judged],
    repository: &Path,
) -> BTreeSet<PathBuf> {
    let scripts = judged.iter().flatten().flatten().map(|script| script.path.clone());
    let mut found: BTreeSet<PathBuf> = scripts.collect();
    for command in commands {
        let mut words: Vec<String> = command.texts().flat_map(words).collect();
        words.truncate(MAX_WORDS);
        let inside = |path: PathBuf| {
            let real = Route::follow(&path).ok()?.end.canonicalize().ok()?;
            real.starts_with(repository).then_some(real)
        };
        // The folders that a command names are also searched, because `cd tools && ./check` runs `tools/check`.
        let mut folders = vec![repository.to_owned()];
        folders.extend(
            words
                .iter()
                .filter_map(|word| inside(repository.join(word)))
                .filter(|path| path.is_dir())
                .take(MAX_FOLDERS),
        );
        for word in &words {
            let paths = folders.iter().filter_map(|folder| inside(folder.join(word)));
            found.extend(paths.filter(|path| path.is_file()));
        }
    }
    found
}

/// Returns every part of a command that may be a path. Variables that contain the repository root are removed.
fn words(command: &str) -> Vec<String> {
    let mut text = command.to_owned();
    for variable in ROOT_VARIABLES {
        text = text.replace(&format!("${{{variable}}}/"), "").replace(&format!("${variable}/"), "");
    }
    let is_between = |c: char| BLANKS.contains(&c) || "\"'`;|&<>(){}=,".contains(c);
    let mut words: Vec<String> =
        text.split(is_between).filter(|word| !word.is_empty()).map(str::to_owned).collect();
    // A path may contain spaces, so the whole command and each quoted part are included too.
    words.push(text.trim_matches(BLANKS).to_owned());
    for quote in ['"', '\''] {
        words.extend(text.split(quote).skip(1).step_by(2).map(str::to_owned));
    }
    words
}

#[cfg(test)]
mod tests;
