//! Finds credentials in calls to known functions: `login("user", "…")`, `new Pusher("id", "key", "…")`.

use crate::bytes::{bytes_after, is_word_or};
use crate::secrets::WORDS;
use crate::secrets::accounts::is_administrator;
use crate::secrets::forms::{
    MIN_PASSWORD, has_digit, is_capitalised_word, is_generated, is_literal_word, is_phrase,
};
use crate::table::WordList;
use crate::{table, work};
use std::borrow::Cow;
use std::ops::Range;
use std::sync::LazyLock;

const MAX_ARGUMENTS: usize = 320;
const MIN_SIGNING_KEY: usize = 8;
const MIN_KEY: usize = 16;

/// A call, and which of its arguments may be credentials.
pub(crate) struct Row {
    /// The text of the call up to its first argument, in lower case.
    pub(crate) callee: Cow<'static, str>,
    /// How the credential is recognised; see [`credentials_at`].
    form: &'static str,
    /// The position of the credential, counted from zero.
    position: usize,
}

pub(crate) static CALLS: LazyLock<Vec<Row>> = LazyLock::new(|| {
    table::rows(include_str!("tables/calls.txt"))
        .filter_map(|[callee, form, position, _]| {
            Some(Row { callee: table::unescaped(callee), form, position: position.parse().ok()? })
        })
        .collect()
});

/// Returns the credentials among the arguments that start at `from`. `row` is the row of the call.
pub(crate) fn credentials_at(text: &str, row: usize, from: usize) -> Vec<Range<usize>> {
    let &Row { form, position, .. } = &CALLS[row];
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
    let found = match form {
        // A password after a literal user name, or a password that looks generated after any expression. If the call has
        // only one argument, that argument may be a token.
        "login" => value(position)
            .filter(|span| {
                let password = &text[span.clone()];
                let is_after_user = user(position).is_some_and(|user| {
                    !user.starts_with('/')
                        && (is_password(password) || user.contains('@') && is_phrase(password))
                });
                is_after_user || is_generated(password, MIN_KEY)
            })
            .or_else(only),
        // Like `login`, but for function names that are also common outside of logins. The password must contain a digit
        // or follow an administrator's user name. The password may also be at the next position, and the first argument
        // may be `user/password@host`.
        "connect" => connection_password(position)
            .or_else(|| connection_password(position + 1))
            .or_else(|| value(0).and_then(|span| oracle_password(text, span))),
        "password" => value(position).filter(|span| is_strict_password(&text[span.clone()])),
        // A method call must convert the literal: `load(file, "…".toCharArray())`.
        "converted" => value(position).filter(|span| {
            is_strict_password(&text[span.clone()]) && literals[position].is_converted
        }),
        // The key may consist of words.
        "signing-key" => value(position).filter(|span| {
            let key = &text[span.clone()];
            key.len() >= MIN_SIGNING_KEY && is_password(key) && !key.starts_with("sha")
        }),
        // All arguments from this position onwards that look generated are credentials.
        "generated" => {
            let values = (position..literals.len()).filter_map(value);
            return values.filter(|span| is_generated(&text[span.clone()], MIN_KEY)).collect();
        }
        _ => None,
    };
    found.into_iter().collect()
}

/// Returns the range of the password if `text[span]` has the form `user/password@host`.
pub(crate) fn oracle_password(text: &str, span: Range<usize>) -> Option<Range<usize>> {
    let connection = text.get(span.clone())?;
    let slash = connection.find('/')?;
    let at_sign = connection.rfind('@')?;
    let password = connection.get(slash + 1..at_sign)?;
    let is_user = slash > 0 && connection[..slash].bytes().all(|byte| is_word_or(byte, b"_$#"));
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
    let window = bytes_after(bytes, from, MAX_ARGUMENTS);
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

static CONVERSIONS: WordList = WordList::new(WORDS, "conversions");

/// Returns the length of the conversion method call at the start of `rest`, such as `.toCharArray()`, or zero if
/// there is no such call.
fn conversion(rest: &[u8]) -> usize {
    let method = CONVERSIONS.iter().find(|method| rest.starts_with(method.as_bytes()));
    method.map_or(0, |method| method.len())
}

fn is_password(value: &str) -> bool {
    value.len() > MIN_PASSWORD && is_literal_word(value) && !is_capitalised_word(value)
}

/// Returns whether the value is a password. Stricter than [`is_password`], for calls whose arguments may also be
/// ordinary words.
fn is_strict_password(value: &str) -> bool {
    value.len() > MIN_PASSWORD + 1 && is_password(value) && !value.contains('=')
}
