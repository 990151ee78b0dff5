//! Shortens text to a maximum number of characters.

pub(super) fn start(text: &str, max_chars: usize) -> &str {
    text.char_indices().nth(max_chars).map_or(text, |(at, _)| &text[..at])
}

pub(super) fn end(text: &str, max_chars: usize) -> &str {
    let Some(last) = max_chars.checked_sub(1) else { return "" };
    text.char_indices().rev().nth(last).map_or(text, |(at, _)| &text[at..])
}
