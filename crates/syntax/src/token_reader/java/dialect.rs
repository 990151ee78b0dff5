//! Defines the keywords of Java.

use crate::token_reader::braces::{Dialect, LongText};

pub(super) const DIALECT: Dialect = Dialect {
    keyword: Keyword::code_of,
    ends_line: |_| false,
    has_channels: false,
    long_text: LongText::ThreeQuotes,
    special: |_| Ok(false),
};

keywords! {
    Class [b"class"]
    Interface [b"interface"]
    Enum [b"enum"]
    Extends [b"extends"]
    Implements [b"implements" b"permits"]
    Import [b"import"]
    Package [b"package"]
    Modifier [
        b"public" b"private" b"protected" b"static" b"final" b"abstract" b"native" b"synchronized"
        b"transient" b"volatile" b"strictfp" b"sealed"
    ]
    If [b"if"]
    Else [b"else"]
    For [b"for"]
    While [b"while"]
    Do [b"do"]
    Switch [b"switch"]
    Case [b"case"]
    Default [b"default"]
    Catch [b"catch"]
    New [b"new"]
    /// A primitive type or `void`.
    Primitive [b"int" b"long" b"short" b"byte" b"char" b"float" b"double" b"boolean" b"void"]
    Other [
        b"assert" b"break" b"continue" b"finally" b"goto" b"instanceof" b"return" b"throw" b"throws"
        b"try"
    ]
}
