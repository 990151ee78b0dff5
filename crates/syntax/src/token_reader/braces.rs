//! Splits C, C++, Go, Java and PHP source into tokens and links matching brackets.
//!
//! A [`Dialect`] describes how the languages differ: their keywords, their quotation marks, the line breaks that end a
//! statement, and the tokens that only one language has.

use std::ops::Range;

use super::c::Conditional;
use super::lexer::{self, count_breaks, name_length, number_length};
use super::token::{Kind, Token, is_name_byte, sign};
use super::{Result, Scratch, Unsupported};
use crate::outline::Text;
use crate::span::Span;

/// The properties of a language that the lexer needs.
pub(super) struct Dialect {
    /// Returns the code of a keyword, or `None` if the word is not a keyword.
    pub(super) keyword: fn(&[u8]) -> Option<u8>,
    /// Returns whether a line break after this token ends the statement.
    pub(super) ends_line: fn(&Token) -> bool,
    /// Whether `<-` is a single token.
    pub(super) has_channels: bool,
    pub(super) long_text: LongText,
    /// Reads a token or comment that only this language has. Returns whether there is one at the current position.
    pub(super) special: fn(&mut Lexer<'_>) -> Result<bool>,
}

/// Which string literals may contain line breaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LongText {
    Backticks,
    ThreeQuotes,
    /// Strings with any quotation marks.
    Quotes,
    /// No strings.
    Nothing,
}

pub(super) type Lexer<'s> = lexer::Lexer<'s, Braces>;

pub(super) struct Braces {
    dialect: &'static Dialect,
    pub(super) directives: Vec<Directive>,
    pub(super) conditionals: Vec<Conditional>,
    /// The line of the last directive, or 0 if there is none.
    pub(super) directive_line: u32,
}

/// An `#include` or `#define` directive in C or C++. It is not a token, because it can occur between any two tokens.
#[derive(Debug, Clone, Copy)]
pub(super) struct Directive {
    pub(super) span: Span,
    /// The position after the word that names the directive.
    pub(super) after_word: u32,
    pub(super) line: u32,
    /// The index of the first token after the directive.
    pub(super) token: usize,
    pub(super) is_define: bool,
}

/// Splits the source into tokens and links matching brackets in both directions. Returns the preprocessor directives.
/// Fails if brackets do not match, or if a string, character literal or block comment is unterminated.
pub(super) fn lex(
    dialect: &'static Dialect,
    source: &[u8],
    scratch: &mut Scratch,
    strings: &mut Vec<Text>,
) -> Result<Vec<Directive>> {
    let (directives, conditionals) = (Vec::new(), Vec::new());
    let own = Braces { dialect, directives, conditionals, directive_line: 0 };
    let mut lexer = Lexer::new(own, source, scratch, strings);
    while lexer.at < source.len() {
        lexer.token()?;
    }
    lexer.end_line();
    lexer.check_closed()?;
    Ok(lexer.own.directives)
}

impl Lexer<'_> {
    fn token(&mut self) -> Result<()> {
        if (self.own.dialect.special)(self)? {
            return Ok(());
        }
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
            b'"' if self.opens_text_block() => self.text_block()?,
            b'"' => self.string(b'"')?,
            b'`' if self.own.dialect.long_text == LongText::Backticks => self.raw_string()?,
            b'\'' => self.rune()?,
            b'0'..=b'9' => self.push(Kind::Number, number_length(self.rest()), 0),
            b'{' | b'(' | b'[' => self.open_bracket(byte),
            b'}' | b')' | b']' => self.close_bracket(byte)?,
            _ if is_name_byte(byte) => self.word(),
            _ => self.sign(byte),
        }
        Ok(())
    }

    /// Adds a [`Kind::LineEnd`] token if a line break after the last token ends the statement.
    fn end_line(&mut self) {
        if self.tokens.last().is_some_and(self.own.dialect.ends_line) {
            self.push(Kind::LineEnd, 0, 0);
        }
    }

    fn word(&mut self) {
        let word = &self.rest()[..name_length(self.rest())];
        self.push_word(word.len(), (self.own.dialect.keyword)(word));
    }

    /// Reads a string in which a backslash escapes the next character.
    pub(super) fn string(&mut self, quote: u8) -> Result<()> {
        let is_one_line = self.own.dialect.long_text != LongText::Quotes;
        let close = self.closing_quote(self.at + 1, quote, is_one_line)?;
        self.quoted(self.at + 1..close, close + 1);
        Ok(())
    }

    fn opens_text_block(&self) -> bool {
        self.own.dialect.long_text == LongText::ThreeQuotes
            && self.source[self.at..].starts_with(b"\"\"\"")
    }

    fn text_block(&mut self) -> Result<()> {
        let mut at = self.at + 3;
        loop {
            match self.source.get(at..).and_then(|rest| rest.first()).ok_or(Unsupported)? {
                b'"' if self.source[at..].starts_with(b"\"\"\"") => break,
                b'\\' => at += 1,
                _ => {}
            }
            at += 1;
        }
        self.quoted(self.at + 3..at, at + 3);
        Ok(())
    }

    fn raw_string(&mut self) -> Result<()> {
        let rest = &self.source[self.at + 1..];
        let length = rest.iter().position(|byte| *byte == b'`').ok_or(Unsupported)?;
        self.quoted(self.at + 1..self.at + 1 + length, self.at + 2 + length);
        Ok(())
    }

    /// Adds a string token from the current position to `end`. Records `body`, without surrounding white space, as a
    /// string.
    pub(super) fn long_text(&mut self, body: Range<usize>, end: usize) {
        let first_line = self.line + count_breaks(&self.source[self.at..body.start]);
        let text = &self.source[body.clone()];
        let start = body.start + text.len() - text.trim_ascii_start().len();
        self.text_token(start..start + text.trim_ascii().len(), first_line, end);
    }

    fn rune(&mut self) -> Result<()> {
        const MAX_RUNE: usize = 14;
        let rest = &self.source[self.at + 1..];
        let skipped = usize::from(rest.first() == Some(&b'\\')) + 1;
        let close = rest.iter().skip(skipped).take(MAX_RUNE).position(|byte| *byte == b'\'');
        self.push(Kind::Number, close.ok_or(Unsupported)? + skipped + 2, 0);
        Ok(())
    }

    fn line_comment(&mut self) {
        let length = memchr::memchr(b'\n', self.rest()).unwrap_or(self.rest().len());
        self.comment(self.at + length, self.line);
    }

    fn block_comment(&mut self) -> Result<()> {
        let rest = &self.source[self.at + 2..];
        let length = rest.windows(2).position(|it| it == b"*/").ok_or(Unsupported)?;
        let first_line = self.line;
        self.line += count_breaks(&rest[..length]);
        self.comment(self.at + length + 4, first_line);
        Ok(())
    }

    pub(super) fn comment(&mut self, end: usize, first_line: u32) {
        let start = std::mem::replace(&mut self.at, end);
        let own_line = self.tokens.last().is_none_or(|token| token.line != first_line)
            && self.own.directive_line != first_line;
        self.add_comment(start, first_line, own_line);
    }

    fn sign(&mut self, byte: u8) {
        let code = match (byte, self.peek(1)) {
            (b'&', b'&') => sign::AND,
            (b'|', b'|') => sign::OR,
            (b'+', b'+') | (b'-', b'-') => sign::STEP,
            (b'=' | b'!' | b'<' | b'>', b'=') => sign::COMPARISON,
            (b':', b'=') => sign::ASSIGN,
            (b'+' | b'-' | b'*' | b'/' | b'%' | b'^' | b'&' | b'|', b'=') => sign::ASSIGN,
            (b'-', b'>') => sign::ARROW,
            (b'<', b'-') if self.own.dialect.has_channels => sign::ARROW,
            (b'=', b'>') => sign::FAT_ARROW,
            (b':', b':') => sign::PATH,
            _ => return self.push(Kind::Sign, 1, byte),
        };
        self.push(Kind::Sign, 2, code);
    }
}
