//! Credentials in calls whose name says which argument is one: `login("user", "…")`, `new Pusher("id", "key", "…")`.

use std::ops::Range;

use super::Secret;
use super::made_up::is_placeholder;
use super::value::is_random;
use super::vocabulary::is_label;
use crate::work;

const MAX_ARGUMENTS: usize = 320;
const MIN_PASSWORD: usize = 5;
const MIN_SIGNING_KEY: usize = 8;
const MIN_KEY: usize = 16;

/// Which arguments of a call are credentials, counted from zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Call {
    /// The password at this position, when the arguments before it are literals; else a token as the only argument.
    Login(usize),
    /// As `Login`, for a name that many other calls have: the password has a digit. `user/password@host` is one argument.
    Connect(usize),
    /// A key that somebody chose.
    SigningKey(usize),
    /// This argument and the ones after it, as far as they look generated.
    Generated(usize),
}

/// The name of the call with its parenthesis, in lower case.
pub(crate) const CALLS: &[(&str, Call)] = &[
    ("login(", Call::Login(1)),
    ("signin(", Call::Login(1)),
    ("sign_in(", Call::Login(1)),
    ("auth(", Call::Login(1)),
    ("auth=(", Call::Login(1)),
    ("auth = (", Call::Login(1)),
    ("authenticate(", Call::Login(1)),
    ("networkcredential(", Call::Login(1)),
    ("passwordauthentication(", Call::Login(1)),
    ("passwordcredentials(", Call::Login(1)),
    ("passwordauthenticationtoken(", Call::Login(1)),
    ("passwordcredential(", Call::Login(1)),
    ("credentials.basic(", Call::Login(1)),
    ("auth.basic(", Call::Login(1)),
    ("plaincredentials(", Call::Login(1)),
    ("plainauth(", Call::Login(2)),
    ("getconnection(", Call::Login(2)),
    ("mysqli(", Call::Login(2)),
    ("mysqli_connect(", Call::Login(2)),
    ("mysql_connect(", Call::Login(2)),
    ("ftp_login(", Call::Connect(2)),
    ("pdo(", Call::Login(2)),
    ("connect(", Call::Connect(2)),
    ("logon(", Call::Login(1)),
    ("hmac.new(", Call::SigningKey(0)),
    ("createhmac(", Call::SigningKey(1)),
    ("jwt.sign(", Call::SigningKey(1)),
    ("jwt.encode(", Call::SigningKey(1)),
    ("jwt.decode(", Call::SigningKey(1)),
    ("jwt.verify(", Call::SigningKey(1)),
    ("cookieparser(", Call::SigningKey(0)),
    ("hmac256(", Call::SigningKey(0)),
    ("hmac512(", Call::SigningKey(0)),
    ("client(", Call::Generated(1)),
    ("twilio(", Call::Generated(1)),
    ("pusher(", Call::Generated(1)),
    ("initindex(", Call::Generated(1)),
    ("algoliasearch(", Call::Generated(1)),
    ("credentials(", Call::Generated(1)),
    ("keycredential(", Call::Generated(0)),
    ("tokencredential(", Call::Generated(0)),
    ("secretkeyspec(", Call::Generated(0)),
    ("wallet(", Call::Generated(0)),
    ("fernet(", Call::Generated(0)),
    ("telebot(", Call::Generated(0)),
    ("telegraf(", Call::Generated(0)),
    ("bot.run(", Call::Generated(0)),
    ("bot.start(", Call::Generated(0)),
    ("client.run(", Call::Generated(0)),
    ("client.start(", Call::Generated(0)),
];

/// The credentials among the arguments that start at `from`.
pub(crate) fn credentials_at(text: &str, call: Call, from: usize) -> Vec<Secret> {
    let literals = literals(text, from);
    let value = |position: usize| literals.get(position).and_then(|literal| literal.clone());
    let are_before = |position: usize| (0..position).all(|before| value(before).is_some());
    let only = || value(0).filter(|span| literals.len() == 1 && is_generated(&text[span.clone()]));
    let found: Vec<Range<usize>> = match call {
        Call::Login(position) => value(position)
            .filter(|span| are_before(position) && is_password(&text[span.clone()]))
            .or_else(only)
            .into_iter()
            .collect(),
        Call::Connect(position) => value(position)
            .filter(|span| {
                are_before(position)
                    && is_password(&text[span.clone()])
                    && has_digit(&text[span.clone()])
            })
            .or_else(|| value(0).and_then(|span| oracle_password(text, span)))
            .into_iter()
            .collect(),
        Call::SigningKey(position) => {
            value(position).filter(|span| is_signing_key(&text[span.clone()])).into_iter().collect()
        }
        Call::Generated(first) => (first..literals.len())
            .filter_map(value)
            .filter(|span| is_generated(&text[span.clone()]))
            .collect(),
    };
    found.into_iter().map(|span| Secret { kind: "call-argument", span }).collect()
}

/// The password in `user/password@host`.
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

/// The arguments in order: the text of a quoted literal, or nothing for any other expression.
fn literals(text: &str, from: usize) -> Vec<Option<Range<usize>>> {
    let bytes = text.as_bytes();
    let window = &bytes[from..bytes.len().min(from + MAX_ARGUMENTS)];
    let mut literals = Vec::new();
    let (mut literal, mut is_other, mut depth, mut at) = (None, false, 0_usize, 0);
    while at < window.len() {
        match window[at] {
            quote @ (b'"' | b'\'' | b'`') => {
                let Some(length) = memchr::memchr(quote, &window[at + 1..]) else { break };
                is_other |= literal.is_some();
                literal = Some(from + at + 1..from + at + 1 + length);
                at += length + 1;
            }
            b'(' | b'[' | b'{' => (depth, is_other) = (depth + 1, true),
            b')' | b']' | b'}' if depth > 0 => depth -= 1,
            b',' | b')' if depth == 0 => {
                literals.push(literal.take().filter(|_| !is_other));
                is_other = false;
                if window[at] == b')' {
                    break;
                }
            }
            b']' | b'}' | b';' => break,
            // The prefix of a literal: `b"…"`, `@"…"`.
            b'b' | b'r' | b'u' | b'@' if matches!(window.get(at + 1), Some(b'"' | b'\'')) => {}
            byte => is_other |= !byte.is_ascii_whitespace(),
        }
        at += 1;
    }
    work::count(at);
    literals
}

fn has_digit(value: &str) -> bool {
    value.bytes().any(|byte| byte.is_ascii_digit())
}

fn is_password(value: &str) -> bool {
    value.len() >= MIN_PASSWORD
        && value.bytes().all(|byte| byte.is_ascii_graphic())
        && !value.starts_with(['/', '$', '<', '{', '%', '.'])
        && !value.contains("://")
        && !value.contains(['{', '<', '('])
        && !is_label(value)
        && !is_placeholder(value)
}

fn is_signing_key(value: &str) -> bool {
    value.len() >= MIN_SIGNING_KEY && is_password(value) && !value.starts_with("sha")
}

fn is_generated(value: &str) -> bool {
    value.len() >= MIN_KEY && value.bytes().all(|byte| byte.is_ascii_graphic()) && is_random(value)
}
