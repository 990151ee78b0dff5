//! Finds passwords in connection strings without `://` (`user:password@tcp(host)/db`,
//! `jdbc:oracle:thin:user/password@host`) and in lines of a `.pgpass` file.

use super::Secret;
use super::calls::oracle_password;
use super::url::is_secret;
use crate::work;

const MAX_CREDENTIALS: usize = 128;

/// Returns the password if `user:password` precedes the `@` at `at_sign`.
pub(crate) fn password_before(text: &str, at_sign: usize) -> Option<Secret> {
    let bytes = text.as_bytes();
    let window = &bytes[at_sign.saturating_sub(MAX_CREDENTIALS)..at_sign];
    let length = window.iter().rev().take_while(|byte| is_credential(**byte)).count();
    work::count(length + 1);
    let credentials = &window[window.len() - length..];
    // `DB_DSN=user:password`
    let name = memchr::memchr(b'=', credentials).map_or(0, |at| at + 1);
    let user = credentials[name..].iter().take_while(|byte| is_user(**byte)).count();
    let start = at_sign - length + name + user + 1;
    let is_pair =
        user > 0 && credentials.get(name + user) == Some(&b':') && length < MAX_CREDENTIALS;
    let password = text.get(start..at_sign).filter(|_| is_pair)?;
    let is_default = password.as_bytes().eq_ignore_ascii_case(&credentials[name..name + user]);
    (is_secret(password) && !is_default && !password.starts_with('$'))
        .then_some(Secret { kind: "url-password", span: start..at_sign })
}

/// Returns the password in the connection string that follows `from` on the same line.
pub(crate) fn password_on_line(text: &str, from: usize) -> Option<Secret> {
    let bytes = text.as_bytes();
    let rest = &bytes[from..bytes.len().min(from + MAX_CREDENTIALS)];
    let at_sign = memchr::memchr2(b'@', b'\n', rest)?;
    work::count(at_sign);
    password_before(text, from + at_sign)
        .filter(|secret| secret.span.start > from && rest[at_sign] == b'@')
}

/// Returns the password if the text at `from` has the form `user/password@host`.
pub(crate) fn oracle_password_at(text: &str, from: usize) -> Option<Secret> {
    let bytes = text.as_bytes();
    let rest = &bytes[from..bytes.len().min(from + MAX_CREDENTIALS)];
    let length = rest.iter().take_while(|byte| is_credential(**byte) || **byte == b'/').count();
    work::count(length);
    let at_sign = memchr::memchr(b'@', &rest[..length])?;
    let span = oracle_password(text, from..from + at_sign + 1)?;
    Some(Secret { kind: "url-password", span })
}

/// Returns the password in the line that contains `start`, if the line has the form `host:port:database:user:password`.
pub(crate) fn password_of_line(text: &str, start: usize) -> Option<Secret> {
    let bytes = text.as_bytes();
    let floor = start.saturating_sub(MAX_CREDENTIALS);
    let begin = memchr::memrchr(b'\n', &bytes[floor..start]).map_or(floor, |at| floor + at + 1);
    let limit = bytes.len().min(start + MAX_CREDENTIALS);
    let end = memchr::memchr2(b'\n', b'\r', &bytes[start..limit]).map_or(limit, |at| start + at);
    work::count(end - begin);
    let line = text.get(begin..end)?;
    let mut fields = line.splitn(5, ':');
    let is_host = |field: &str| field == "*" || !field.is_empty() && field.bytes().all(is_user);
    let is_port = |field: &str| {
        field == "*" || !field.is_empty() && field.bytes().all(|byte| byte.is_ascii_digit())
    };
    let are_fields = is_host(fields.next()?.trim_start())
        && is_port(fields.next()?)
        && is_host(fields.next()?)
        && is_host(fields.next()?);
    let password = fields.next()?;
    (are_fields && is_secret(password) && password.bytes().all(|byte| byte.is_ascii_graphic()))
        .then(|| Secret { kind: "password", span: end - password.len()..end })
}

fn is_user(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.')
}

fn is_credential(byte: u8) -> bool {
    byte.is_ascii_graphic()
        && !matches!(
            byte,
            b'"' | b'\''
                | b'`'
                | b'<'
                | b'>'
                | b'{'
                | b'}'
                | b'('
                | b')'
                | b'/'
                | b'\\'
                | b','
                | b';'
        )
}
