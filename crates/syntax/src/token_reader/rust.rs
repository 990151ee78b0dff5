//! Reads Rust source as tokens in one pass, with a stack of open brackets.
//!
//! Items are recognised by their keywords. The tokens before a bracket determine what it contains: fields, variants,
//! match arms or code.

mod bindings;
mod headers;
mod imports;
mod lexer;
mod words;

use std::time::Instant;

use lexer::Keyword;

use super::bracket_stack::BracketStack;
use super::builder::{Builder, Draft, SavedState};
use super::token::{Kind as TokenKind, Token, sign};
use super::token_cursor::{TokenCursor, closer};
use super::{Scratch, Unsupported};
use crate::complexity::Branch;
use crate::definition::Kind;
use crate::languages::Language;
use crate::outline::{Outline, ReferenceKind};
use crate::signature::{Cut, signature};

/// What a pair of brackets contains.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Content {
    Code,
    Fields,
    Variants,
    Arms,
    /// The body of a macro definition, which is ignored.
    Inert,
}

/// What the next brace at a level opens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Expected {
    Code,
    Nested(Content),
    Body(Content),
}

/// What a closing bracket ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    Plain,
    /// The enclosing item.
    Body,
    /// One level of nesting.
    Nested,
}

/// An item or member that has started at a level but has not ended yet.
struct OpenItem {
    saved: SavedState,
    /// The punctuation character that ends the item or member if it has no body.
    until: u8,
}

struct Level {
    content: Content,
    opener: usize,
    closer: u8,
    role: Role,
    expected: Expected,
    open_item: Option<OpenItem>,
    /// The index of the first token after the attributes of the current statement or member.
    start: usize,
    /// The line of the first attribute of the current statement or member.
    attribute_line: Option<u32>,
    /// The number of open angle brackets. A comma inside angle brackets does not end a field or variant.
    angles: u32,
    /// The number of closures without braces that are open at this level.
    closures: u16,
    /// Whether the current token is in the pattern of a match arm, or before the `=` in a variant.
    in_pattern: bool,
}

struct Reader<'s> {
    tokens: &'s mut [Token],
    builder: Builder<'s>,
    brackets: BracketStack<Level>,
    at: usize,
}

pub(super) fn read(
    source: &[u8],
    deadline: Option<Instant>,
    scratch: &mut Scratch,
) -> Result<Outline, Unsupported> {
    let mut outline = Outline::empty(Language::Rust);
    let Scratch { tokens, names, comments } = scratch;
    lexer::lex(source, tokens, &mut outline.strings, comments)?;
    let builder = Builder::new(source, outline, names, comments);
    let brackets = BracketStack::new(Level::new(Content::Code, 0, 0));
    let mut reader = Reader { tokens, builder, brackets, at: 0 };
    reader.run(deadline)?;
    Ok(reader.builder.finish())
}

impl Level {
    fn new(content: Content, opener: usize, closer: u8) -> Self {
        Self {
            content,
            opener,
            closer,
            role: Role::Plain,
            expected: Expected::Code,
            open_item: None,
            start: opener,
            attribute_line: None,
            angles: 0,
            closures: 0,
            in_pattern: true,
        }
    }

    fn restart(&mut self, start: usize) {
        self.start = start;
        self.attribute_line = None;
        self.expected = Expected::Code;
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
            if self.builder.is_out_of_time(self.at, self.tokens[self.at].line, deadline) {
                return Ok(());
            }
            self.token()?;
            self.at += 1;
        }
        let last = self.tokens.len();
        self.end_open_item(last);
        self.brackets.finish()
    }

    fn token(&mut self) -> Result<(), Unsupported> {
        let token = self.tokens[self.at];
        match token.kind {
            TokenKind::Open => self.open(token),
            TokenKind::Close => return self.close(token),
            _ if self.level().content == Content::Inert => {}
            TokenKind::Sign => self.sign(token),
            TokenKind::Keyword => return self.keyword(token),
            TokenKind::Word => self.word(token),
            _ => {}
        }
        Ok(())
    }

    fn level(&mut self) -> &mut Level {
        self.brackets.innermost()
    }

    fn open(&mut self, token: Token) {
        let at = self.at;
        if token.code == b'[' && self.is_attribute() {
            return self.attribute();
        }
        let level = self.level();
        let mut inner = Level::new(Content::Code, at, closer(token.code));
        inner.start = at + 1;
        if level.content == Content::Inert {
            inner.content = Content::Inert;
        } else if token.code == b'{' {
            match std::mem::replace(&mut level.expected, Expected::Code) {
                Expected::Code => {}
                Expected::Nested(content) => {
                    inner.content = content;
                    inner.role = Role::Nested;
                }
                Expected::Body(content) => {
                    inner.content = content;
                    inner.role = Role::Body;
                }
            }
        }
        if inner.role == Role::Nested {
            self.builder.nesting = self.builder.nesting.saturating_add(1);
        }
        self.brackets.open(inner);
    }

    fn close(&mut self, token: Token) -> Result<(), Unsupported> {
        let at = self.at;
        self.end_open_item(at);
        self.end_closures();
        let closed = self.brackets.close()?;
        if closed.closer != token.code {
            return Err(Unsupported);
        }
        self.tokens[at].opener = closed.opener as u32;
        if closed.role == Role::Nested {
            self.builder.nesting = self.builder.nesting.saturating_sub(1);
        }
        if token.code == b'}' {
            self.builder.marked_as_test = false;
            let level = self.level();
            level.start = at + 1;
            level.attribute_line = None;
            level.in_pattern |= level.content == Content::Arms;
        }
        if closed.role == Role::Body
            && let Some(open_item) = self.level().open_item.take()
        {
            self.level().restart(at + 1);
            self.builder.end(open_item.saved, token.end, token.line);
        }
        Ok(())
    }

    /// Ends the open item at this level, if there is one. Its last token is the one before `at`.
    fn end_open_item(&mut self, at: usize) {
        if let Some(open_item) = self.level().open_item.take() {
            let last = self.token_at(at.wrapping_sub(1));
            self.builder.end(open_item.saved, last.end, last.line);
        }
    }

    fn sign(&mut self, token: Token) {
        let at = self.at;
        match token.code {
            b';' => self.end_statement(),
            b',' => self.comma(),
            b'=' => self.level().in_pattern &= self.level().content != Content::Variants,
            b'<' => self.level().angles += 1,
            b'>' => {
                let level = self.level();
                level.angles = level.angles.saturating_sub(1);
            }
            sign::FAT_ARROW if self.level().content == Content::Arms => {
                self.level().in_pattern = false;
                let is_default = self.builder.source[self.previous().span().range()] == *b"_"
                    && self.level().start + 1 == at;
                if !is_default {
                    self.builder.branch(Branch::Case);
                }
            }
            sign::AND | sign::OR if self.previous_ends_operand() => self.builder.operator(token),
            b'|' | sign::OR if !self.previous_ends_operand() => self.closure(token),
            _ => {}
        }
    }

    fn previous_ends_operand(&self) -> bool {
        let previous = self.previous();
        previous.ends_operand()
            || previous.kind == TokenKind::Keyword && previous.code == Keyword::Operand as u8
    }

    /// Ends the statement at the current semicolon. If the semicolon also ends an item, ends the item too.
    fn end_statement(&mut self) {
        let at = self.at;
        self.end_closures();
        if self.level().open_item.as_ref().is_some_and(|open_item| open_item.until == b';') {
            self.end_open_item(at + 1);
        }
        self.builder.marked_as_test = false;
        let level = self.level();
        level.restart(at + 1);
        level.angles = 0;
    }

    fn comma(&mut self) {
        let at = self.at;
        self.end_closures();
        let level = self.level();
        let is_member = match level.content {
            Content::Fields => level.angles == 0,
            // In `Flag = 1 << 3,`, the angle brackets are operators.
            Content::Variants => level.angles == 0 || !level.in_pattern,
            Content::Arms => true,
            Content::Code | Content::Inert => false,
        };
        if is_member {
            level.in_pattern = true;
            level.angles = 0;
            level.restart(at + 1);
            self.end_open_item(at);
        }
    }

    /// Reads the parameters of a closure such as `|a, b| …`. A closure adds nesting but no decision.
    fn closure(&mut self, token: Token) {
        const MAX_PARAMETERS: usize = 64;
        if self.level().content == Content::Arms && self.level().in_pattern {
            return;
        }
        self.builder.branch(Branch::Closure);
        let mut at = self.at;
        if token.code == b'|' {
            self.bind_closure();
            let rest = self.tokens[at + 1..].iter().take(MAX_PARAMETERS);
            at += 1 + rest.take_while(|it| !it.is_sign(b'|')).count();
        }
        let after_bracket = self.token_at(at + 1);
        if after_bracket.opens(b'{') || after_bracket.is_sign(sign::ARROW) {
            self.level().expected = Expected::Nested(Content::Code);
        } else {
            self.level().closures += 1;
            self.builder.nesting = self.builder.nesting.saturating_add(1);
        }
    }

    /// Ends the closures without braces, which extend to the next comma, semicolon or closing bracket.
    fn end_closures(&mut self) {
        let closures = std::mem::take(&mut self.level().closures);
        self.builder.nesting = self.builder.nesting.saturating_sub(closures);
    }

    fn keyword(&mut self, token: Token) -> Result<(), Unsupported> {
        let next_is_name = self.next().kind == TokenKind::Word;
        match token.code {
            code if code == Keyword::Fn as u8 && next_is_name => self.function(),
            code if code == Keyword::Struct as u8 && next_is_name => {
                self.item(Kind::Struct, Content::Fields)
            }
            code if code == Keyword::Enum as u8 && next_is_name => {
                self.item(Kind::Enum, Content::Variants)
            }
            code if code == Keyword::Trait as u8 && next_is_name => self.trait_item(),
            code if code == Keyword::Mod as u8 && next_is_name => self.module(),
            code if code == Keyword::Impl as u8 && self.starts_item() => self.impl_item(),
            code if code == Keyword::Type as u8 && next_is_name => {
                self.item(Kind::TypeAlias, Content::Code)
            }
            code if code == Keyword::Const as u8 || code == Keyword::Static as u8 => {
                self.constant(token)
            }
            code if code == Keyword::Use as u8 && self.starts_item() => self.use_declaration(),
            code if code == Keyword::Extern as u8 => self.extern_crate(),
            _ => {
                self.bind_keyword(token);
                self.branch_keyword(token);
                Ok(())
            }
        }
    }

    fn branch_keyword(&mut self, token: Token) {
        let branch = |keyword: Keyword| token.code == keyword as u8;
        let nested = Expected::Nested(Content::Code);
        if branch(Keyword::If) {
            let level = self.level();
            if level.content == Content::Arms && level.in_pattern {
                return;
            }
            level.expected = nested;
            // The `else` of an `else if` has already been counted.
            let previous = self.previous();
            let follows_else =
                previous.kind == TokenKind::Keyword && previous.code == Keyword::Else as u8;
            self.builder.branch(if follows_else { Branch::Case } else { Branch::If });
        } else if branch(Keyword::Else) {
            // After an expression, `else` belongs to a `let … else` statement, which the grammar's rules do not count
            // either.
            if self.previous().closes(b'}') {
                self.level().expected = nested;
                self.builder.branch(Branch::Else);
            }
        } else if branch(Keyword::Match) {
            self.level().expected = Expected::Nested(Content::Arms);
            self.builder.branch(Branch::Switch);
        } else if branch(Keyword::While)
            || branch(Keyword::Loop)
            || branch(Keyword::For) && !self.next().is_sign(b'<')
        {
            self.level().expected = nested;
            self.builder.branch(Branch::Loop);
        }
    }
}
