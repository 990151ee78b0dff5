//! Splits Python source into tokens. Each logical line starts with a [`Kind::LineEnd`] token.

use crate::outline::Text;
use crate::span::Span;
use crate::token_reader::lexer::{self, name_length, number_length};
use crate::token_reader::token::{Kind, Token, is_name_byte, sign};
use crate::token_reader::{Result, Scratch, Unsupported};

type Lexer<'s> = lexer::Lexer<'s, AtLineStart>;

/// Whether the next character starts a line.
struct AtLineStart(bool);

keywords! {
    Def [b"def"]
    Class [b"class"]
    If [b"if"]
    Elif [b"elif"]
    Else [b"else"]
    For [b"for"]
    While [b"while"]
    Try [b"try"]
    Except [b"except"]
    Import [b"import"]
    From [b"from"]
    As [b"as"]
    Async [b"async"]
    Lambda [b"lambda"]
    And [b"and"]
    Or [b"or"]
    Other [
        b"None" b"True" b"False" b"assert" b"await" b"break" b"continue" b"del" b"finally" b"global"
        b"in" b"is" b"nonlocal" b"not" b"pass" b"raise" b"return" b"with" b"yield"
    ]
}

/// The maximum number of bytes in which [`Lexer::is_inner_quote`] looks for further quotation marks.
const MAX_LINE: usize = 4096;

/// Splits the source into tokens. Fails on an unterminated string or replacement field, or if brackets do not match. The
/// reader records the strings.
pub(super) fn lex(source: &[u8], scratch: &mut Scratch, strings: &mut Vec<Text>) -> Result<()> {
    let mut lexer = Lexer::new(AtLineStart(true), source, scratch, strings);
    while lexer.at < source.len() {
        if lexer.own.0 {
            lexer.line_start();
        } else {
            lexer.token()?;
        }
    }
    lexer.check_closed()
}

impl Lexer<'_> {
    /// Adds a token with the indentation of the next logical line. Skips empty lines and lines that contain only a
    /// comment.
    fn line_start(&mut self) {
        let mut indent = 0;
        while let Some(byte) = self.source.get(self.at) {
            match byte {
                b' ' => indent += 1,
                b'\t' => indent = (indent / 8 + 1) * 8,
                b'\r' | 0x0c => {}
                b'\n' => {
                    self.line += 1;
                    indent = 0;
                    self.at += 1;
                    continue;
                }
                b'#' => {
                    self.comment();
                    continue;
                }
                _ => break,
            }
            self.at += 1;
        }
        self.own.0 = false;
        if self.at < self.source.len() {
            self.push(Kind::LineEnd, 0, 0);
            if let Some(token) = self.tokens.last_mut() {
                token.opener = indent;
            }
        }
    }

    fn token(&mut self) -> Result<()> {
        let byte = self.source[self.at];
        match byte {
            b'\n' => {
                self.line += 1;
                self.at += 1;
                // Inside brackets, line breaks are ignored.
                self.own.0 = self.open.is_empty();
            }
            b' ' | b'\t' | b'\r' | 0x0b | 0x0c => self.at += 1,
            b'#' => self.comment(),
            b'\\' => self.line_joint(),
            b'"' | b'\'' => self.string(0)?,
            b'0'..=b'9' => self.push(Kind::Number, number_length(self.rest()), 0),
            b'{' | b'(' | b'[' => self.open_bracket(byte),
            b'}' | b')' | b']' => self.close_bracket(byte)?,
            _ if is_name_byte(byte) => self.word()?,
            _ => self.sign(byte),
        }
        Ok(())
    }

    /// Skips a backslash and the line break after it, which join two lines.
    fn line_joint(&mut self) {
        self.at += 1;
        if self.peek(0) == b'\r' {
            self.at += 1;
        }
        if self.peek(0) == b'\n' {
            self.line += 1;
            self.at += 1;
        }
    }

    fn word(&mut self) -> Result<()> {
        let rest = self.rest();
        let length = name_length(rest);
        let word = &rest[..length];
        let is_quoted = matches!(rest.get(length), Some(b'"' | b'\''));
        let is_prefix =
            length <= 2 && word.iter().all(|it| b"rbufRBUFtT".contains(it)) && is_quoted;
        if is_prefix {
            return self.string(length);
        }
        self.push_word(length, Keyword::code_of(word));
        Ok(())
    }

    /// Reads a string. The lower four bits of the token's code contain the length of the prefix, and the upper four
    /// bits the number of opening quotation marks.
    fn string(&mut self, prefix: usize) -> Result<()> {
        let (start, first_line) = (self.at, self.line);
        let opening = start + prefix;
        let quote = self.source[opening];
        let is_triple = self.source[opening..].starts_with(&[quote; 3]);
        let width = if is_triple { 3 } else { 1 };
        let is_formatted =
            self.source[start..opening].iter().any(|it| matches!(it, b'f' | b'F' | b't' | b'T'));
        self.at = opening + width;
        loop {
            let rest = self.source.get(self.at..).unwrap_or_default();
            match rest.first().ok_or(Unsupported)? {
                b'\\' => {
                    if rest.get(1) == Some(&b'\n') {
                        self.line += 1;
                    }
                    self.at += 1;
                }
                b'\n' if !is_triple => return Err(Unsupported),
                b'\n' => self.line += 1,
                b'{' if is_formatted && rest.get(1) == Some(&b'{') => self.at += 1,
                b'{' if is_formatted => {
                    self.at += 1;
                    self.replacement_field(quote, is_triple)?;
                    continue;
                }
                byte if *byte == quote && (!is_triple || rest.starts_with(&[quote; 3])) => break,
                _ => {}
            }
            self.at += 1;
        }
        self.at = (self.at + width).min(self.source.len());
        // The string's token is added after the tokens of its replacement fields, so that it is the last token of a
        // line that ends with the string.
        self.tokens.push(Token {
            start: start as u32,
            end: self.at as u32,
            line: first_line,
            opener: self.line,
            kind: Kind::Text,
            code: (prefix | width << 4) as u8,
        });
        Ok(())
    }

    /// Reads a replacement field in a formatted string, such as `{name(x)}`. Adds its names, dots and brackets as
    /// tokens.
    fn replacement_field(&mut self, quote: u8, is_triple: bool) -> Result<()> {
        let mut depth = 1;
        while depth > 0 {
            let byte = *self.source.get(self.at).ok_or(Unsupported)?;
            match byte {
                b'{' => depth += 1,
                b'}' => depth -= 1,
                b'\n' if !is_triple => return Err(Unsupported),
                b'\n' => self.line += 1,
                // Before Python 3.12, this quotation mark ends the string, so the brace did not start a replacement
                // field.
                _ if byte == quote && !self.is_inner_quote(quote, is_triple) => return Ok(()),
                b'"' | b'\'' => {
                    self.skip_inner_string(byte);
                    continue;
                }
                b'(' | b'[' => {
                    self.open_bracket(byte);
                    continue;
                }
                b')' | b']' => {
                    self.close_bracket(byte)?;
                    continue;
                }
                b'.' => {
                    self.push(Kind::Sign, 1, byte);
                    continue;
                }
                _ if byte.is_ascii_alphabetic() || byte == b'_' || byte >= 0x80 => {
                    self.hole_word();
                    continue;
                }
                _ => {}
            }
            self.at += 1;
        }
        Ok(())
    }

    fn hole_word(&mut self) {
        let rest = self.rest();
        let length = name_length(rest);
        if length <= 2 && matches!(rest.get(length), Some(b'"' | b'\'')) {
            self.at += length;
        } else {
            let keyword = Keyword::code_of(&rest[..length]);
            self.push_word(length, keyword.map(|_| Keyword::Other as u8));
        }
    }

    /// Returns whether the quotation mark at the current position starts a string inside the replacement field. In a
    /// triple-quoted string, this is the case unless it is the first of three quotation marks. In other strings, at
    /// least two more such quotation marks must follow on the line, to close the inner and the outer string.
    fn is_inner_quote(&self, quote: u8, is_triple: bool) -> bool {
        let rest = &self.source[self.at + 1..];
        if is_triple {
            return !self.source[self.at..].starts_with(&[quote; 3]);
        }
        let line = rest.iter().take(MAX_LINE).take_while(|byte| **byte != b'\n');
        line.filter(|byte| **byte == quote).count() >= 2
    }

    fn skip_inner_string(&mut self, quote: u8) {
        let rest = &self.source[self.at + 1..];
        let end = rest.iter().position(|byte| *byte == quote || *byte == b'\n');
        self.at += 1 + end.unwrap_or(rest.len());
        if self.peek(0) == quote {
            self.at += 1;
        }
    }

    fn comment(&mut self) {
        let start = self.at;
        let own_line = self.tokens.last().is_none_or(|token| token.last_line() != self.line);
        self.skip_line();
        self.add_comment(start, self.line, own_line);
    }

    fn sign(&mut self, byte: u8) {
        let code = match (byte, self.peek(1)) {
            (b'-', b'>') => sign::ARROW,
            (b'=' | b'!' | b'<' | b'>', b'=') => sign::COMPARISON,
            (b':', b'=') => sign::ASSIGN,
            (b'+' | b'-' | b'*' | b'/' | b'%' | b'^' | b'&' | b'|' | b'@', b'=') => sign::ASSIGN,
            _ => return self.push(Kind::Sign, 1, byte),
        };
        self.push(Kind::Sign, 2, code);
    }
}

/// Returns the content of a string without its prefix and quotation marks.
pub(super) fn without_quotes(string: Token) -> Span {
    let (prefix, width) = (u32::from(string.code & 0x0f), u32::from(string.code >> 4));
    let start = string.start + prefix + width;
    Span { start, end: string.end.saturating_sub(width).max(start) }
}
