//! Splits Rust source into tokens and, at the same time, records its strings and comments for the outline.

use crate::outline::Text;
use crate::token_reader::lexer::{self, name_length};
use crate::token_reader::token::{Kind, is_name_byte, sign};
use crate::token_reader::{Result, Scratch, Unsupported};

type Lexer<'s> = lexer::Lexer<'s, RustText>;

/// The lexer of Rust needs no further state.
struct RustText;

keywords! {
    Fn [b"fn"]
    Struct [b"struct"]
    Enum [b"enum"]
    Trait [b"trait"]
    Impl [b"impl"]
    Mod [b"mod"]
    Type [b"type"]
    Const [b"const"]
    Static [b"static"]
    Use [b"use"]
    Extern [b"extern"]
    If [b"if"]
    Else [b"else"]
    Match [b"match"]
    While [b"while"]
    For [b"for"]
    Loop [b"loop"]
    Pub [b"pub"]
    Unsafe [b"unsafe"]
    /// A keyword that, like a name, can end an operand, such as `self`, `Self`, `super`, `crate`, `true` or `false`.
    Operand [b"self" b"Self" b"super" b"crate" b"true" b"false"]
    Other [
        b"as" b"async" b"await" b"break" b"continue" b"dyn" b"in" b"let" b"move" b"mut" b"ref"
        b"return" b"where"
    ]
}

/// Splits the source into tokens. Fails on an unterminated string or comment, or if brackets do not match.
pub(super) fn lex(source: &[u8], scratch: &mut Scratch, strings: &mut Vec<Text>) -> Result<()> {
    let mut lexer = Lexer::new(RustText, source, scratch, strings);
    if lexer.rest().starts_with(b"#!") && !lexer.rest().starts_with(b"#![") {
        lexer.skip_line();
    }
    while lexer.at < source.len() {
        lexer.token()?;
    }
    lexer.check_closed()
}

impl Lexer<'_> {
    fn token(&mut self) -> Result<()> {
        let byte = self.source[self.at];
        match byte {
            b'\n' => {
                self.line += 1;
                self.at += 1;
            }
            b' ' | b'\t' | b'\r' | 0x0b | 0x0c => self.at += 1,
            b'/' if self.peek(1) == b'/' => self.line_comment(),
            b'/' if self.peek(1) == b'*' => self.block_comment()?,
            b'"' => self.string(0)?,
            b'\'' => self.tick(),
            b'0'..=b'9' => self.number(),
            b'{' | b'(' | b'[' => self.open_bracket(byte),
            b'}' | b')' | b']' => self.close_bracket(byte)?,
            _ if is_name_byte(byte) => self.word()?,
            _ => self.sign(byte),
        }
        Ok(())
    }

    fn word(&mut self) -> Result<()> {
        let rest = self.rest();
        let length = name_length(rest);
        let word = &rest[..length];
        match (word, rest.get(length)) {
            (b"r" | b"br" | b"cr", Some(b'#' | b'"')) if self.raw_string(length)? => {}
            (b"b" | b"c", Some(b'"')) => self.string(length)?,
            (b"b", Some(b'\'')) => {
                self.at += 1;
                self.tick();
            }
            (b"r", Some(b'#')) if rest.get(2).is_some_and(|byte| is_name_byte(*byte)) => {
                self.push(Kind::Word, 2 + name_length(&rest[2..]), 0);
            }
            _ => self.push_word(length, Keyword::code_of(word)),
        }
        Ok(())
    }

    fn number(&mut self) {
        let start = self.at;
        let mut at = start;
        while let Some(byte) = self.source.get(at) {
            let is_point = *byte == b'.'
                && self.source.get(at + 1).is_some_and(u8::is_ascii_digit)
                && self.source[start..at].iter().all(|byte| byte.is_ascii_digit() || *byte == b'_')
                && !self.follows_dot(start);
            let is_sign = matches!(byte, b'+' | b'-')
                && matches!(self.source[at - 1], b'e' | b'E')
                && !self.source[start..at].starts_with(b"0x");
            if !is_name_byte(*byte) && !is_point && !is_sign {
                break;
            }
            at += 1;
        }
        self.push(Kind::Number, at - start, 0);
    }

    /// Returns whether a dot precedes the number. Such a number has no fraction: `pair.0.1` contains two numbers.
    fn follows_dot(&self, start: usize) -> bool {
        start > 0 && self.source[start - 1] == b'.'
    }

    /// Reads a character literal or a lifetime.
    fn tick(&mut self) {
        let rest = &self.source[self.at + 1..];
        let width = match rest.first() {
            Some(b'\\') => {
                let quote = rest.iter().skip(2).take(12).position(|byte| *byte == b'\'');
                return self.push(Kind::Number, quote.map_or(2, |quote| quote + 4), 0);
            }
            Some(byte) if *byte < 0x80 => 1,
            Some(byte) if *byte >= 0xf0 => 4,
            Some(byte) if *byte >= 0xe0 => 3,
            Some(_) => 2,
            None => return self.push(Kind::Sign, 1, b'\''),
        };
        if rest.get(width) == Some(&b'\'') {
            if rest[0] == b'\n' {
                self.line += 1;
            }
            self.push(Kind::Number, width + 2, 0);
        } else {
            self.push(Kind::Lifetime, name_length(rest) + 1, 0);
        }
    }

    fn string(&mut self, prefix: usize) -> Result<()> {
        let inner = self.at + prefix + 1;
        let close = self.closing_quote(inner, b'"', false)?;
        self.quoted(inner..close, close + 1);
        Ok(())
    }

    /// Reads a raw string such as `r"…"` or `r#"…"#`. Returns whether there is one.
    fn raw_string(&mut self, prefix: usize) -> Result<bool> {
        let rest = &self.source[self.at + prefix..];
        let hashes = rest.iter().take_while(|byte| **byte == b'#').count();
        if rest.get(hashes) != Some(&b'"') {
            return Ok(false);
        }
        let closing = &rest[..hashes];
        let inner = self.at + prefix + hashes + 1;
        let is_end =
            |at: &usize| self.source[*at] == b'"' && self.source[at + 1..].starts_with(closing);
        let close = (inner..self.source.len()).find(is_end).ok_or(Unsupported)?;
        self.quoted(inner..close, close + 1 + hashes);
        Ok(true)
    }

    fn line_comment(&mut self) {
        let start = self.at;
        self.skip_line();
        self.comment(start, self.line);
    }

    fn block_comment(&mut self) -> Result<()> {
        let (start, first_line) = (self.at, self.line);
        let mut depth = 0;
        loop {
            match (self.source.get(self.at).ok_or(Unsupported)?, self.peek(1)) {
                (b'/', b'*') => {
                    depth += 1;
                    self.at += 1;
                }
                (b'*', b'/') => {
                    depth -= 1;
                    self.at += 1;
                }
                (b'\n', _) => self.line += 1,
                _ => {}
            }
            self.at += 1;
            if depth == 0 {
                break;
            }
        }
        self.comment(start, first_line);
        Ok(())
    }

    fn comment(&mut self, start: usize, first_line: u32) {
        let own_line = self.tokens.last().is_none_or(|token| token.line != first_line)
            && self.comments.last().is_none_or(|it| it.text.lines.last != first_line);
        self.add_comment(start, first_line, own_line);
    }

    fn sign(&mut self, byte: u8) {
        let code = match (byte, self.peek(1)) {
            (b':', b':') => sign::PATH,
            (b'-', b'>') => sign::ARROW,
            (b'=', b'>') => sign::FAT_ARROW,
            (b'&', b'&') => sign::AND,
            (b'|', b'|') => sign::OR,
            (b'=' | b'!' | b'<' | b'>', b'=') => sign::COMPARISON,
            (b'.', b'.') => sign::RANGE,
            (b'+' | b'-' | b'*' | b'/' | b'%' | b'^' | b'&' | b'|', b'=') => sign::ASSIGN,
            _ => return self.push(Kind::Sign, 1, byte),
        };
        self.push(Kind::Sign, 2, code);
    }
}
