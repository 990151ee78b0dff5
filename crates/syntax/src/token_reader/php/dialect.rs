//! Defines the keywords of PHP, and reads the tokens that only PHP has: variables, heredocs, and the page text around
//! PHP code.

use memchr::memmem;

use crate::token_reader::braces::{Dialect, Lexer, LongText};
use crate::token_reader::lexer::{count_breaks, name_length};
use crate::token_reader::token::{Kind, is_name_byte, sign};
use crate::token_reader::{Result, Unsupported};

pub(super) const DIALECT: Dialect = Dialect {
    keyword: Keyword::code_of,
    ends_line: |_| false,
    has_channels: false,
    long_text: LongText::Quotes,
    special,
};

keywords! {
    Namespace [b"namespace"]
    Use [b"use"]
    Function [b"function"]
    Fn [b"fn"]
    Class [b"class"]
    Interface [b"interface"]
    Trait [b"trait"]
    Const [b"const"]
    Extends [b"extends"]
    Implements [b"implements"]
    Modifier [b"public" b"private" b"protected" b"static" b"final" b"abstract" b"readonly"]
    Var [b"var"]
    If [b"if"]
    ElseIf [b"elseif"]
    Else [b"else"]
    Loop [b"for" b"foreach"]
    While [b"while"]
    Do [b"do"]
    Switch [b"switch"]
    Match [b"match"]
    Case [b"case"]
    Default [b"default"]
    Catch [b"catch"]
    New [b"new"]
    Include [b"include" b"include_once" b"require" b"require_once"]
    As [b"as"]
    And [b"and"]
    Or [b"or"]
    Other [
        b"return" b"throw" b"try" b"finally" b"echo" b"print" b"unset" b"instanceof" b"insteadof"
        b"clone" b"yield" b"break" b"continue" b"global" b"goto" b"xor" b"array" b"list" b"exit"
        b"die" b"declare" b"endif" b"endfor" b"endforeach" b"endwhile" b"endswitch"
    ]
}

fn special(lexer: &mut Lexer<'_>) -> Result<bool> {
    let byte = lexer.source[lexer.at];
    match byte {
        // This is the page text before the first tag.
        _ if lexer.tokens.is_empty() => {
            skip_page(lexer);
            lexer.push(Kind::Sign, 0, b';');
        }
        b'?' if lexer.peek(1) == b'>' => {
            // The tag that ends the PHP code also ends the statement.
            lexer.push(Kind::Sign, 2, b';');
            skip_page(lexer);
        }
        b'?' if lexer.peek(1) == b'-' && lexer.peek(2) == b'>' => {
            lexer.push(Kind::Sign, 3, sign::ARROW);
        }
        b'?' if lexer.peek(1) == b'?' && lexer.peek(2) == b'=' => {
            lexer.push(Kind::Sign, 3, sign::ASSIGN);
        }
        b'?' if lexer.peek(1) == b'?' => lexer.push(Kind::Sign, 2, sign::COALESCE),
        b'$' if is_name_byte(lexer.peek(1)) => {
            let length = name_length(&lexer.source[lexer.at + 1..]);
            lexer.push(Kind::Variable, length + 1, 0);
        }
        b'\'' => lexer.string(b'\'')?,
        b'`' => backticks(lexer)?,
        b'<' if lexer.source[lexer.at..].starts_with(b"<<<") => heredoc(lexer)?,
        b'#' if lexer.peek(1) != b'[' => line_comment(lexer),
        b'/' if lexer.peek(1) == b'/' => line_comment(lexer),
        _ if is_name_byte(byte) && !byte.is_ascii_digit() && follows_member_sign(lexer) => {
            let length = name_length(&lexer.source[lexer.at..]);
            lexer.push(Kind::Word, length, 0);
        }
        _ => return Ok(false),
    }
    Ok(true)
}

/// Returns whether the current position follows `->` or `::`. In that case, a keyword is the name of a member.
fn follows_member_sign(lexer: &Lexer<'_>) -> bool {
    lexer.tokens.last().is_some_and(|it| it.is_sign(sign::ARROW) || it.is_sign(sign::PATH))
}

/// Skips the page text up to the next tag that starts PHP code.
fn skip_page(lexer: &mut Lexer<'_>) {
    let rest = &lexer.source[lexer.at..];
    let tag = memmem::find_iter(rest, b"<?").find_map(|at| Some(at + tag_length(&rest[at..])?));
    let end = tag.unwrap_or(rest.len());
    lexer.line += count_breaks(&rest[..end]);
    lexer.at += end;
}

/// Returns the length of the tag at the start of the text, or `None` if the tag does not start PHP code.
fn tag_length(text: &[u8]) -> Option<usize> {
    let after = text.get(2..)?;
    if after.first() == Some(&b'=') {
        Some(3)
    } else if after.get(..3).is_some_and(|word| word.eq_ignore_ascii_case(b"php")) {
        Some(5)
    } else {
        after.first().is_none_or(u8::is_ascii_whitespace).then_some(2)
    }
}

/// Reads a comment up to the end of the line, or up to the tag `?>`, which ends the PHP code.
fn line_comment(lexer: &mut Lexer<'_>) {
    let rest = &lexer.source[lexer.at..];
    let line = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
    let length = memmem::find(&rest[..line], b"?>").unwrap_or(line);
    lexer.comment(lexer.at + length, lexer.line);
}

/// Reads a shell command in backticks. It is recorded neither as a string nor as a name.
fn backticks(lexer: &mut Lexer<'_>) -> Result<()> {
    let rest = &lexer.source[lexer.at + 1..];
    let length = memchr::memchr(b'`', rest).ok_or(Unsupported)?;
    lexer.push(Kind::Number, length + 2, 0);
    lexer.line += count_breaks(&rest[..length]);
    Ok(())
}

/// Reads a heredoc: `<<<LABEL`, the lines of its text, and the closing label.
fn heredoc(lexer: &mut Lexer<'_>) -> Result<()> {
    let rest = &lexer.source[lexer.at + 3..];
    let skipped = rest.iter().position(|byte| !matches!(byte, b' ' | b'\t' | b'"' | b'\''));
    let label = &rest[skipped.ok_or(Unsupported)?..];
    let label = &label[..name_length(label)];
    let first_break = memchr::memchr(b'\n', rest).ok_or(Unsupported)?;
    if label.is_empty() {
        return Err(Unsupported);
    }
    let mut line = first_break + 1;
    loop {
        let text = rest.get(line..).filter(|text| !text.is_empty()).ok_or(Unsupported)?;
        let indent = text.len() - text.trim_ascii_start().len();
        let indented = memchr::memchr(b'\n', text).is_none_or(|line_break| line_break >= indent);
        let after = text.get(indent..).and_then(|text| text.strip_prefix(label));
        let is_end = after.is_some_and(|after| !after.first().is_some_and(|it| is_name_byte(*it)));
        if indented && is_end {
            let body = lexer.at + 3 + first_break + 1..lexer.at + 3 + line;
            lexer.long_text(body, lexer.at + 3 + line + indent + label.len());
            return Ok(());
        }
        line += memchr::memchr(b'\n', text).ok_or(Unsupported)? + 1;
    }
}
