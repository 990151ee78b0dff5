//! Finds secrets of requests: passwords in URLs, session cookies, and values after an authorization scheme.

use crate::bytes::{Cursor, bytes_after, contains_any, is_word_or, run_after};
use crate::secrets::WORDS;
use crate::secrets::assignment::extended_end;
use crate::secrets::bounds::value_bounds;
use crate::secrets::candidate::{Candidate, Name, Relation};
use crate::secrets::direct::is_words;
use crate::secrets::forms::{has_digit, is_generated, is_generated_base64, is_random};
use crate::secrets::stand_ins::{is_example, is_published};
use crate::secrets::verdict::is_secret;
use crate::table::WordList;
use crate::{base64, work};
use std::ops::Range;

/// The minimum length of a user name that is treated as a token. The user name must also look generated and have no
/// password.
const MIN_TOKEN: usize = 20;
const MAX_AUTHORITY_BYTES: usize = 512;
const MAX_TEMPLATE: usize = 48;
static URL_PLACEHOLDERS: WordList = WordList::new(WORDS, "url placeholders");

/// Returns the password in the URL authority (`user:password@host`) that starts at `authority`. If there is no password
/// and the user name looks generated, returns the user name.
pub(crate) fn password_at(text: &str, authority: usize) -> Option<Range<usize>> {
    let rest = bytes_after(text.as_bytes(), authority, MAX_AUTHORITY_BYTES);
    if let Some(user) = template_length(rest) {
        return password_after_template(text, authority + user);
    }
    // `[user[:password]@]host` is the grammar of a URL.
    if rest.first() == Some(&b'[') {
        return None;
    }
    let length = authority_length(rest);
    let at_sign = memchr::memrchr(b'@', &rest[..length])?;
    let Some(colon) = memchr::memchr(b':', &rest[..at_sign]) else {
        let user = text.get(authority..authority + at_sign)?;
        return (user.len() >= MIN_TOKEN && is_random(user) && !user.contains('.'))
            .then(|| authority..authority + at_sign);
    };
    let password = text.get(authority + colon + 1..authority + at_sign)?;
    // `postgres:postgres`, `guest:guest`: a server's default password.
    let is_default = password.as_bytes().eq_ignore_ascii_case(&rest[..colon]);
    // `https://mailto:kim@example.org`: the address of a mailbox after two schemes.
    let is_mailbox = rest[..colon].eq_ignore_ascii_case(b"mailto");
    (is_url_password(password) && !is_default && !is_mailbox)
        .then_some(authority + colon + 1..authority + at_sign)
}

/// Returns the length of a user name that is a variable, including the colon after it: `{user}:` or `${user}:`.
fn template_length(rest: &[u8]) -> Option<usize> {
    let open = rest.strip_prefix(b"$").unwrap_or(rest);
    let body = open.strip_prefix(b"{")?;
    let length = run_after(body, MAX_TEMPLATE, |byte| is_word_or(byte, b"_.-${:"));
    let end = rest.len() - body.len() + length;
    rest[end..].starts_with(b"}:").then_some(end + 2)
}

/// Returns the literal password that follows a variable: `https://{user}:password@host`. The password starts at
/// `start`.
fn password_after_template(text: &str, start: usize) -> Option<Range<usize>> {
    let rest = bytes_after(text.as_bytes(), start, MAX_AUTHORITY_BYTES);
    let length = authority_length(rest);
    let at_sign = memchr::memrchr(b'@', &rest[..length])?;
    let password = text.get(start..start + at_sign)?;
    (has_digit(password) && is_url_password(password)).then_some(start..start + at_sign)
}

/// Returns the length of the authority. A `$` ends the authority, because it may start a variable. A `$` directly
/// before an `@` is part of the password instead.
fn authority_length(rest: &[u8]) -> usize {
    let is_end = |at: &usize| {
        ends_authority(rest[*at]) && !(rest[*at] == b'$' && rest.get(at + 1) == Some(&b'@'))
    };
    (0..rest.len()).find(is_end).unwrap_or(rest.len())
}

fn ends_authority(byte: u8) -> bool {
    !byte.is_ascii_graphic() || b"/\"'`<>{}$()\\,".contains(&byte)
}

pub(crate) fn is_url_password(password: &str) -> bool {
    let lower = password.to_ascii_lowercase();
    let first = password.bytes().next();
    // `my_password` describes a password. A value with a digit or other punctuation may be a real password:
    // `Password12^`.
    let is_description = lower.contains("password") && is_words(password);
    password.len() >= 4
        && !URL_PLACEHOLDERS.contains(&lower.as_str())
        && !is_description
        && !is_example(password)
        && !password.bytes().all(|byte| Some(byte) == first)
        && !matches!(first, Some(b'%' | b'*' | b'[' | b':'))
}

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
pub(crate) fn session_values(text: &str, start: usize) -> Vec<Range<usize>> {
    let rest = &text[start..text.floor_char_boundary(start + MAX_HEADER_BYTES)];
    let header = rest.split(['\n', '"', '\'']).next().unwrap_or_default();
    let mut found = Vec::new();
    let mut at = start;
    for cookie in header.split(';') {
        if let Some((name, value)) = cookie.split_once('=') {
            let begin = at + cookie.len() - value.len();
            let value = value.trim_end();
            let is_session = names_session(name.trim()) || value.len() >= MIN_LONG_VALUE;
            if is_session && is_session_value(value) {
                found.push(begin..begin + value.len());
            }
        }
        at += cookie.len() + 1;
    }
    found
}

/// Returns the values of the session cookies in the field after the header's name:
/// `{"name": "Set-Cookie", "value": "sid=…; path=/"}`. `end` is the position after the name and the comma.
pub(crate) fn values_of_next_field(text: &str, end: usize) -> Vec<Range<usize>> {
    let mut cursor = Cursor::new(text, end);
    cursor.skip(MAX_GAP, |byte| byte.is_ascii_whitespace() || matches!(byte, b'"' | b'\'' | b'\\'));
    if !(cursor.eat("value") || cursor.eat("Value")) {
        return Vec::new();
    }
    cursor.skip(MAX_GAP, |byte| matches!(byte, b'"' | b'\'' | b'\\' | b':' | b' '));
    session_values(text, cursor.at)
}

/// Returns the values of the session cookies in a table in code: `cookies = {'sessionid': '…'}`.
pub(crate) fn values_of_table(text: &str, start: usize) -> Vec<Range<usize>> {
    let rest = &text[start..text.floor_char_boundary(start + MAX_HEADER_BYTES)];
    let table = rest.split('}').next().unwrap_or_default();
    work::count(table.len());
    let mut found = Vec::new();
    let mut at = start;
    for pair in table.split(',') {
        if let Some((name, value)) = pair.split_once(':') {
            let is_wrapping = |letter: char| letter.is_whitespace() || matches!(letter, '"' | '\'');
            let begin = at + pair.len() - value.trim_start_matches(is_wrapping).len();
            let value = value.trim_matches(is_wrapping);
            if names_session(name.trim_matches(is_wrapping)) && is_session_value(value) {
                found.push(begin..begin + value.len());
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
    is_id || contains_any(lower, SESSION_NAMES)
}

fn is_session_value(value: &str) -> bool {
    value.len() <= MAX_VALUE && !value.contains(['<', '{', '$']) && is_generated(value, MIN_VALUE)
}

const MIN_BASIC: usize = 8;
/// The minimum length of a value that is not the base64 form of `user:password`.
const MIN_OPAQUE: usize = 12;

/// Returns the token after an authorization scheme such as `Bearer`.
pub(crate) fn bearer_secret(text: &str, start: usize, scheme_end: usize) -> Option<Range<usize>> {
    if start > 0 && text.as_bytes()[start - 1].is_ascii_alphanumeric() {
        return None;
    }
    let (name, relation) = (Name::Token, Relation::Equals);
    let (value, quoting) = value_bounds(text, scheme_end, name)?;
    let word = start..start + "bearer".len();
    let span = value.start..extended_end(text, value.clone());
    let candidate = Candidate { text, name, word, relation, quoting, value };
    is_secret(&candidate).then_some(span)
}

/// Finds the base64-encoded `user:password` that follows `Basic` or `"auth":`.
pub(crate) fn basic_secret(text: &str, scheme_end: usize) -> Option<Range<usize>> {
    let mut cursor = Cursor::new(text, scheme_end);
    cursor.skip_blanks();
    // In JSON text that is a string of another JSON text, backslashes precede the quote.
    cursor.skip(3, |byte| byte == b'\\');
    let (span, _) = value_bounds(text, cursor.at, Name::Token)?;
    let value = text.get(span.clone())?;
    let is_pair = base64::decode(value.as_bytes()).is_some_and(|decoded| {
        memchr::memchr(b':', &decoded).is_some()
            && decoded.iter().all(|byte| matches!(byte, b' '..=b'~'))
    });
    // After the key `"auth"` of a registry's credentials, the value may also be an opaque token.
    let is_field = text[..scheme_end].ends_with(':');
    (value.len() >= MIN_BASIC
        && (is_pair || is_field && is_generated_base64(value, MIN_OPAQUE))
        && !is_published(value))
    .then_some(span)
}
