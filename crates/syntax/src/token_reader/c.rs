//! Reads C and C++ source as tokens. A declaration is recognised by the form of its header. If a name is followed by a
//! parenthesis, the first such name is the name of a function. Otherwise, the last name before `=`, `,`, `[` or `;` is
//! the name of a variable.

mod code;
mod declarations;
mod declarators;
mod definitions;
mod dialect;
mod functions;
mod preprocessor;
mod types;

use std::time::Instant;

use dialect::Keyword;
pub(super) use preprocessor::Conditional;

use super::bracket_stack::BracketStack;
use super::builder::{Builder, SavedState};
use super::pending::Pending;
use super::token::{Kind as TokenKind, Token, sign};
use super::token_cursor::TokenCursor;
use super::{Scratch, Unsupported, braces};
use crate::complexity::Branch;
use crate::languages::{Language, looks_like_cpp};
use crate::outline::Outline;

/// What a pair of brackets contains.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Content {
    /// The file, a namespace or a linkage block.
    Declarations,
    Members,
    Enumerators,
    Code,
    /// Arguments, elements or conditions.
    Expressions,
}

/// What a closing bracket ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    Plain,
    /// The enclosing definition.
    Body,
    /// A branch, loop or closure.
    Nested,
    /// Nothing. The bracket closes the body in `typedef struct { … } Name;`, but the definition ends at the semicolon.
    Aliased,
}

struct Level {
    content: Content,
    role: Role,
    /// Whether the next token starts a declaration, statement or enumerator.
    at_start: bool,
    /// Whether the block of a branch or loop is expected later in the statement.
    expects_block: bool,
    /// The state to restore when the open definition at this level ends.
    open_item: Option<SavedState>,
}

struct Reader<'s> {
    language: Language,
    tokens: &'s mut [Token],
    builder: Builder<'s>,
    brackets: BracketStack<Level>,
    /// The content and role of brackets that the reader has not reached yet, although it has read the header before
    /// them. The key is the token index of the opening bracket.
    bodies: Pending<(Content, Role)>,
    /// Token ranges that have already been read as part of a header. The key is the first token, and the value is the
    /// token after the range.
    skipped: Pending<usize>,
    at: usize,
}

pub(super) fn read(
    language: Language,
    source: &[u8],
    deadline: Option<Instant>,
    scratch: &mut Scratch,
) -> Result<Outline, Unsupported> {
    let is_cpp = language == Language::Cpp || looks_like_cpp(source);
    let language = if is_cpp { Language::Cpp } else { Language::C };
    let mut outline = Outline::empty(language);
    let Scratch { tokens, names, comments } = scratch;
    let dialect = if is_cpp { &dialect::CPP } else { &dialect::C };
    let directives = braces::lex(dialect, source, tokens, &mut outline.strings, comments)?;
    let builder = Builder::new(source, outline, names, comments);
    let brackets = BracketStack::new(Level::new(Content::Declarations, Role::Plain));
    let (bodies, skipped) = (Pending::new(), Pending::new());
    let mut reader = Reader { language, tokens, builder, brackets, bodies, skipped, at: 0 };
    reader.run(deadline, &directives)?;
    Ok(reader.builder.finish())
}

impl Level {
    fn new(content: Content, role: Role) -> Self {
        let at_start = content != Content::Expressions;
        Self { content, role, at_start, expects_block: false, open_item: None }
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
    fn run(
        &mut self,
        deadline: Option<Instant>,
        directives: &[braces::Directive],
    ) -> Result<(), Unsupported> {
        let mut directives = directives.iter().peekable();
        while self.at < self.tokens.len() {
            while let Some(directive) = directives.next_if(|it| it.token <= self.at) {
                self.directive(directive);
            }
            if let Some(end) = self.skipped.take_reached(self.at) {
                self.at = self.at.max(end);
                continue;
            }
            let token = self.tokens[self.at];
            if self.builder.is_out_of_time(self.at, token.line, deadline) {
                return Ok(());
            }
            self.token(token)?;
            self.at += 1;
        }
        directives.for_each(|directive| self.directive(directive));
        self.brackets.finish()
    }

    fn token(&mut self, token: Token) -> Result<(), Unsupported> {
        let at_start = std::mem::take(&mut self.level().at_start);
        if at_start && token.kind != TokenKind::Close {
            let is_read = match self.level().content {
                Content::Declarations | Content::Members => self.declaration()?,
                Content::Code => self.local_declaration()?,
                Content::Enumerators => self.enumerator(),
                Content::Expressions => false,
            };
            if is_read {
                return Ok(());
            }
        }
        // The current token may have changed, even if no declaration was read.
        let token = self.token_at(self.at);
        match token.kind {
            TokenKind::Open => self.open(token),
            TokenKind::Close => return self.close(token),
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

    fn bytes(&self, token: Token) -> &[u8] {
        token.span().of(self.builder.source)
    }

    fn is_keyword(token: Token, keyword: Keyword) -> bool {
        token.kind == TokenKind::Keyword && token.code == keyword as u8
    }

    /// Records the content and role of the bracket at token `bracket`, which the reader has not reached yet.
    fn expect(&mut self, bracket: usize, content: Content, role: Role) {
        self.bodies.add(bracket, (content, role));
    }

    /// Makes the reader skip the tokens from `start` to `end` when it reaches them.
    fn skip(&mut self, start: usize, end: usize) {
        if start < end {
            self.skipped.add(start, end);
        }
    }

    fn open(&mut self, token: Token) {
        let at = self.at;
        if token.code == b'[' && self.language == Language::Cpp {
            self.lambda();
        }
        let inner = if let Some((content, role)) = self.bodies.take(at) {
            if role == Role::Nested {
                self.builder.nesting = self.builder.nesting.saturating_add(1);
            }
            Level::new(content, role)
        } else if token.code == b'{' && std::mem::take(&mut self.level().expects_block) {
            self.builder.nesting = self.builder.nesting.saturating_add(1);
            Level::new(Content::Code, Role::Nested)
        } else if token.code == b'{'
            && (self.level().content == Content::Code || self.previous().closes(b')'))
        {
            // After an unknown header, and within code, a brace opens a block of statements.
            Level::new(Content::Code, Role::Plain)
        } else {
            Level::new(Content::Expressions, Role::Plain)
        };
        self.brackets.open(inner);
    }

    fn close(&mut self, token: Token) -> Result<(), Unsupported> {
        self.end_open_item(self.previous());
        let closed = self.brackets.close()?;
        if closed.role == Role::Nested {
            self.builder.nesting = self.builder.nesting.saturating_sub(1);
        }
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

    fn end_open_item(&mut self, last: Token) {
        if let Some(saved) = self.level().open_item.take() {
            self.builder.end(saved, last.end, last.last_line());
        }
    }

    fn sign(&mut self, token: Token) {
        match token.code {
            b';' => {
                let level = self.level();
                level.expects_block = false;
                // The parts of a `for` header are expressions, not statements.
                level.at_start = level.content != Content::Expressions;
                self.end_open_item(token);
            }
            b',' if self.level().content == Content::Enumerators => {
                self.end_open_item(self.previous());
                self.level().at_start = true;
            }
            b':' if self.level().content == Content::Code => self.level().at_start = true,
            sign::AND | sign::OR if self.is_binary() => self.builder.operator(token),
            b'?' => self.builder.branch(Branch::If),
            _ => {}
        }
    }

    /// Returns whether the current `&&` or `||` is an operator. `&&` can also denote a reference, as in `auto&& x`.
    fn is_binary(&self) -> bool {
        let previous = self.previous();
        previous.ends_operand() || Self::is_keyword(previous, Keyword::Other)
    }
}
