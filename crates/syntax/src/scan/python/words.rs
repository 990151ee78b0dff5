//! Names in expressions: what is called, what is a type, what is taken from a module.

use super::{Content, Reader, Token, TokenKind};
use crate::outline::ReferenceKind;
use crate::scan::place::Place;
use crate::scan::receiver::receiver;
use crate::span::Span;

impl Reader<'_> {
    pub(super) fn word(&mut self, token: Token) {
        let (previous, next) = (self.previous(), self.next());
        let is_nested = !self.levels.is_outermost();
        let is_member = previous.is_sign(b'.');
        let content = self.level().content;
        if next.opens(b'(') {
            let receiver = self.receiver();
            return self.builder.refer(ReferenceKind::Call, token, receiver);
        }
        if self.level().is_type {
            if !next.is_sign(b'.') {
                let receiver = self.receiver();
                self.builder.refer(ReferenceKind::Type, token, receiver);
            }
            return;
        }
        if content == Content::Parameters {
            // The name of a parameter, or its default.
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
            let module = self.near(self.at.wrapping_sub(2)).span();
            self.builder.name(token, Some(module));
        }
    }

    /// `a` of `a.b`, with nothing before it.
    fn follows_plain_name(&self) -> bool {
        let object = self.near(self.at.wrapping_sub(2));
        let before = self.near(self.at.wrapping_sub(3));
        object.kind == TokenKind::Word && !before.is_sign(b'.')
    }

    /// `@cached` applies the function `cached`; `@cached(60)` is a call like any other.
    pub(super) fn decorator(&mut self) {
        let mut at = self.at + 2;
        while self.near(at).kind == TokenKind::Word && self.near(at + 1).is_sign(b'.') {
            at += 2;
        }
        let name = self.near(at);
        let is_whole = self.near(at + 1).kind == TokenKind::LineEnd;
        if name.kind == TokenKind::Word && is_whole {
            let here = std::mem::replace(&mut self.at, at);
            let receiver = self.receiver();
            self.builder.refer(ReferenceKind::Call, name, receiver);
            self.at = here.max(at);
        }
    }

    /// What stands before the current name: `self.items`, `super()`.
    pub(super) fn receiver(&self) -> Option<Span> {
        receiver(self.tokens, self.at)
    }
}

/// What can stand behind a base class; a call or keyword is none.
fn ends_base(next: Token) -> bool {
    next.is_sign(b',') || next.closes(b')') || next.opens(b'[')
}
