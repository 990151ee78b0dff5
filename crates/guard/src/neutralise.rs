//! Changes markup in quoted text, so that clients and model templates do not interpret it and it cannot imitate the
//! delimiter lines of a [`Fence`](crate::Fence).
//!
//! The words stay readable: `<system-reminder>` becomes `‹system-reminder>`. Control characters that hide or reorder
//! text are removed.

use std::borrow::Cow;

use crate::fence::TAG;
use crate::injection::{is_invisible, plain};

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
    "think",
    "start_of_turn",
    "end_of_turn",
    "im_start",
    "im_end",
    "endoftext",
    "bos",
    "eos",
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
/// Words in square brackets that model templates interpret, besides `[INST]`. In lower case, they are names of sections or
/// variables.
const BRACKETED: &[&str] = &[
    "SYSTEM",
    "/SYSTEM",
    "ASSISTANT",
    "USER",
    "SYSTEM_PROMPT",
    "/SYSTEM_PROMPT",
    "AVAILABLE_TOOLS",
    "/AVAILABLE_TOOLS",
    "TOOL_CALLS",
    "TOOL_RESULTS",
    "/TOOL_RESULTS",
];
/// Names that start a turn of a conversation if they are at the start of a line, before a colon.
const TURNS: &[&str] = &["Human", "HUMAN", "Assistant", "ASSISTANT"];
/// The maximum number of bytes between the start of a line and the name of a turn.
const MAX_BEFORE_TURN: usize = 12;
const MAX_NAME_BYTES: usize = 48;
/// The maximum number of characters after a `<` that are examined, with blanks and invisible characters.
const MAX_TAG_CHARS: usize = 256;

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
    let mut change = |at: usize| {
        if let Some(Change { length, replacement }) = markup(text, at) {
            clean.push_str(&text[written..at]);
            clean.push_str(replacement);
            written = at + length;
        }
    };
    if text.is_ascii() {
        memchr::memchr3_iter(b'<', b'[', b':', text.as_bytes()).for_each(&mut change);
    } else {
        let is_mark = |(_, mark): &(usize, char)| matches!(plain(*mark), '<' | '[' | ':');
        text.char_indices().filter(is_mark).for_each(|(at, _)| change(at));
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

/// Returns the change to make at the `<`, `[` or `:` at `at`, or at the character that resembles it. Returns `None` if
/// this character is not part of markup.
fn markup(text: &str, at: usize) -> Option<Change> {
    let mark = text[at..].chars().next()?;
    let (before, after) = (&text[..at], &text[at + mark.len_utf8()..]);
    let (is_markup, length, replacement) = match plain(mark) {
        ':' => (ends_with_turn(before), 0, " "),
        '[' => {
            let name = name_at(after, "]");
            let is_order = name.trim_start_matches('/').eq_ignore_ascii_case("inst");
            let is_index = before.ends_with(|last: char| last.is_ascii_alphanumeric());
            let is_word =
                BRACKETED.contains(&name.as_str()) && (!is_index || name.starts_with('/'));
            (is_order || is_word, mark.len_utf8(), "⟦")
        }
        _ => {
            let is_template = after.starts_with(['|', '｜']) || starts_with_sys(after);
            let is_generic =
                before.ends_with(|c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | ':'));
            (is_template || is_tag(after, is_generic), mark.len_utf8(), "‹")
        }
    };
    is_markup.then_some(Change { length, replacement })
}

/// Returns whether `rest`, the text after a `<`, is the rest of `<<SYS>>` or `<</SYS>>`.
fn starts_with_sys(rest: &str) -> bool {
    ["<sys>>", "</sys>>"].iter().any(|mark| starts_with(rest.as_bytes(), mark))
}

/// Returns whether `before`, the text before a colon, ends with the name of a turn that only signs and digits separate
/// from the start of its line: `Human`, `**Human`, `### Assistant`.
fn ends_with_turn(before: &str) -> bool {
    let Some(start) = TURNS.iter().find_map(|turn| before.strip_suffix(turn)) else {
        return false;
    };
    let earliest = start.floor_char_boundary(start.len().saturating_sub(MAX_BEFORE_TURN));
    let near = &start[earliest..];
    let line = match near.rfind('\n') {
        Some(newline) => &near[newline + 1..],
        None if earliest == 0 => near,
        None => return false,
    };
    !line.contains(char::is_alphabetic)
}

/// Returns the name at the start of `text` in ASCII letters, with look-alike letters replaced and invisible characters
/// removed. Returns an empty name if the name is not followed by `end`.
fn name_at(text: &str, end: &str) -> String {
    let mut name = String::new();
    for (at, character) in text.char_indices().take(MAX_TAG_CHARS) {
        let shown = plain(character);
        match shown {
            _ if is_invisible(character) => {}
            _ if name.len() < MAX_NAME_BYTES
                && (shown.is_ascii_alphanumeric() || matches!(shown, '-' | '_' | ':' | '/')) =>
            {
                name.push(shown);
            }
            _ if text[at..].starts_with(end) => return name,
            _ => return String::new(),
        }
    }
    if end.is_empty() { name } else { String::new() }
}

/// Returns true if `bytes` start with `prefix`, ignoring ASCII case.
pub(crate) fn starts_with(bytes: &[u8], prefix: &str) -> bool {
    bytes.len() >= prefix.len() && bytes[..prefix.len()].eq_ignore_ascii_case(prefix.as_bytes())
}

/// Returns whether `rest`, the text after a `<`, starts with the name of a client's tag or with [`TAG`].
///
/// If `may_be_type` is true, the `<` may also start a type parameter, as in `Vec<system_message>` or `Vec<User>`. Then a
/// name that is written like a type does not count, and a name with underscores counts only if it is in [`TAGS`] or in
/// a closing tag.
fn is_tag(rest: &str, may_be_type: bool) -> bool {
    let is_lead = |character: char| {
        character.is_whitespace()
            || is_invisible(character)
            || matches!(plain(character), '/' | '\\' | '<')
    };
    let mut lead = rest.char_indices().take(MAX_TAG_CHARS).skip_while(|(_, lead)| is_lead(*lead));
    let named = lead.next().map_or("", |(at, _)| &rest[at..]);
    crate::work::count((rest.len() - named.len()).min(MAX_TAG_CHARS));
    let name = name_at(named, "");
    // `name: Type` is a parameter with its type. A colon is part of a name only before a letter.
    let name = name.split('/').next().unwrap_or_default().trim_end_matches(':');
    let first = name.split(':').next().unwrap_or_default();
    let is_known = TAGS.iter().any(|tag| name.eq_ignore_ascii_case(tag)) || TURNS.contains(&first);
    let is_closing = named.len() < rest.len();
    if may_be_type && !is_closing && named.starts_with(name) && is_type_name(name) {
        return false;
    }
    let has_several_words =
        name.contains(['-', ':']) || name.contains('_') && (is_closing || !may_be_type);
    let mut words = name.split(['-', '_', ':']);
    let has_authority = words
        .any(|word| AUTHORITY_WORDS.iter().any(|authority| word.eq_ignore_ascii_case(authority)));
    is_known
        || has_several_words && has_authority
        || starts_with(named.as_bytes(), "permissions instructions")
}

/// Returns whether the name is written like a type, such as `User` or `HttpUser`.
fn is_type_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_uppercase())
        && name.contains(|c: char| c.is_ascii_lowercase())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric())
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
