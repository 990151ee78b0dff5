//! Reads what is between a name and its value, such as `=`, `=>`, `: str =`, `" value=`, `is` or a tag of HTML or XML.

use crate::bytes::{
    Cursor, bytes_after, bytes_before, ends_with_any, is_word_or, run_after, run_before,
    starts_with_any,
};
use crate::secrets::WORDS;
use crate::secrets::candidate::Relation;
use crate::table::WordList;

/// The maximum number of bytes in a block that are searched for a default value.
const MAX_BLOCK: usize = 256;
/// The maximum number of bytes of prose between a name and its value: `the password of the staging database is …`.
const MAX_PROSE: usize = 48;
static PROSE_OPERATORS: WordList = WordList::new(WORDS, "prose operators");
static FILL_CALLS: WordList = WordList::new(WORDS, "fill calls");

/// Skips an operator (`=`, `:=`, `=>`, `: str =`, `",`, `" value=` …) and the blanks after the operator. Returns the
/// relation that the operator expresses, or `None` if there is no operator.
pub(super) fn operator(cursor: &mut Cursor<'_>) -> Option<Relation> {
    if cursor.eat("value=") || cursor.eat("Value=") {
        return Some(Relation::Attribute);
    }
    if value_of_pair(cursor) {
        return Some(Relation::Attribute);
    }
    if cursor.peek() == Some(b'.') && FILL_CALLS.iter().any(|call| cursor.eat(call)) {
        return Some(Relation::Argument);
    }
    if cursor.bytes[cursor.at..].starts_with(b"{") {
        return default_of_block(cursor);
    }
    if to_next_cell(cursor) {
        return Some(Relation::Sign);
    }
    // Visual Basic: `Const PASSWORD As String = "…"`.
    if cursor.eat("As String") {
        cursor.skip_blanks();
    }
    // Most operators are signs. The words are compared only if a letter follows.
    let is_letter = |byte: u8| byte.is_ascii_lowercase() || !byte.is_ascii();
    let is_in_words =
        cursor.peek().is_some_and(is_letter) && PROSE_OPERATORS.iter().any(|word| cursor.eat(word));
    let relation = if is_in_words { Relation::Words } else { sign(cursor)? };
    cursor.skip_blanks();
    if cursor.skip(1, |byte| matches!(byte, b'|' | b'>')) == 1 {
        cursor.skip(1, |byte| byte == b'-');
    }
    let n_breaks = cursor.skip(4, |byte| matches!(byte, b'\r' | b'\n' | b'|' | b'>'));
    cursor.skip_blanks();
    // `password:` is followed by `value: …` on the next line.
    if n_breaks > 0 && cursor.eat("value:") {
        cursor.skip_blanks();
    }
    // `**Password:** value`
    if cursor.eat("** ") || cursor.eat("__ ") {
        cursor.skip_blanks();
    }
    if into_inline_element(cursor) {
        return Some(Relation::Sign);
    }
    Some(relation)
}

/// Skips the separator between a name and its value in a list of pairs: `"name": "PASSWORD", "value": "…"`. Returns
/// whether there was such a separator.
fn value_of_pair(cursor: &mut Cursor<'_>) -> bool {
    let start = cursor.at;
    cursor.skip(24, |byte| {
        byte.is_ascii_whitespace() || matches!(byte, b'"' | b'\'' | b',' | b'<' | b'>' | b'\\')
    });
    let is_word = cursor.at > start
        && ["value", "Value", "default", "with"].iter().any(|word| cursor.eat(word));
    cursor.skip(2, |byte| matches!(byte, b'"' | b'\'' | b'\\'));
    cursor.skip_blanks();
    let is_value = is_word && cursor.skip(1, |byte| matches!(byte, b':' | b'=' | b'>')) == 1;
    cursor.skip_blanks();
    cursor.at = if is_value { cursor.at } else { start };
    is_value
}

/// Moves to the value in a block. The value is the default of a declared variable
/// (`variable "token" { default = "value" }`) or a quoted string (`password{"value"}`).
fn default_of_block(cursor: &mut Cursor<'_>) -> Option<Relation> {
    cursor.at += 1;
    if matches!(cursor.peek(), Some(b'"' | b'\'')) {
        return Some(Relation::Equals);
    }
    let block = bytes_after(cursor.bytes, cursor.at, MAX_BLOCK);
    let length = memchr::memchr(b'}', block).unwrap_or(block.len());
    cursor.at += memchr::memmem::find(&block[..length], b"default")?;
    cursor.eat("default");
    cursor.skip_blanks();
    let is_assigned = cursor.eat("=");
    cursor.skip_blanks();
    is_assigned.then_some(Relation::Equals)
}

fn sign(cursor: &mut Cursor<'_>) -> Option<Relation> {
    if cursor.eat("<-") {
        cursor.skip_blanks();
        return Some(Relation::Equals);
    }
    let start = cursor.at;
    cursor.skip(5, |byte| {
        matches!(byte, b'=' | b':' | b'>' | b'?' | b',' | b'.' | b'|' | b'!' | b'+' | b'-')
    });
    let signs = &cursor.bytes[start..cursor.at];
    // A dash is an operator only before a blank and a quoted value: `token - "value"`.
    let is_dash = signs == b"-"
        && matches!(cursor.bytes.get(cursor.at..cursor.at + 2), Some([b' ', b'"' | b'\'' | 0xc2]));
    let is_default = signs == b"??";
    if !is_dash
        && !is_default
        && !signs.iter().any(|sign| matches!(sign, b'=' | b':' | b'>' | b',' | b'|'))
    {
        return None;
    }
    let relation = match signs {
        b"=" | b":=" | b"?=" | b"+=" => Relation::Equals,
        b":" => Relation::Colon,
        _ => Relation::Sign,
    };
    cursor.skip_blanks();
    // A word after a comma is the name of the next argument, not a type.
    if signs != b"," {
        declared_type(cursor);
    }
    if cursor.skip(2, |byte| byte == b'=') > 0 {
        cursor.skip_blanks();
        return Some(Relation::Equals);
    }
    Some(relation)
}

/// Returns whether the word after a name is a string type, as in `password string = "…"`.
pub(super) fn is_type(rest: &[u8]) -> bool {
    const TYPES: &[&str] = &["str", "String", "&", "[]byte", "char", "text", "SecretString"];
    starts_with_any(rest, TYPES)
}

/// Skips the type between a name and its value, such as `string` or `&str`. If the type is not followed by `=` or `:`,
/// the position is not changed.
pub(super) fn declared_type(cursor: &mut Cursor<'_>) {
    let start = cursor.at;
    cursor.skip(24, |byte| {
        byte.is_ascii_alphabetic() || matches!(byte, b'&' | b'\'' | b'[' | b']' | b'*' | b'?')
    });
    let length = cursor.at - start;
    cursor.skip_blanks();
    let is_path = cursor.bytes[cursor.at..].starts_with(b"::");
    if length == 0 || is_path || !matches!(cursor.peek(), Some(b'=' | b':')) {
        cursor.at = start;
    }
}

/// Returns whether the identifier that contains the position `at` is declared as an array of characters:
/// `char auth[] = "…"`.
pub(super) fn is_declared_array(text: &str, at: usize) -> bool {
    let before = bytes_before(text.as_bytes(), at, MAX_PROSE);
    let name = run_before(before, usize::MAX, |byte| is_word_or(byte, b"_"));
    ends_with_any(&before[..before.len() - name], &["char ", "uint8_t "])
}

/// Skips the length of an array in brackets, which may be missing: `[]`, `[33]`, `[KEY_LENGTH]`.
pub(super) fn skip_array_length(cursor: &mut Cursor<'_>) {
    let start = cursor.at;
    cursor.skip(1, |byte| byte == b'[');
    cursor.skip(MAX_PROSE, |byte| is_word_or(byte, b"_ +"));
    if cursor.skip(1, |byte| byte == b']') == 0 {
        cursor.at = start;
    }
}

static PHRASE_ENDS: WordList = WordList::new(WORDS, "ends of a phrase before a value");

/// Returns the start of a value that is separated from its name by a short phrase: `password for the replica is …`.
/// `is_verb` states that the name is also a verb. Then, the word `to` does not introduce a value, as in `pass to …`.
pub(super) fn prose_value(text: &str, is_verb: bool, from: usize) -> Option<usize> {
    let window = bytes_after(text.as_bytes(), from, MAX_PROSE);
    let length = window
        .iter()
        .position(|byte| matches!(byte, b'\n' | b'"' | b'\'' | b'=' | b'(' | b'{' | b';' | b'.'))
        .unwrap_or(window.len());
    let phrase = &window[..length];
    // `reset the password to …`
    if phrase.starts_with(b"to ") && !is_verb {
        return Some(from + "to ".len());
    }
    let after = PHRASE_ENDS
        .iter()
        .filter_map(|mark| memchr::memmem::find(phrase, mark.as_bytes()).map(|at| at + mark.len()))
        .min()?;
    let rest = &phrase[after..];
    let particle = ["了", "："]
        .iter()
        .find(|sign| rest.starts_with(sign.as_bytes()))
        .map_or(0, |sign| sign.len());
    let blanks = run_after(&rest[particle..], usize::MAX, |byte| byte == b' ');
    Some(from + after + particle + blanks)
}

const MAX_TAG: usize = 80;
/// Pairs of a tag that closes the name and a tag that opens the value.
const CELLS: &[(&str, &str)] = &[
    ("</td>", "<td"),
    ("</th>", "<td"),
    ("</dt>", "<dd"),
    ("</key>", "<string"),
    ("</name>", "<value"),
    ("</b>", "<code"),
    ("</strong>", "<code"),
];
const INLINE: &[&str] =
    &["<code", "<b", "<strong", "<tt", "<kbd", "<span", "<pre", "<em", "<Value", "<value"];

/// If the cell or element that contains the name ends here, moves to the content of the next cell or element and
/// returns true.
pub(super) fn to_next_cell(cursor: &mut Cursor<'_>) -> bool {
    let start = cursor.at;
    if !matches!(cursor.bytes.get(start..start + 2), Some([b'<', _] | [b':', b'<'])) {
        return false;
    }
    let found = CELLS.iter().any(|(close, open)| {
        cursor.at = start;
        cursor.skip(1, |byte| byte == b':');
        if !cursor.eat(close) {
            return false;
        }
        cursor.skip(1, |byte| byte == b':');
        cursor.skip(16, |byte| byte.is_ascii_whitespace());
        cursor.eat(open) && to_tag_end(cursor)
    });
    cursor.at = if found { cursor.at } else { start };
    found && {
        into_inline_element(cursor);
        true
    }
}

/// If an element such as `<code>` starts here, moves to the content of the element and returns true.
pub(super) fn into_inline_element(cursor: &mut Cursor<'_>) -> bool {
    let start = cursor.at;
    let found = INLINE.iter().any(|open| {
        cursor.at = start;
        cursor.eat(open) && to_tag_end(cursor)
    });
    cursor.at = if found { cursor.at } else { start };
    found
}

/// Moves to the position after the tag's `>`. Returns false if the tag does not end within [`MAX_TAG`] bytes on the
/// same line.
pub(super) fn to_tag_end(cursor: &mut Cursor<'_>) -> bool {
    if !matches!(cursor.peek(), Some(b'>' | b' ')) {
        return false;
    }
    cursor.skip(MAX_TAG, |byte| !matches!(byte, b'>' | b'<' | b'\n'));
    cursor.eat(">")
}

/// Returns the start of a form field's value. The value follows `type="password"` in the same tag:
/// `type="password" name="pw" value="…"`.
pub(super) fn value_of_field(text: &str, word_start: usize, from: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let before = bytes[..word_start]
        .strip_suffix(b"\"")
        .or_else(|| bytes[..word_start].strip_suffix(b"'"))?;
    let rest = bytes_after(bytes, from, MAX_TAG);
    let length = memchr::memchr2(b'>', b'\n', rest).unwrap_or(rest.len());
    let at = memchr::memmem::find(&rest[..length], b" value=")?;
    before.ends_with(b"type=").then(|| from + at + " value=".len())
}

/// Returns the start of an element's content if the element's tag has attributes:
/// `<Password Type="…">value</Password>`.
pub(super) fn text_of_element(text: &str, word_start: usize, from: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let name = run_before(&bytes[..word_start], 24, |byte| is_word_or(byte, b"_-:"));
    if bytes[..word_start - name].last() != Some(&b'<') {
        return None;
    }
    let mut cursor = Cursor::new(text, from);
    cursor.skip(MAX_TAG, |byte| !matches!(byte, b'>' | b'<' | b'\n'));
    let is_closed = bytes[..cursor.at].ends_with(b"/");
    (cursor.eat(">") && !is_closed).then_some(cursor.at)
}
