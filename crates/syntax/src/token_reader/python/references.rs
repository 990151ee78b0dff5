//! Records the names in Python expressions: calls, types and members of modules.

use super::{Content, Reader, Token, TokenKind};
use crate::outline::ReferenceKind;
use crate::span::Span;

impl Reader<'_> {
    pub(super) fn word(&mut self, token: Token) {
        let (previous, next) = (self.previous(), self.next());
        let is_nested = !self.is_outermost();
        let is_member = previous.is_sign(b'.');
        let content = self.level().content;
        if next.opens(b'(') {
            let receiver = self.receiver();
            return self.builder.refer(ReferenceKind::Call, token, receiver);
        }
        if self.level().own.is_type {
            if !next.is_sign(b'.') {
                let receiver = self.receiver();
                self.builder.refer(ReferenceKind::Type, token, receiver);
            }
            return;
        }
        if content == Content::Parameters {
            // The name is a parameter, or a default value if it follows an equals sign.
            if previous.is_sign(b'=') {
                self.builder.name(token, None);
            }
            return;
        }
        let starts_argument = previous.kind == TokenKind::Open || previous.is_sign(b',');
        if is_nested && starts_argument && next.is_sign(b'=') {
            return;
        }
        if content == Content::Bases && (starts_argument || is_member) && ends_base(next) {
            let receiver = self.receiver();
            return self.builder.refer(ReferenceKind::Inherit, token, receiver);
        }
        if !is_member {
            self.builder.name(token, None);
        } else if self.follows_plain_name() {
            let module = self.token_at(self.at.wrapping_sub(2)).span();
            self.builder.name(token, Some(module));
        }
    }

    /// Records a decorator such as `@cached` as a call of `cached`. `@cached(60)` is recorded as an ordinary call.
    pub(super) fn decorator(&mut self) {
        let mut at = self.at + 2;
        while self.token_at(at).kind == TokenKind::Word && self.token_at(at + 1).is_sign(b'.') {
            at += 2;
        }
        let name = self.token_at(at);
        let is_whole = self.token_at(at + 1).kind == TokenKind::LineEnd;
        if name.kind == TokenKind::Word && is_whole {
            let here = std::mem::replace(&mut self.at, at);
            let receiver = self.receiver();
            self.builder.refer(ReferenceKind::Call, name, receiver);
            self.at = here.max(at);
        }
    }

    /// Returns the receiver of the current name, such as `self.items` or `super()`.
    pub(super) fn receiver(&self) -> Option<Span> {
        self.receiver_at(self.at)
    }
}

/// Returns whether `next` can follow a base class. A call or keyword argument is not a base class.
fn ends_base(next: Token) -> bool {
    next.is_sign(b',') || next.closes(b')') || next.opens(b'[')
}
