//! Reads the tokens around the current token and the receivers of names.

use super::builder::MAX_RECEIVER;
use super::token::{Kind, Token};
use crate::span::Span;

/// A cursor over a list of tokens.
pub(super) trait TokenCursor {
    fn tokens(&self) -> &[Token];
    fn at(&self) -> usize;

    /// Returns the token at index `at`, or an empty token if the index is out of range.
    fn token_at(&self, at: usize) -> Token {
        const NOTHING: Token =
            Token { start: 0, end: 0, line: 0, opener: 0, kind: Kind::LineEnd, code: 0 };
        self.tokens().get(at).copied().unwrap_or(NOTHING)
    }

    fn next(&self) -> Token {
        self.token_at(self.at() + 1)
    }

    fn previous(&self) -> Token {
        self.token_at(self.at().wrapping_sub(1))
    }

    /// Returns the index of the token after the bracket that closes the bracket at `opener`. Works only for languages
    /// in which an opening bracket stores the index of its closing bracket (see [`Token::opener`]).
    fn after_bracket(&self, opener: usize) -> usize {
        self.token_at(opener).opener as usize + 1
    }

    /// Returns the index of the semicolon that ends a statement, or of the closing bracket of the block that contains
    /// it. Brackets inside the statement are skipped with their content. Like [`Self::after_bracket`], this works only
    /// for some languages.
    fn statement_end(&self, from: usize) -> usize {
        let mut at = from;
        while let Some(token) = self.tokens().get(at) {
            match token.kind {
                Kind::Open => at = token.opener as usize,
                Kind::Close => break,
                Kind::Sign if token.code == b';' => break,
                _ => {}
            }
            at += 1;
        }
        at
    }

    /// Returns whether the current token follows a plain name and a dot. This is true after `a.` and false after
    /// `x.a.`.
    fn follows_plain_name(&self) -> bool {
        let object = self.token_at(self.at().wrapping_sub(2));
        let before = self.token_at(self.at().wrapping_sub(3));
        object.kind == Kind::Word && !before.is_sign(b'.')
    }

    /// Returns whether the current `while` ends a `do` loop. `do_keyword` is the code of the keyword `do`.
    fn ends_do(&self, do_keyword: u8) -> bool {
        let closing = self.previous();
        let before = self.token_at((closing.opener as usize).wrapping_sub(1));
        closing.closes(b'}') && before.kind == Kind::Keyword && before.code == do_keyword
    }
}

pub(super) fn closer(opener: u8) -> u8 {
    match opener {
        b'{' => b'}',
        b'(' => b')',
        _ => b']',
    }
}

/// Returns the expression before the dot that precedes token `at`, such as `self.items` or `open(path)`. Returns
/// `None` if there is no dot, and an empty span if the expression is too long or is not a chain of names, calls and
/// subscripts. Each closing bracket must be linked to its opening bracket.
pub(super) fn receiver(tokens: &[Token], at: usize) -> Option<Span> {
    let dot = tokens.get(at.checked_sub(1)?).filter(|it| it.is_sign(b'.'))?;
    let unreadable = Span { start: dot.start, end: dot.start };
    Some(chain_before(tokens, at).unwrap_or(unreadable))
}

fn chain_before(tokens: &[Token], at: usize) -> Option<Span> {
    let last = *tokens.get(at.checked_sub(2)?)?;
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
        if last.end.saturating_sub(token.start) as usize > MAX_RECEIVER {
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
