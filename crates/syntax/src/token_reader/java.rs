//! Reads Java source as tokens. Members are recognised by the form of their headers, which end with a brace, a
//! semicolon or an equals sign.

mod code;
mod dialect;
mod members;

use std::time::Instant;

use dialect::Keyword;

use super::bracket_stack::BracketStack;
use super::builder::{Builder, SavedState};
use super::pending::Pending;
use super::token::{Kind as TokenKind, Token, sign};
use super::token_cursor::TokenCursor;
use super::{Scratch, Unsupported, braces};
use crate::languages::Language;
use crate::outline::Outline;

/// What a pair of brackets contains.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Content {
    Members,
    Constants,
    Code,
}

/// What a closing bracket ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    Plain,
    Body,
    Nested,
}

/// A token that is expected later in the current statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ahead {
    Nothing,
    /// The opening brace of a branch, loop or closure.
    Block,
    /// The arrow or colon after a case label.
    Case,
}

struct Level {
    content: Content,
    role: Role,
    /// Whether the next token starts a member or statement.
    at_start: bool,
    ahead: Ahead,
    /// The state to restore when the open definition at this level ends. A definition without a body ends at its
    /// semicolon.
    open_item: Option<SavedState>,
    /// The number of lambdas without braces that are open at this level.
    closures: u16,
}

struct Reader<'s> {
    tokens: &'s mut [Token],
    builder: Builder<'s>,
    brackets: BracketStack<Level>,
    /// The content and role of bodies whose opening brace the reader has not reached yet.
    bodies: Pending<(Content, Role)>,
    at: usize,
}

pub(super) fn read(
    source: &[u8],
    deadline: Option<Instant>,
    scratch: &mut Scratch,
) -> Result<Outline, Unsupported> {
    let mut outline = Outline::empty(Language::Java);
    let Scratch { tokens, names, comments } = scratch;
    braces::lex(&dialect::DIALECT, source, tokens, &mut outline.strings, comments)?;
    let builder = Builder::new(source, outline, names, comments);
    let brackets = BracketStack::new(Level::new(Content::Members, Role::Plain));
    let mut reader = Reader { tokens, builder, brackets, bodies: Pending::new(), at: 0 };
    reader.run(deadline)?;
    Ok(reader.builder.finish())
}

impl Level {
    fn new(content: Content, role: Role) -> Self {
        Self { content, role, at_start: true, ahead: Ahead::Nothing, open_item: None, closures: 0 }
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
                return Ok(());
            }
            self.token(token)?;
            self.at += 1;
        }
        self.brackets.finish()
    }

    fn token(&mut self, token: Token) -> Result<(), Unsupported> {
        let at_start = std::mem::take(&mut self.level().at_start);
        if at_start && token.kind != TokenKind::Close {
            let is_read = match self.level().content {
                Content::Members => self.member()?,
                Content::Constants => self.constant(),
                Content::Code => self.local_type()?,
            };
            if is_read {
                return Ok(());
            }
        }
        match token.kind {
            TokenKind::Open => self.open(token),
            TokenKind::Close => return self.close(token),
            TokenKind::Sign => self.sign(token),
            TokenKind::Keyword => self.keyword(token),
            TokenKind::Word => self.word(token),
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
        let inner = match self.bodies.take(at) {
            Some((content, role)) => Level::new(content, role),
            None if token.code == b'{' && self.level().ahead == Ahead::Block => {
                self.level().ahead = Ahead::Nothing;
                self.builder.nesting = self.builder.nesting.saturating_add(1);
                Level::new(Content::Code, Role::Nested)
            }
            None => Level::new(Content::Code, Role::Plain),
        };
        self.brackets.open(inner);
        self.level().at_start = token.code == b'{';
    }

    fn close(&mut self, token: Token) -> Result<(), Unsupported> {
        self.end_closures();
        self.end_open_item(self.previous());
        let closed = self.brackets.close()?;
        if closed.role == Role::Nested {
            self.builder.nesting = self.builder.nesting.saturating_sub(1);
        }
        if token.code != b'}' {
            return Ok(());
        }
        let level = self.level();
        // Other braces among members, such as those of an array initialiser, may be part of a field's value, which can
        // continue after them.
        level.at_start = level.content == Content::Code
            || level.content == Content::Members && closed.role == Role::Body;
        if closed.role == Role::Body {
            self.end_open_item(token);
        }
        Ok(())
    }

    fn end_open_item(&mut self, last: Token) {
        if let Some(saved) = self.level().open_item.take() {
            self.builder.end(saved, last.end, last.last_line());
        }
    }

    fn end_closures(&mut self) {
        let closures = std::mem::take(&mut self.level().closures);
        self.builder.nesting = self.builder.nesting.saturating_sub(closures);
    }

    fn sign(&mut self, token: Token) {
        match token.code {
            b';' => self.end_statement(token),
            b',' => {
                self.end_closures();
                if self.level().content == Content::Constants {
                    self.end_open_item(self.previous());
                    self.level().at_start = true;
                }
            }
            b':' if self.level().ahead == Ahead::Case => self.level().ahead = Ahead::Nothing,
            sign::AND | sign::OR => self.builder.operator(token),
            sign::ARROW => self.arrow(),
            b'?' => self.question(),
            b'@' => self.annotation(),
            _ => {}
        }
    }

    fn end_statement(&mut self, token: Token) {
        self.end_closures();
        let level = self.level();
        level.ahead = Ahead::Nothing;
        level.at_start = true;
        if level.content == Content::Constants {
            // The members of an enum follow its constants.
            level.content = Content::Members;
            self.end_open_item(self.previous());
        } else {
            self.end_open_item(token);
        }
    }
}
