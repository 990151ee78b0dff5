//! The tokens of a source. Comments and white space are not tokens.

use crate::span::Span;

#[derive(Debug, Clone, Copy)]
pub(super) struct Token {
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) line: u32,
    /// For a closing bracket: the position of the opening one, and in some languages also the reverse. For a string:
    /// the line on which it ends.
    pub(super) opener: u32,
    pub(super) kind: Kind,
    /// The character of a sign, or a constant of [`sign`] if it has two characters. For a keyword: its number.
    pub(super) code: u8,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Word,
    Keyword,
    Number,
    Text,
    Lifetime,
    Open,
    Close,
    Sign,
    /// The end of a logical line, in languages where line breaks matter.
    LineEnd,
}

/// Signs of two characters, as codes above those of single characters.
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

    /// The line on which it ends. A string may have several lines.
    pub(super) fn last_line(self) -> u32 {
        if self.kind == Kind::Text { self.opener } else { self.line }
    }

    /// Returns whether an expression can end with it, so that a following sign is a binary operator.
    pub(super) fn ends_operand(self) -> bool {
        matches!(self.kind, Kind::Word | Kind::Number | Kind::Text | Kind::Close)
            || self.is_sign(b'?')
    }
}

/// Returns whether a byte can be part of a name. All non-ASCII bytes count as letters.
pub(super) fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}
