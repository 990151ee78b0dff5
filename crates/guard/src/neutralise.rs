//! Creates the delimiters around untrusted text, and changes markup in this text, so that clients and model templates do not
//! interpret it and it cannot imitate the delimiter lines.
//!
//! The words stay readable: `<system-reminder>` becomes `‹system-reminder>`. Control characters that hide or reorder
//! text are removed.

use std::borrow::Cow;

use crate::bytes::{equals_any_ignoring_case, starts_with};
use crate::injection::{is_invisible, plain};
use crate::table::WordList;
use sha2::{Digest, Sha256};

/// The tag name in the delimiter lines. [`neutralise`] changes this tag wherever it occurs in quoted
/// text, so that the text cannot imitate a delimiter line.
const TAG: &str = "untrusted-evidence";

/// The names of tags, the words that identify a client's tag, and the words that are markup in square brackets.
const WORDS: &str = include_str!("neutralise/words.txt");
static TAGS: WordList = WordList::new(WORDS, "tags");
static AUTHORITY_WORDS: WordList = WordList::new(WORDS, "authority words");
static BRACKETED: WordList = WordList::new(WORDS, "bracketed");
/// Names that start a turn of a conversation if they are at the start of a line, before a colon.
const TURNS: &[&str] = &["Human", "HUMAN", "Assistant", "ASSISTANT"];
/// The maximum number of bytes between the start of a line and the name of a turn.
const MAX_BEFORE_TURN: usize = 12;
const MAX_NAME_BYTES: usize = 48;
/// The maximum number of characters after a `<` that are examined, with blanks and invisible characters.
const MAX_TAG_CHARS: usize = 256;

/// The delimiter lines around one block of untrusted text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fence {
    id: String,
}

impl Fence {
    /// Derives the id from `seed`. The seed should be unguessable in run mode and stable in plan mode.
    #[must_use]
    pub fn new(seed: &str) -> Self {
        let digest = Sha256::digest(seed.as_bytes());
        Self { id: digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect() }
    }

    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Returns the opening delimiter line.
    #[must_use]
    pub fn open(&self) -> String {
        format!("<{TAG} id=\"{}\">", self.id)
    }

    /// Returns the closing delimiter line.
    #[must_use]
    pub fn close(&self) -> String {
        format!("</{TAG} id=\"{}\">", self.id)
    }
}

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
        if let Some((length, replacement)) = markup(text, at) {
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

/// Returns the number of bytes to replace at the `<`, `[` or `:` at `at`, or at the character that resembles it, and their
/// replacement. Returns `None` if this character is not part of markup.
fn markup(text: &str, at: usize) -> Option<(usize, &'static str)> {
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
            // `<|…|>`, `<<SYS>>`, `<</SYS>>`
            let is_template = after.starts_with(['|', '｜'])
                || starts_with(after.as_bytes(), "<sys>>")
                || starts_with(after.as_bytes(), "</sys>>");
            let is_generic =
                before.ends_with(|c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | ':'));
            (is_template || is_tag(after, is_generic), mark.len_utf8(), "‹")
        }
    };
    is_markup.then_some((length, replacement))
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

/// Returns whether `rest`, the text after a `<`, starts with the name of a client's tag or with [`TAG`].
///
/// If `may_be_type` is true, the `<` may also start a type parameter, as in `Vec<system_message>` or `Vec<User>`. Then a
/// name that is written like a type does not count, and a name with underscores counts only if it is in the list of tags or in
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
    let is_known = name.eq_ignore_ascii_case(TAG)
        || equals_any_ignoring_case(name, &TAGS)
        || TURNS.contains(&first);
    let is_closing = named.len() < rest.len();
    if may_be_type && !is_closing && named.starts_with(name) && is_type_name(name) {
        return false;
    }
    let has_several_words =
        name.contains(['-', ':']) || name.contains('_') && (is_closing || !may_be_type);
    let has_authority =
        name.split(['-', '_', ':']).any(|word| equals_any_ignoring_case(word, &AUTHORITY_WORDS));
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
