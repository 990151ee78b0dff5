//! Joins adjacent words of a prompt, because a name may write them as one word: "lock file" can be `lockfile`,
//! `LockFile` or `lock_file`.

use index::text::stem;

use super::is_stop_word;

/// Stop words that are parts of names.
const PARTS_OF_NAMES: &[&str] = &["code", "file", "files", "function", "line", "search"];

/// Calls `emit` for each way to join two adjacent words of `text`, in the form that the index stores. Most
/// stop words, and words that contain other characters than letters, are not joined.
pub(super) fn for_each_joined(text: &str, mut emit: impl FnMut(&str)) {
    let mut before: Option<String> = None;
    for word in text.split([' ', '-']) {
        let ends_group = word.ends_with([',', '.', ';', ':', ')', '?']);
        let word = word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
        let is_word = word.len() > 1 && word.bytes().all(|byte| byte.is_ascii_lowercase());
        let is_joined = !is_stop_word(&word) || PARTS_OF_NAMES.contains(&word.as_str());
        if !is_word || !is_joined {
            before = None;
            continue;
        }
        if let Some(before) = &before {
            emit(&format!("{before}_{word}"));
            let whole = format!("{before}{word}");
            emit(&whole);
            let mut stemmed = whole.clone();
            if *stem(&mut stemmed) != whole {
                emit(&stemmed);
            }
        }
        before = (!ends_group).then_some(word);
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
