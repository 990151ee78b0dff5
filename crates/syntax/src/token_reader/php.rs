//! Reads PHP source as tokens. Declarations are recognised by their keywords, and properties by the variable after
//! their modifiers and type.

mod code;
mod declarations;
mod dialect;
mod references;

use std::time::Instant;

use dialect::Keyword;

use super::reader::{self, Role, Rules};
use super::token::{Kind as TokenKind, Token, sign};
use super::{Scratch, Unsupported, braces};
use crate::complexity::Branch;
use crate::languages::Language;
use crate::outline::Outline;

type Reader<'s> = reader::Reader<'s, Php>;

struct Php;

/// Whether the current arm is the default arm of a `match`.
type IsDefault = bool;

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

pub(super) fn read(
    source: &[u8],
    deadline: Option<Instant>,
    scratch: &mut Scratch,
) -> Result<Outline, Unsupported> {
    let mut outline = Outline::empty(Language::Php);
    braces::lex(&dialect::DIALECT, source, scratch, &mut outline.strings)?;
    Ok(reader::read(Php, source, outline, scratch, deadline)?.0)
}

impl Rules for Php {
    type Keyword = Keyword;
    type Content = Content;
    type Own = IsDefault;
    const OUTERMOST: Content = Content::Code;
    const CODE: Content = Content::Code;
    const EXPRESSIONS: Option<Content> = Some(Content::Expressions);

    fn token(reader: &mut Reader<'_>, token: Token) -> Result<(), Unsupported> {
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

    fn close(&mut self, token: Token) -> Result<(), Unsupported> {
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
        if level.content == Content::Arms && level.closures == 0 && !std::mem::take(&mut level.own)
        {
            self.builder.branch(Branch::Case);
        }
    }
}
