//! Defines the keywords of C and C++, and reads the literals that only these languages have.

use super::preprocessor;
use crate::token_reader::braces::{Dialect, Lexer, LongText};
use crate::token_reader::token::{Kind, is_name_byte};
use crate::token_reader::{Result, Unsupported};

pub(super) const C: Dialect = Dialect {
    keyword: Keyword::code_of,
    ends_line: |_| false,
    has_channels: false,
    long_text: LongText::Nothing,
    special,
};

pub(super) const CPP: Dialect = Dialect {
    keyword: |word| Keyword::code_of(word).or_else(|| Some(cpp_keyword(word)? as u8)),
    ..C
};

keywords! {
    Struct [b"struct" b"union"]
    Class []
    Enum [b"enum"]
    Typedef [b"typedef"]
    Extern [b"extern"]
    Namespace []
    Using []
    Template []
    Friend []
    /// `public`, `private` or `protected`.
    Access []
    Operator []
    /// `const` and other words that precede a type but are not types.
    Qualifier [
        b"const" b"static" b"inline" b"volatile" b"register" b"restrict" b"__restrict"
        b"__restrict__" b"__inline" b"__inline__" b"__extension__" b"_Atomic" b"_Noreturn"
        b"__volatile__" b"__const" b"_Thread_local" b"__thread" b"thread_local" b"constexpr"
    ]
    /// A built-in type.
    Primitive [
        b"void" b"char" b"int" b"long" b"short" b"float" b"double" b"signed" b"unsigned" b"bool"
        b"_Bool" b"size_t" b"ssize_t" b"ptrdiff_t" b"intptr_t" b"uintptr_t" b"charptr_t"
        b"nullptr_t" b"max_align_t" b"int8_t" b"int16_t" b"int32_t" b"int64_t" b"uint8_t"
        b"uint16_t" b"uint32_t" b"uint64_t" b"char8_t" b"char16_t" b"char32_t" b"char64_t"
    ]
    /// A word whose parenthesised arguments are not parameters, such as `__attribute__`, `alignas` or `noexcept`.
    Attribute [
        b"__attribute__" b"__attribute" b"__declspec" b"_Alignas" b"alignas" b"__asm__" b"asm"
        b"__asm" b"typeof" b"__typeof__" b"__typeof"
    ]
    /// A word that is followed by a type in angle brackets, such as `static_cast`.
    CxxCast []
    Typename []
    New []
    If [b"if"]
    Else [b"else"]
    For [b"for"]
    While [b"while"]
    Do [b"do"]
    Switch [b"switch"]
    Case [b"case"]
    Default [b"default"]
    Catch []
    Sizeof [b"sizeof" b"_Alignof" b"alignof" b"offsetof"]
    StaticAssert [b"static_assert" b"_Static_assert"]
    Other [b"return" b"break" b"continue" b"goto" b"true" b"false" b"NULL" b"nullptr" b"defined"]
}

fn cpp_keyword(word: &[u8]) -> Option<Keyword> {
    Some(match word {
        b"class" => Keyword::Class,
        b"namespace" => Keyword::Namespace,
        b"using" => Keyword::Using,
        b"template" => Keyword::Template,
        b"friend" => Keyword::Friend,
        b"public" | b"private" | b"protected" => Keyword::Access,
        b"operator" => Keyword::Operator,
        b"virtual" | b"explicit" | b"mutable" | b"consteval" | b"constinit" | b"export"
        | b"override" | b"final" => Keyword::Qualifier,
        b"noexcept" | b"throw" | b"decltype" | b"requires" => Keyword::Attribute,
        b"auto" => Keyword::Primitive,
        b"static_cast" | b"dynamic_cast" | b"const_cast" | b"reinterpret_cast" => Keyword::CxxCast,
        b"typename" => Keyword::Typename,
        b"new" => Keyword::New,
        b"catch" => Keyword::Catch,
        b"delete" | b"this" | b"try" | b"co_await" | b"co_return" | b"co_yield" | b"typeid" => {
            Keyword::Other
        }
        _ => return None,
    })
}

fn special(lexer: &mut Lexer<'_>) -> Result<bool> {
    let byte = lexer.source[lexer.at];
    match byte {
        b'#' if preprocessor::is_directive(lexer) => preprocessor::directive(lexer)?,
        b'\\' if matches!(lexer.peek(1), b'\n' | b'\r') => lexer.at += 1,
        b'0'..=b'9' => number(lexer),
        b'L' | b'u' | b'U' | b'R' => return prefixed_string(lexer),
        _ => return Ok(false),
    }
    Ok(true)
}

/// Reads a number. Its digits may be separated by single quotation marks.
fn number(lexer: &mut Lexer<'_>) {
    let rest = &lexer.source[lexer.at..];
    let mut length = 1;
    while let Some(byte) = rest.get(length) {
        let before = rest[length - 1];
        let is_sign = matches!(byte, b'+' | b'-')
            && (matches!(before, b'p' | b'P')
                || matches!(before, b'e' | b'E') && !rest.starts_with(b"0x"));
        let separates = *byte == b'\''
            && rest.get(length + 1).is_some_and(u8::is_ascii_hexdigit)
            && before.is_ascii_hexdigit();
        if !is_name_byte(*byte) && *byte != b'.' && !is_sign && !separates {
            break;
        }
        length += 1;
    }
    lexer.push(Kind::Number, length, 0);
}

/// Reads a string with a prefix, such as `L"…"` or `R"(…)"`. Returns whether there is one.
fn prefixed_string(lexer: &mut Lexer<'_>) -> Result<bool> {
    const MAX_PREFIX: usize = 3;
    let rest = &lexer.source[lexer.at..];
    let Some(prefix) = rest.iter().take(MAX_PREFIX + 1).position(|byte| *byte == b'"') else {
        return Ok(false);
    };
    let is_raw = rest[..prefix].ends_with(b"R");
    let name = rest[..prefix].strip_suffix(b"R").unwrap_or(&rest[..prefix]);
    if !matches!(name, b"" | b"L" | b"u" | b"U" | b"u8") {
        return Ok(false);
    }
    let inner = lexer.at + prefix + 1;
    let close = if is_raw {
        let body = &lexer.source[inner..];
        let mark = memchr::memchr(b'(', body).ok_or(Unsupported)?;
        let end = [b")", &body[..mark], b"\""].concat();
        let found = memchr::memmem::find(&body[mark..], &end).ok_or(Unsupported)?;
        inner + mark + found + end.len() - 1
    } else {
        lexer.closing_quote(inner, b'"', true)?
    };
    lexer.quoted(inner..close, close + 1);
    Ok(true)
}
