//! Types for the tokens in a source file. Comments and white space are not tokens.

use crate::span::Span;

#[derive(Debug, Clone, Copy)]
pub(super) struct Token {
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) line: u32,
    /// A value that depends on the kind of token:
    ///
    /// - Closing bracket: the index of the matching opening bracket.
    /// - Opening bracket: the index of the matching closing bracket.
    /// - String: the line on which it ends.
    /// - Start of a Python line: its indentation.
    pub(super) opener: u32,
    pub(super) kind: Kind,
    /// A code that depends on the kind of token:
    ///
    /// - Bracket or punctuation: its character, or a constant in [`sign`] if it has two characters.
    /// - Keyword: its discriminant in the `Keyword` type of the language.
    /// - Python string: the length of its prefix and the number of its quotation marks.
    pub(super) code: u8,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Word,
    /// A PHP variable with its dollar sign.
    Variable,
    Keyword,
    Number,
    Text,
    Lifetime,
    Open,
    Close,
    Sign,
    /// A boundary between logical lines, in languages in which line breaks matter. In Go, this token ends a line; in
    /// Python, it starts a line.
    LineEnd,
}

/// Codes for punctuation that consists of two characters. Each code is greater than that of any ASCII character.
pub(super) mod sign {
    pub(in crate::token_reader) const PATH: u8 = 128;
    pub(in crate::token_reader) const ARROW: u8 = 129;
    pub(in crate::token_reader) const FAT_ARROW: u8 = 130;
    pub(in crate::token_reader) const AND: u8 = 131;
    pub(in crate::token_reader) const OR: u8 = 132;
    pub(in crate::token_reader) const COMPARISON: u8 = 133;
    pub(in crate::token_reader) const RANGE: u8 = 134;
    pub(in crate::token_reader) const ASSIGN: u8 = 135;
    /// `++` and `--`.
    pub(in crate::token_reader) const STEP: u8 = 136;
    /// `??`.
    pub(in crate::token_reader) const COALESCE: u8 = 137;
}

impl Token {
    pub(super) fn span(self) -> Span {
        Span { start: self.start, end: self.end }
    }

    pub(super) fn is_sign(self, code: u8) -> bool {
        self.kind == Kind::Sign && self.code == code
    }

    pub(super) fn opens(self, code: u8) -> bool {
        self.kind == Kind::Open && self.code == code
    }

    pub(super) fn closes(self, code: u8) -> bool {
        self.kind == Kind::Close && self.code == code
    }

    /// Returns whether the token is this value of its language's `Keyword` type.
    pub(super) fn is_keyword(self, keyword: impl Into<u8>) -> bool {
        self.kind == Kind::Keyword && self.code == keyword.into()
    }

    /// Returns the line on which the token ends. Only strings can span several lines.
    pub(super) fn last_line(self) -> u32 {
        if self.kind == Kind::Text { self.opener } else { self.line }
    }

    /// Returns whether an expression can end with this token. If so, an operator that follows the token is binary.
    pub(super) fn ends_operand(self) -> bool {
        matches!(self.kind, Kind::Word | Kind::Variable | Kind::Number | Kind::Text | Kind::Close)
            || self.is_sign(b'?')
    }
}

/// Returns whether a byte can be part of a name. Every non-ASCII byte is treated as a letter.
pub(super) fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}
