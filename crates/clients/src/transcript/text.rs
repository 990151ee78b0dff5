//! Shortens text to a maximum number of characters.

/// Separates the start and the end of shortened text.
const GAP: &str = "\n…\n";

pub(super) fn start(text: &str, max_chars: usize) -> &str {
    text.char_indices().nth(max_chars).map_or(text, |(at, _)| &text[..at])
}

pub(super) fn end(text: &str, max_chars: usize) -> &str {
    let Some(last) = max_chars.checked_sub(1) else { return "" };
    text.char_indices().rev().nth(last).map_or(text, |(at, _)| &text[at..])
}

/// Returns `text`, or only its start and its end if it is longer than `max_chars`.
pub(super) fn both_ends(text: &str, max_chars: usize) -> String {
    if start(text, max_chars).len() == text.len() {
        return text.to_owned();
    }
    let half = max_chars.saturating_sub(GAP.chars().count()) / 2;
    format!("{}{GAP}{}", start(text, half), end(text, half))
}
