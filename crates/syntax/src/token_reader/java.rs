//! Reads Java source as tokens. Members are recognised by the form of their headers, which end with a brace, a
//! semicolon or an equals sign.

mod members;

use members::MAX_ANGLES;

use super::braces::{Dialect, LongText};
use super::reader::{self, Role, Rules};
use super::token::{Kind as TokenKind, Token, sign};
use super::{Result, Scratch, braces};
use crate::complexity::Branch;
use crate::outline::{Outline, ReferenceKind};
use crate::span::Span;

type Reader<'s> = reader::Reader<'s, Java>;

pub(super) struct Java;

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
pub(super) enum Content {
    Members,
    Constants,
    Code,
}

impl Rules for Java {
    type Content = Content;
    type Own = InLabel;
    const OUTERMOST: Content = Content::Members;
    const CODE: Content = Content::Code;

    fn lex(source: &[u8], scratch: &mut Scratch, outline: &mut Outline) -> Result<Self> {
        braces::lex(&DIALECT, source, scratch, &mut outline.strings)?;
        Ok(Self)
    }

    fn token(reader: &mut Reader<'_>, token: Token) -> Result<()> {
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

    fn close(&mut self, token: Token) -> Result<()> {
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
            sign::AND | sign::OR => self.operator(token),
            sign::ARROW => self.arrow(),
            // In `List<?>`, the question mark is a wildcard type.
            b'?' if self.previous().ends_operand() => self.builder.branch(Branch::If),
            b'@' if self.next().kind == TokenKind::Word => {
                self.at += 1;
                self.refer(ReferenceKind::Type, self.token_at(self.at), None);
            }
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

    fn word(&mut self, token: Token) {
        let (previous, next) = (self.previous(), self.next());
        if matches!(self.bytes(token), b"null" | b"true" | b"false" | b"this" | b"super") {
            return;
        }
        if next.is_sign(b'.') && self.token_at(self.at + 2).is_keyword(Keyword::Class) {
            return self.refer(ReferenceKind::Type, token, None);
        }
        if previous.is_sign(sign::PATH) {
            // This is a method reference such as `User::name`.
            let object = self.token_at(self.at.wrapping_sub(2));
            let receiver = Span { start: object.start, end: object.end };
            return self.refer(ReferenceKind::Use, token, Some(receiver));
        }
        if next.opens(b'(') {
            let receiver = self.receiver_at(self.at);
            return self.refer(ReferenceKind::Call, token, receiver);
        }
        if next.is_sign(b'.') && !previous.is_sign(b'.') {
            return self.name(token, None);
        }
        if previous.is_sign(b'.') {
            if self.is_declared_type(token, next) {
                let receiver = self.receiver_at(self.at);
                self.refer(ReferenceKind::Type, token, receiver);
            } else if self.follows_plain_name() {
                let object = self.token_at(self.at.wrapping_sub(2)).span();
                self.name(token, Some(object));
            }
        } else if self.is_type_name(token) && !next.is_sign(sign::PATH) {
            self.refer(ReferenceKind::Type, token, None);
        } else {
            self.name(token, None);
        }
    }

    /// Returns whether a name after a dot is a type, as in `Map.Entry entry` or `Map.Entry<K, V>`.
    fn is_declared_type(&self, token: Token, next: Token) -> bool {
        self.is_type_name(token) && (next.kind == TokenKind::Word || next.is_sign(b'<'))
    }

    fn keyword(&mut self, token: Token) {
        match Keyword::of_token(token) {
            Some(Keyword::If) => self.if_branch(Keyword::Else),
            Some(Keyword::Else) => self.branch(Branch::Else),
            Some(Keyword::For | Keyword::Do) => self.branch(Branch::Loop),
            Some(Keyword::While) if !self.ends_do(Keyword::Do) => self.branch(Branch::Loop),
            Some(Keyword::Catch) => self.branch(Branch::Catch),
            Some(Keyword::Switch) => self.branch(Branch::Switch),
            Some(Keyword::Case) => {
                self.builder.branch(Branch::Case);
                self.label();
            }
            Some(Keyword::Default) => self.label(),
            Some(Keyword::New) => self.construct(),
            _ => {}
        }
    }

    /// Notes that the arrow or colon of a label follows, and not the block of a branch.
    fn label(&mut self) {
        let level = self.level();
        level.own = true;
        level.ahead = None;
    }

    /// Reads `new Type<…>(…)`. If a brace follows, it opens the body of an anonymous class.
    fn construct(&mut self) {
        let mut at = self.at + 1;
        while self.is_word(at) && self.token_at(at + 1).is_sign(b'.') {
            at += 2;
        }
        let name = self.token_at(at);
        if name.kind != TokenKind::Word {
            return;
        }
        let mut end = at + 1;
        let mut angles = 0_i32;
        while self.token_at(end).is_sign(b'<') || angles > 0 {
            let token = self.token_at(end);
            let is_lost = token.kind == TokenKind::LineEnd || end > at + MAX_ANGLES;
            if is_lost || token.opens(b'{') || token.is_sign(b';') {
                return;
            }
            angles += i32::from(token.is_sign(b'<')) - i32::from(token.is_sign(b'>'));
            end += 1;
        }
        if self.token_at(end).opens(b'(') {
            self.refer(ReferenceKind::Call, name, self.receiver_at(at));
            let brace = self.after_bracket(end);
            if self.token_at(brace).opens(b'{') {
                self.expect(brace, Content::Members, Role::Plain);
            }
        } else {
            self.refer(ReferenceKind::Type, name, self.receiver_at(at));
        }
        self.types_between(at + 1, end);
        self.at = end - 1;
    }

    /// Starts a lambda, unless the arrow belongs to a `case` or `default`.
    fn arrow(&mut self) {
        if std::mem::take(&mut self.level().own) {
            return;
        }
        if self.next().opens(b'{') {
            self.branch(Branch::Closure);
        } else {
            self.builder.branch(Branch::Closure);
            self.begin_closure();
        }
    }
}
