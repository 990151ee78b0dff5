//! `name = value`, `"name": "value"`, `Bearer value`, `user:password@host`: a value that its surroundings call secret.

use super::Secret;
use super::value::{Quoting, looks_secret};

const NAME_LIMIT: usize = 40;
const VALUE_LIMIT: usize = 4096;

/// The value given to the name whose secret word ends at `name_end`.
pub(crate) fn assigned_secret(text: &str, name_end: usize) -> Option<Secret> {
    let bytes = text.as_bytes();
    let mut at = skip(bytes, name_end, NAME_LIMIT, |byte| {
        byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')
    });
    at = skip(bytes, at, 2, |byte| matches!(byte, b'"' | b'\'' | b'`' | b']' | b'\\'));
    at = skip(bytes, at, 8, |byte| matches!(byte, b' ' | b'\t'));
    let operator_end =
        skip(bytes, at, 4, |byte| matches!(byte, b'=' | b':' | b'>' | b'?' | b',' | b'.'));
    if operator_end == at {
        return None;
    }
    at = skip(bytes, operator_end, 80, |byte| byte.is_ascii_whitespace());
    value_at(text, at, "secret-assignment")
}

/// The value after an authorization scheme.
pub(crate) fn authorization_secret(text: &str, start: usize, scheme_end: usize) -> Option<Secret> {
    let bytes = text.as_bytes();
    if start > 0 && bytes[start - 1].is_ascii_alphanumeric() {
        return None;
    }
    let kind = if bytes[start].eq_ignore_ascii_case(&b'b')
        && bytes[start + 1].eq_ignore_ascii_case(&b'e')
    {
        "bearer-token"
    } else {
        "basic-auth"
    };
    value_at(text, scheme_end, kind)
}

fn value_at(text: &str, start: usize, kind: &'static str) -> Option<Secret> {
    let bytes = text.as_bytes();
    let opening = skip(bytes, start, 2, |byte| byte == b'\\');
    let quote = bytes.get(opening).copied().filter(|byte| matches!(byte, b'"' | b'\'' | b'`'));
    let (begin, quoting) = match quote {
        Some(_) => (opening + 1, Quoting::Quoted),
        None => (start, Quoting::Bare),
    };
    let end = skip(bytes, begin, VALUE_LIMIT, |byte| match quote {
        Some(quote) => byte != quote && byte != b'\n' && byte != b'\\',
        None => {
            byte.is_ascii_graphic()
                && !matches!(byte, b'"' | b'\'' | b'`' | b',' | b';' | b'\\' | b'<')
        }
    });
    let value = text.get(begin..end)?;
    looks_secret(value, quoting).then_some(Secret { kind, span: begin..end })
}

/// `scheme://user:password@host`: the password.
pub(crate) fn url_password(text: &str, authority: usize) -> Option<Secret> {
    let bytes = text.as_bytes();
    let end = skip(bytes, authority, 512, |byte| {
        byte.is_ascii_graphic()
            && !matches!(
                byte,
                b'/' | b'"' | b'\'' | b'`' | b'<' | b'>' | b'{' | b'}' | b'$' | b'(' | b')'
            )
    });
    let at_sign = memchr::memrchr(b'@', &bytes[authority..end])? + authority;
    let colon = memchr::memchr(b':', &bytes[authority..at_sign])? + authority;
    (at_sign - colon > 4).then_some(Secret { kind: "url-password", span: colon + 1..at_sign })
}

fn skip(bytes: &[u8], from: usize, most: usize, accept: impl Fn(u8) -> bool) -> usize {
    from + bytes[from..].iter().take(most).take_while(|&&byte| accept(byte)).count()
}
