//! Finds credentials in calls to known functions: `login("user", "…")`, `new Pusher("id", "key", "…")`.

use crate::secrets::Secret;
use crate::secrets::accounts::is_administrator;
use crate::secrets::forms::{MIN_PASSWORD, has_digit, is_generated, is_literal_word, is_phrase};
use crate::{table, work};
use std::borrow::Cow;
use std::ops::Range;
use std::sync::LazyLock;

const MAX_ARGUMENTS: usize = 320;
const MIN_SIGNING_KEY: usize = 8;
const MIN_KEY: usize = 16;

/// Which arguments of a call may be credentials. Positions are counted from zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Call {
    /// The password is at this position, after a literal user name. A password that looks generated may follow any
    /// expression. If the call has only one argument, that argument may be a token.
    Login(usize),
    /// Like `Login`, but for function names that are also common outside of logins. The password must contain a digit
    /// or follow an administrator's user name. The password may also be at the next position, and the first argument
    /// may be `user/password@host`.
    Connect(usize),
    /// The password is at this position. `is_converted` states that a method call must convert the literal:
    /// `load(file, "…".toCharArray())`.
    Password { position: usize, is_converted: bool },
    /// The key is at this position and may consist of words.
    SigningKey(usize),
    /// All arguments from this position onwards that look generated are credentials.
    Generated(usize),
}

/// The text of a call up to its first argument, in lower case, and the position of its credential.
pub(crate) struct Row {
    pub(crate) callee: Cow<'static, str>,
    call: Call,
}

pub(crate) static CALLS: LazyLock<Vec<Row>> = LazyLock::new(|| {
    table::rows(include_str!("tables/calls.txt"))
        .filter_map(|[callee, form, position, _]| {
            let position = position.parse().ok()?;
            let call = match form {
                "login" => Call::Login(position),
                "connect" => Call::Connect(position),
                "password" | "converted" => {
                    Call::Password { position, is_converted: form == "converted" }
                }
                "signing-key" => Call::SigningKey(position),
                "generated" => Call::Generated(position),
                _ => return None,
            };
            Some(Row { callee: table::unescaped(callee), call })
        })
        .collect()
});

/// Returns the credentials among the arguments that start at `from`. `row` is the row of the call.
pub(crate) fn credentials_at(text: &str, row: usize, from: usize) -> Vec<Secret> {
    let literals = literals(text, from);
    let value =
        |position: usize| literals.get(position).and_then(|argument| argument.literal.clone());
    let user = |position: usize| value(position.checked_sub(1)?).map(|span| &text[span]);
    let only = || {
        value(0).filter(|span| literals.len() == 1 && is_generated(&text[span.clone()], MIN_KEY))
    };
    let connection_password = |position: usize| {
        let (user, span) = (user(position)?, value(position)?);
        let password = &text[span.clone()];
        let is_likely_password = has_digit(password) || is_administrator(user.as_bytes());
        (is_password(password) && is_likely_password).then_some(span)
    };
    let found: Vec<Range<usize>> = match CALLS[row].call {
        Call::Login(position) => value(position)
            .filter(|span| {
                let password = &text[span.clone()];
                let is_after_user = user(position).is_some_and(|user| {
                    !user.starts_with('/')
                        && (is_password(password) || user.contains('@') && is_phrase(password))
                });
                is_after_user || is_generated(password, MIN_KEY)
            })
            .or_else(only)
            .into_iter()
            .collect(),
        Call::Connect(position) => connection_password(position)
            .or_else(|| connection_password(position + 1))
            .or_else(|| value(0).and_then(|span| oracle_password(text, span)))
            .into_iter()
            .collect(),
        Call::Password { position, is_converted } => value(position)
            .filter(|span| {
                is_strict_password(&text[span.clone()])
                    && (!is_converted || literals[position].is_converted)
            })
            .into_iter()
            .collect(),
        Call::SigningKey(position) => {
            value(position).filter(|span| is_signing_key(&text[span.clone()])).into_iter().collect()
        }
        Call::Generated(first) => (first..literals.len())
            .filter_map(value)
            .filter(|span| is_generated(&text[span.clone()], MIN_KEY))
            .collect(),
    };
    found.into_iter().map(|span| Secret { kind: "call-argument", span }).collect()
}

/// Returns the range of the password if `text[span]` has the form `user/password@host`.
pub(crate) fn oracle_password(text: &str, span: Range<usize>) -> Option<Range<usize>> {
    let connection = text.get(span.clone())?;
    let slash = connection.find('/')?;
    let at_sign = connection.rfind('@')?;
    let password = connection.get(slash + 1..at_sign)?;
    let is_user = slash > 0
        && connection[..slash]
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'#'));
    (is_user && is_password(password.trim_matches('"')) && !password.contains('/'))
        .then(|| span.start + slash + 1..span.start + at_sign)
}

#[derive(Default)]
struct Argument {
    /// The range of a quoted literal without its quotes; `None` for any other expression.
    literal: Option<Range<usize>>,
    /// Whether a method is called on the literal: `"…".toCharArray()`.
    is_converted: bool,
}

/// Returns the arguments that start at `from`, in order. If there is no parenthesis before `from`, the arguments
/// extend to the end of the line.
fn literals(text: &str, from: usize) -> Vec<Argument> {
    let bytes = text.as_bytes();
    let window = &bytes[from..bytes.len().min(from + MAX_ARGUMENTS)];
    let has_parenthesis = from.checked_sub(1).is_some_and(|before| bytes[before] == b'(');
    let line_end = if has_parenthesis { None } else { memchr::memchr(b'\n', window) };
    let window = &window[..line_end.unwrap_or(window.len())];
    let mut arguments = Vec::new();
    let (mut argument, mut is_other, mut depth, mut at) = (Argument::default(), false, 0_usize, 0);
    let finish = |argument: &mut Argument, is_other: bool| {
        let finished = std::mem::take(argument);
        if is_other { Argument::default() } else { finished }
    };
    while at < window.len() {
        match window[at] {
            quote @ (b'"' | b'\'' | b'`') => {
                let Some(length) = memchr::memchr(quote, &window[at + 1..]) else { break };
                is_other |= argument.literal.is_some();
                argument.literal = Some(from + at + 1..from + at + 1 + length);
                at += length + 1;
            }
            b'.' if argument.literal.is_some() && !is_other && conversion(&window[at..]) > 0 => {
                argument.is_converted = true;
                at += conversion(&window[at..]) - 1;
            }
            // `Some("…")`: the literal is the argument. The closing parenthesis of `Some` is treated as the end of the
            // call.
            b'S' if window[at..].starts_with(b"Some(\"") => at += "Some".len(),
            b'(' | b'[' | b'{' => (depth, is_other) = (depth + 1, true),
            b')' | b']' | b'}' if depth > 0 => depth -= 1,
            b',' | b')' if depth == 0 => {
                arguments.push(finish(&mut argument, is_other));
                is_other = false;
                if window[at] == b')' {
                    break;
                }
            }
            b']' | b'}' | b';' => break,
            // `b"…"`, `@"…"`: the character is a literal prefix.
            b'b' | b'r' | b'u' | b'N' | b'@'
                if matches!(window.get(at + 1), Some(b'"' | b'\'')) => {}
            byte => is_other |= !byte.is_ascii_whitespace(),
        }
        at += 1;
    }
    if !has_parenthesis && argument.literal.is_some() {
        arguments.push(finish(&mut argument, is_other));
    }
    work::count(at);
    arguments
}

/// Returns the length of the conversion method call at the start of `rest`, such as `.toCharArray()`, or zero if
/// there is no such call.
fn conversion(rest: &[u8]) -> usize {
    [
        ".toCharArray()",
        ".getBytes()",
        ".getBytes(\"UTF-8\")",
        ".getBytes(StandardCharsets.UTF_8)",
        ".encode()",
        ".encode('utf-8')",
        ".encode(\"utf-8\")",
        ".to_string()",
        ".to_owned()",
        ".into()",
        ".as_bytes()",
    ]
    .iter()
    .find(|method| rest.starts_with(method.as_bytes()))
    .map_or(0, |method| method.len())
}

fn is_password(value: &str) -> bool {
    value.len() > MIN_PASSWORD && is_literal_word(value) && !is_capitalised_word(value)
}

/// Recognises one capitalised word, such as the button label `Register`.
fn is_capitalised_word(value: &str) -> bool {
    value.bytes().enumerate().all(|(at, byte)| match at {
        0 => byte.is_ascii_uppercase(),
        _ => byte.is_ascii_lowercase(),
    })
}

/// Returns whether the value is a password. Stricter than [`is_password`], for calls whose arguments may also be
/// ordinary words.
fn is_strict_password(value: &str) -> bool {
    value.len() > MIN_PASSWORD + 1 && is_password(value) && !value.contains('=')
}

fn is_signing_key(value: &str) -> bool {
    value.len() >= MIN_SIGNING_KEY && is_password(value) && !value.starts_with("sha")
}
