//! Turns markup inside evidence into plain text if a client, a model template or our fence would act on the markup.
//!
//! The words stay readable: `<system-reminder>` becomes `‹system-reminder>`. Control characters that hide or reorder
//! text are removed.

use std::borrow::Cow;

use crate::fence::TAG;

/// Tags that have a meaning by their name alone.
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
/// A tag of several words counts as a client's tag if it contains one of these words. This covers tags that new
/// versions of a client add.
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
/// Brackets that have a meaning in model templates, and the replacement of their first character.
const BRACKETS: &[(&str, &str)] =
    &[("[inst]", "⟦"), ("[/inst]", "⟦"), ("<<sys>>", "‹"), ("<</sys>>", "‹"), ("<|", "‹")];
/// Text that starts a turn of a conversation.
const TURNS: &[&str] = &["Human:", "Assistant:"];
const MAX_NAME_BYTES: usize = 48;

/// Breaks every tag that a client, a model template or our fence would read as markup. The words stay readable.
#[must_use]
pub fn neutralise(text: &str) -> Cow<'_, str> {
    // Hidden characters are removed first. Otherwise they could split a tag now and disappear from it later.
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
    /// Number of bytes to replace.
    length: usize,
    replacement: &'static str,
}

/// Returns the change for the `<`, `[` or `:` at `at` if it is part of markup.
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

/// Ignores ASCII case.
pub(crate) fn starts_with(bytes: &[u8], prefix: &str) -> bool {
    bytes.len() >= prefix.len() && bytes[..prefix.len()].eq_ignore_ascii_case(prefix.as_bytes())
}

/// Whether the text after a `<` names a tag of a client or of the fence. If the `<` may belong to a type parameter,
/// only an unambiguous name counts.
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

/// Terminal control characters, except tab and line breaks.
fn is_control(byte: u8) -> bool {
    byte.is_ascii_control() && !matches!(byte, b'\t' | b'\n' | b'\r')
}

/// Invisible characters that change what is read: controls, direction overrides, zero-width characters, tag characters.
fn is_hidden(character: char) -> bool {
    matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2060}'
        | '\u{feff}' | '\u{80}'..='\u{9f}' | '\u{e0000}'..='\u{e007f}')
        || u8::try_from(character).is_ok_and(is_control)
}

#[cfg(test)]
mod tests;
