//! Reads Java source as tokens. Members are recognised by the form of their headers, which end with a brace, a
//! semicolon or an equals sign.

mod code;
mod members;

use std::time::Instant;

use super::braces::{Dialect, LongText};
use super::reader::{self, Role, Rules};
use super::token::{Kind as TokenKind, Token, sign};
use super::{Scratch, Unsupported, braces};
use crate::languages::Language;
use crate::outline::Outline;

type Reader<'s> = reader::Reader<'s, Java>;

struct Java;

/// Whether the arrow or colon after a case label is expected later in the current statement.
type InLabel = bool;

const DIALECT: Dialect = Dialect {
    keyword: Keyword::code_of,
    ends_line: |_| false,
    has_channels: false,
    long_text: LongText::ThreeQuotes,
    special: |_| Ok(false),
};

keywords! {
    Class [b"class"]
    Interface [b"interface"]
    Enum [b"enum"]
    Extends [b"extends"]
    Implements [b"implements" b"permits"]
    Import [b"import"]
    Package [b"package"]
    Modifier [
        b"public" b"private" b"protected" b"static" b"final" b"abstract" b"native" b"synchronized"
        b"transient" b"volatile" b"strictfp" b"sealed"
    ]
    If [b"if"]
    Else [b"else"]
    For [b"for"]
    While [b"while"]
    Do [b"do"]
    Switch [b"switch"]
    Case [b"case"]
    Default [b"default"]
    Catch [b"catch"]
    New [b"new"]
    /// A primitive type or `void`.
    Primitive [b"int" b"long" b"short" b"byte" b"char" b"float" b"double" b"boolean" b"void"]
    Other [
        b"assert" b"break" b"continue" b"finally" b"goto" b"instanceof" b"return" b"throw" b"throws"
        b"try"
    ]
}

/// What a pair of brackets contains.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Content {
    Members,
    Constants,
    Code,
}

pub(super) fn read(
    source: &[u8],
    deadline: Option<Instant>,
    scratch: &mut Scratch,
) -> Result<Outline, Unsupported> {
    let mut outline = Outline::empty(Language::Java);
    braces::lex(&DIALECT, source, scratch, &mut outline.strings)?;
    Ok(reader::read(Java, source, outline, scratch, deadline)?.0)
}

impl Rules for Java {
    type Keyword = Keyword;
    type Content = Content;
    type Own = InLabel;
    const OUTERMOST: Content = Content::Members;
    const CODE: Content = Content::Code;

    fn token(reader: &mut Reader<'_>, token: Token) -> Result<(), Unsupported> {
        let at_start = std::mem::take(&mut reader.level().at_start);
        if at_start && token.kind != TokenKind::Close {
            let is_read = match reader.level().content {
                Content::Members => reader.member()?,
                Content::Constants => reader.constant(),
                Content::Code => reader.local_type()?,
            };
            if is_read {
                return Ok(());
            }
        }
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
        let is_brace = token.code == b'{';
        let expected = self.expected();
        let expected = expected.or_else(|| self.level().ahead.take_if(|_| is_brace));
        let (content, role) = expected.unwrap_or((Content::Code, Role::Plain));
        self.open_level(content, role);
        self.level().at_start = is_brace;
    }

    fn close(&mut self, token: Token) -> Result<(), Unsupported> {
        self.end_closures();
        self.end_open_item(self.previous());
        let closed = self.close_level()?;
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
            b':' => self.level().own = false,
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
        level.ahead = None;
        level.own = false;
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
