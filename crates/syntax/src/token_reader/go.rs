//! Reads Go source as tokens in one pass. Links between matching brackets allow the reader to skip nested parts.

mod bindings;
mod declarations;

use super::braces::{Dialect, LongText};
use super::reader::{self, Role, Rules};
use super::token::{Kind as TokenKind, Token, sign};
use super::{Result, Scratch, braces};
use crate::complexity::Branch;
use crate::outline::{Outline, ReferenceKind};
use crate::span::Span;

type Reader<'s> = reader::Reader<'s, Go>;

/// The spans of import paths, which are removed from the string literals.
#[derive(Default)]
pub(super) struct Go {
    import_paths: Vec<Span>,
}

const DIALECT: Dialect = Dialect {
    keyword: Keyword::code_of,
    ends_line,
    has_channels: true,
    long_text: LongText::Backticks,
    special: |_| Ok(false),
};

keywords! {
    Func [b"func"]
    Type [b"type"]
    Struct [b"struct"]
    Interface [b"interface"]
    Const [b"const"]
    Var [b"var"]
    Import [b"import"]
    Package [b"package"]
    If [b"if"]
    Else [b"else"]
    For [b"for"]
    Switch [b"switch" b"select"]
    Case [b"case"]
    /// A keyword that can end a statement.
    Ending [b"return" b"break" b"continue" b"fallthrough"]
    Other [b"chan" b"default" b"defer" b"go" b"goto" b"map" b"range"]
}

/// Returns whether Go inserts a semicolon after this token at the end of a line.
fn ends_line(last: &Token) -> bool {
    match last.kind {
        TokenKind::Word | TokenKind::Number | TokenKind::Text | TokenKind::Close => true,
        TokenKind::Keyword => last.code == Keyword::Ending as u8,
        TokenKind::Sign => last.code == sign::STEP,
        _ => false,
    }
}

/// What a pair of brackets contains.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Content {
    Code,
    Fields,
    Methods,
    /// The lines of `const (`, `var (`, `type (` or `import (`. The keyword applies to each line.
    Group(Keyword),
}

impl Rules for Go {
    type Content = Content;
    type Own = ();
    const OUTERMOST: Content = Content::Code;
    const CODE: Content = Content::Code;

    fn lex(source: &[u8], scratch: &mut Scratch, outline: &mut Outline) -> Result<Self> {
        braces::lex(&DIALECT, source, scratch, &mut outline.strings)?;
        Ok(Self::default())
    }

    fn end(reader: &mut Reader<'_>, is_complete: bool) -> Result<()> {
        let import_paths = &reader.rules.import_paths;
        let strings = &mut reader.builder.outline.strings;
        strings.retain(|it| import_paths.binary_search(&it.span).is_err());
        if is_complete { reader.check_closed() } else { Ok(()) }
    }

    fn token(reader: &mut Reader<'_>, token: Token) -> Result<()> {
        let at_start = std::mem::take(&mut reader.level().at_start);
        if at_start {
            reader.bind_statement();
        }
        if at_start && reader.statement(token) {
            return Ok(());
        }
        match token.kind {
            TokenKind::Open => reader.open(token),
            TokenKind::Close => return reader.close(token),
            TokenKind::LineEnd => reader.end_line(),
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
        if let Some((content, role)) = self.expected() {
            self.open_level(content, role);
        } else if token.code == b'{' && self.opens_block() {
            self.open_level(Content::Code, Role::Nested);
        } else {
            self.open_level(Content::Code, Role::Plain);
            self.level().at_start = token.code == b'{';
        }
    }

    /// Returns whether the current brace opens the block of a branch, loop or closure, rather than a composite literal
    /// in the condition.
    fn opens_block(&mut self) -> bool {
        let is_block = self.level().ahead.is_some() && !self.follows_literal_type();
        if is_block {
            self.level().ahead = None;
        }
        is_block
    }

    /// Returns whether the current brace follows the type of a composite literal, such as `[]struct{ … }`, `[]string`
    /// or `map[string]pkg.Type`.
    fn follows_literal_type(&self) -> bool {
        let mut at = self.at.wrapping_sub(1);
        if self.token_at(at).closes(b'}') {
            let before = self.token_at((self.token_at(at).opener as usize).wrapping_sub(1));
            return before.kind == TokenKind::Keyword;
        }
        let is_part =
            |it: Token| it.kind == TokenKind::Word || it.is_sign(b'.') || it.is_sign(b'*');
        while is_part(self.token_at(at)) {
            at = at.wrapping_sub(1);
        }
        self.token_at(at).closes(b']') && self.is_word(self.at.wrapping_sub(1))
    }

    fn close(&mut self, token: Token) -> Result<()> {
        self.end_line();
        if self.close_level()?.role == Role::Body {
            self.end_open_item(token);
        }
        Ok(())
    }

    /// Ends the current statement. If a definition ends with the statement, ends the definition too.
    fn end_line(&mut self) {
        let level = self.level();
        level.at_start = true;
        level.ahead = None;
        self.end_open_item(self.previous());
    }

    fn sign(&mut self, token: Token) {
        match token.code {
            sign::AND | sign::OR if self.previous().ends_operand() => self.operator(token),
            b';' if self.level().ahead.is_none() => self.end_line(),
            _ => {}
        }
    }

    fn keyword(&mut self, token: Token) {
        match Keyword::of_token(token) {
            Some(Keyword::If) => self.if_branch(Keyword::Else),
            Some(Keyword::Else) => self.branch(Branch::Else),
            Some(Keyword::For) => self.branch(Branch::Loop),
            Some(Keyword::Switch) => self.branch(Branch::Switch),
            Some(Keyword::Case) => self.builder.branch(Branch::Case),
            Some(Keyword::Func) => self.closure(),
            Some(Keyword::Struct) if self.next().opens(b'{') => {
                self.expect(self.at + 1, Content::Fields, Role::Body);
            }
            _ => {}
        }
    }

    /// Reads `func(…) … {` as a closure, which adds nesting. If no brace follows, `func(…)` is a type.
    fn closure(&mut self) {
        if !self.next().opens(b'(') {
            return;
        }
        let result = self.after_bracket(self.at + 1);
        let brace = self.result_end(result);
        self.parameter_types(self.at + 1);
        if self.token_at(brace).opens(b'{') {
            self.branch(Branch::Closure);
            self.result_types(result, brace);
            self.at = brace - 1;
        } else {
            self.at = result - 1;
        }
    }

    fn word(&mut self, token: Token) {
        let (previous, next) = (self.previous(), self.next());
        let is_instance =
            next.opens(b'[') && self.token_at(self.after_bracket(self.at + 1)).opens(b'(');
        if (next.opens(b'(') || is_instance) && !self.is_slice_element() {
            let receiver = self.receiver_at(self.at);
            return self.refer(ReferenceKind::Call, token, receiver);
        }
        if self.is_type(previous, next, token) {
            let receiver = self.receiver_at(self.at);
            return self.refer(ReferenceKind::Type, token, receiver);
        }
        if !previous.is_sign(b'.') {
            // In a composite literal, the `key` in `key: value` is a field name, not a reference.
            if !next.is_sign(b':') {
                self.name(token, None);
            }
        } else if self.follows_plain_name() {
            let package = self.token_at(self.at.wrapping_sub(2)).span();
            self.name(token, Some(package));
        }
    }

    /// Returns whether the current name is a type, as in `Queue{…}`, `var q Queue` and `[]Queue`.
    fn is_type(&mut self, previous: Token, next: Token, token: Token) -> bool {
        if next.is_sign(b'.') {
            return false;
        }
        let is_scoped = previous.is_sign(b'.') && self.follows_plain_name();
        let first = if is_scoped { self.at.wrapping_sub(2) } else { self.at };
        let before = self.token_at(first.wrapping_sub(1));
        let is_declared = before.kind == TokenKind::Word && before.line == token.line;
        let is_literal = next.opens(b'{') && self.level().ahead.is_none();
        is_literal || is_declared && !previous.is_sign(b'.') | is_scoped || self.is_slice_element()
    }

    /// Returns whether the current name is the element type of a slice, such as `byte` in `[]byte`. `[]byte(text)` is
    /// a conversion, not a call.
    fn is_slice_element(&self) -> bool {
        let previous = self.previous();
        previous.closes(b']') && previous.opener as usize + 2 == self.at
    }

    /// Skips the result types of a function, which start at token `from`, and returns the index of the next token. This
    /// is usually the opening brace of the body or the end of the line.
    fn result_end(&self, from: usize) -> usize {
        let mut at = from;
        while let Some(token) = self.tokens.get(at) {
            let is_literal_type = self.token_at(at.wrapping_sub(1)).is_keyword(Keyword::Struct)
                || self.token_at(at.wrapping_sub(1)).is_keyword(Keyword::Interface);
            match token.kind {
                TokenKind::Open if token.code == b'{' && !is_literal_type => break,
                TokenKind::Open => at = token.opener as usize,
                TokenKind::LineEnd | TokenKind::Close | TokenKind::Text | TokenKind::Number => {
                    break;
                }
                TokenKind::Sign if !matches!(token.code, b'*' | b'.' | sign::ARROW) => break,
                _ => {}
            }
            at += 1;
        }
        at
    }

    /// Records the types in a parameter list such as `(a, b T, c U)`. Parameter names are skipped.
    fn parameter_types(&mut self, opener: usize) {
        let end = self.after_bracket(opener) - 1;
        let has_names = self.has_names(opener, end);
        let mut starts_parameter = true;
        let mut at = opener + 1;
        while at < end {
            let token = self.tokens[at];
            if token.is_sign(b',') {
                starts_parameter = true;
            } else {
                let is_name = starts_parameter && has_names && token.kind == TokenKind::Word;
                if !is_name {
                    self.type_at(at);
                }
                starts_parameter = false;
            }
            at += 1;
        }
    }

    /// Returns whether the parameters have names in addition to types.
    fn has_names(&self, opener: usize, end: usize) -> bool {
        let mut at = opener + 1;
        let mut starts_parameter = true;
        while at < end {
            let (token, next) = (self.token_at(at), self.token_at(at + 1));
            let starts_type = matches!(next.kind, TokenKind::Word | TokenKind::Keyword)
                || next.opens(b'[')
                || next.is_sign(b'*')
                || next.is_sign(sign::ARROW)
                || next.is_sign(b'.') && self.token_at(at + 2).is_sign(b'.');
            if starts_parameter && token.kind == TokenKind::Word && starts_type {
                return true;
            }
            starts_parameter = token.is_sign(b',');
            at = if token.kind == TokenKind::Open { token.opener as usize + 1 } else { at + 1 };
        }
        false
    }

    /// Records the types in a result, which is a type or a parameter list.
    fn result_types(&mut self, from: usize, to: usize) {
        if self.token_at(from).opens(b'(') && self.after_bracket(from) <= to {
            self.parameter_types(from);
        } else {
            self.types_between(from, to);
        }
    }

    fn types_between(&mut self, from: usize, to: usize) {
        for at in from..to {
            self.type_at(at);
        }
    }

    fn type_at(&mut self, at: usize) {
        let token = self.token_at(at);
        if token.kind == TokenKind::Word && !self.token_at(at + 1).is_sign(b'.') {
            let receiver = self.receiver_at(at);
            self.refer(ReferenceKind::Type, token, receiver);
        }
    }
}
