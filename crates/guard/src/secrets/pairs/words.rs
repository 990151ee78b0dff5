//! Finds pairs whose password is a plain word: `log in with client / velvetrope`. Such a pair must directly follow the
//! anchor word, and the line or clause must end after the pair.

use crate::secrets::Secret;
use crate::secrets::dummy_values::is_placeholder;
use crate::secrets::vocabulary::is_label;
use crate::work;

const MAX_DISTANCE: usize = 96;
const MIN_WORD: usize = 8;
const MIN_MIXED: usize = 6;
const MAX_PASSWORD: usize = 40;
const MAX_CONNECTORS: usize = 4;

/// Anchor words after which a pair of plain words is accepted as a user name and a password.
const STRONG_ANCHOR_WORDS: &[&str] = &["login", "log in", "sign in", "creds", "credential"];
/// Anchor words that name both parts of the pair.
const BOTH_PARTS_WORDS: &[&str] = &[
    "user/pass",
    "username/pass",
    "user / pass",
    "username / pass",
    "login/pass",
    "用户名/密码",
    "账号/密码",
    "账号密码",
];
const CONNECTORS: &[&str] =
    &["is", "are", "with", "as", "using", "use", "by", "info", "details", "word", "words", "s"];
/// Words that may follow a pair in the same sentence.
const FOLLOWING_WORDS: &[&str] =
    &["until", "for", "on", "to", "at", "if", "when", "please", "and", "in"];
/// Names of services and roles that often appear in sentences about logins. They are not user names or passwords.
const SERVICES_AND_ROLES: &[&str] = &[
    "google",
    "github",
    "gitlab",
    "facebook",
    "instagram",
    "twitter",
    "microsoft",
    "linkedin",
    "apple",
    "okta",
    "bitbucket",
    "azure",
    "discord",
    "slack",
    "wechat",
    "alipay",
    "keycloak",
    "superuser",
    "administrator",
    "moderator",
    "operator",
    "register",
    "registration",
    "signup",
    "passkey",
    "fingerprint",
    "success",
    "failure",
    "succeeded",
    "server",
    "logged",
    "session",
    "certificate",
];

/// Label words that are also common user names.
const USERS: &[&str] = &["admin", "client", "manager", "root", "service", "test", "web"];

/// Returns the password of the pair that directly follows `anchor_word`. `from` is the end of the anchor word.
pub(super) fn password_after(text: &str, anchor_word: &str, from: usize) -> Option<Secret> {
    let is_listed =
        |words: &[&str]| words.iter().any(|word| anchor_word.eq_ignore_ascii_case(word));
    let names_both = is_listed(BOTH_PARTS_WORDS);
    if !names_both && !is_listed(STRONG_ANCHOR_WORDS) {
        return None;
    }
    let bytes = text.as_bytes();
    let window = &bytes[from..bytes.len().min(from + MAX_DISTANCE)];
    let line = &window[..memchr::memchr2(b'\n', b'\r', window).unwrap_or(window.len())];
    work::count(line.len());
    let user_start = skip_connectors(line);
    let user_length = line[user_start..].iter().take_while(|byte| is_user(**byte)).count();
    let user = std::str::from_utf8(&line[user_start..user_start + user_length]).ok()?;
    let rest = &line[user_start + user_length..];
    let separators: &[&str] = if names_both { &[" / ", "/", ":", " and "] } else { &[" / ", ":"] };
    let separator = separators.iter().find(|sign| rest.starts_with(sign.as_bytes()))?;
    let start = user_start + user_length + separator.len();
    let length = line[start..].iter().take(MAX_PASSWORD).take_while(|byte| is_user(**byte)).count();
    let password = std::str::from_utf8(&line[start..start + length]).ok()?.trim_end_matches('.');
    let is_pair = is_name(user)
        && is_password(password)
        && user != password
        && ends_clause(&line[start + length..]);
    is_pair.then(|| Secret { kind: "password", span: from + start..from + start + password.len() })
}

/// Returns the start of the pair. Skips the rest of the anchor word, separators such as `: `, and up to
/// [`MAX_CONNECTORS`] words such as `is` and `with`.
pub(super) fn skip_connectors(line: &[u8]) -> usize {
    let mut at = 0;
    for _ in 0..MAX_CONNECTORS {
        at += line[at..]
            .iter()
            .take_while(|byte| matches!(byte, b' ' | b':' | b'=' | b'\t' | b'`' | b'"'))
            .count();
        at += if line[at..].starts_with("：".as_bytes()) { "：".len() } else { 0 };
        let length = line[at..].iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
        let is_connector = CONNECTORS
            .iter()
            .any(|word| line[at..at + length].eq_ignore_ascii_case(word.as_bytes()));
        if !is_connector {
            break;
        }
        at += length;
    }
    at
}

fn is_user(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'@' | b'!' | b'#')
}

fn is_service_or_label(word: &str) -> bool {
    is_label(word) || SERVICES_AND_ROLES.iter().any(|name| word.eq_ignore_ascii_case(name))
}

fn is_name(user: &str) -> bool {
    user.len() >= 2
        && !user.starts_with(|first: char| first.is_ascii_uppercase())
        && (USERS.contains(&user) || !is_service_or_label(user))
}

fn is_password(value: &str) -> bool {
    let has_digit = value.bytes().any(|byte| byte.is_ascii_digit());
    let min = if has_digit { MIN_MIXED } else { MIN_WORD };
    let is_capitalised = !has_digit && value.starts_with(|first: char| first.is_ascii_uppercase());
    value.len() >= min
        && !is_capitalised
        && !value.contains('.')
        && !is_service_or_label(value)
        && !is_placeholder(value)
}

pub(super) fn ends_clause(rest: &[u8]) -> bool {
    let word = rest.trim_ascii_start();
    let length = word.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
    match rest.first() {
        None | Some(b'.' | b',' | b')' | b';' | b'`' | b'"' | b'\'' | b'\n' | b'\r') => true,
        Some(b' ') => {
            word.is_empty()
                || word.starts_with(b"(")
                || !word[0].is_ascii()
                || FOLLOWING_WORDS
                    .iter()
                    .any(|after| word[..length].eq_ignore_ascii_case(after.as_bytes()))
        }
        Some(byte) => !byte.is_ascii(),
    }
}
