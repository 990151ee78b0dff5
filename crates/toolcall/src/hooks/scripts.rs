//! What trust in a hook file covers: the file, and every file of the repository that its commands name.
//!
//! A command is only read here, never run. A script that a script calls is not seen: whoever wants it covered names it.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use policy::ContentHash;

use super::Run;
use super::file::Rule;

/// More than any script; a larger file is hashed by its beginning and its length.
const MOST_BYTES: usize = 8 * 1024 * 1024;

/// Variables that stand for the root in a command.
const ROOT_VARIABLES: [&str; 4] = ["ADJUTANT_ROOT", "SNOW_CWD", "CLAUDE_PROJECT_DIR", "PWD"];

pub(super) fn content_hash(text: &str, rules: &[Rule], repository: &Path) -> ContentHash {
    let mut pieces: Vec<Vec<u8>> = vec![text.as_bytes().to_vec()];
    for script in named_in(rules, repository) {
        let bytes = fs::read(&script).unwrap_or_default();
        pieces.push(script.to_string_lossy().into_owned().into_bytes());
        pieces.push(bytes.len().to_le_bytes().to_vec());
        pieces.push(bytes.into_iter().take(MOST_BYTES).collect());
    }
    ContentHash::of(pieces.iter().map(Vec::as_slice))
}

/// Real paths inside the repository, in order.
pub(super) fn named_in(rules: &[Rule], repository: &Path) -> BTreeSet<PathBuf> {
    let mut found = BTreeSet::new();
    for action in rules.iter().flat_map(|rule| &rule.actions) {
        let words: Vec<String> = match &action.run {
            Run::Shell(command) => words(command),
            Run::Program(arguments) => arguments.iter().flat_map(|text| words(text)).collect(),
            Run::Text(_) => continue,
        };
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
