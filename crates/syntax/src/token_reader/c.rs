//! Reads C and C++ source as tokens. A declaration is recognised by the form of its header. If a name is followed by a
//! parenthesis, the first such name is the name of a function. Otherwise, the last name before `=`, `,`, `[` or `;` is
//! the name of a variable.

mod code;
mod declarations;
mod declarators;
mod dialect;
mod functions;
mod preprocessor;
mod types;

use dialect::Keyword;
pub(super) use preprocessor::Conditional;

use super::braces::Directive;
use super::item::Item;
use super::reader::{self, Role, Rules};
use super::token::{Kind as TokenKind, Token, sign};
use super::{Result, Scratch, braces};
use crate::complexity::Branch;
use crate::definition::Kind;
use crate::languages::{Language, looks_like_cpp};
use crate::outline::Outline;
use crate::span::Span;

type Reader<'s> = reader::Reader<'s, C>;

pub(super) struct C {
    language: Language,
    /// The directives that have not been read yet.
    directives: std::iter::Peekable<std::vec::IntoIter<Directive>>,
}

/// What a pair of brackets contains.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Content {
    /// The file, a namespace or a linkage block.
    Declarations,
    Members,
    Enumerators,
    Code,
    /// Arguments, elements or conditions.
    Expressions,
}

/// The tokens at which a declaration starts.
#[derive(Debug, Clone, Copy)]
struct Start {
    /// The first token after templates, linkage and macros.
    first: usize,
    /// The token below the doc comment.
    doc: usize,
}

impl Start {
    fn at(first: usize) -> Self {
        Self { first, doc: first }
    }
}

impl Rules for C {
    type Content = Content;
    type Own = ();
    const OUTERMOST: Content = Content::Declarations;
    const CODE: Content = Content::Code;
    const EXPRESSIONS: Option<Content> = Some(Content::Expressions);

    fn lex(source: &[u8], scratch: &mut Scratch, outline: &mut Outline) -> Result<Self> {
        let is_cpp = outline.language == Language::Cpp || looks_like_cpp(source);
        outline.language = if is_cpp { Language::Cpp } else { Language::C };
        let dialect = if is_cpp { &dialect::CPP } else { &dialect::C };
        let directives = braces::lex(dialect, source, scratch, &mut outline.strings)?;
        Ok(Self { language: outline.language, directives: directives.into_iter().peekable() })
    }

    /// Reads the directives before the current token.
    fn before_token(reader: &mut Reader<'_>) {
        let at = reader.at;
        while let Some(directive) = reader.rules.directives.next_if(|it| it.token <= at) {
            reader.directive(&directive);
        }
    }

    fn end(reader: &mut Reader<'_>, is_complete: bool) -> Result<()> {
        if !is_complete {
            return Ok(());
        }
        while let Some(directive) = reader.rules.directives.next() {
            reader.directive(&directive);
        }
        reader.check_closed()
    }

    fn token(reader: &mut Reader<'_>, token: Token) -> Result<()> {
        let at_start = std::mem::take(&mut reader.level().at_start);
        if at_start && token.kind != TokenKind::Close {
            let is_read = match reader.level().content {
                Content::Declarations | Content::Members => reader.declaration()?,
                Content::Code => reader.local_declaration()?,
                Content::Enumerators => reader.enumerator(),
                Content::Expressions => false,
            };
            if is_read {
                return Ok(());
            }
        }
        // The current token may have changed, even if no declaration was read.
        let token = reader.token_at(reader.at);
        match token.kind {
            TokenKind::Open => reader.open(token),
            TokenKind::Close => return reader.close(token),
            TokenKind::Sign => reader.sign(token),
            TokenKind::Keyword => reader.keyword(token),
            TokenKind::Word => reader.word(token),
            _ => {}
        }
        Ok(())
    }
}

impl Reader<'_> {
    fn open(&mut self, token: Token) {
        if token.code == b'[' && self.rules.language == Language::Cpp {
            self.lambda();
        }
        let is_brace = token.code == b'{';
        let expected = self.expected();
        let expected = expected.or_else(|| self.level().ahead.take_if(|_| is_brace));
        // After an unknown header, and within code, a brace opens a block of statements.
        let is_block =
            is_brace && (self.level().content == Content::Code || self.previous().closes(b')'));
        let otherwise = if is_block { Content::Code } else { Content::Expressions };
        let (content, role) = expected.unwrap_or((otherwise, Role::Plain));
        self.open_level(content, role);
    }

    fn close(&mut self, token: Token) -> Result<()> {
        self.end_open_item(self.previous());
        let closed = self.close_level()?;
        if token.code != b'}' || closed.role == Role::Aliased {
            return Ok(());
        }
        let next = self.next();
        let is_list = closed.content == Content::Expressions
            && !matches!(next.kind, TokenKind::Word | TokenKind::Keyword);
        let level = self.level();
        level.at_start = match level.content {
            Content::Code => true,
            // After a brace in an initialiser list, the value may continue.
            Content::Declarations | Content::Members => !is_list,
            Content::Enumerators | Content::Expressions => false,
        };
        if closed.role == Role::Body {
            self.end_open_item(token);
        }
        Ok(())
    }

    fn sign(&mut self, token: Token) {
        match token.code {
            b';' => {
                let level = self.level();
                level.ahead = None;
                // The parts of a `for` header are expressions, not statements.
                level.at_start = level.content != Content::Expressions;
                self.end_open_item(token);
            }
            b',' if self.level().content == Content::Enumerators => {
                self.end_open_item(self.previous());
                self.level().at_start = true;
            }
            b':' if self.level().content == Content::Code => self.level().at_start = true,
            sign::AND | sign::OR if self.is_binary() => self.operator(token),
            b'?' => self.builder.branch(Branch::If),
            _ => {}
        }
    }

    /// Returns whether the current `&&` or `||` is an operator. `&&` can also denote a reference, as in `auto&& x`.
    fn is_binary(&self) -> bool {
        let previous = self.previous();
        previous.ends_operand() || previous.is_keyword(Keyword::Other)
    }

    /// Returns a definition whose header ends before token `end`. The text before a body belongs to the header.
    fn headed(&self, kind: Kind, start: Start, name: Span, end: usize) -> Item {
        let (brace, doc) = (self.token_at(end), self.token_at(start.doc));
        let has_body = brace.opens(b'{');
        let item = self.item(kind, start.first, name, end).with_body(has_body);
        // In `typedef struct { … } name`, the name follows the body.
        let end = if has_body { brace.start } else { item.end };
        Item { end, doc: (doc.start, doc.line), ..item }
    }
}
