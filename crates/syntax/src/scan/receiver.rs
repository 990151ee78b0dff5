//! What stands before a name: `request.user` in `request.user.save()`.

use super::builder::MAX_RECEIVER;
use super::token::{Kind, Token};
use crate::span::Span;

/// The chain of names, calls and indexes before the dot before the name at `at`, if it is short and
/// on one line. Closing brackets must be linked to their openers.
pub(super) fn receiver(tokens: &[Token], at: usize) -> Option<Span> {
    let is_dot = |at: usize| tokens.get(at).is_some_and(|it| it.is_sign(b'.'));
    if !is_dot(at.checked_sub(1)?) {
        return None;
    }
    let last = *tokens.get(at.checked_sub(2)?)?;
    let line = if last.kind == Kind::Text { last.opener.max(last.line) } else { last.line };
    let mut first = at - 2;
    loop {
        let token = tokens.get(first)?;
        match token.kind {
            Kind::Close if token.code == b'}' => return None,
            Kind::Close => first = token.opener as usize,
            Kind::Word | Kind::Text | Kind::Number => {}
            _ => return None,
        }
        let token = *tokens.get(first)?;
        if last.end.saturating_sub(token.start) as usize > MAX_RECEIVER || token.line != line {
            return None;
        }
        let before = first.checked_sub(1).and_then(|before| tokens.get(before));
        let is_applied = token.kind == Kind::Open
            && before.is_some_and(|it| matches!(it.kind, Kind::Word | Kind::Close));
        if before.is_some_and(|it| it.is_sign(b'.')) {
            first = first.checked_sub(2)?;
        } else if is_applied {
            first -= 1;
        } else {
            return Some(Span { start: token.start, end: last.end });
        }
    }
}
