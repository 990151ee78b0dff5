//! Finds a literal that is compared with the variable after it: `"…".equals(password)`, `"…" == token`.

use std::ops::Range;

use crate::secrets::Secret;
use crate::secrets::bounds::MAX_VALUE;
use crate::secrets::candidate::Name;
use crate::secrets::dummy_values::{is_dummy, is_placeholder};
use crate::secrets::value::is_random;

const MAX_NAME: usize = 48;
const MIN_PASSWORD: usize = 8;
const MIN_TOKEN: usize = 16;
/// The text between the literal and the variable.
const OPERATORS: &[&str] =
    &[".equals(", ".equalsIgnoreCase(", ".contentEquals(", " == ", " === ", " != ", " !== "];

/// Returns the literal that is compared with a variable, if the literal looks like a secret. `word` is the anchor word
/// in the variable's name.
pub(crate) fn compared_literal(text: &str, name: Name, word: Range<usize>) -> Option<Secret> {
    if !name.implies_secret() || !text.as_bytes()[word.start].is_ascii_alphabetic() {
        return None;
    }
    let before = &text.as_bytes()[..word.start];
    let head = before
        .iter()
        .rev()
        .take(MAX_NAME)
        .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'$'))
        .count();
    let before = &before[..before.len() - head];
    let operator = OPERATORS.iter().find(|operator| before.ends_with(operator.as_bytes()))?;
    let before = &before[..before.len() - operator.len()];
    let (quote, literal) = before.split_last()?;
    if !matches!(quote, b'"' | b'\'') {
        return None;
    }
    let window = &literal[literal.len().saturating_sub(MAX_VALUE)..];
    crate::work::count(window.len());
    let length = window.len() - memchr::memrchr(*quote, window)? - 1;
    let span = literal.len() - length..literal.len();
    let value = text.get(span.clone())?;
    let is_secret = match name {
        Name::Password => {
            value.len() >= MIN_PASSWORD
                && value.bytes().all(|byte| byte.is_ascii_graphic())
                && value.bytes().any(|byte| byte.is_ascii_digit())
                && !value.contains(['/', '\\', '{', '<', '('])
                && !is_placeholder(value)
                && !is_dummy(value)
        }
        Name::Token | Name::Public | Name::Vague | Name::Provider => {
            value.len() >= MIN_TOKEN && is_random(value)
        }
        Name::Service => false,
    };
    is_secret.then_some(Secret { kind: "secret-comparison", span })
}
