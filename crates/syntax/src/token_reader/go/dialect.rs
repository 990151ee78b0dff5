//! Defines the keywords of Go and the tokens after which a line break ends a statement.

use crate::token_reader::braces::{Dialect, LongText};
use crate::token_reader::token::{Kind, Token, sign};

pub(super) const DIALECT: Dialect = Dialect {
    keyword: |word| keyword(word).map(|keyword| keyword as u8),
    ends_line,
    has_channels: true,
    long_text: LongText::Backticks,
    special: |_| Ok(false),
};

/// The keywords that the reader distinguishes. All remaining keywords are `Other`: the reader only needs to know that
/// they are not names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Keyword {
    Func,
    Type,
    Struct,
    Interface,
    Const,
    Var,
    Import,
    Package,
    If,
    Else,
    For,
    Switch,
    Case,
    /// A keyword that can end a statement: `return`, `break`, `continue`, `fallthrough`.
    Ending,
    Other,
}

fn keyword(word: &[u8]) -> Option<Keyword> {
    Some(match word {
        b"func" => Keyword::Func,
        b"type" => Keyword::Type,
        b"struct" => Keyword::Struct,
        b"interface" => Keyword::Interface,
        b"const" => Keyword::Const,
        b"var" => Keyword::Var,
        b"import" => Keyword::Import,
        b"package" => Keyword::Package,
        b"if" => Keyword::If,
        b"else" => Keyword::Else,
        b"for" => Keyword::For,
        b"switch" | b"select" => Keyword::Switch,
        b"case" => Keyword::Case,
        b"return" | b"break" | b"continue" | b"fallthrough" => Keyword::Ending,
        b"chan" | b"default" | b"defer" | b"go" | b"goto" | b"map" | b"range" => Keyword::Other,
        _ => return None,
    })
}

/// Returns whether Go inserts a semicolon after this token at the end of a line.
fn ends_line(last: &Token) -> bool {
    match last.kind {
        Kind::Word | Kind::Number | Kind::Text | Kind::Close => true,
        Kind::Keyword => last.code == Keyword::Ending as u8,
        Kind::Sign => last.code == sign::STEP,
        _ => false,
    }
}
