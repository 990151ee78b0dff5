//! Recognises ordinary values in the position of a secret: versions, addresses, options, redirections and words of a
//! sentence.

use std::net::{IpAddr, SocketAddr};

use crate::secrets::candidate::{Candidate, Name, Quoting, Relation};

/// Words of a sentence that end it after `is` or `was` and do not end in `ed`.
const STATES: &[&str] = &[
    "given", "correct", "wrong", "known", "shown", "sent", "lost", "hidden", "chosen", "here",
    "there", "below", "above", "broken", "written", "stolen", "taken", "kept", "built", "made",
];

/// Whether the value is ordinary text or a public value in the candidate's position.
pub(super) fn is_ordinary(candidate: &Candidate<'_>, value: &str) -> bool {
    is_version(value)
        || is_network_address(value)
        || is_option(candidate, value)
        || is_redirection(candidate, value)
        || is_state(candidate, value)
        || is_count(candidate, value)
}

/// Recognises versions such as `1.2.1` and `v1.0.0-beta.37`.
fn is_version(value: &str) -> bool {
    let body = value.strip_prefix('v').unwrap_or(value);
    let numbers = body.bytes().take_while(|byte| byte.is_ascii_digit() || *byte == b'.').count();
    let (numbers, rest) = body.split_at(numbers);
    let parts = || numbers.trim_end_matches('.').split('.');
    parts().count() >= 3
        && parts().all(|part| (1..=8).contains(&part.len()))
        && (rest.is_empty() || rest.starts_with(['-', '+']) || numbers.ends_with('.'))
        && rest
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'+' | b'.'))
}

/// Recognises an IP address, an address with a port, and a list of addresses.
fn is_network_address(value: &str) -> bool {
    let is_address =
        |part: &str| part.parse::<IpAddr>().is_ok() || part.parse::<SocketAddr>().is_ok();
    value.contains(['.', ':'])
        && value.bytes().any(|byte| byte.is_ascii_digit())
        && !value.bytes().any(|byte| matches!(byte, b'g'..=b'z' | b'G'..=b'Z'))
        && value.split(',').all(|part| part.is_empty() || is_address(part))
}

/// Recognises command-line options after a word in prose or in a call: "pass `--enable-feature=x`".
fn is_option(candidate: &Candidate<'_>, value: &str) -> bool {
    let is_long = value.starts_with("--");
    let is_short = value.starts_with('-') && value.contains(' ');
    matches!(candidate.relation, Relation::Beside | Relation::Words | Relation::Prose)
        && (is_long || is_short)
}

/// Recognises a shell redirection: `>&2`.
fn is_redirection(candidate: &Candidate<'_>, value: &str) -> bool {
    candidate.quoting == Quoting::Bare && value.starts_with(">&")
}

/// Recognises the last word of a sentence: `the password was changed!`, `Password forgotten?`.
fn is_state(candidate: &Candidate<'_>, value: &str) -> bool {
    let word = value.trim_end_matches(['.', '!', '?', '}', ')', ':']);
    let is_question = value.ends_with('?');
    let is_letters = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_alphabetic());
    let is_verb = candidate.text.as_bytes()[candidate.word.clone()].eq_ignore_ascii_case(b"pass");
    let is_lower_case = word.bytes().all(|byte| byte.is_ascii_lowercase());
    let is_participle = word.len() > 3 && word.ends_with("ed") || STATES.contains(&word);
    candidate.quoting == Quoting::Bare
        && is_letters
        && match candidate.relation {
            Relation::Words | Relation::Prose => is_lower_case && is_participle,
            Relation::Beside => is_question || is_verb || is_lower_case && is_participle,
            _ => false,
        }
}

/// Recognises a number after a vague word: `HEXPIREAT key 2524600800`.
fn is_count(candidate: &Candidate<'_>, value: &str) -> bool {
    candidate.name == Name::Vague
        && matches!(candidate.relation, Relation::Beside | Relation::Colon | Relation::Equals)
        && value.len() <= 13
        && value.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
}
