//! Joins adjacent words of a prompt, because a name may write them as one word: "lock file" can be `lockfile`,
//! `LockFile` or `lock_file`.

use std::mem;
use std::ops::Range;

use index::text::stem;

use super::is_stop_word;

/// Stop words that are parts of names.
const PARTS_OF_NAMES: &[&str] = &["code", "file", "files", "function", "line", "search"];

/// Returns the positions of the words in each run of adjacent words of `text` that a name may join. Most stop words, and
/// words that contain other characters than letters, end a run.
pub(crate) fn joinable_runs(text: &str) -> Vec<Vec<Range<usize>>> {
    let mut runs = Vec::new();
    let mut run = Vec::new();
    let mut start = 0;
    for token in text.split([' ', '-']) {
        let word = token.trim_matches(|c: char| !c.is_alphanumeric());
        let lower = word.to_lowercase();
        let is_word = word.len() > 1 && lower.bytes().all(|byte| byte.is_ascii_lowercase());
        let is_joined = !is_stop_word(&lower) || PARTS_OF_NAMES.contains(&lower.as_str());
        if is_word && is_joined {
            let at = start + token.find(word).unwrap_or_default();
            run.push(at..at + word.len());
        }
        if !is_word || !is_joined || token.ends_with([',', '.', ';', ':', ')', '?']) {
            runs.push(mem::take(&mut run));
        }
        start += token.len() + 1;
    }
    runs.push(run);
    runs
}

/// Calls `emit` for each way to join two adjacent words of `text`, in the form that the index stores.
pub(super) fn for_each_joined(text: &str, mut emit: impl FnMut(&str)) {
    for run in joinable_runs(text) {
        for pair in run.windows(2) {
            let [before, word] = [0, 1].map(|at| text[pair[at].clone()].to_lowercase());
            emit(&format!("{before}_{word}"));
            let whole = format!("{before}{word}");
            emit(&whole);
            let mut stemmed = whole.clone();
            if *stem(&mut stemmed) != whole {
                emit(&stemmed);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joins_adjacent_words_as_names_do() {
        let joined = |text: &str| {
            let mut found = Vec::new();
            for_each_joined(text, |joined| found.push(joined.to_owned()));
            found
        };
        assert_eq!(joined("where is the lock file?"), ["lock_file", "lockfile", "lockfil"]);
        assert_eq!(joined("long-poll transport")[..2], ["long_poll", "longpoll"]);
        assert_eq!(joined("the lock of the file"), [""; 0]);
        assert_eq!(joined("locks, files"), [""; 0]);
    }
}
