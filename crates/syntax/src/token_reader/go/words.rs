//! Records the names in Go code: calls, types and members of packages.

use super::{Reader, Token, TokenKind};
use crate::outline::ReferenceKind;

impl Reader<'_> {
    pub(super) fn word(&mut self, token: Token) {
        let (previous, next) = (self.previous(), self.next());
        let is_instance =
            next.opens(b'[') && self.token_at(self.after_bracket(self.at + 1)).opens(b'(');
        if (next.opens(b'(') || is_instance) && !self.is_slice_element() {
            let receiver = self.receiver_at(self.at);
            return self.builder.refer(ReferenceKind::Call, token, receiver);
        }
        if self.is_type(previous, next, token) {
            let receiver = self.receiver_at(self.at);
            return self.builder.refer(ReferenceKind::Type, token, receiver);
        }
        if !previous.is_sign(b'.') {
            // In a composite literal, the `key` in `key: value` is a field name, not a reference.
            if !next.is_sign(b':') {
                self.builder.name(token, None);
            }
        } else if self.follows_plain_name() {
            let package = self.token_at(self.at.wrapping_sub(2)).span();
            self.builder.name(token, Some(package));
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
}
