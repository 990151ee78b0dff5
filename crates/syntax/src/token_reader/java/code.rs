//! Reads the code in Java methods: calls, types, branches and lambdas.

use super::members::MAX_ANGLES;
use super::{Content, Keyword, Reader, Role, Token, TokenKind, sign};
use crate::complexity::Branch;
use crate::outline::ReferenceKind;
use crate::span::Span;

impl Reader<'_> {
    pub(super) fn word(&mut self, token: Token) {
        let (previous, next) = (self.previous(), self.next());
        if matches!(self.bytes(token), b"null" | b"true" | b"false" | b"this" | b"super") {
            return;
        }
        if next.is_sign(b'.') && Self::is_keyword(self.token_at(self.at + 2), Keyword::Class) {
            return self.builder.refer(ReferenceKind::Type, token, None);
        }
        if previous.is_sign(sign::PATH) {
            // This is a method reference such as `User::name`.
            let object = self.token_at(self.at.wrapping_sub(2));
            let receiver = Span { start: object.start, end: object.end };
            return self.builder.refer(ReferenceKind::Use, token, Some(receiver));
        }
        if next.opens(b'(') {
            let receiver = self.receiver_at(self.at);
            return self.builder.refer(ReferenceKind::Call, token, receiver);
        }
        if next.is_sign(b'.') && !previous.is_sign(b'.') {
            return self.builder.name(token, None);
        }
        if previous.is_sign(b'.') {
            if self.is_declared_type(token, next) {
                let receiver = self.receiver_at(self.at);
                self.builder.refer(ReferenceKind::Type, token, receiver);
            } else if self.follows_plain_name() {
                let object = self.token_at(self.at.wrapping_sub(2)).span();
                self.builder.name(token, Some(object));
            }
        } else if self.is_type_name(token) && !next.is_sign(sign::PATH) {
            self.builder.refer(ReferenceKind::Type, token, None);
        } else {
            self.builder.name(token, None);
        }
    }

    /// Returns whether a name after a dot is a type, as in `Map.Entry entry` or `Map.Entry<K, V>`.
    fn is_declared_type(&self, token: Token, next: Token) -> bool {
        self.is_type_name(token) && (next.kind == TokenKind::Word || next.is_sign(b'<'))
    }

    pub(super) fn keyword(&mut self, token: Token) {
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
        while self.token_at(at).kind == TokenKind::Word && self.token_at(at + 1).is_sign(b'.') {
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
            self.builder.refer(ReferenceKind::Call, name, self.receiver_at(at));
            let brace = self.after_bracket(end);
            if self.token_at(brace).opens(b'{') {
                self.expect(brace, Content::Members, Role::Plain);
            }
        } else {
            self.builder.refer(ReferenceKind::Type, name, self.receiver_at(at));
        }
        self.types_between(at + 1, end);
        self.at = end - 1;
    }

    /// Starts a lambda, unless the arrow belongs to a `case` or `default`.
    pub(super) fn arrow(&mut self) {
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

    /// Records a conditional expression, unless the question mark is a wildcard type, as in `List<?>`.
    pub(super) fn question(&mut self) {
        if self.previous().ends_operand() {
            self.builder.branch(Branch::If);
        }
    }

    pub(super) fn annotation(&mut self) {
        if self.next().kind == TokenKind::Word {
            self.at += 1;
            self.builder.refer(ReferenceKind::Type, self.token_at(self.at), None);
        }
    }
}
