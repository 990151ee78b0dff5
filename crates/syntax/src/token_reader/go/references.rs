//! Records the names in Go code: calls, members of packages, and the types in parameters, results and fields.

use super::{Keyword, Reader, Token, TokenKind};
use crate::outline::ReferenceKind;

impl Reader<'_> {
    pub(super) fn word(&mut self, token: Token) {
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
    pub(super) fn result_end(&self, from: usize) -> usize {
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
                TokenKind::Sign if !matches!(token.code, b'*' | b'.' | super::sign::ARROW) => break,
                _ => {}
            }
            at += 1;
        }
        at
    }

    /// Records the types in a parameter list such as `(a, b T, c U)`. Parameter names are skipped.
    pub(super) fn parameter_types(&mut self, opener: usize) {
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
    pub(super) fn has_names(&self, opener: usize, end: usize) -> bool {
        let mut at = opener + 1;
        let mut starts_parameter = true;
        while at < end {
            let (token, next) = (self.token_at(at), self.token_at(at + 1));
            let starts_type = matches!(next.kind, TokenKind::Word | TokenKind::Keyword)
                || next.opens(b'[')
                || next.is_sign(b'*')
                || next.is_sign(super::sign::ARROW)
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
    pub(super) fn result_types(&mut self, from: usize, to: usize) {
        if self.token_at(from).opens(b'(') && self.after_bracket(from) <= to {
            self.parameter_types(from);
        } else {
            self.types_between(from, to);
        }
    }

    pub(super) fn types_between(&mut self, from: usize, to: usize) {
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
