//! Splits Go into tokens, with a token where the language inserts a semicolon.

use crate::outline::Text;
use crate::scan::GiveUp;
use crate::scan::builder::{Comment, push_comment};
use crate::scan::token::{Kind, Token, is_name_byte, sign};
use crate::span::{Lines, Span};

/// Keywords the reader acts on; `Other` are those it only has to know as no names.
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
    /// A statement can end with it: `return`, `break`.
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

struct Lexer<'s> {
    source: &'s [u8],
    tokens: &'s mut Vec<Token>,
    strings: &'s mut Vec<Text>,
    comments: &'s mut Vec<Comment>,
    open: Vec<usize>,
    at: usize,
    line: u32,
}

/// Splits the source and links brackets; gives up if those do not match or a text has no end.
pub(super) fn lex(
    source: &[u8],
    tokens: &mut Vec<Token>,
    strings: &mut Vec<Text>,
    comments: &mut Vec<Comment>,
) -> Result<(), GiveUp> {
    tokens.clear();
    comments.clear();
    let at = if source.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
    let mut lexer = Lexer { source, tokens, strings, comments, open: Vec::new(), at, line: 1 };
    while lexer.at < source.len() {
        lexer.token()?;
    }
    lexer.end_line();
    if lexer.open.is_empty() { Ok(()) } else { Err(GiveUp) }
}

impl Lexer<'_> {
    fn token(&mut self) -> Result<(), GiveUp> {
        let byte = self.source[self.at];
        match byte {
            b'\n' => {
                self.end_line();
                self.line += 1;
                self.at += 1;
            }
            b' ' | b'\t' | b'\r' | 0x0b | 0x0c => self.at += 1,
            b'/' if self.peek(1) == b'/' => self.line_comment(),
            b'/' if self.peek(1) == b'*' => self.block_comment()?,
            b'"' => self.string()?,
            b'`' => self.raw_string()?,
            b'\'' => self.rune()?,
            b'0'..=b'9' => self.number(),
            b'{' | b'(' | b'[' => {
                self.open.push(self.tokens.len());
                self.push(Kind::Open, 1, byte);
            }
            b'}' | b')' | b']' => self.close(byte)?,
            _ if is_name_byte(byte) => self.word(),
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

    fn close(&mut self, byte: u8) -> Result<(), GiveUp> {
        let opener = self.open.pop().ok_or(GiveUp)?;
        let matches =
            matches!((self.tokens[opener].code, byte), (b'{', b'}') | (b'(', b')') | (b'[', b']'));
        if !matches {
            return Err(GiveUp);
        }
        let closer = self.tokens.len();
        self.tokens[opener].opener = closer as u32;
        self.push(Kind::Close, 1, byte);
        self.tokens[closer].opener = opener as u32;
        Ok(())
    }

    /// A line break ends the statement if the last token can.
    fn end_line(&mut self) {
        let ends = self.tokens.last().is_some_and(|last| match last.kind {
            Kind::Word | Kind::Number | Kind::Text | Kind::Close => true,
            Kind::Keyword => last.code == Keyword::Ending as u8,
            Kind::Sign => last.code == STEP,
            _ => false,
        });
        if ends {
            self.push(Kind::LineEnd, 0, 0);
        }
    }

    fn word(&mut self) {
        let rest = &self.source[self.at..];
        let length = rest.iter().position(|byte| !is_name_byte(*byte)).unwrap_or(rest.len());
        match keyword(&rest[..length]) {
            Some(keyword) => self.push(Kind::Keyword, length, keyword as u8),
            None => self.push(Kind::Word, length, 0),
        }
    }

    fn number(&mut self) {
        let rest = &self.source[self.at..];
        let mut length = 1;
        while let Some(byte) = rest.get(length) {
            let is_sign = matches!(byte, b'+' | b'-')
                && matches!(rest[length - 1], b'e' | b'E' | b'p' | b'P')
                && !(rest.starts_with(b"0x") && matches!(rest[length - 1], b'e' | b'E'));
            if !is_name_byte(*byte) && *byte != b'.' && !is_sign {
                break;
            }
            length += 1;
        }
        self.push(Kind::Number, length, 0);
    }

    fn string(&mut self) -> Result<(), GiveUp> {
        let mut at = self.at + 1;
        loop {
            match self.source.get(at).ok_or(GiveUp)? {
                b'"' => break,
                b'\n' => return Err(GiveUp),
                b'\\' => at += 1,
                _ => {}
            }
            at += 1;
        }
        self.text(at);
        Ok(())
    }

    fn raw_string(&mut self) -> Result<(), GiveUp> {
        let rest = &self.source[self.at + 1..];
        let length = rest.iter().position(|byte| *byte == b'`').ok_or(GiveUp)?;
        self.text(self.at + 1 + length);
        Ok(())
    }

    /// A string up to the quote at `close`.
    fn text(&mut self, close: usize) {
        let first_line = self.line;
        let inner = self.at + 1..close;
        let n_breaks = self.source[inner.clone()].iter().filter(|byte| **byte == b'\n').count();
        let length = close + 1 - self.at;
        self.push(Kind::Text, length, 0);
        self.line += n_breaks as u32;
        if let Some(token) = self.tokens.last_mut() {
            token.opener = self.line;
        }
        if !inner.is_empty() {
            let lines = Lines { first: first_line, last: self.line };
            self.strings.push(Text { span: Span::new(inner), lines });
        }
    }

    fn rune(&mut self) -> Result<(), GiveUp> {
        const MAX_RUNE: usize = 14;
        let rest = &self.source[self.at + 1..];
        let skipped = usize::from(rest.first() == Some(&b'\\')) + 1;
        let close = rest.iter().skip(skipped).take(MAX_RUNE).position(|byte| *byte == b'\'');
        self.push(Kind::Number, close.ok_or(GiveUp)? + skipped + 2, 0);
        Ok(())
    }

    fn line_comment(&mut self) {
        let rest = &self.source[self.at..];
        let length = rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
        self.comment(self.at + length, self.line);
    }

    fn block_comment(&mut self) -> Result<(), GiveUp> {
        let rest = &self.source[self.at + 2..];
        let length = rest.windows(2).position(|it| it == b"*/").ok_or(GiveUp)?;
        let first_line = self.line;
        self.line += rest[..length].iter().filter(|byte| **byte == b'\n').count() as u32;
        self.comment(self.at + length + 4, first_line);
        Ok(())
    }

    fn comment(&mut self, end: usize, first_line: u32) {
        let kept = self.source[self.at..end].trim_ascii_end().len();
        let lines = Lines { first: first_line, last: self.line };
        let text = Text { span: Span::new(self.at..self.at + kept), lines };
        let own_line = self.tokens.last().is_none_or(|token| token.line != first_line);
        push_comment(self.comments, text, own_line);
        self.at = end;
    }

    fn sign(&mut self, byte: u8) {
        let code = match (byte, self.peek(1)) {
            (b'&', b'&') => sign::AND,
            (b'|', b'|') => sign::OR,
            (b'+', b'+') | (b'-', b'-') => STEP,
            (b'=' | b'!' | b'<' | b'>', b'=') => sign::COMPARISON,
            (b':', b'=') => sign::ASSIGN,
            (b'+' | b'-' | b'*' | b'/' | b'%' | b'^' | b'&' | b'|', b'=') => sign::ASSIGN,
            (b'<', b'-') => sign::ARROW,
            _ => return self.push(Kind::Sign, 1, byte),
        };
        self.push(Kind::Sign, 2, code);
    }
}

/// `++` and `--`.
const STEP: u8 = 200;
