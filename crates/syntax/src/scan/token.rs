//! The words and signs a source is made of. Comments and white space are not among them.

use crate::span::Span;

#[derive(Debug, Clone, Copy)]
pub(super) struct Token {
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) line: u32,
    /// Of a closing bracket: the token that opened it, where linked also the other way round. Of a
    /// string: the line it ends on.
    pub(super) opener: u32,
    pub(super) kind: Kind,
    /// The sign, one of [`sign`] if it has two characters; of a keyword its number.
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
    /// The end of a logical line, where that means something.
    LineEnd,
}

/// Signs of two characters, as codes no single character has.
pub(super) mod sign {
    pub(in crate::scan) const PATH: u8 = 128;
    pub(in crate::scan) const ARROW: u8 = 129;
    pub(in crate::scan) const FAT_ARROW: u8 = 130;
    pub(in crate::scan) const AND: u8 = 131;
    pub(in crate::scan) const OR: u8 = 132;
    pub(in crate::scan) const COMPARISON: u8 = 133;
    pub(in crate::scan) const RANGE: u8 = 134;
    pub(in crate::scan) const ASSIGN: u8 = 135;
    /// `++` and `--`.
    pub(in crate::scan) const STEP: u8 = 136;
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

    /// The line it ends on: a string may go on for many.
    pub(super) fn last_line(self) -> u32 {
        if self.kind == Kind::Text { self.opener } else { self.line }
    }

    /// Whether an expression can end with it, so that a sign after it is binary.
    pub(super) fn ends_operand(self) -> bool {
        matches!(self.kind, Kind::Word | Kind::Number | Kind::Text | Kind::Close)
            || self.is_sign(b'?')
    }
}

/// Whether a byte can be part of a name; everything beyond ASCII is taken as a letter.
pub(super) fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}
