//! Compares an error message with the lines of code that may have produced it. Words that the code inserts into the
//! message, such as names and numbers, may differ.

use crate::query::error_message;

const MAX_MESSAGES: usize = 2;
const MIN_CHARS: usize = 8;
const MAX_CHARS: usize = 240;
const MIN_RUN_WORDS: usize = 2;
const MIN_RUN_CHARS: usize = 10;
/// The minimum share of a message, in percent, that a line must contain as consecutive words.
const MIN_SHARE: usize = 40;

/// Returns the messages in the error lines of a prompt.
pub(super) fn messages(prompt: &str) -> Vec<String> {
    let mut messages: Vec<String> = Vec::new();
    for line in prompt.lines() {
        let Some(message) = error_message(line.trim()).and_then(usable) else { continue };
        if !messages.contains(&message) && messages.len() < MAX_MESSAGES {
            messages.push(message);
        }
    }
    messages
}

/// Returns the text as a message if it is a single line.
pub(super) fn single_line(text: &str) -> Option<String> {
    let text = text.trim();
    if text.contains('\n') { None } else { usable(text) }
}

/// Returns the message, shortened, or `None` if it is too short to identify a line.
fn usable(message: &str) -> Option<String> {
    let message: String = message.trim().chars().take(MAX_CHARS).collect();
    (message.chars().count() >= MIN_CHARS && message.contains(' ')).then_some(message)
}

/// Returns the words of a message that are used to find the files that may contain it. Words that the code probably
/// inserts are left out.
pub(super) fn key_words(message: &str) -> Vec<&str> {
    let is_fixed = |word: &&str| {
        let inner = word.trim_matches(|c: char| !c.is_alphanumeric());
        inner.len() > 2 && inner.chars().all(char::is_alphabetic) && inner.len() + 1 >= word.len()
    };
    let words = message.split_whitespace().filter(is_fixed);
    words.map(|word| word.trim_matches(|c: char| !c.is_alphanumeric())).collect()
}

/// Returns the share of `message`, in percent, that occurs in `line` as consecutive words. Returns `None` if the share
/// is too small to identify the message.
pub(super) fn share(message: &str, line: &str) -> Option<u8> {
    if line.contains(message) {
        return Some(100);
    }
    let words: Vec<&str> = message.split_whitespace().collect();
    for length in (MIN_RUN_WORDS..words.len()).rev() {
        let percent = length * 100 / words.len();
        if percent < MIN_SHARE {
            return None;
        }
        let mut runs = words.windows(length).map(|run| run.join(" "));
        if runs.any(|run| run.len() >= MIN_RUN_CHARS && line.contains(&run)) {
            return u8::try_from(percent).ok();
        }
    }
    None
}
