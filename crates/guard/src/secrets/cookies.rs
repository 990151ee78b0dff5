//! Finds session cookies in a header: `Cookie: theme=dark; sessionid=…`.

use super::Secret;
use super::value::is_random;

/// Maximum number of bytes of a header that are read.
const MAX_HEADER_BYTES: usize = 2048;
const MIN_VALUE: usize = 16;
const MAX_VALUE: usize = 512;

/// Parts of the names of cookies that identify a person or a session. `sid` must be the whole name or its last part.
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
            if names_session(name.trim()) && is_session_value(value) {
                found.push(Secret { kind: "session-cookie", span: begin..begin + value.len() });
            }
        }
        at += cookie.len() + 1;
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
