//! Where a value starts and ends, quoted or bare.

use super::candidate::{Name, Quoting};
use super::cursor::Cursor;

/// How much of a value is examined; a longer one is judged by its start and replaced as a whole.
pub(crate) const MAX_VALUE: usize = 192;
const MAX_QUERY_NAME: usize = 24;

/// The value at `start`: begin, end and whether it is quoted.
pub(crate) fn value_bounds(
    text: &str,
    start: usize,
    name: Name,
) -> Option<(usize, usize, Quoting)> {
    let mut cursor = Cursor::new(text, start);
    cursor.skip(2, |byte| byte == b'\\');
    // A prefix of the literal or the bracket of a list: `b"…"`, `r'…'`, `@"…"`, `["…"]`, `{"…"}`.
    let is_prefixed =
        cursor.bytes.get(cursor.at + 1).is_some_and(|&next| matches!(next, b'"' | b'\''));
    if is_prefixed {
        cursor
            .skip(1, |byte| matches!(byte, b'b' | b'r' | b'f' | b'u' | b'@' | b'(' | b'[' | b'{'));
    }
    let Some(quote) = cursor.peek().filter(|byte| matches!(byte, b'"' | b'\'' | b'`')) else {
        return bare_bounds(text, start, name);
    };
    cursor.skip(3, |byte| byte == quote);
    cursor.skip(2, |byte| byte == b'\n');
    cursor.skip_blanks();
    let begin = cursor.at;
    cursor.skip(MAX_VALUE, |byte| byte != quote && byte != b'\n' && byte != b'\\');
    let end = begin + cursor.bytes[begin..cursor.at].trim_ascii_end().len();
    Some((begin, end, Quoting::Quoted))
}

fn bare_bounds(text: &str, start: usize, name: Name) -> Option<(usize, usize, Quoting)> {
    let mut cursor = Cursor::new(text, start);
    loop {
        cursor.skip(MAX_VALUE, |byte| {
            byte.is_ascii_graphic()
                && !matches!(byte, b'"' | b'\'' | b'`' | b',' | b';' | b'\\' | b'<' | b')' | b'&')
        });
        // In a password `&` is a character like others; in a query string it begins the next parameter.
        let is_part = name == Name::Human
            && cursor.at > start
            && cursor.at - start < MAX_VALUE
            && cursor.peek() == Some(b'&')
            && !starts_parameter(&cursor.bytes[cursor.at + 1..]);
        if !is_part {
            break;
        }
        cursor.at += 1;
    }
    let is_end = !matches!(cursor.peek(), Some(b'(' | b'[' | b'{' | b'`'));
    // `password, hasher="…"`: the next argument.
    let is_argument = cursor.at > start
        && cursor.bytes[cursor.at - 1] == b'='
        && matches!(cursor.peek(), Some(b'"' | b'\''));
    let (begin, end) = without_emphasis(cursor.bytes, start, cursor.at);
    (is_end && !is_argument && end > begin).then_some((begin, end, Quoting::Bare))
}

/// Whether `name=` follows, or nothing that a password could continue with.
fn starts_parameter(rest: &[u8]) -> bool {
    let name = rest
        .iter()
        .take(MAX_QUERY_NAME)
        .take_while(|byte| {
            byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b';')
        })
        .count();
    rest.get(name) == Some(&b'=')
        || rest.first().is_none_or(|byte| byte.is_ascii_whitespace() || *byte == b'&')
}

/// The value without the asterisks of Markdown around it and without the full stop of its sentence.
fn without_emphasis(bytes: &[u8], start: usize, end: usize) -> (usize, usize) {
    let value = &bytes[start..end];
    let stars = value.iter().take_while(|byte| **byte == b'*').count();
    let is_emphasis =
        matches!(stars, 1 | 2) && value.len() > 2 * stars && value.ends_with(&value[..stars]);
    let (start, end) = if is_emphasis { (start + stars, end - stars) } else { (start, end) };
    let is_sentence_end =
        bytes[start..end].ends_with(b".") && bytes.get(end).is_none_or(u8::is_ascii_whitespace);
    (start, end - usize::from(is_sentence_end))
}
