//! Changes markup in quoted text, so that clients and model templates do not interpret it and it cannot imitate the
//! delimiter lines of a [`Fence`](crate::Fence).
//!
//! The words stay readable: `<system-reminder>` becomes `‹system-reminder>`. Control characters that hide or reorder
//! text are removed.

use std::borrow::Cow;

use crate::fence::TAG;

/// Names of tags that a client or a model template interprets, and the tag of the delimiter lines.
const TAGS: &[&str] = &[
    TAG,
    "system",
    "assistant",
    "developer",
    "human",
    "user",
    "instructions",
    "thinking",
    "invoke",
    "skill",
    "tools",
    "bash-input",
    "bash-stdout",
    "bash-stderr",
    "command-name",
    "command-message",
    "command-args",
    "local-command-stdout",
    "local-command-stderr",
    "model_switch",
    "turn_aborted",
    "token_budget",
    "personality_spec",
    "workspace_roots",
    "user_action",
];
/// Words that identify a client's tag. If a tag name consists of several words and one of them is in this list, the
/// tag is treated as a client's tag. This covers tags that future versions of a client may add.
const AUTHORITY_WORDS: &[&str] = &[
    "system",
    "instruction",
    "instructions",
    "reminder",
    "context",
    "notification",
    "notice",
    "prompt",
    "hook",
    "persisted",
    "tool",
    "function",
    "developer",
    "assistant",
    "agent",
    "permissions",
    "antml",
    "message",
];
/// Bracketed markers that model templates interpret, and the replacement for their first character.
const BRACKETS: &[(&str, &str)] =
    &[("[inst]", "⟦"), ("[/inst]", "⟦"), ("<<sys>>", "‹"), ("<</sys>>", "‹"), ("<|", "‹")];
/// Strings that start a turn of a conversation if they are at the start of a line.
const TURNS: &[&str] = &["Human:", "Assistant:"];
const MAX_NAME_BYTES: usize = 48;

/// Removes hidden characters, and changes each piece of markup that a client or a model template would interpret or
/// that imitates a delimiter line. The words stay readable.
#[must_use]
pub fn neutralise(text: &str) -> Cow<'_, str> {
    // Hidden characters are removed first. Otherwise, a tag that contains a hidden character would not be recognised
    // here, but would become a tag when the character is removed later.
    let has_hidden = text.bytes().any(is_control) || !text.is_ascii() && text.contains(is_hidden);
    if !has_hidden {
        return match without_markup(text) {
            None => Cow::Borrowed(text),
            Some(clean) => Cow::Owned(clean),
        };
    }
    let visible: String = text.chars().filter(|character| !is_hidden(*character)).collect();
    Cow::Owned(without_markup(&visible).unwrap_or(visible))
}

fn without_markup(text: &str) -> Option<String> {
    let mut clean = String::new();
    let mut written = 0;
    for at in memchr::memchr3_iter(b'<', b'[', b':', text.as_bytes()) {
        if let Some(Change { length, replacement }) = markup(text, at) {
            clean.push_str(&text[written..at]);
            clean.push_str(replacement);
            written = at + length;
        }
    }
    if clean.is_empty() {
        return None;
    }
    clean.push_str(&text[written..]);
    Some(clean)
}

struct Change {
    /// The number of bytes to replace.
    length: usize,
    replacement: &'static str,
}

/// Returns the change to make at the `<`, `[` or `:` at `at`, or `None` if this character is not part of markup.
fn markup(text: &str, at: usize) -> Option<Change> {
    let bytes = text.as_bytes();
    if bytes[at] == b':' {
        let is_turn = TURNS.iter().any(|turn| {
            let start = (at + 1).checked_sub(turn.len());
            start.is_some_and(|start| {
                &bytes[start..=at] == turn.as_bytes() && (start == 0 || bytes[start - 1] == b'\n')
            })
        });
        return is_turn.then_some(Change { length: 0, replacement: " " });
    }
    let bracket = BRACKETS.iter().find(|(bracket, _)| starts_with(&bytes[at..], bracket));
    if let Some((_, replacement)) = bracket {
        return Some(Change { length: 1, replacement });
    }
    let is_generic =
        at > 0 && (bytes[at - 1].is_ascii_alphanumeric() || matches!(bytes[at - 1], b'_' | b':'));
    let is_broken = bytes[at] == b'<' && is_tag(&text[at + 1..], is_generic);
    is_broken.then_some(Change { length: 1, replacement: "‹" })
}

/// Returns true if `bytes` start with `prefix`, ignoring ASCII case.
pub(crate) fn starts_with(bytes: &[u8], prefix: &str) -> bool {
    bytes.len() >= prefix.len() && bytes[..prefix.len()].eq_ignore_ascii_case(prefix.as_bytes())
}

/// Returns whether `rest`, the text after a `<`, starts with the name of a client's tag or with [`TAG`].
///
/// If `may_be_type` is true, the `<` may also start a type parameter, as in `Vec<system_message>`. Then a name with
/// underscores counts only if it is in [`TAGS`] or in a closing tag.
fn is_tag(rest: &str, may_be_type: bool) -> bool {
    let named = rest.trim_start_matches(['/', '\\', ' ', '<']);
    let is_name_byte =
        |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b':');
    let length = named.bytes().take(MAX_NAME_BYTES).take_while(|byte| is_name_byte(byte)).count();
    let name = &named[..length];
    let is_known = TAGS.iter().any(|tag| name.eq_ignore_ascii_case(tag));
    let is_closing = named.len() < rest.len();
    let has_several_words =
        name.contains(['-', ':']) || name.contains('_') && (is_closing || !may_be_type);
    let mut words = name.split(['-', '_', ':']);
    let has_authority = words
        .any(|word| AUTHORITY_WORDS.iter().any(|authority| word.eq_ignore_ascii_case(authority)));
    is_known
        || has_several_words && has_authority
        || starts_with(named.as_bytes(), "permissions instructions")
}

/// Returns whether the byte is an ASCII control character other than a tab or a line break.
fn is_control(byte: u8) -> bool {
    byte.is_ascii_control() && !matches!(byte, b'\t' | b'\n' | b'\r')
}

/// Returns whether the character is invisible and can hide or reorder text. This includes control characters,
/// direction overrides, zero-width characters and tag characters.
fn is_hidden(character: char) -> bool {
    matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2060}'
        | '\u{feff}' | '\u{80}'..='\u{9f}' | '\u{e0000}'..='\u{e007f}')
        || u8::try_from(character).is_ok_and(is_control)
}

#[cfg(test)]
mod tests;
