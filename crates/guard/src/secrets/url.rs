//! Finds the password in `scheme://user:password@host`.

use super::Secret;
use super::direct::is_words;
use super::examples::is_example;
use super::value::is_random;

/// The minimum length of a user name that is treated as a token. The user name must also look generated and have no
/// password.
const MIN_TOKEN: usize = 20;
const MAX_AUTHORITY_BYTES: usize = 512;
const MAX_TEMPLATE: usize = 48;
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
            .then(|| Secret { kind: "url-password", span: authority..authority + at_sign });
    };
    let password = text.get(authority + colon + 1..authority + at_sign)?;
    // `postgres:postgres`, `guest:guest`: a server's default password.
    let is_default = password.as_bytes().eq_ignore_ascii_case(&rest[..colon]);
    // `https://mailto:kim@example.org`: the address of a mailbox after two schemes.
    let is_mailbox = rest[..colon].eq_ignore_ascii_case(b"mailto");
    (is_secret(password) && !is_default && !is_mailbox).then_some(Secret {
        kind: "url-password",
        span: authority + colon + 1..authority + at_sign,
    })
}

/// Returns the length of a user name that is a variable, including the colon after it: `{user}:` or `${user}:`.
fn template_length(rest: &[u8]) -> Option<usize> {
    let open = rest.strip_prefix(b"$").unwrap_or(rest);
    let body = open.strip_prefix(b"{")?;
    let length = body.iter().take(MAX_TEMPLATE).take_while(|byte| is_template_byte(**byte)).count();
    let end = rest.len() - body.len() + length;
    rest[end..].starts_with(b"}:").then_some(end + 2)
}

fn is_template_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-' | b'$' | b'{' | b':')
}

/// Returns the literal password that follows a variable: `https://{user}:password@host`. The password starts at
/// `start`.
fn password_after_template(text: &str, start: usize) -> Option<Secret> {
    let bytes = text.as_bytes();
    let rest = &bytes[start..bytes.len().min(start + MAX_AUTHORITY_BYTES)];
    let length = authority_length(rest);
    let at_sign = memchr::memrchr(b'@', &rest[..length])?;
    let password = text.get(start..start + at_sign)?;
    let has_digit = password.bytes().any(|byte| byte.is_ascii_digit());
    (has_digit && is_secret(password))
        .then_some(Secret { kind: "url-password", span: start..start + at_sign })
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
        && !is_example(password)
        && !password.bytes().all(|byte| Some(byte) == first)
        && !matches!(first, Some(b'%' | b'*' | b'[' | b':'))
}
