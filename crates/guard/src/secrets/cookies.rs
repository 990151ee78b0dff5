//! Finds session cookies in a header: `Cookie: theme=dark; sessionid=…`.

use super::Secret;
use super::cursor::Cursor;
use super::value::is_random;

/// The maximum number of bytes in a header that are read.
const MAX_HEADER_BYTES: usize = 2048;
const MIN_VALUE: usize = 16;
/// The minimum length of a random value that identifies a session whatever the name of its cookie is.
const MIN_LONG_VALUE: usize = 48;
/// The maximum number of blanks and quotes between the name of a header and the next field, which contains the header's
/// value.
const MAX_GAP: usize = 64;
const MAX_VALUE: usize = 512;

/// Strings that occur in the names of cookies that identify a person or a session. `sid` is not in this list, because
/// it counts only as the whole name or as its last part (see [`names_session`]).
const SESSION_NAMES: &[&str] = &["sess", "auth", "token", "jwt", "remember", "csrf", "xsrf"];

/// Returns the values of the session cookies in the header value that starts at `start`.
pub(crate) fn session_values(text: &str, start: usize) -> Vec<Secret> {
    let rest = &text[start..text.floor_char_boundary(start + MAX_HEADER_BYTES)];
    let header = rest.split(['\n', '"', '\'']).next().unwrap_or_default();
    let mut found = Vec::new();
    let mut at = start;
    for cookie in header.split(';') {
        if let Some((name, value)) = cookie.split_once('=') {
            let value = value.trim_end();
            let begin =
                at + cookie.len() - cookie.split_once('=').map_or(0, |(_, value)| value.len());
            let is_session = names_session(name.trim()) || value.len() >= MIN_LONG_VALUE;
            if is_session && is_session_value(value) {
                found.push(Secret { kind: "session-cookie", span: begin..begin + value.len() });
            }
        }
        at += cookie.len() + 1;
    }
    found
}

/// Returns the values of the session cookies in the field after the header's name:
/// `{"name": "Set-Cookie", "value": "sid=…; path=/"}`. `end` is the position after the name and the comma.
pub(crate) fn values_of_next_field(text: &str, end: usize) -> Vec<Secret> {
    let mut cursor = Cursor::new(text, end);
    cursor.skip(MAX_GAP, |byte| byte.is_ascii_whitespace() || matches!(byte, b'"' | b'\'' | b'\\'));
    if !(cursor.eat("value") || cursor.eat("Value")) {
        return Vec::new();
    }
    cursor.skip(MAX_GAP, |byte| matches!(byte, b'"' | b'\'' | b'\\' | b':' | b' '));
    session_values(text, cursor.at)
}

/// Returns the values of the session cookies in a table in code: `cookies = {'sessionid': '…'}`.
pub(crate) fn values_of_table(text: &str, start: usize) -> Vec<Secret> {
    let rest = &text[start..text.floor_char_boundary(start + MAX_HEADER_BYTES)];
    let table = rest.split('}').next().unwrap_or_default();
    crate::work::count(table.len());
    let mut found = Vec::new();
    let mut at = start;
    for pair in table.split(',') {
        if let Some((name, value)) = pair.split_once(':') {
            let is_wrapping = |letter: char| letter.is_whitespace() || matches!(letter, '"' | '\'');
            let begin = at + pair.len() - value.trim_start_matches(is_wrapping).len();
            let value = value.trim_matches(is_wrapping);
            if names_session(name.trim_matches(is_wrapping)) && is_session_value(value) {
                found.push(Secret { kind: "session-cookie", span: begin..begin + value.len() });
            }
        }
        at += pair.len() + 1;
    }
    found
}

fn names_session(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    let is_id = lower.strip_suffix("sid").is_some_and(|head| {
        head.is_empty() || !head.ends_with(|last: char| last.is_ascii_alphabetic())
    });
    is_id || SESSION_NAMES.iter().any(|part| lower.contains(part))
}

fn is_session_value(value: &str) -> bool {
    (MIN_VALUE..=MAX_VALUE).contains(&value.len())
        && value.bytes().all(|byte| byte.is_ascii_graphic() && !matches!(byte, b'<' | b'{' | b'$'))
        && is_random(value)
}
