//! Reads Python source as tokens in one pass, with a stack of indented blocks and a stack of brackets.

mod bindings;
mod lexer;
mod statements;

use lexer::Keyword;

use super::reader::{self, Role, Rules};
use super::token::{Kind as TokenKind, Token, sign};
use super::{Result, Scratch};
use crate::builder::SavedState;
use crate::complexity::Branch;
use crate::outline::{Outline, ReferenceKind, Text};
use crate::span::{Lines, Span};

type Reader<'s> = reader::Reader<'s, Python>;

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
pub(super) enum Content {
    Expression,
    Parameters,
    Bases,
}

/// The part of a level that only Python needs. The outermost level is the logical line.
#[derive(Default)]
pub(super) struct Own {
    /// Whether the current position is in a type annotation, in which names are types. An annotation starts at a colon
    /// or `->` and ends at the next comma, equals sign or colon.
    is_type: bool,
    /// Whether a `for` occurred at this level, so that a following `if` filters a comprehension.
    has_for: bool,
}

/// The construct whose header is being read. The header ends with a colon.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Head {
    #[default]
    Nothing,
    Function,
    Class,
    /// The annotation of a variable, as in `name: Type = value`.
    Annotation,
}

#[derive(Default)]
pub(super) struct Python {
    blocks: Vec<Block>,
    head: Head,
    /// The indentation of the current line.
    indent: u32,
    /// The index of the docstring token of the most recent definition. Cleared when that token is read.
    docstring: Option<usize>,
    /// Whether the block that just ended belongs to a branch or loop. An `else` that follows belongs to the same
    /// branch or loop.
    ended_branch: bool,
    /// The line of the next definition's first decorator.
    decorator_line: Option<u32>,
}

impl Rules for Python {
    type Content = Content;
    type Own = Own;
    const OUTERMOST: Content = Content::Expression;
    const CODE: Content = Content::Expression;

    fn lex(source: &[u8], scratch: &mut Scratch, outline: &mut Outline) -> Result<Self> {
        lexer::lex(source, scratch, &mut outline.strings)?;
        Ok(Self::default())
    }

    fn token(reader: &mut Reader<'_>, token: Token) -> Result<()> {
        match token.kind {
            TokenKind::LineEnd => {
                reader.end_line()?;
                reader.rules.indent = token.opener;
                reader.end_blocks(token.opener);
                return reader.statement(token.opener);
            }
            TokenKind::Open => reader.open(token),
            TokenKind::Close => {
                reader.end_closures();
                reader.close_level()?;
            }
            TokenKind::Word => reader.word(token),
            TokenKind::Text => reader.text(token),
            TokenKind::Keyword => reader.keyword(token),
            TokenKind::Sign => return reader.sign(token),
            _ => {}
        }
        Ok(())
    }

    fn end(reader: &mut Reader<'_>, _is_complete: bool) -> Result<()> {
        reader.end_line()?;
        reader.end_blocks(0);
        Ok(())
    }
}

impl Reader<'_> {
    fn open(&mut self, token: Token) {
        let is_list = self.is_outermost() && token.code == b'(';
        let content = match self.rules.head {
            Head::Function if is_list => Content::Parameters,
            Head::Class if is_list => Content::Bases,
            _ => Content::Expression,
        };
        let is_type = self.level().own.is_type && token.code == b'[';
        self.open_level(content, Role::Plain);
        self.level().own.is_type = is_type;
    }

    fn sign(&mut self, token: Token) -> Result<()> {
        let is_outermost = self.is_outermost();
        let head = self.rules.head;
        let level = self.level();
        match token.code {
            b',' => {
                level.own.is_type &= level.content != Content::Parameters && !is_outermost;
                self.end_closures();
            }
            b'=' => level.own.is_type = false,
            b':' if level.content == Content::Parameters && level.closures == 0 => {
                level.own.is_type = true;
            }
            b':' if is_outermost && head == Head::Annotation => {
                level.own.is_type = true;
                self.rules.head = Head::Nothing;
            }
            b':' if is_outermost && level.closures == 0 => {
                level.own.is_type = false;
                self.rules.head = Head::Nothing;
                // There may be a statement on the same line, as in `if x: y = 1`.
                if self.next().kind != TokenKind::LineEnd {
                    self.statement(self.rules.indent + 1)?;
                }
            }
            sign::ARROW if is_outermost => level.own.is_type = true,
            b';' if is_outermost => {
                self.end_line()?;
                self.statement(self.rules.indent)?;
            }
            _ => {}
        }
        Ok(())
    }

    fn keyword(&mut self, token: Token) {
        match Keyword::of_token(token) {
            Some(Keyword::And | Keyword::Or) => self.operator(token),
            Some(Keyword::Lambda) => {
                self.builder.branch(Branch::Closure);
                self.begin_closure();
            }
            Some(Keyword::For) => {
                self.bind_elements();
                self.level().own.has_for = true;
                self.builder.branch(Branch::Case);
            }
            Some(Keyword::If) => {
                let is_filter = self.level().own.has_for;
                self.builder.branch(if is_filter { Branch::Case } else { Branch::If });
            }
            _ => {}
        }
    }

    /// Records a string as a comment if it is a statement of its own, and otherwise as a string. Skips docstrings.
    fn text(&mut self, token: Token) {
        let span = lexer::without_quotes(token);
        let text = Text { span, lines: Lines { first: token.line, last: token.last_line() } };
        let stands_alone =
            self.previous().kind == TokenKind::LineEnd && (self.next().kind == TokenKind::LineEnd);
        if self.rules.docstring == Some(self.at) || span.is_empty() {
            self.rules.docstring = None;
        } else if stands_alone {
            self.builder.outline.comments.push(text);
        } else {
            self.builder.outline.strings.push(text);
        }
    }

    fn word(&mut self, token: Token) {
        let (previous, next) = (self.previous(), self.next());
        let is_nested = !self.is_outermost();
        let is_member = previous.is_sign(b'.');
        let content = self.level().content;
        if next.opens(b'(') {
            let receiver = self.receiver();
            return self.refer(ReferenceKind::Call, token, receiver);
        }
        if self.level().own.is_type {
            if !next.is_sign(b'.') {
                let receiver = self.receiver();
                self.refer(ReferenceKind::Type, token, receiver);
            }
            return;
        }
        if content == Content::Parameters {
            // The name is a parameter, or a default value if it follows an equals sign.
            if previous.is_sign(b'=') {
                self.name(token, None);
            }
            return;
        }
        let starts_argument = previous.kind == TokenKind::Open || previous.is_sign(b',');
        if is_nested && starts_argument && next.is_sign(b'=') {
            return;
        }
        if content == Content::Bases && (starts_argument || is_member) && ends_base(next) {
            let receiver = self.receiver();
            return self.refer(ReferenceKind::Inherit, token, receiver);
        }
        if !is_member {
            self.name(token, None);
        } else if self.follows_plain_name() {
            let module = self.token_at(self.at.wrapping_sub(2)).span();
            self.name(token, Some(module));
        }
    }

    /// Records a decorator such as `@cached` as a call of `cached`. `@cached(60)` is recorded as an ordinary call.
    fn decorator(&mut self) {
        let mut at = self.at + 2;
        while self.is_word(at) && self.token_at(at + 1).is_sign(b'.') {
            at += 2;
        }
        let name = self.token_at(at);
        let is_whole = self.token_at(at + 1).kind == TokenKind::LineEnd;
        if name.kind == TokenKind::Word && is_whole {
            let here = std::mem::replace(&mut self.at, at);
            let receiver = self.receiver();
            self.refer(ReferenceKind::Call, name, receiver);
            self.at = here.max(at);
        }
    }

    /// Returns the receiver of the current name, such as `self.items` or `super()`.
    fn receiver(&self) -> Option<Span> {
        self.receiver_at(self.at)
    }
}

/// Returns whether `next` can follow a base class. A call or keyword argument is not a base class.
fn ends_base(next: Token) -> bool {
    next.is_sign(b',') || next.closes(b')') || next.opens(b'[')
}
