//! Reads PHP source as tokens. Declarations are recognised by their keywords, and properties by the variable after
//! their modifiers and type.

mod code;
mod declarations;
mod dialect;
mod imports;
mod names;

use std::time::Instant;

use dialect::Keyword;

use super::bracket_stack::BracketStack;
use super::builder::{Builder, SavedState};
use super::pending::Pending;
use super::token::{Kind as TokenKind, Token, sign};
use super::token_cursor::TokenCursor;
use super::{Scratch, Unsupported, braces};
use crate::complexity::Branch;
use crate::languages::Language;
use crate::outline::Outline;

/// What a pair of brackets contains.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Content {
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

/// What a closing bracket ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    Plain,
    Body,
    Nested,
}

/// A brace that is expected later in the current statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ahead {
    Nothing,
    /// The opening brace of a branch, loop or closure.
    Block,
    /// The opening brace of a `match`.
    Arms,
}

struct Level {
    content: Content,
    role: Role,
    /// Whether the next token starts a member, statement or parameter.
    at_start: bool,
    ahead: Ahead,
    /// Whether the current arm is the default arm of a `match`.
    is_default: bool,
    /// The state to restore when the open definition at this level ends.
    open_item: Option<SavedState>,
    /// The number of arrow functions that are open at this level.
    closures: u16,
}

struct Reader<'s> {
    tokens: &'s mut [Token],
    builder: Builder<'s>,
    brackets: BracketStack<Level>,
    /// The content and role of the bodies and parameter lists whose opening bracket the reader has not reached yet.
    bodies: Pending<(Content, Role)>,
    /// Token ranges that have already been read as part of a header. The key is the first token, and the value is the
    /// token after the range.
    skipped: Pending<usize>,
    at: usize,
}

pub(super) fn read(
    source: &[u8],
    deadline: Option<Instant>,
    scratch: &mut Scratch,
) -> Result<Outline, Unsupported> {
    let mut outline = Outline::empty(Language::Php);
    let Scratch { tokens, names, comments } = scratch;
    braces::lex(&dialect::DIALECT, source, tokens, &mut outline.strings, comments)?;
    let builder = Builder::new(source, outline, names, comments);
    let brackets = BracketStack::new(Level::new(Content::Code, Role::Plain));
    let mut reader = Reader {
        tokens,
        builder,
        brackets,
        bodies: Pending::new(),
        skipped: Pending::new(),
        at: 0,
    };
    reader.run(deadline)?;
    Ok(reader.builder.finish())
}

impl Level {
    fn new(content: Content, role: Role) -> Self {
        Self {
            content,
            role,
            at_start: content != Content::Expressions,
            ahead: Ahead::Nothing,
            is_default: false,
            open_item: None,
            closures: 0,
        }
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
            if let Some(end) = self.skipped.take(self.at) {
                self.at = end;
                continue;
            }
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
                Content::Code => self.statement()?,
                Content::Parameters => self.parameter(),
                Content::Attributes => {
                    self.attribute();
                    true
                }
                Content::Arms | Content::Expressions => false,
            };
            if is_read {
                return Ok(());
            }
        }
        match token.kind {
            TokenKind::Open => self.open(token),
            TokenKind::Close => return self.close(token),
            TokenKind::Sign => self.sign(token),
            TokenKind::Keyword => self.keyword(token)?,
            TokenKind::Word => self.word(),
            TokenKind::Variable => self.variable(token),
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

    /// Records the content and role of the body or parameter list that starts at token `bracket`.
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
        let level = self.level();
        let opens_block = token.code == b'{' && level.ahead != Ahead::Nothing;
        let inner = if opens_block {
            let ahead = std::mem::replace(&mut level.ahead, Ahead::Nothing);
            let content = if ahead == Ahead::Arms { Content::Arms } else { Content::Code };
            self.builder.nesting = self.builder.nesting.saturating_add(1);
            Level::new(content, Role::Nested)
        } else if let Some((content, role)) = self.bodies.take(at) {
            Level::new(content, role)
        } else if token.code == b'{' {
            Level::new(Content::Code, Role::Plain)
        } else {
            Level::new(Content::Expressions, Role::Plain)
        };
        self.brackets.open(inner);
    }

    fn close(&mut self, token: Token) -> Result<(), Unsupported> {
        self.end_closures();
        self.end_open_item(self.previous());
        let closed = self.brackets.close()?;
        if closed.role == Role::Nested {
            self.builder.nesting = self.builder.nesting.saturating_sub(1);
        }
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
            b';' => {
                self.end_closures();
                let level = self.level();
                level.ahead = Ahead::Nothing;
                level.at_start = true;
                self.end_open_item(token);
            }
            b',' => {
                self.end_closures();
                let level = self.level();
                level.at_start = matches!(level.content, Content::Parameters | Content::Attributes);
                level.is_default &= level.content != Content::Arms;
            }
            sign::AND | sign::OR | sign::COALESCE => self.builder.operator(token),
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
        if level.content == Content::Arms
            && level.closures == 0
            && !std::mem::take(&mut level.is_default)
        {
            self.builder.branch(Branch::Case);
        }
    }
}
