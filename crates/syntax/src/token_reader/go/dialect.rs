//! Defines the keywords of Go and the tokens after which a line break ends a statement.

use crate::token_reader::braces::{Dialect, LongText};
use crate::token_reader::token::{Kind, Token, sign};

pub(super) const DIALECT: Dialect = Dialect {
    keyword: Keyword::code_of,
    ends_line,
    has_channels: true,
    long_text: LongText::Backticks,
    special: |_| Ok(false),
};

keywords! {
    Func [b"func"]
    Type [b"type"]
    Struct [b"struct"]
    Interface [b"interface"]
    Const [b"const"]
    Var [b"var"]
    Import [b"import"]
    Package [b"package"]
    If [b"if"]
    Else [b"else"]
    For [b"for"]
    Switch [b"switch" b"select"]
    Case [b"case"]
    /// A keyword that can end a statement.
    Ending [b"return" b"break" b"continue" b"fallthrough"]
    Other [b"chan" b"default" b"defer" b"go" b"goto" b"map" b"range"]
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
