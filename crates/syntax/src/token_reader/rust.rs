//! Reads Rust source as tokens in one pass, with a stack of open brackets.
//!
//! Items are recognised by their keywords. The tokens before a bracket determine what it contains: fields, variants,
//! match arms or code.

mod bindings;
mod headers;
mod imports;
mod lexer;
mod references;

use lexer::Keyword;

use super::reader::{self, Role, Rules};
use super::token::{Kind as TokenKind, Token, sign};
use super::{Result, Scratch};
use crate::complexity::Branch;
use crate::definition::{Cut, Kind};
use crate::outline::{Outline, ReferenceKind};

type Reader<'s> = reader::Reader<'s, Rust>;

pub(super) struct Rust;

/// What a pair of brackets contains.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Content {
    Code,
    Fields,
    Variants,
    Arms,
    /// The body of a macro definition, which is ignored.
    Inert,
}

/// The part of a level that only Rust needs.
pub(super) struct Own {
    /// The opening bracket, or 0 outside all brackets.
    opener: u8,
    /// The punctuation character that ends the open item or member if it has no body.
    until: u8,
    /// The index of the first token after the attributes of the current statement or member.
    start: usize,
    /// The line of the first attribute of the current statement or member.
    attribute_line: Option<u32>,
    /// The number of open angle brackets. A comma inside angle brackets does not end a field or variant.
    angles: u32,
    /// Whether the current token is in the pattern of a match arm, or before the `=` in a variant.
    in_pattern: bool,
}

impl Default for Own {
    fn default() -> Self {
        Self { opener: 0, until: b';', start: 0, attribute_line: None, angles: 0, in_pattern: true }
    }
}

impl Rules for Rust {
    type Content = Content;
    type Own = Own;
    const OUTERMOST: Content = Content::Code;
    const CODE: Content = Content::Code;

    fn lex(source: &[u8], scratch: &mut Scratch, outline: &mut Outline) -> Result<Self> {
        lexer::lex(source, scratch, &mut outline.strings)?;
        Ok(Self)
    }

    fn token(reader: &mut Reader<'_>, token: Token) -> Result<()> {
        match token.kind {
            TokenKind::Open => reader.open(token),
            TokenKind::Close => return reader.close(token),
            _ if reader.level().content == Content::Inert => {}
            TokenKind::Sign => reader.sign(token),
            TokenKind::Keyword => return reader.keyword(token),
            TokenKind::Word => reader.word(token),
            _ => {}
        }
        Ok(())
    }

    fn end(reader: &mut Reader<'_>, is_complete: bool) -> Result<()> {
        if !is_complete {
            return Ok(());
        }
        reader.end_item_before(reader.tokens.len());
        reader.check_closed()
    }
}

impl Reader<'_> {
    /// Starts the next statement or member of the current level at token `start`.
    fn restart(&mut self, start: usize) {
        let level = self.level();
        level.own.start = start;
        level.own.attribute_line = None;
        level.ahead = None;
    }

    fn open(&mut self, token: Token) {
        if token.code == b'[' && self.is_attribute() {
            return self.attribute();
        }
        let level = self.level();
        let (content, role) = if level.content == Content::Inert {
            (Content::Inert, Role::Plain)
        } else {
            let ahead = level.ahead.take_if(|_| token.code == b'{');
            ahead.unwrap_or((Content::Code, Role::Plain))
        };
        self.open_bracket(token, content, role);
    }

    fn open_bracket(&mut self, token: Token, content: Content, role: Role) {
        let start = self.at + 1;
        self.open_level(content, role);
        let own = &mut self.level().own;
        (own.opener, own.start) = (token.code, start);
    }

    fn close(&mut self, token: Token) -> Result<()> {
        let at = self.at;
        self.end_item_before(at);
        self.end_closures();
        let closed = self.close_level()?;
        if token.code == b'}' {
            self.builder.marked_as_test = false;
            let level = self.level();
            level.own.start = at + 1;
            level.own.attribute_line = None;
            level.own.in_pattern |= level.content == Content::Arms;
        }
        if closed.role == Role::Body && self.level().open_item.is_some() {
            self.restart(at + 1);
            self.end_open_item(token);
        }
        Ok(())
    }

    /// Ends the open item at this level, if there is one. Its last token is the one before `at`.
    fn end_item_before(&mut self, at: usize) {
        self.end_open_item(self.token_at(at.wrapping_sub(1)));
    }

    fn sign(&mut self, token: Token) {
        let at = self.at;
        match token.code {
            b';' => self.end_statement(),
            b',' => self.comma(),
            b'=' => self.level().own.in_pattern &= self.level().content != Content::Variants,
            b'<' => self.level().own.angles += 1,
            b'>' => {
                let own = &mut self.level().own;
                own.angles = own.angles.saturating_sub(1);
            }
            sign::FAT_ARROW if self.level().content == Content::Arms => {
                self.level().own.in_pattern = false;
                let is_default = self.builder.source[self.previous().span().range()] == *b"_"
                    && self.level().own.start + 1 == at;
                if !is_default {
                    self.builder.branch(Branch::Case);
                }
            }
            sign::AND | sign::OR if self.previous_ends_operand() => self.operator(token),
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
        if self.level().own.until == b';' {
            self.end_item_before(at + 1);
        }
        self.builder.marked_as_test = false;
        self.restart(at + 1);
        self.level().own.angles = 0;
    }

    fn comma(&mut self) {
        let at = self.at;
        self.end_closures();
        let level = self.level();
        let is_member = match level.content {
            Content::Fields => level.own.angles == 0,
            // In `Flag = 1 << 3,`, the angle brackets are operators.
            Content::Variants => level.own.angles == 0 || !level.own.in_pattern,
            Content::Arms => true,
            Content::Code | Content::Inert => false,
        };
        if is_member {
            level.own.in_pattern = true;
            level.own.angles = 0;
            self.restart(at + 1);
            self.end_item_before(at);
        }
    }

    /// Reads the parameters of a closure such as `|a, b| …`. A closure adds nesting but no decision.
    fn closure(&mut self, token: Token) {
        const MAX_PARAMETERS: usize = 64;
        if self.is_in_pattern() {
            return;
        }
        let mut at = self.at;
        if token.code == b'|' {
            self.bind_closure();
            let rest = self.tokens[at + 1..].iter().take(MAX_PARAMETERS);
            at += 1 + rest.take_while(|it| !it.is_sign(b'|')).count();
        }
        let after_bracket = self.token_at(at + 1);
        if after_bracket.opens(b'{') || after_bracket.is_sign(sign::ARROW) {
            self.branch(Branch::Closure);
        } else {
            self.builder.branch(Branch::Closure);
            self.begin_closure();
        }
    }

    /// Returns whether the current token is in the pattern of a match arm.
    fn is_in_pattern(&mut self) -> bool {
        let level = self.level();
        level.content == Content::Arms && level.own.in_pattern
    }

    fn keyword(&mut self, token: Token) -> Result<()> {
        let next_is_name = self.next().kind == TokenKind::Word;
        match Keyword::of_token(token) {
            Some(Keyword::Fn) if next_is_name => self.function(),
            Some(Keyword::Struct) if next_is_name => self.type_item(Kind::Struct, Content::Fields),
            Some(Keyword::Enum) if next_is_name => self.type_item(Kind::Enum, Content::Variants),
            Some(Keyword::Trait) if next_is_name => self.trait_item(),
            Some(Keyword::Mod) if next_is_name => self.module(),
            Some(Keyword::Impl) if self.starts_item() => self.impl_item(),
            Some(Keyword::Type) if next_is_name => self.type_item(Kind::TypeAlias, Content::Code),
            Some(Keyword::Const | Keyword::Static) => self.constant(token),
            Some(Keyword::Use) if self.starts_item() => self.use_declaration(),
            Some(Keyword::Extern) => self.extern_crate(),
            _ => {
                self.code_keyword(token);
                Ok(())
            }
        }
    }

    /// Reads a keyword that does not start an item.
    fn code_keyword(&mut self, token: Token) {
        if token.is_keyword(Keyword::For) {
            self.bind_loop();
        } else if self.bytes(token) == b"let" {
            self.bind_let();
        }
        match Keyword::of_token(token) {
            Some(Keyword::If) if !self.is_in_pattern() => self.if_branch(Keyword::Else),
            // After an expression, `else` belongs to a `let … else` statement, which the grammar's rules do not count
            // either.
            Some(Keyword::Else) if self.previous().closes(b'}') => self.branch(Branch::Else),
            Some(Keyword::Match) => {
                self.builder.branch(Branch::Switch);
                self.level().ahead = Some((Content::Arms, Role::Nested));
            }
            Some(Keyword::While | Keyword::Loop) => self.branch(Branch::Loop),
            Some(Keyword::For) if !self.next().is_sign(b'<') => self.branch(Branch::Loop),
            _ => {}
        }
    }
}
