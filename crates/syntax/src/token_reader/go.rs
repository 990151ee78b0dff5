//! Reads Go source as tokens in one pass. Links between matching brackets allow the reader to skip nested parts.

mod bindings;
mod declarations;
mod dialect;
mod types;
mod words;

use std::time::Instant;

use dialect::Keyword;

use super::bracket_stack::BracketStack;
use super::builder::{Builder, SavedState};
use super::token::{Kind as TokenKind, Token, sign};
use super::token_cursor::TokenCursor;
use super::{Scratch, Unsupported, braces};
use crate::complexity::Branch;
use crate::languages::Language;
use crate::outline::Outline;
use crate::span::Span;

/// What a pair of brackets contains.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Content {
    Code,
    Fields,
    Methods,
    /// The lines of `const (`, `var (`, `type (` or `import (`. The keyword applies to each line.
    Group(Keyword),
}

/// What a closing bracket ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    Plain,
    Body,
    Nested,
}

struct Level {
    content: Content,
    role: Role,
    /// Whether the next brace opens the block of a branch, loop or closure.
    expects_block: bool,
    /// The state to restore when the open definition ends. A definition without a body ends at the end of the current
    /// line.
    open_item: Option<SavedState>,
    /// Whether the next token starts a statement.
    at_start: bool,
}

struct Reader<'s> {
    tokens: &'s mut [Token],
    builder: Builder<'s>,
    brackets: BracketStack<Level>,
    /// The index of the brace that opens the next body, and what that body contains.
    body: Option<(usize, Content)>,
    /// The spans of import paths, which are removed from the string literals.
    import_paths: Vec<Span>,
    at: usize,
}

pub(super) fn read(
    source: &[u8],
    deadline: Option<Instant>,
    scratch: &mut Scratch,
) -> Result<Outline, Unsupported> {
    let mut outline = Outline::empty(Language::Go);
    let Scratch { tokens, names, comments } = scratch;
    braces::lex(&dialect::DIALECT, source, tokens, &mut outline.strings, comments)?;
    let builder = Builder::new(source, outline, names, comments);
    let brackets = BracketStack::new(Level::new(Content::Code, Role::Plain));
    let import_paths = Vec::new();
    let mut reader = Reader { tokens, builder, brackets, body: None, import_paths, at: 0 };
    reader.run(deadline)?;
    let Reader { builder, import_paths, .. } = reader;
    let mut outline = builder.finish();
    outline.strings.retain(|it| import_paths.binary_search(&it.span).is_err());
    Ok(outline)
}

impl Level {
    fn new(content: Content, role: Role) -> Self {
        Self { content, role, expects_block: false, open_item: None, at_start: true }
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
        if at_start {
            self.bind_statement();
        }
        if at_start && self.statement(token) {
            return Ok(());
        }
        match token.kind {
            TokenKind::Open => self.open(token),
            TokenKind::Close => return self.close(token),
            TokenKind::LineEnd => self.end_line(),
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

    fn is_keyword(token: Token, keyword: Keyword) -> bool {
        token.kind == TokenKind::Keyword && token.code == keyword as u8
    }

    fn open(&mut self, token: Token) {
        let at = self.at;
        let inner = match self.body.take_if(|(brace, _)| *brace == at) {
            Some((_, content)) => Level::new(content, Role::Body),
            None if token.code == b'{' && self.opens_block() => {
                self.builder.nesting = self.builder.nesting.saturating_add(1);
                Level::new(Content::Code, Role::Nested)
            }
            None => {
                let mut level = Level::new(Content::Code, Role::Plain);
                level.at_start = token.code == b'{';
                level
            }
        };
        self.brackets.open(inner);
    }

    /// Returns whether the current brace opens the block of a branch, loop or closure, rather than a composite literal
    /// in the condition.
    fn opens_block(&mut self) -> bool {
        let is_block = self.level().expects_block && !self.follows_literal_type();
        self.level().expects_block &= !is_block;
        is_block
    }

    /// Returns whether the current brace follows the type of a composite literal, such as `[]struct{ … }`, `[]string`
    /// or `map[string]pkg.Type`.
    fn follows_literal_type(&self) -> bool {
        let mut at = self.at.wrapping_sub(1);
        if self.token_at(at).closes(b'}') {
            let before = self.token_at((self.token_at(at).opener as usize).wrapping_sub(1));
            return before.kind == TokenKind::Keyword;
        }
        let is_part =
            |it: Token| it.kind == TokenKind::Word || it.is_sign(b'.') || it.is_sign(b'*');
        while is_part(self.token_at(at)) {
            at = at.wrapping_sub(1);
        }
        self.token_at(at).closes(b']')
            && self.token_at(self.at.wrapping_sub(1)).kind == TokenKind::Word
    }

    fn close(&mut self, token: Token) -> Result<(), Unsupported> {
        self.end_line();
        let closed = self.brackets.close()?;
        if closed.role == Role::Nested {
            self.builder.nesting = self.builder.nesting.saturating_sub(1);
        }
        if closed.role == Role::Body
            && let Some(saved) = self.level().open_item.take()
        {
            self.builder.end(saved, token.end, token.line);
        }
        Ok(())
    }

    /// Ends the current statement. If a definition ends with the statement, ends the definition too.
    fn end_line(&mut self) {
        let last = self.previous();
        let level = self.level();
        level.at_start = true;
        level.expects_block = false;
        if let Some(saved) = level.open_item.take() {
            self.builder.end(saved, last.end, last.last_line());
        }
    }

    fn sign(&mut self, token: Token) {
        match token.code {
            sign::AND | sign::OR if self.previous().ends_operand() => self.builder.operator(token),
            b';' if !self.level().expects_block => self.end_line(),
            _ => {}
        }
    }

    fn keyword(&mut self, token: Token) {
        match token.code {
            code if code == Keyword::If as u8 => {
                let follows_else = Self::is_keyword(self.previous(), Keyword::Else);
                self.builder.branch(if follows_else { Branch::Case } else { Branch::If });
                self.level().expects_block = true;
            }
            code if code == Keyword::Else as u8 => {
                self.builder.branch(Branch::Else);
                self.level().expects_block = true;
            }
            code if code == Keyword::For as u8 => {
                self.builder.branch(Branch::Loop);
                self.level().expects_block = true;
            }
            code if code == Keyword::Switch as u8 => {
                self.builder.branch(Branch::Switch);
                self.level().expects_block = true;
            }
            code if code == Keyword::Case as u8 => self.builder.branch(Branch::Case),
            code if code == Keyword::Func as u8 => self.closure(),
            code if code == Keyword::Struct as u8 && self.next().opens(b'{') => {
                self.body = Some((self.at + 1, Content::Fields));
            }
            _ => {}
        }
    }

    /// Reads `func(…) … {` as a closure, which adds nesting. If no brace follows, `func(…)` is a type.
    fn closure(&mut self) {
        if !self.next().opens(b'(') {
            return;
        }
        let result = self.after_bracket(self.at + 1);
        let brace = self.result_end(result);
        self.parameter_types(self.at + 1);
        if self.token_at(brace).opens(b'{') {
            self.builder.branch(Branch::Closure);
            self.result_types(result, brace);
            self.at = brace - 1;
            self.level().expects_block = true;
        } else {
            self.at = result - 1;
        }
    }
}
