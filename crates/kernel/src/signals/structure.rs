//! Signals in the shape of a prompt, whatever its language: paths, names, errors, stack traces, code blocks.

use contract::{Signal, SignalKind};

use super::signal;
use crate::vocabulary::{FILE_ENDINGS, PROPER_NAMES};

pub(super) const STACK_TRACE: &str = "stack trace";
const MOST: usize = 12;

pub(super) fn signals(prompt: &str) -> Vec<Signal> {
    let mut signals = Vec::new();
    if prompt.contains("```") {
        signals.push(signal(SignalKind::Code, "code block", 0.8));
    }
    if has_stack_trace(prompt) {
        signals.push(signal(SignalKind::Code, STACK_TRACE, 0.9));
    }
    for token in prompt.split(|c: char| c.is_whitespace() || is_separator(c)) {
        if signals.len() >= MOST {
            break;
        }
        let found = token_signal(token);
        signals.extend(
            found.filter(|found| {
                !signals.iter().any(|known: &Signal| known.matched == found.matched)
            }),
        );
    }
    signals
}

/// Chinese text has no spaces: its characters end an identifier as a space would.
fn is_separator(c: char) -> bool {
    matches!(
        c,
        ',' | ';' | '"' | '\'' | '`' | '<' | '>' | '[' | ']' | '{' | '}' | '|' | '=' | '!' | '?'
    ) || (!c.is_ascii() && !c.is_alphabetic())
        || ('\u{2e80}'..='\u{9fff}').contains(&c)
        || ('\u{ff00}'..='\u{ffef}').contains(&c)
}

fn token_signal(token: &str) -> Option<Signal> {
    let is_reference = token.starts_with('@') && token.len() > 2;
    let calls = token.contains("()") || (token.contains('(') && token.contains(')'));
    let token =
        token.trim_start_matches(['@', '(']).trim_end_matches(['.', ':', ')', '(', '-', '/']);
    if token.len() < 3
        || token.len() > 200
        || !token.chars().any(char::is_alphabetic)
        || token.contains("://")
    {
        return None;
    }
    if is_reference && (token.contains(['/', '.'])) {
        return Some(signal(SignalKind::Code, token, 0.8));
    }
    if is_path(token) {
        return Some(signal(SignalKind::Code, token, 0.7));
    }
    if is_error_name(token) {
        return Some(signal(SignalKind::Code, token, 0.9));
    }
    (is_identifier(token) || (calls && token.is_ascii()))
        .then(|| signal(SignalKind::Code, token, 0.7))
}

fn is_path(token: &str) -> bool {
    let name = token.rsplit('/').next().unwrap_or(token);
    let name = name.split(':').next().unwrap_or(name);
    let ending = name.rsplit_once('.').map(|(stem, ending)| (stem, ending.to_lowercase()));
    match ending {
        Some((stem, ending)) => !stem.is_empty() && FILE_ENDINGS.contains(&ending.as_str()),
        // `and/or` is prose; `src/auth/login` is a path.
        None => token.matches('/').count() >= 2 && token.is_ascii(),
    }
}

fn is_error_name(token: &str) -> bool {
    let last = token.rsplit(['.', ':']).next().unwrap_or(token);
    let starts_upper = last.chars().next().is_some_and(char::is_uppercase);
    starts_upper && last.len() > 6 && (last.ends_with("Error") || last.ends_with("Exception"))
        || (token.starts_with('E')
            && token.len() == 5
            && token[1..].chars().all(|c| c.is_ascii_digit()))
}

/// `snake_case`, `camelCase`, `PascalCase` of two words, `a::b`, `pkg.mod.func`, `CONSTANT_NAME`.
fn is_identifier(token: &str) -> bool {
    let plain = token
        .chars()
        .all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | ':' | '.' | '$' | '#' | '-'));
    if !plain || token.starts_with('-') || PROPER_NAMES.contains(&token.to_lowercase().as_str()) {
        return false;
    }
    let snake = token.trim_matches('_').contains('_');
    let scoped = token.contains("::");
    let dotted = token.split('.').count() >= 3
        && token.split('.').all(|part| part.starts_with(|c: char| c.is_alphabetic()));
    let characters: Vec<char> = token.chars().collect();
    let camel = characters.windows(2).any(|pair| pair[0].is_lowercase() && pair[1].is_uppercase());
    snake || scoped || dotted || camel
}

fn has_stack_trace(prompt: &str) -> bool {
    prompt.contains("Traceback (most recent call last)")
        || prompt.contains("panicked at")
        || prompt.contains("goroutine ") && prompt.contains(".go:")
        || prompt.lines().filter(|line| is_frame(line.trim())).count() >= 2
}

/// One frame of a trace: Python, Java, JavaScript, C#, Rust, Go.
fn is_frame(line: &str) -> bool {
    (line.starts_with("at ") && line.contains(':'))
        || (line.starts_with("File \"") && line.contains(", line "))
        || (line.starts_with("from ") && line.contains(":in "))
}
