//! Reads Rust: one pass over the tokens with a stack of open brackets.
//!
//! Items are found by their keywords, wherever they stand. What a bracket holds (fields, variants,
//! arms, code) follows from what stands before it.

mod headers;
mod imports;
mod lexer;
mod words;

use std::time::Instant;

use lexer::Keyword;

use super::builder::{Around, Builder, Draft};
use super::levels::Levels;
use super::place::{Place, closer};
use super::token::{Kind as TokenKind, Token, sign};
use super::{GiveUp, Scratch};
use crate::complexity::Branch;
use crate::definition::Kind;
use crate::language::Language;
use crate::outline::{Outline, ReferenceKind};
use crate::signature::{Cut, signature};

/// What stands between a pair of brackets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Content {
    Code,
    Fields,
    Variants,
    Arms,
    /// The body of a macro definition: not the language.
    Inert,
}

/// What the next brace at this level will be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Expected {
    Code,
    Nested(Content),
    Body(Content),
}

/// What closing a bracket ends besides itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    Plain,
    /// The item around it.
    Body,
    /// A level of nesting.
    Nested,
}

/// An item or member that has begun at this level.
struct Begun {
    around: Around,
    /// The sign that ends it if no body does.
    until: u8,
}

struct Level {
    content: Content,
    opener: usize,
    closer: u8,
    role: Role,
    expected: Expected,
    begun: Option<Begun>,
    /// The first token of the current statement or member, behind its attributes.
    start: usize,
    /// The line of its first attribute.
    attribute_line: Option<u32>,
    /// Open angle brackets, counted where a comma could stand between them.
    angles: u32,
    /// Closures without braces that are open at this level.
    closures: u16,
    /// In a match arm before its arrow, in a variant before its value.
    in_pattern: bool,
}

struct Reader<'s> {
    tokens: &'s mut [Token],
    builder: Builder<'s>,
    levels: Levels<Level>,
    at: usize,
}

pub(super) fn read(
    source: &[u8],
    deadline: Option<Instant>,
    scratch: &mut Scratch,
) -> Result<Outline, GiveUp> {
    let mut outline = Outline::empty(Language::Rust);
    let Scratch { tokens, names, comments } = scratch;
    lexer::lex(source, tokens, &mut outline.strings, comments)?;
    let builder = Builder::new(source, outline, names, comments);
    let levels = Levels::new(Level::new(Content::Code, 0, 0));
    let mut reader = Reader { tokens, builder, levels, at: 0 };
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
            begun: None,
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

impl Place for Reader<'_> {
    fn tokens(&self) -> &[Token] {
        self.tokens
    }

    fn at(&self) -> usize {
        self.at
    }
}

impl Reader<'_> {
    fn run(&mut self, deadline: Option<Instant>) -> Result<(), GiveUp> {
        while self.at < self.tokens.len() {
            if self.builder.is_out_of_time(self.at, self.tokens[self.at].line, deadline) {
                return Ok(());
            }
            self.token()?;
            self.at += 1;
        }
        let last = self.tokens.len();
        self.end_begun(last);
        self.levels.finish()
    }

    fn token(&mut self) -> Result<(), GiveUp> {
        let token = self.tokens[self.at];
        match token.kind {
            TokenKind::Open => self.open(token),
            TokenKind::Close => return self.close(token),
            _ if self.level().content == Content::Inert => {}
            TokenKind::Sign => self.sign(token),
            TokenKind::Keyword => return self.keyword(token),
            TokenKind::Word => self.word(token),
            TokenKind::Number | TokenKind::Text | TokenKind::Lifetime | TokenKind::LineEnd => {}
        }
        Ok(())
    }

    fn level(&mut self) -> &mut Level {
        self.levels.innermost()
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
        self.levels.open(inner);
    }

    fn close(&mut self, token: Token) -> Result<(), GiveUp> {
        let at = self.at;
        self.end_begun(at);
        self.end_closures();
        let closed = self.levels.close()?;
        if closed.closer != token.code {
            return Err(GiveUp);
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
            && let Some(begun) = self.level().begun.take()
        {
            self.level().restart(at + 1);
            self.builder.end(begun.around, token.end, token.line);
        }
        Ok(())
    }

    /// Ends what has begun at this level with the token before `at`.
    fn end_begun(&mut self, at: usize) {
        if let Some(begun) = self.level().begun.take() {
            let last = self.near(at.wrapping_sub(1));
            self.builder.end(begun.around, last.end, last.line);
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

    /// A semicolon ends the item or statement, and is part of it.
    fn end_statement(&mut self) {
        let at = self.at;
        self.end_closures();
        if self.level().begun.as_ref().is_some_and(|begun| begun.until == b';') {
            self.end_begun(at + 1);
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
            // `Flag = 1 << 3,`
            Content::Variants => level.angles == 0 || !level.in_pattern,
            Content::Arms => true,
            Content::Code | Content::Inert => false,
        };
        if is_member {
            level.in_pattern = true;
            level.angles = 0;
            level.restart(at + 1);
            self.end_begun(at);
        }
    }

    /// `|a, b| …`: decides nothing but nests the block behind it.
    fn closure(&mut self, token: Token) {
        const MAX_PARAMETERS: usize = 64;
        if self.level().content == Content::Arms && self.level().in_pattern {
            return;
        }
        self.builder.branch(Branch::Closure);
        let mut at = self.at;
        if token.code == b'|' {
            let rest = self.tokens[at + 1..].iter().take(MAX_PARAMETERS);
            at += 1 + rest.take_while(|it| !it.is_sign(b'|')).count();
        }
        let behind = self.near(at + 1);
        if behind.opens(b'{') || behind.is_sign(sign::ARROW) {
            self.level().expected = Expected::Nested(Content::Code);
        } else {
            self.level().closures += 1;
            self.builder.nesting = self.builder.nesting.saturating_add(1);
        }
    }

    /// A closure without braces goes on to the next comma, semicolon or closing bracket.
    fn end_closures(&mut self) {
        let closures = std::mem::take(&mut self.level().closures);
        self.builder.nesting = self.builder.nesting.saturating_sub(closures);
    }

    fn keyword(&mut self, token: Token) -> Result<(), GiveUp> {
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
            // `else if` is one step: the `else` was charged already.
            let previous = self.previous();
            let follows_else =
                previous.kind == TokenKind::Keyword && previous.code == Keyword::Else as u8;
            self.builder.branch(if follows_else { Branch::Case } else { Branch::If });
        } else if branch(Keyword::Else) {
            // After an expression it is `let … else`, which the grammar does not count either.
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
