//! Defines the keywords of Java.

use crate::token_reader::braces::{Dialect, LongText};

pub(super) const DIALECT: Dialect = Dialect {
    keyword: |word| keyword(word).map(|keyword| keyword as u8),
    ends_line: |_| false,
    has_channels: false,
    long_text: LongText::ThreeQuotes,
    special: |_| Ok(false),
};

/// The keywords that the reader distinguishes. All remaining keywords are `Other`: the reader only needs to know that
/// they are not names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Keyword {
    Class,
    Interface,
    Enum,
    Extends,
    Implements,
    Import,
    Package,
    Modifier,
    If,
    Else,
    For,
    While,
    Do,
    Switch,
    Case,
    Default,
    Catch,
    New,
    /// A primitive type or `void`.
    Primitive,
    Other,
}

fn keyword(word: &[u8]) -> Option<Keyword> {
    Some(match word {
        b"class" => Keyword::Class,
        b"interface" => Keyword::Interface,
        b"enum" => Keyword::Enum,
        b"extends" => Keyword::Extends,
        b"implements" | b"permits" => Keyword::Implements,
        b"import" => Keyword::Import,
        b"package" => Keyword::Package,
        b"public" | b"private" | b"protected" | b"static" | b"final" | b"abstract" | b"native"
        | b"synchronized" | b"transient" | b"volatile" | b"strictfp" | b"sealed" => {
            Keyword::Modifier
        }
        b"if" => Keyword::If,
        b"else" => Keyword::Else,
        b"for" => Keyword::For,
        b"while" => Keyword::While,
        b"do" => Keyword::Do,
        b"switch" => Keyword::Switch,
        b"case" => Keyword::Case,
        b"default" => Keyword::Default,
        b"catch" => Keyword::Catch,
        b"new" => Keyword::New,
        b"int" | b"long" | b"short" | b"byte" | b"char" | b"float" | b"double" | b"boolean"
        | b"void" => Keyword::Primitive,
        b"assert" | b"break" | b"continue" | b"finally" | b"goto" | b"instanceof" | b"return"
        | b"throw" | b"throws" | b"try" => Keyword::Other,
        _ => return None,
    })
}
