//! What trust in a file covers: the file, and every file of the repository that its commands name.
//!
//! A command is only read here, never run. A script that a script calls is not seen: whoever wants it covered names it.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use crate::ContentHash;

/// More than any script; a larger file is hashed by its beginning and its length.
const MOST_BYTES: u64 = 8 * 1024 * 1024;

/// Variables that stand for the root in a command.
const ROOT_VARIABLES: [&str; 4] = ["ADJUTANT_ROOT", "SNOW_CWD", "CLAUDE_PROJECT_DIR", "PWD"];

/// A command as it is written down: one text for a shell, or a program and its arguments.
pub type WrittenCommand = Vec<String>;

/// Of the text itself and of what its commands name as it is now.
#[must_use]
pub fn covered_content(text: &str, commands: &[WrittenCommand], repository: &Path) -> ContentHash {
    let mut pieces: Vec<Vec<u8>> = vec![text.as_bytes().to_vec()];
    for file in named_files(commands, repository) {
        let (length, bytes) = beginning(&file);
        pieces.push(file.to_string_lossy().into_owned().into_bytes());
        pieces.push(length.to_le_bytes().to_vec());
        pieces.push(bytes);
    }
    ContentHash::of(pieces.iter().map(Vec::as_slice))
}

/// A file that cannot be read is an empty one; it cannot be run either.
fn beginning(path: &Path) -> (u64, Vec<u8>) {
    let mut bytes = Vec::new();
    let Ok(file) = File::open(path) else { return (0, bytes) };
    let length = file.metadata().map_or(0, |found| found.len());
    if file.take(MOST_BYTES).read_to_end(&mut bytes).is_err() {
        bytes.clear();
    }
    (length.max(bytes.len() as u64), bytes)
}

/// Real paths inside the repository, in order. The repository's own path must be a real one.
#[must_use]
pub fn named_files(commands: &[WrittenCommand], repository: &Path) -> BTreeSet<PathBuf> {
    let mut found = BTreeSet::new();
    for command in commands {
        let words: Vec<String> = command.iter().flat_map(|text| words(text)).collect();
        let inside =
            |path: PathBuf| path.canonicalize().ok().filter(|path| path.starts_with(repository));
        // `cd tools && ./check` names `tools/check`.
        let mut folders = vec![repository.to_owned()];
        folders.extend(
            words
                .iter()
                .filter_map(|word| inside(repository.join(word)))
                .filter(|path| path.is_dir()),
        );
        for word in &words {
            let paths = folders.iter().filter_map(|folder| inside(folder.join(word)));
            found.extend(paths.filter(|path| path.is_file()));
        }
    }
    found
}

/// Everything in a command that could be a path, with the root's variables taken away.
fn words(command: &str) -> Vec<String> {
    let mut text = command.to_owned();
    for variable in ROOT_VARIABLES {
        text = text.replace(&format!("${{{variable}}}/"), "").replace(&format!("${variable}/"), "");
    }
    let is_between = |c: char| c.is_whitespace() || "\"'`;|&<>(){}=,".contains(c);
    let mut words: Vec<String> =
        text.split(is_between).filter(|word| !word.is_empty()).map(str::to_owned).collect();
    // A name with a space in it is a word only as a whole.
    words.push(text.trim().to_owned());
    for quote in ['"', '\''] {
        words.extend(text.split(quote).skip(1).step_by(2).map(str::to_owned));
    }
    words
}

#[cfg(test)]
mod tests;
