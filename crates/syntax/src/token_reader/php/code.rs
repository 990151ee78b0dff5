//! Reads the code in PHP functions: branches, closures, constructor calls and includes.

use super::{Content, Keyword, Reader, Role, Token, TokenKind, Unsupported, sign};
use crate::complexity::Branch;
use crate::outline::{Imported, ReferenceKind};
use crate::span::Span;

impl Reader<'_> {
    pub(super) fn keyword(&mut self, token: Token) -> Result<(), Unsupported> {
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
            Some(Keyword::And | Keyword::Or) => self.builder.operator(token),
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
            let path = inner.text(self.builder.source);
            self.import(path, Imported::Module, None, keyword.line);
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
        self.find_end(from, |token| {
            token.opens(b'{')
                || token.kind == TokenKind::Sign
                    && matches!(token.code, b';' | b'=' | sign::FAT_ARROW)
        })
    }
}
