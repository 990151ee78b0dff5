//! The parts that the lexers share: the position in the source, the tokens, and the links between matching brackets.

use std::ops::Range;

use super::token::{Kind, Token, is_name_byte};
use super::{Result, Scratch, Unsupported};
use crate::outline::Text;
use crate::span::{Lines, Span};

/// A comment, or several comments on consecutive lines.
#[derive(Debug, Clone, Copy)]
pub(super) struct Comment {
    pub(super) text: Text,
    pub(super) own_line: bool,
    pub(super) is_doc: bool,
}

/// Splits one file into tokens. `own` contains the state that only the lexer of one language needs.
pub(super) struct Lexer<'s, T> {
    pub(super) own: T,
    pub(super) source: &'s [u8],
    pub(super) tokens: &'s mut Vec<Token>,
    pub(super) strings: &'s mut Vec<Text>,
    pub(super) comments: &'s mut Vec<Comment>,
    /// The indices of the opening brackets that have not been closed.
    pub(super) open: Vec<usize>,
    pub(super) at: usize,
    pub(super) line: u32,
}

impl<'s, T> Lexer<'s, T> {
    /// Returns a lexer at the start of the source, after the byte order mark.
    pub(super) fn new(
        own: T,
        source: &'s [u8],
        scratch: &'s mut Scratch,
        strings: &'s mut Vec<Text>,
    ) -> Self {
        let Scratch { tokens, comments, .. } = scratch;
        tokens.clear();
        comments.clear();
        let at = if source.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
        Self { own, source, tokens, strings, comments, open: Vec::new(), at, line: 1 }
    }

    /// Returns an error if a bracket is still open.
    pub(super) fn check_closed(&self) -> Result<()> {
        if self.open.is_empty() { Ok(()) } else { Err(Unsupported) }
    }

    pub(super) fn rest(&self) -> &'s [u8] {
        &self.source[self.at..]
    }

    pub(super) fn peek(&self, ahead: usize) -> u8 {
        self.source.get(self.at + ahead).copied().unwrap_or(0)
    }

    /// Adds a token of the next `length` bytes.
    pub(super) fn push(&mut self, kind: Kind, length: usize, code: u8) {
        let (start, end) = (self.at as u32, (self.at + length) as u32);
        self.tokens.push(Token { start, end, line: self.line, opener: 0, kind, code });
        self.at += length;
    }

    pub(super) fn open_bracket(&mut self, bracket: u8) {
        self.open.push(self.tokens.len());
        self.push(Kind::Open, 1, bracket);
    }

    /// Adds a closing bracket and links it with the opening bracket. Fails if they do not match.
    pub(super) fn close_bracket(&mut self, bracket: u8) -> Result<()> {
        let opener = self.open.pop().ok_or(Unsupported)?;
        let opened = self.tokens[opener].code;
        if !matches!((opened, bracket), (b'{', b'}') | (b'(', b')') | (b'[', b']')) {
            return Err(Unsupported);
        }
        let closer = self.tokens.len();
        self.tokens[opener].opener = closer as u32;
        self.push(Kind::Close, 1, bracket);
        self.tokens[closer].opener = opener as u32;
        Ok(())
    }

    /// Adds the next `length` bytes as the keyword with this code, or as a word if there is none.
    pub(super) fn push_word(&mut self, length: usize, keyword: Option<u8>) {
        let kind = if keyword.is_some() { Kind::Keyword } else { Kind::Word };
        self.push(kind, length, keyword.unwrap_or(0));
    }

    /// Returns the position of the quotation mark that ends the string whose content starts at `from`. Fails if the string
    /// is not closed, or if `is_one_line` is true and a line break precedes the quotation mark.
    pub(super) fn closing_quote(&self, from: usize, quote: u8, is_one_line: bool) -> Result<usize> {
        let mut at = from;
        loop {
            match self.source.get(at).ok_or(Unsupported)? {
                byte if *byte == quote => return Ok(at),
                b'\n' if is_one_line => return Err(Unsupported),
                b'\\' => at += 1,
                _ => {}
            }
            at += 1;
        }
    }

    /// Adds a string token from the current position to `end`. Records `inner`, which excludes the quotation marks, as
    /// a string.
    pub(super) fn quoted(&mut self, inner: Range<usize>, end: usize) {
        self.text_token(inner, self.line, end);
    }

    /// Like [`Self::quoted`], for a string whose content starts on line `first_line`.
    pub(super) fn text_token(&mut self, inner: Range<usize>, first_line: u32, end: usize) {
        let n_breaks = count_breaks(&self.source[self.at..end]);
        self.push(Kind::Text, end - self.at, 0);
        self.line += n_breaks;
        if let Some(token) = self.tokens.last_mut() {
            token.opener = self.line;
        }
        self.add_string(inner, first_line);
    }

    /// Records a string literal, given without its quotation marks. Empty strings are not recorded.
    pub(super) fn add_string(&mut self, inner: Range<usize>, first_line: u32) {
        if !inner.is_empty() {
            let lines = Lines { first: first_line, last: self.line };
            self.strings.push(Text { span: Span::new(inner), lines });
        }
    }

    /// Records the comment from `start` to the current position. `own_line` is false if code precedes it on its line.
    pub(super) fn add_comment(&mut self, start: usize, first_line: u32, own_line: bool) {
        let kept = self.source[start..self.at].trim_ascii_end().len();
        let lines = Lines { first: first_line, last: self.line };
        let text = Text { span: Span::new(start..start + kept), lines };
        push_comment(self.comments, text, own_line);
    }

    /// Skips the rest of the line.
    pub(super) fn skip_line(&mut self) {
        let rest = self.rest();
        self.at += rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
    }
}

/// Returns the length of the name at the start of the text.
pub(super) fn name_length(text: &[u8]) -> usize {
    text.iter().position(|byte| !is_name_byte(*byte)).unwrap_or(text.len())
}

/// Returns the length of the number at the start of the text, with its fraction and exponent.
pub(super) fn number_length(text: &[u8]) -> usize {
    let mut length = 1;
    while let Some(byte) = text.get(length) {
        let is_sign = matches!(byte, b'+' | b'-')
            && matches!(text[length - 1], b'e' | b'E' | b'p' | b'P')
            && !(text.starts_with(b"0x") && matches!(text[length - 1], b'e' | b'E'));
        if !is_name_byte(*byte) && *byte != b'.' && !is_sign {
            break;
        }
        length += 1;
    }
    length
}

pub(super) fn count_breaks(text: &[u8]) -> u32 {
    text.iter().filter(|byte| **byte == b'\n').count() as u32
}

/// Adds a comment. If the comment follows directly on the line after the last comment, and no code precedes either of
/// them on its line, the last comment is extended instead.
fn push_comment(comments: &mut Vec<Comment>, text: Text, own_line: bool) {
    match comments.last_mut() {
        Some(last) if own_line && last.own_line && last.text.lines.last + 1 == text.lines.first => {
            last.text.span.end = text.span.end;
            last.text.lines.last = text.lines.last;
        }
        _ => comments.push(Comment { text, own_line, is_doc: false }),
    }
}
