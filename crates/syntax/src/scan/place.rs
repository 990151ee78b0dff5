//! Looking around from the token a reader is at.

use super::token::{Kind, Token};

/// A reader's place among its tokens.
pub(super) trait Place {
    fn tokens(&self) -> &[Token];
    fn at(&self) -> usize;

    /// The token at a place, or one that is nothing.
    fn near(&self, at: usize) -> Token {
        const NOTHING: Token =
            Token { start: 0, end: 0, line: 0, opener: 0, kind: Kind::LineEnd, code: 0 };
        self.tokens().get(at).copied().unwrap_or(NOTHING)
    }

    fn next(&self) -> Token {
        self.near(self.at() + 1)
    }

    fn previous(&self) -> Token {
        self.near(self.at().wrapping_sub(1))
    }

    /// The token behind a bracket and what it holds, where brackets are linked both ways.
    fn behind(&self, opener: usize) -> usize {
        self.near(opener).opener as usize + 1
    }
}

/// The bracket that closes what this one opens.
pub(super) fn closer(opener: u8) -> u8 {
    match opener {
        b'{' => b'}',
        b'(' => b')',
        _ => b']',
    }
}
