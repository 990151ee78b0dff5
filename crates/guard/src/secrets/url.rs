//! Finds the password in `scheme://user:password@host`.

use super::Secret;
use super::direct::is_words;
use super::value::is_random;

/// Minimum length of a user name that is treated as a token. The user name must look generated and have no password.
const MIN_TOKEN: usize = 20;
const MAX_AUTHORITY_BYTES: usize = 512;
const PLACEHOLDERS: &[&str] = &[
    "password",
    "passwd",
    "pass",
    "mypassword",
    "pwd",
    "secret",
    "your_password",
    "your-password",
    "token",
    "xxxx",
    "changeme",
    "example",
];

/// Returns the password in the URL authority (`user:password@host`) that starts at `authority`. If there is no password
/// and the user name looks generated, returns the user name.
pub(crate) fn password_at(text: &str, authority: usize) -> Option<Secret> {
    let bytes = text.as_bytes();
    let rest = &bytes[authority..bytes.len().min(authority + MAX_AUTHORITY_BYTES)];
    let length = rest.iter().position(|&byte| ends_authority(byte)).unwrap_or(rest.len());
    let at_sign = memchr::memrchr(b'@', &rest[..length])?;
    let Some(colon) = memchr::memchr(b':', &rest[..at_sign]) else {
        let user = text.get(authority..authority + at_sign)?;
        return (user.len() >= MIN_TOKEN && is_random(user) && !user.contains('.'))
            .then(|| Secret { kind: "url-password", span: authority..authority + at_sign });
    };
    let password = text.get(authority + colon + 1..authority + at_sign)?;
    // `postgres:postgres`, `guest:guest`: a server's default password.
    let is_default = password.as_bytes().eq_ignore_ascii_case(&rest[..colon]);
    (is_secret(password) && !is_default).then_some(Secret {
        kind: "url-password",
        span: authority + colon + 1..authority + at_sign,
    })
}

fn ends_authority(byte: u8) -> bool {
    !byte.is_ascii_graphic()
        || matches!(
            byte,
            b'/' | b'"'
                | b'\''
                | b'`'
                | b'<'
                | b'>'
                | b'{'
                | b'}'
                | b'$'
                | b'('
                | b')'
                | b'\\'
                | b','
        )
}

pub(crate) fn is_secret(password: &str) -> bool {
    let lower = password.to_ascii_lowercase();
    let first = password.bytes().next();
    // `my_password` describes a password. A value with a digit or other punctuation may be a real password:
    // `Password12^`.
    let is_description = lower.contains("password") && is_words(password);
    password.len() >= 4
        && !PLACEHOLDERS.contains(&lower.as_str())
        && !is_description
        && !password.bytes().all(|byte| Some(byte) == first)
        && !matches!(first, Some(b'%' | b'*' | b'[' | b':'))
}
