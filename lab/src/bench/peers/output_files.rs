//! Finds the file names in the output of a program, in order of appearance.

use std::collections::{HashMap, HashSet};
use std::path::Path;

/// Returns the files in the tree whose absolute or relative paths appear in the output, without duplicates.
pub(super) fn in_text(output: &str, tree: &Path, files: &HashSet<String>) -> Vec<String> {
    let prefix = format!("{}/", tree.display());
    let is_path = |c: char| c.is_alphanumeric() || "/._-+@".contains(c);
    let mut found: Vec<String> = Vec::new();
    for word in output.split(|c: char| !is_path(c)) {
        let path = word.strip_prefix(&prefix).unwrap_or(word);
        let path = path.strip_prefix("./").unwrap_or(path).trim_end_matches('.');
        if files.contains(path) && !found.iter().any(|known| known == path) {
            found.push(path.to_owned());
        }
    }
    found
}

/// Returns the files in the output of `rg --only-matching --ignore-case --no-line-number`, ordered by the number of
/// different words that match, then by the number of matches.
pub(super) fn by_matches(output: &str, _tree: &Path, files: &HashSet<String>) -> Vec<String> {
    let mut matches: HashMap<&str, (HashSet<String>, usize)> = HashMap::new();
    for line in output.lines() {
        let Some((path, word)) = line.split_once(':') else { continue };
        let path = path.strip_prefix("./").unwrap_or(path);
        if files.contains(path) {
            let entry = matches.entry(path).or_default();
            entry.0.insert(word.to_lowercase());
            entry.1 += 1;
        }
    }
    let mut ranked: Vec<_> = matches.into_iter().collect();
    ranked.sort_by(|(path, (words, count)), (other, (their_words, their_count))| {
        (their_words.len(), their_count, path).cmp(&(words.len(), count, other))
    });
    ranked.into_iter().map(|(path, _)| path.to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files() -> HashSet<String> {
        ["src/a.py", "b.py"].map(str::to_owned).into()
    }

    #[test]
    fn files_are_found_in_any_output() {
        let text = "**`src/a.py`** and {\"file_path\": \"/t/b.py\"}, `src/a.py:3`, c.py.";
        assert_eq!(in_text(text, Path::new("/t"), &files()), ["src/a.py", "b.py"]);
    }

    #[test]
    fn files_with_more_different_words_come_first() {
        let text = "./src/a.py:x\n./src/a.py:X\n./src/a.py:x\nb.py:x\nb.py:y\nc.py:z\n";
        assert_eq!(by_matches(text, Path::new("/t"), &files()), ["b.py", "src/a.py"]);
    }
}
