//! Reads the code in PHP functions: branches, closures, constructor calls and includes.

use super::{Ahead, Content, Keyword, Reader, Role, Token, TokenKind, Unsupported, sign};
use crate::complexity::Branch;
use crate::outline::{Import, Imported, ReferenceKind};
use crate::span::Span;
use crate::token_reader::token_cursor::TokenCursor;

impl Reader<'_> {
    pub(super) fn keyword(&mut self, token: Token) -> Result<(), Unsupported> {
        let is = |keyword: Keyword| token.code == keyword as u8;
        if is(Keyword::If) {
            let follows_else = Self::is_keyword(self.previous(), Keyword::Else);
            self.branch(if follows_else { Branch::Case } else { Branch::If });
        } else if is(Keyword::ElseIf) {
            self.branch(Branch::ElseIf);
        } else if is(Keyword::Else) {
            self.branch(Branch::Else);
        } else if is(Keyword::Loop)
            || is(Keyword::Do)
            || is(Keyword::While) && !self.ends_do(Keyword::Do as u8)
        {
            self.branch(Branch::Loop);
        } else if is(Keyword::Catch) {
            self.branch(Branch::Catch);
            self.expect(self.at + 1, Content::Parameters, Role::Plain);
        } else if is(Keyword::Switch) {
            self.branch(Branch::Switch);
        } else if is(Keyword::Match) && self.next().opens(b'(') {
            self.branch(Branch::Switch);
            self.level().ahead = Ahead::Arms;
        } else if is(Keyword::Case) {
            self.builder.branch(Branch::Case);
        } else if is(Keyword::Default) {
            self.level().is_default = true;
        } else if is(Keyword::And) || is(Keyword::Or) {
            self.builder.operator(token);
        } else if is(Keyword::Function) || is(Keyword::Fn) {
            self.closure(is(Keyword::Fn));
        } else if is(Keyword::New) {
            self.construct()?;
        } else if is(Keyword::Include) {
            self.include(token);
        } else if is(Keyword::Namespace) && self.next().is_sign(b'\\') {
            self.word();
        }
        Ok(())
    }

    fn branch(&mut self, branch: Branch) {
        self.builder.branch(branch);
        self.level().ahead = Ahead::Block;
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
        self.builder.branch(Branch::Closure);
        self.expect(at, Content::Parameters, Role::Plain);
        if is_arrow {
            self.level().closures += 1;
            self.builder.nesting = self.builder.nesting.saturating_add(1);
        } else {
            self.level().ahead = Ahead::Block;
        }
    }

    /// Reads what follows a parameter list: captured variables and the return type.
    pub(super) fn after_parameters(&mut self) {
        let next = self.at + 1;
        if Self::is_keyword(self.token_at(next), Keyword::Use)
            && self.token_at(next + 1).opens(b'(')
        {
            self.expect(next + 1, Content::Parameters, Role::Plain);
        } else if self.token_at(next).is_sign(b':') {
            let end = self.types(next + 1);
            self.at = end - 1;
        }
    }

    /// Reads `new Type`. The members of an anonymous class are read later.
    fn construct(&mut self) -> Result<(), Unsupported> {
        let mut at = self.at + 1;
        while self.token_at(at).is_sign(b'#') && self.token_at(at + 1).opens(b'[') {
            at = self.after_bracket(at + 1);
        }
        while Self::is_keyword(self.token_at(at), Keyword::Modifier) && self.is_class_ahead(at) {
            at += 1;
        }
        if Self::is_keyword(self.token_at(at), Keyword::Class) {
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
            self.builder.refer(ReferenceKind::Call, self.token_at(at), None);
        }
        Ok(())
    }

    fn is_class_ahead(&self, at: usize) -> bool {
        let next = self.token_at(at + 1);
        Self::is_keyword(next, Keyword::Class) || Self::is_keyword(next, Keyword::Modifier)
    }

    /// Records `require 'path'` as an import.
    fn include(&mut self, keyword: Token) {
        let in_brackets = self.next().opens(b'(');
        let at = if in_brackets { self.at + 2 } else { self.at + 1 };
        let (path, after) = (self.token_at(at), self.token_at(at + 1));
        let is_whole = after.is_sign(b';') || after.kind == TokenKind::Close;
        if path.kind == TokenKind::Text && is_whole && !in_brackets {
            let inner = Span { start: path.start + 1, end: path.end - 1 };
            let path = inner.text(self.builder.source).to_owned();
            let imported = Imported::Module;
            let line = keyword.line;
            self.builder.outline.imports.push(Import { path, imported, alias: None, line });
            let strings = &mut self.builder.outline.strings;
            if let Ok(at) = strings.binary_search_by_key(&inner.start, |it| it.span.start) {
                strings.remove(at);
            }
            self.at = at;
        }
    }

    /// Records the name of an attribute. Its arguments are read as expressions.
    pub(super) fn attribute(&mut self) {
        if let Some(last) = self.last_word(self.at) {
            self.refer_to(ReferenceKind::Type, self.at, last);
            self.at = last;
        }
    }

    /// Returns the index of the brace, semicolon, equals sign or arrow that ends a header. Other brackets are skipped
    /// with their content.
    pub(super) fn head_end(&self, from: usize) -> usize {
        let mut at = from;
        while let Some(token) = self.tokens.get(at) {
            match token.kind {
                TokenKind::Open if token.code == b'{' => break,
                TokenKind::Open => at = token.opener as usize,
                TokenKind::Close => break,
                TokenKind::Sign if matches!(token.code, b';' | b'=') => break,
                TokenKind::Sign if token.code == sign::FAT_ARROW => break,
                _ => {}
            }
            at += 1;
        }
        at
    }
}
