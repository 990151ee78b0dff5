//! Reads the code in C and C++ functions: calls, types, branches and closures.

use super::{Content, Keyword, Reader, Role, Start, Token, TokenKind, sign};
use crate::complexity::Branch;
use crate::outline::{MAX_RECEIVER, ReferenceKind};
use crate::span::Span;

impl Reader<'_> {
    pub(super) fn keyword(&mut self, token: Token) {
        match Keyword::of_token(token) {
            Some(Keyword::If) => self.if_branch(Keyword::Else),
            Some(Keyword::Else) => self.branch(Branch::Else),
            Some(Keyword::For | Keyword::Do) => self.branch(Branch::Loop),
            Some(Keyword::While) if !self.ends_do(Keyword::Do) => self.branch(Branch::Loop),
            Some(Keyword::Switch) => self.branch(Branch::Switch),
            Some(Keyword::Catch) => {
                self.branch(Branch::Catch);
                if self.next().opens(b'(') {
                    self.parameters(self.at + 1);
                    self.skip(self.at + 1, self.after_bracket(self.at + 1));
                }
            }
            Some(Keyword::Case) => self.builder.branch(Branch::Case),
            Some(Keyword::Struct | Keyword::Class | Keyword::Enum) => self.local_type(),
            Some(Keyword::New) => self.construct(),
            Some(Keyword::CxxCast) if self.next().is_sign(b'<') => {
                let end = self.after_angles(self.at + 1).unwrap_or(self.at + 2);
                self.types_between(self.at + 1, end);
                self.at = end - 1;
            }
            _ => {}
        }
    }

    /// Reads a type that is defined or named with its keyword inside a function.
    fn local_type(&mut self) {
        if let (Some(kind), Some(brace)) = (self.type_kind(self.at), self.type_body(self.at)) {
            self.type_definition(Start::at(self.at), brace, kind);
            self.at = brace - 1;
        } else if self.next().kind == TokenKind::Word {
            self.at += 1;
            self.refer(ReferenceKind::Type, self.token_at(self.at), None);
        }
    }

    /// Records a constructor call of the type after `new`.
    fn construct(&mut self) {
        let mut at = self.at + 1;
        if self.token_at(at).opens(b'(') {
            at = self.after_bracket(at);
        }
        let first = at;
        while self.is_word(at) && self.token_at(at + 1).is_sign(sign::PATH) {
            at += 2;
        }
        let name = self.token_at(at);
        if name.kind == TokenKind::Word {
            self.refer(ReferenceKind::Call, name, self.scope(first, at));
            if self.token_at(at + 1).is_sign(b'<') {
                let end = self.after_angles(at + 1).unwrap_or(at + 1);
                self.types_between(at + 1, end);
                at = end.max(at + 1) - 1;
            }
            self.at = at;
        }
    }

    /// Returns the scope of the qualified name from token `first` to token `last`, such as `a::b` for `a::b::c`.
    /// Returns `None` if the name has no scope, or if the scope is too long.
    fn scope(&self, first: usize, last: usize) -> Option<Span> {
        let end = self.token_at(last.checked_sub(2)?).end;
        let scope = Span { start: self.token_at(first).start, end };
        (last > first && end as usize <= scope.start as usize + MAX_RECEIVER).then_some(scope)
    }

    /// Starts a lambda expression if the bracket at the current position opens one.
    pub(super) fn lambda(&mut self) {
        let previous = self.previous();
        if previous.ends_operand() || self.next().opens(b'[') {
            return;
        }
        let mut at = self.after_bracket(self.at);
        if self.token_at(at).is_sign(b'<') {
            at = self.after_angles(at).unwrap_or(at);
        }
        let parameters = self.token_at(at).opens(b'(').then_some(at);
        let mut brace = parameters.map_or(at, |open| self.after_bracket(open));
        while !self.token_at(brace).opens(b'{') {
            let token = self.token_at(brace);
            let is_tail = parameters.is_some()
                && (matches!(token.kind, TokenKind::Word | TokenKind::Keyword)
                    || token.kind == TokenKind::Sign && !matches!(token.code, b';' | b',' | b'='));
            if !is_tail {
                return;
            }
            brace += 1;
        }
        self.builder.branch(Branch::Closure);
        self.expect(brace, Content::Code, Role::Nested);
        if let Some(open) = parameters {
            self.parameters(open);
            let after = self.after_bracket(open);
            self.types_between(after, brace);
            self.skip(open, brace);
        }
    }

    pub(super) fn word(&mut self, token: Token) {
        let (previous, next) = (self.previous(), self.next());
        if previous.is_sign(b'.') || previous.is_sign(sign::ARROW) {
            return self.member(token);
        }
        if next.is_sign(sign::PATH) {
            return self.qualified();
        }
        if next.opens(b'(') {
            // `Type name(…)` declares a variable.
            if previous.kind == TokenKind::Word {
                return self.name(token, None);
            }
            return self.refer(ReferenceKind::Call, token, None);
        }
        if next.is_sign(b'<')
            && let Some(end) = self.after_angles(self.at + 1)
        {
            let after = self.token_at(end);
            if after.opens(b'(') {
                self.refer(ReferenceKind::Call, token, None);
                self.types_between(self.at + 1, end);
                self.at = end - 1;
                return;
            }
            if after.kind == TokenKind::Word || after.is_sign(sign::PATH) || after.is_sign(b'&') {
                self.refer(ReferenceKind::Type, token, None);
                self.types_between(self.at + 1, end);
                self.at = end - 1;
                return;
            }
        }
        if self.is_type(previous, next) {
            self.refer(ReferenceKind::Type, token, None);
        } else {
            self.name(token, None);
        }
    }

    /// Returns whether the name at the current position is a type, judging by the tokens around it.
    fn is_type(&self, previous: Token, next: Token) -> bool {
        if next.kind == TokenKind::Word {
            return true;
        }
        if previous.is_keyword(Keyword::Typename) {
            return true;
        }
        let is_mark =
            |token: Token| token.is_sign(b'*') || token.is_sign(b'&') || token.is_sign(sign::AND);
        let starts = previous.opens(b'(')
            || previous.is_sign(b';')
            || previous.opens(b'{')
            || previous.closes(b'}')
            || previous.closes(b')') && next.line > previous.line
            || previous.is_keyword(Keyword::Qualifier);
        if is_mark(next) && starts {
            let mut at = self.at + 1;
            while is_mark(self.token_at(at)) || self.token_at(at).is_keyword(Keyword::Qualifier) {
                at += 1;
            }
            let (name, after) = (self.token_at(at), self.token_at(at + 1));
            // Detects a cast `(Type *)` or a declaration `Type *name`.
            return name.closes(b')') && previous.opens(b'(')
                || name.kind == TokenKind::Word
                    && !previous.opens(b'(')
                    && (after.is_sign(b'=')
                        || after.is_sign(b';')
                        || after.is_sign(b',')
                        || after.is_sign(b':')
                        || after.opens(b'['));
        }
        // Detects a cast `(Type)value`.
        let after = self.token_at(self.at + 2);
        next.closes(b')')
            && previous.opens(b'(')
            && matches!(after.kind, TokenKind::Word | TokenKind::Number | TokenKind::Text)
            && !matches!(
                self.token_at(self.at.wrapping_sub(2)).kind,
                TokenKind::Word | TokenKind::Keyword
            )
    }

    /// Reads a name such as `a::b::c`.
    fn qualified(&mut self) {
        let first = self.at;
        let mut at = first;
        loop {
            let mut next = at + 1;
            if self.token_at(next).is_sign(b'<') {
                match self.after_angles(next) {
                    Some(end) if self.token_at(end).is_sign(sign::PATH) => next = end,
                    _ => break,
                }
            }
            let mut name = next + 1;
            if self.token_at(name).is_sign(b'~')
                || self.token_at(name).is_keyword(Keyword::Template)
            {
                name += 1;
            }
            if !self.token_at(next).is_sign(sign::PATH) || !self.is_word(name) {
                break;
            }
            at = name;
        }
        let (name, scope) = (self.token_at(at), self.scope(first, at));
        self.at = at;
        let mut end = at + 1;
        if self.token_at(end).is_sign(b'<')
            && let Some(after) = self.after_angles(end)
        {
            self.types_between(end, after);
            end = after;
        }
        let after = self.token_at(end);
        if after.opens(b'(') && !self.is_word(first.wrapping_sub(1)) {
            self.refer(ReferenceKind::Call, name, scope);
        } else if after.kind == TokenKind::Word || end > at + 1 {
            self.refer(ReferenceKind::Type, name, None);
        } else if at > first {
            let is_mark = after.is_sign(b'&') || after.is_sign(b'*') || after.is_sign(sign::AND);
            let is_declared = is_mark && self.is_word(end + 1);
            let starts = !self.token_at(first.wrapping_sub(1)).ends_operand();
            if is_declared && starts && self.token_at(end + 2).is_sign(b'=') {
                self.refer(ReferenceKind::Type, name, None);
            } else {
                self.refer(ReferenceKind::Use, name, scope);
            }
        }
        self.at = end - 1;
    }

    /// Reads the name after a dot or an arrow.
    fn member(&mut self, token: Token) {
        let before = self.token_at(self.at.wrapping_sub(2));
        // This is a designator such as `.name = value`.
        if !before.ends_operand() && !before.is_keyword(Keyword::Other) {
            return;
        }
        let mut end = self.at + 1;
        if self.token_at(end).is_sign(b'<')
            && let Some(after) = self.after_angles(end)
            && self.token_at(after).opens(b'(')
        {
            end = after;
        }
        let receiver = self.receiver(self.at);
        if self.token_at(end).opens(b'(') {
            self.refer(ReferenceKind::Call, token, Some(receiver));
            self.types_between(self.at + 1, end);
            self.at = end - 1;
        } else if crate::known_names::is_plain(receiver.of(self.builder.source))
            && !receiver.is_empty()
        {
            self.name(token, Some(receiver));
        }
    }

    /// Returns the receiver of the member whose name is at token `at`. This is the expression before the dot or arrow.
    /// Returns an empty span if the receiver is too long.
    fn receiver(&self, at: usize) -> Span {
        let separator = self.token_at(at - 1).start;
        let operand = |at: usize| {
            let token = self.token_at(at);
            Some(if token.kind == TokenKind::Close { token.opener as usize } else { at })
        };
        let is_separator = |at: usize| {
            let token = self.token_at(at);
            at > 0 && [b'.', sign::ARROW, sign::PATH].iter().any(|code| token.is_sign(*code))
        };
        let is_applied = |before: Token| matches!(before.kind, TokenKind::Word | TokenKind::Close);
        let chain = self.chain(at - 2, operand, is_separator, is_applied);
        chain.unwrap_or(Span { start: separator, end: separator })
    }
}
