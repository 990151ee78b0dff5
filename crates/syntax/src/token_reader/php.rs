//! Reads PHP source as tokens. Declarations are recognised by their keywords, and properties by the variable after
//! their modifiers and type.

mod declarations;
mod dialect;
mod references;

use dialect::Keyword;

use super::reader::{self, Role, Rules};
use super::token::{Kind as TokenKind, Token, sign};
use super::{Result, Scratch, Unsupported, braces};
use crate::complexity::Branch;
use crate::outline::{Imported, Outline, ReferenceKind};
use crate::span::Span;

type Reader<'s> = reader::Reader<'s, Php>;

pub(super) struct Php;

/// Whether the current arm is the default arm of a `match`.
type IsDefault = bool;

/// What a pair of brackets contains.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Content {
    Code,
    Members,
    /// The parameters of a function, or the types and the variable of a `catch` clause.
    Parameters,
    /// The attributes in `#[…]`.
    Attributes,
    /// The arms of a `match`.
    Arms,
    /// The arguments or elements of an expression.
    Expressions,
}

impl Rules for Php {
    type Content = Content;
    type Own = IsDefault;
    const OUTERMOST: Content = Content::Code;
    const CODE: Content = Content::Code;
    const EXPRESSIONS: Option<Content> = Some(Content::Expressions);

    fn lex(source: &[u8], scratch: &mut Scratch, outline: &mut Outline) -> Result<Self> {
        braces::lex(&dialect::DIALECT, source, scratch, &mut outline.strings)?;
        Ok(Self)
    }

    fn token(reader: &mut Reader<'_>, token: Token) -> Result<()> {
        let at_start = std::mem::take(&mut reader.level().at_start);
        if at_start && token.kind != TokenKind::Close {
            let is_read = match reader.level().content {
                Content::Members => reader.member()?,
                Content::Code => reader.statement()?,
                Content::Parameters => reader.parameter(),
                Content::Attributes => {
                    reader.attribute();
                    true
                }
                Content::Arms | Content::Expressions => false,
            };
            if is_read {
                return Ok(());
            }
        }
        match token.kind {
            TokenKind::Open => reader.open(token),
            TokenKind::Close => return reader.close(token),
            TokenKind::Sign => reader.sign(token),
            TokenKind::Keyword => reader.keyword(token)?,
            TokenKind::Word => reader.word(),
            TokenKind::Variable => reader.variable(token),
            _ => {}
        }
        Ok(())
    }
}

impl Reader<'_> {
    fn open(&mut self, token: Token) {
        let is_brace = token.code == b'{';
        let ahead = self.level().ahead.take_if(|_| is_brace);
        let otherwise = if is_brace { Content::Code } else { Content::Expressions };
        let (content, role) = ahead.or_else(|| self.expected()).unwrap_or((otherwise, Role::Plain));
        self.open_level(content, role);
    }

    fn close(&mut self, token: Token) -> Result<()> {
        self.end_closures();
        self.end_open_item(self.previous());
        let closed = self.close_level()?;
        if closed.content == Content::Parameters {
            self.after_parameters();
        }
        if token.code != b'}' {
            return Ok(());
        }
        let level = self.level();
        level.at_start = matches!(level.content, Content::Code | Content::Members);
        if closed.role == Role::Body {
            self.end_open_item(token);
        }
        Ok(())
    }

    fn sign(&mut self, token: Token) {
        match token.code {
            b';' => {
                self.end_closures();
                let level = self.level();
                level.ahead = None;
                level.at_start = true;
                self.end_open_item(token);
            }
            b',' => {
                self.end_closures();
                let level = self.level();
                level.at_start = matches!(level.content, Content::Parameters | Content::Attributes);
                level.own &= level.content != Content::Arms;
            }
            sign::AND | sign::OR | sign::COALESCE => self.operator(token),
            sign::FAT_ARROW => self.fat_arrow(),
            b'?' if self.previous().ends_operand() => self.builder.branch(Branch::If),
            b'#' if self.next().opens(b'[') => {
                self.expect(self.at + 1, Content::Attributes, Role::Plain);
            }
            _ => {}
        }
    }

    /// Counts the current `=>` as an arm of a `match`, unless the arm is the default. Outside a `match`, `=>` belongs
    /// to an array or an arrow function and is not counted.
    fn fat_arrow(&mut self) {
        let level = self.level();
        if level.content == Content::Arms && level.closures == 0 && !std::mem::take(&mut level.own)
        {
            self.builder.branch(Branch::Case);
        }
    }

    fn keyword(&mut self, token: Token) -> Result<()> {
        match Keyword::of_token(token) {
            Some(Keyword::If) => self.if_branch(Keyword::Else),
            Some(Keyword::ElseIf) => self.branch(Branch::ElseIf),
            Some(Keyword::Else) => self.branch(Branch::Else),
            Some(Keyword::Loop | Keyword::Do) => self.branch(Branch::Loop),
            Some(Keyword::While) if !self.ends_do(Keyword::Do) => self.branch(Branch::Loop),
            Some(Keyword::Catch) => {
                self.branch(Branch::Catch);
                self.expect(self.at + 1, Content::Parameters, Role::Plain);
            }
            Some(Keyword::Switch) => self.branch(Branch::Switch),
            Some(Keyword::Match) if self.next().opens(b'(') => {
                self.builder.branch(Branch::Switch);
                self.level().ahead = Some((Content::Arms, Role::Nested));
            }
            Some(Keyword::Case) => self.builder.branch(Branch::Case),
            Some(Keyword::Default) => self.level().own = true,
            Some(Keyword::And | Keyword::Or) => self.operator(token),
            Some(Keyword::Function) => self.closure(false),
            Some(Keyword::Fn) => self.closure(true),
            Some(Keyword::New) => self.construct()?,
            Some(Keyword::Include) => self.include(token),
            Some(Keyword::Namespace) if self.next().is_sign(b'\\') => self.word(),
            _ => {}
        }
        Ok(())
    }

    /// Reads the start of `function (…) use (…) {` or `fn (…) =>`.
    fn closure(&mut self, is_arrow: bool) {
        let mut at = self.at + 1;
        if self.token_at(at).is_sign(b'&') {
            at += 1;
        }
        if !self.token_at(at).opens(b'(') {
            return;
        }
        self.expect(at, Content::Parameters, Role::Plain);
        if is_arrow {
            self.builder.branch(Branch::Closure);
            self.begin_closure();
        } else {
            self.branch(Branch::Closure);
        }
    }

    /// Reads what follows a parameter list: captured variables and the return type.
    fn after_parameters(&mut self) {
        let next = self.at + 1;
        if self.token_at(next).is_keyword(Keyword::Use) && self.token_at(next + 1).opens(b'(') {
            self.expect(next + 1, Content::Parameters, Role::Plain);
        } else if self.token_at(next).is_sign(b':') {
            let end = self.types(next + 1);
            self.at = end - 1;
        }
    }

    /// Reads `new Type`. The members of an anonymous class are read later.
    fn construct(&mut self) -> Result<()> {
        let mut at = self.at + 1;
        while self.token_at(at).is_sign(b'#') && self.token_at(at + 1).opens(b'[') {
            at = self.after_bracket(at + 1);
        }
        while self.token_at(at).is_keyword(Keyword::Modifier) && self.is_class_ahead(at) {
            at += 1;
        }
        if self.token_at(at).is_keyword(Keyword::Class) {
            let has_arguments = self.token_at(at + 1).opens(b'(');
            let head = if has_arguments { self.after_bracket(at + 1) } else { at + 1 };
            let brace = self.head_end(head);
            if !self.token_at(brace).opens(b'{') {
                return Err(Unsupported);
            }
            self.supertypes(head, brace);
            self.expect(brace, Content::Members, Role::Plain);
            self.skip(head, brace);
            self.at = at;
        } else if let Some(last) = self.last_word(at) {
            self.refer_to(ReferenceKind::Call, at, last);
            self.at = last;
        } else if self.bytes(self.token_at(at)) == b"static" {
            self.refer(ReferenceKind::Call, self.token_at(at), None);
        }
        Ok(())
    }

    fn is_class_ahead(&self, at: usize) -> bool {
        let next = self.token_at(at + 1);
        next.is_keyword(Keyword::Class) || next.is_keyword(Keyword::Modifier)
    }

    /// Records `require 'path'` as an import.
    fn include(&mut self, keyword: Token) {
        let in_brackets = self.next().opens(b'(');
        let at = if in_brackets { self.at + 2 } else { self.at + 1 };
        let (path, after) = (self.token_at(at), self.token_at(at + 1));
        let is_whole = after.is_sign(b';') || after.kind == TokenKind::Close;
        if path.kind == TokenKind::Text && is_whole && !in_brackets {
            let inner = Span { start: path.start + 1, end: path.end - 1 };
            let path = inner.text(self.builder.source);
            self.builder.import(path, Imported::Module, None, keyword.line);
            let strings = &mut self.builder.outline.strings;
            if let Ok(at) = strings.binary_search_by_key(&inner.start, |it| it.span.start) {
                strings.remove(at);
            }
            self.at = at;
        }
    }

    /// Records the name of an attribute. Its arguments are read as expressions.
    fn attribute(&mut self) {
        if let Some(last) = self.last_word(self.at) {
            self.refer_to(ReferenceKind::Type, self.at, last);
            self.at = last;
        }
    }

    /// Returns the index of the brace, semicolon, equals sign or arrow that ends a header. Other brackets are skipped
    /// with their content.
    fn head_end(&self, from: usize) -> usize {
        self.find_end(from, |token| {
            token.opens(b'{')
                || token.kind == TokenKind::Sign
                    && matches!(token.code, b';' | b'=' | sign::FAT_ARROW)
        })
    }
}
