//! Splits Python source into tokens. Each logical line starts with a [`Kind::LineEnd`] token.

use crate::outline::Text;
use crate::span::{Lines, Span};
use crate::token_reader::Unsupported;
use crate::token_reader::builder::{Comment, push_comment};
use crate::token_reader::token::{Kind, Token, is_name_byte, sign};

/// The keywords that the reader distinguishes. All remaining keywords are `Other`: the reader only needs to know that
/// they are not names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Keyword {
    Def,
    Class,
    If,
    Elif,
    Else,
    For,
    While,
    Try,
    Except,
    Import,
    From,
    As,
    Async,
    Lambda,
    And,
    Or,
    Other,
}

fn keyword(word: &[u8]) -> Option<Keyword> {
    Some(match word {
        b"def" => Keyword::Def,
        b"class" => Keyword::Class,
        b"if" => Keyword::If,
        b"elif" => Keyword::Elif,
        b"else" => Keyword::Else,
        b"for" => Keyword::For,
        b"while" => Keyword::While,
        b"try" => Keyword::Try,
        b"except" => Keyword::Except,
        b"import" => Keyword::Import,
        b"from" => Keyword::From,
        b"as" => Keyword::As,
        b"async" => Keyword::Async,
        b"lambda" => Keyword::Lambda,
        b"and" => Keyword::And,
        b"or" => Keyword::Or,
        b"None" | b"True" | b"False" | b"assert" | b"await" | b"break" | b"continue" | b"del"
        | b"finally" | b"global" | b"in" | b"is" | b"nonlocal" | b"not" | b"pass" | b"raise"
        | b"return" | b"with" | b"yield" => Keyword::Other,
        _ => return None,
    })
}

/// The maximum number of bytes in which [`Lexer::is_inner_quote`] looks for further quotation marks.
const MAX_LINE: usize = 4096;

struct Lexer<'s> {
    source: &'s [u8],
    tokens: &'s mut Vec<Token>,
    comments: &'s mut Vec<Comment>,
    at: usize,
    line: u32,
    /// The number of open brackets. Inside brackets, line breaks are ignored.
    depth: u32,
    at_line_start: bool,
}

/// Splits the source into tokens. Fails on an unterminated string or replacement field.
pub(super) fn lex(
    source: &[u8],
    tokens: &mut Vec<Token>,
    comments: &mut Vec<Comment>,
) -> Result<(), Unsupported> {
    tokens.clear();
    comments.clear();
    let at = if source.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
    let mut lexer = Lexer { source, tokens, comments, at, line: 1, depth: 0, at_line_start: true };
    while lexer.at < source.len() {
        if lexer.at_line_start {
            lexer.line_start();
        } else {
            lexer.token()?;
        }
    }
    Ok(())
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
        self.at_line_start = false;
        if self.at < self.source.len() {
            self.push(Kind::LineEnd, 0, 0);
            if let Some(token) = self.tokens.last_mut() {
                token.opener = indent;
            }
        }
    }

    fn token(&mut self) -> Result<(), Unsupported> {
        let byte = self.source[self.at];
        match byte {
            b'\n' => {
                self.line += 1;
                self.at += 1;
                self.at_line_start = self.depth == 0;
            }
            b' ' | b'\t' | b'\r' | 0x0b | 0x0c => self.at += 1,
            b'#' => self.comment(),
            b'\\' => self.line_joint(),
            b'"' | b'\'' => self.string(0)?,
            b'0'..=b'9' => self.number(),
            b'{' | b'(' | b'[' => {
                self.depth += 1;
                self.push(Kind::Open, 1, byte);
            }
            b'}' | b')' | b']' => {
                self.depth = self.depth.saturating_sub(1);
                self.push(Kind::Close, 1, byte);
            }
            _ if is_name_byte(byte) => self.word()?,
            _ => self.sign(byte),
        }
        Ok(())
    }

    fn peek(&self, ahead: usize) -> u8 {
        self.source.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn push(&mut self, kind: Kind, length: usize, code: u8) {
        let (start, end) = (self.at as u32, (self.at + length) as u32);
        self.tokens.push(Token { start, end, line: self.line, opener: 0, kind, code });
        self.at += length;
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

    fn word(&mut self) -> Result<(), Unsupported> {
        let rest = &self.source[self.at..];
        let length = rest.iter().position(|byte| !is_name_byte(*byte)).unwrap_or(rest.len());
        let word = &rest[..length];
        let is_quoted = matches!(rest.get(length), Some(b'"' | b'\''));
        let is_prefix =
            length <= 2 && word.iter().all(|it| b"rbufRBUFtT".contains(it)) && is_quoted;
        if is_prefix {
            return self.string(length);
        }
        match keyword(word) {
            Some(keyword) => self.push(Kind::Keyword, length, keyword as u8),
            None => self.push(Kind::Word, length, 0),
        }
        Ok(())
    }

    fn number(&mut self) {
        let rest = &self.source[self.at..];
        let mut length = 1;
        while let Some(byte) = rest.get(length) {
            let is_sign = matches!(byte, b'+' | b'-')
                && matches!(rest[length - 1], b'e' | b'E')
                && !rest.starts_with(b"0x");
            if !is_name_byte(*byte) && *byte != b'.' && !is_sign {
                break;
            }
            length += 1;
        }
        self.push(Kind::Number, length, 0);
    }

    /// Reads a string. The lower four bits of the token's code contain the length of the prefix, and the upper four
    /// bits the number of opening quotation marks.
    fn string(&mut self, prefix: usize) -> Result<(), Unsupported> {
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
    fn replacement_field(&mut self, quote: u8, is_triple: bool) -> Result<(), Unsupported> {
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
                    self.push(Kind::Open, 1, byte);
                    continue;
                }
                b')' | b']' => {
                    self.push(Kind::Close, 1, byte);
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
        let rest = &self.source[self.at..];
        let length = rest.iter().position(|byte| !is_name_byte(*byte)).unwrap_or(rest.len());
        let is_quoted = matches!(rest.get(length), Some(b'"' | b'\''));
        match keyword(&rest[..length]) {
            _ if is_quoted && length <= 2 => self.at += length,
            Some(_) => self.push(Kind::Keyword, length, Keyword::Other as u8),
            None => self.push(Kind::Word, length, 0),
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
        let rest = &self.source[self.at..];
        let length = rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
        let kept = rest[..length].trim_ascii_end().len();
        let lines = Lines { first: self.line, last: self.line };
        let text = Text { span: Span::new(self.at..self.at + kept), lines };
        let own_line = self.tokens.last().is_none_or(|token| last_line(*token) != self.line);
        push_comment(self.comments, text, own_line);
        self.at += length;
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

/// Returns the line on which a token ends. Only strings can span several lines.
pub(super) fn last_line(token: Token) -> u32 {
    if token.kind == Kind::Text { token.opener.max(token.line) } else { token.line }
}
