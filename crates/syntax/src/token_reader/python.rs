//! Reads Python source as tokens in one pass, with a stack of indented blocks and a stack of brackets.

mod bindings;
mod imports;
mod lexer;
mod statements;
mod words;

use std::time::Instant;

use lexer::Keyword;

use super::bracket_stack::BracketStack;
use super::builder::{Builder, SavedState};
use super::token::{Kind as TokenKind, Token};
use super::token_cursor::{TokenCursor, closer};
use super::{Scratch, Unsupported};
use crate::complexity::Branch;
use crate::languages::Language;
use crate::outline::{Outline, Text};
use crate::span::{Lines, Span};

/// A statement with a block. The block consists of the following lines that are indented more than `indent`.
struct Block {
    indent: u32,
    kind: BlockKind,
    saved: Option<SavedState>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum BlockKind {
    Definition,
    Branch,
    Catch,
    Match,
    /// A block that adds no nesting, such as `try` and its `else`.
    Plain,
}

impl BlockKind {
    fn nests(self) -> bool {
        matches!(self, Self::Branch | Self::Catch | Self::Match)
    }
}

/// What a pair of brackets contains.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Content {
    Expression,
    Parameters,
    Bases,
}

/// An open bracket, or the logical line itself.
struct Level {
    content: Content,
    opener: usize,
    closer: u8,
    /// Whether the current position is in a type annotation, in which names are types. An annotation starts at a colon
    /// or `->` and ends at the next comma, equals sign or colon.
    is_type: bool,
    /// Whether a `for` occurred at this level, so that a following `if` filters a comprehension.
    has_for: bool,
    /// The number of open lambdas at this level.
    closures: u16,
}

/// The construct whose header is being read. The header ends with a colon.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Head {
    Nothing,
    Function,
    Class,
    /// The annotation of a variable, as in `name: Type = value`.
    Annotation,
}

struct Reader<'s> {
    tokens: &'s mut [Token],
    builder: Builder<'s>,
    blocks: Vec<Block>,
    brackets: BracketStack<Level>,
    head: Head,
    /// The indentation of the current line.
    indent: u32,
    /// The state to restore when the variable definition on the current line ends.
    assigned: Option<SavedState>,
    /// The index of the docstring token of the most recent definition. Cleared when that token is read.
    docstring: Option<usize>,
    /// Whether the block that just ended belongs to a branch or loop. An `else` that follows belongs to the same
    /// branch or loop.
    ended_branch: bool,
    /// The line of the next definition's first decorator.
    decorator_line: Option<u32>,
    at: usize,
}

pub(super) fn read(
    source: &[u8],
    deadline: Option<Instant>,
    scratch: &mut Scratch,
) -> Result<Outline, Unsupported> {
    let outline = Outline::empty(Language::Python);
    let Scratch { tokens, names, comments } = scratch;
    lexer::lex(source, tokens, comments)?;
    let builder = Builder::new(source, outline, names, comments);
    let mut reader = Reader {
        tokens,
        builder,
        blocks: Vec::new(),
        brackets: BracketStack::new(Level::new(Content::Expression, 0, 0)),
        head: Head::Nothing,
        indent: 0,
        assigned: None,
        docstring: None,
        ended_branch: false,
        decorator_line: None,
        at: 0,
    };
    reader.run(deadline)?;
    Ok(reader.builder.finish())
}

impl Level {
    fn new(content: Content, opener: usize, closer: u8) -> Self {
        Self { content, opener, closer, is_type: false, has_for: false, closures: 0 }
    }
}

impl TokenCursor for Reader<'_> {
    fn tokens(&self) -> &[Token] {
        self.tokens
    }

    fn at(&self) -> usize {
        self.at
    }
}

impl Reader<'_> {
    fn run(&mut self, deadline: Option<Instant>) -> Result<(), Unsupported> {
        while self.at < self.tokens.len() {
            let token = self.tokens[self.at];
            if self.builder.is_out_of_time(self.at, token.line, deadline) {
                break;
            }
            match token.kind {
                TokenKind::LineEnd => {
                    self.end_line()?;
                    self.indent = token.opener;
                    self.end_blocks(token.opener);
                    self.statement(token.opener)?;
                }
                _ => self.token(token)?,
            }
            self.at += 1;
        }
        self.end_line()?;
        self.end_blocks(0);
        Ok(())
    }

    fn token(&mut self, token: Token) -> Result<(), Unsupported> {
        match token.kind {
            TokenKind::Open => self.open(token),
            TokenKind::Close => return self.close(token),
            TokenKind::Word => self.word(token),
            TokenKind::Text => self.text(token),
            TokenKind::Keyword => self.keyword(token),
            TokenKind::Sign => self.sign(token)?,
            _ => {}
        }
        Ok(())
    }

    fn level(&mut self) -> &mut Level {
        self.brackets.innermost()
    }

    fn bytes(&self, token: Token) -> &[u8] {
        token.span().of(self.builder.source)
    }

    fn is_keyword(token: Token, keyword: Keyword) -> bool {
        token.kind == TokenKind::Keyword && token.code == keyword as u8
    }

    fn open(&mut self, token: Token) {
        let at = self.at;
        let is_outermost = self.brackets.is_outermost();
        let content = match self.head {
            Head::Function if is_outermost && token.code == b'(' => Content::Parameters,
            Head::Class if is_outermost && token.code == b'(' => Content::Bases,
            _ => Content::Expression,
        };
        let mut inner = Level::new(content, at, closer(token.code));
        inner.is_type = self.level().is_type && token.code == b'[';
        self.brackets.open(inner);
    }

    fn close(&mut self, token: Token) -> Result<(), Unsupported> {
        self.end_closures();
        let closed = self.brackets.close()?;
        if closed.closer != token.code {
            return Err(Unsupported);
        }
        self.tokens[self.at].opener = closed.opener as u32;
        Ok(())
    }

    fn sign(&mut self, token: Token) -> Result<(), Unsupported> {
        let is_outermost = self.brackets.is_outermost();
        let head = self.head;
        let level = self.level();
        match token.code {
            b',' => {
                level.is_type &= level.content != Content::Parameters && !is_outermost;
                self.end_closures();
            }
            b'=' => level.is_type = false,
            b':' if level.content == Content::Parameters && level.closures == 0 => {
                level.is_type = true;
            }
            b':' if is_outermost && head == Head::Annotation => {
                level.is_type = true;
                self.head = Head::Nothing;
            }
            b':' if is_outermost && level.closures == 0 => {
                level.is_type = false;
                self.head = Head::Nothing;
                // There may be a statement on the same line, as in `if x: y = 1`.
                if self.next().kind != TokenKind::LineEnd {
                    self.statement(self.indent + 1)?;
                }
            }
            super::token::sign::ARROW if is_outermost => level.is_type = true,
            b';' if is_outermost => {
                self.end_line()?;
                self.statement(self.indent)?;
            }
            _ => {}
        }
        Ok(())
    }

    fn keyword(&mut self, token: Token) {
        match token.code {
            code if code == Keyword::And as u8 || code == Keyword::Or as u8 => {
                self.builder.operator(token);
            }
            code if code == Keyword::Lambda as u8 => {
                self.builder.branch(Branch::Closure);
                self.builder.nesting = self.builder.nesting.saturating_add(1);
                self.level().closures += 1;
            }
            code if code == Keyword::For as u8 => {
                self.bind_elements();
                self.level().has_for = true;
                self.builder.branch(Branch::Case);
            }
            code if code == Keyword::If as u8 => {
                let is_filter = self.level().has_for;
                self.builder.branch(if is_filter { Branch::Case } else { Branch::If });
            }
            _ => {}
        }
    }

    fn end_closures(&mut self) {
        let closures = std::mem::take(&mut self.level().closures);
        self.builder.nesting = self.builder.nesting.saturating_sub(closures);
    }

    /// Records a string as a comment if it is a statement of its own, and otherwise as a string. Skips docstrings.
    fn text(&mut self, token: Token) {
        let (prefix, width) = ((token.code & 0x0f) as u32, (token.code >> 4) as u32);
        let start = token.start + prefix + width;
        let span = Span { start, end: token.end.saturating_sub(width).max(start) };
        let text = Text { span, lines: Lines { first: token.line, last: lexer::last_line(token) } };
        let stands_alone =
            self.previous().kind == TokenKind::LineEnd && (self.next().kind == TokenKind::LineEnd);
        if self.docstring == Some(self.at) || span.is_empty() {
            self.docstring = None;
        } else if stands_alone {
            self.builder.outline.comments.push(text);
        } else {
            self.builder.outline.strings.push(text);
        }
    }
}
