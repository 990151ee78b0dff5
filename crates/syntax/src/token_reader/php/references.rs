//! Reads the names in PHP code, with their namespaces and receivers.

use super::{Keyword, Reader, Token, TokenKind, sign};
use crate::outline::{MAX_RECEIVER, ReferenceKind};
use crate::span::Span;

/// Built-in types, which have no definition.
#[rustfmt::skip]
const BUILT_IN_TYPES: &[&[u8]] = &[
    b"int", b"float", b"string", b"bool", b"array", b"callable", b"iterable", b"mixed", b"void", b"never", b"null",
    b"false", b"true", b"object", b"static",
];

impl Reader<'_> {
    /// Returns the index of the last word in the qualified name that starts at token `at`, or `None` if there is no
    /// name.
    pub(super) fn last_word(&self, at: usize) -> Option<usize> {
        let mut last = at;
        if self.token_at(at).is_sign(b'\\') {
            last += 1;
        }
        if !self.is_word(last) && !self.is_namespace_prefix(last) {
            return None;
        }
        while self.token_at(last + 1).is_sign(b'\\') && self.is_part(last + 2) {
            last += 2;
        }
        Some(last)
    }

    /// Returns whether the token is the keyword `namespace` at the start of a name such as `namespace\f`.
    fn is_namespace_prefix(&self, at: usize) -> bool {
        self.token_at(at).is_keyword(Keyword::Namespace) && self.token_at(at + 1).is_sign(b'\\')
    }

    /// Returns whether the token can be a part of a qualified name. Keywords can be parts as well.
    fn is_part(&self, at: usize) -> bool {
        matches!(self.token_at(at).kind, TokenKind::Word | TokenKind::Keyword)
    }

    /// Returns the part of a qualified name before its last word, without the last separator.
    fn qualifier(&self, first: usize, last: usize) -> Option<Span> {
        let end = self.token_at(last.checked_sub(2)?).end;
        (last >= first + 2).then(|| Span { start: self.token_at(first).start, end })
    }

    /// Records a reference to the qualified name from token `first` to token `last`. The parts of its namespace are
    /// recorded as plain names, because they may refer to imports.
    pub(super) fn refer_to(&mut self, kind: ReferenceKind, first: usize, last: usize) {
        let receiver = self.qualifier(first, last);
        self.refer(kind, self.token_at(last), receiver);
        self.name_parts(first, last);
    }

    fn name_parts(&mut self, first: usize, last: usize) {
        for at in first..last {
            let part = self.token_at(at);
            if part.kind == TokenKind::Word {
                self.name(part, None);
            }
        }
    }

    /// Records the types that start at token `from`. Returns the index of the first token that is not part of a type.
    pub(super) fn types(&mut self, from: usize) -> usize {
        let mut at = from;
        let mut depth = 0_u32;
        loop {
            let token = self.token_at(at);
            if let Some(last) = self.last_word(at) {
                if !BUILT_IN_TYPES.contains(&self.bytes(self.token_at(last))) {
                    self.refer_to(ReferenceKind::Type, at, last);
                }
                at = last;
            } else if self.bytes(token) == b"static" {
                self.refer(ReferenceKind::Type, token, None);
            } else if token.opens(b'(') {
                depth += 1;
            } else if token.closes(b')') && depth > 0 {
                depth -= 1;
            } else {
                let is_in_type = matches!(token.kind, TokenKind::Sign)
                    && matches!(token.code, b'?' | b'|' | b'&')
                    || token.is_keyword(Keyword::Other);
                if !is_in_type {
                    return at;
                }
            }
            at += 1;
        }
    }

    /// Reads the word at the current position and the rest of the qualified name that it starts.
    pub(super) fn word(&mut self) {
        let first = self.at;
        let previous = self.previous();
        if previous.is_sign(sign::ARROW) || previous.is_sign(sign::PATH) {
            return self.member_name(previous);
        }
        // The separator of a fully qualified name precedes its first word.
        let first = if previous.is_sign(b'\\') { first - 1 } else { first };
        let last = self.last_word(first).unwrap_or(self.at);
        let (name, next) = (self.token_at(last), self.token_at(last + 1));
        self.at = last;
        let is_class = next.is_sign(sign::PATH)
            && self.bytes(self.token_at(last + 2)) == b"class"
            && !self.token_at(last + 3).opens(b'(');
        if next.opens(b'(') {
            self.refer_to(ReferenceKind::Call, first, last);
        } else if is_class {
            self.refer_to(ReferenceKind::Type, first, last);
            self.at = last + 2;
        } else {
            self.name_parts(first, last);
            self.name(name, None);
        }
    }

    /// Reads the name after `->` or `::`.
    fn member_name(&mut self, separator: Token) {
        let name = self.token_at(self.at);
        if self.next().opens(b'(') {
            let receiver = self.receiver(self.at);
            self.refer(ReferenceKind::Call, name, receiver);
        } else if separator.is_sign(sign::PATH) {
            if self.bytes(name) != b"class" {
                let receiver = self.receiver(self.at);
                self.refer(ReferenceKind::Use, name, receiver);
            }
        } else {
            self.name(name, None);
        }
    }

    /// Records a call of a variable, such as `$callback()`.
    pub(super) fn variable(&mut self, token: Token) {
        if self.next().opens(b'(') && token.end > token.start + 1 {
            let name = Token { start: token.start + 1, ..token };
            let is_member =
                self.previous().is_sign(sign::ARROW) || self.previous().is_sign(sign::PATH);
            let dollar = Span { start: token.start, end: token.start + 1 };
            let start = if is_member { self.receiver(self.at).map(|it| it.start) } else { None };
            let receiver = Span { start: start.unwrap_or(dollar.start), end: dollar.end };
            self.refer(ReferenceKind::Call, name, Some(receiver));
        }
    }

    /// Returns the expression before the `->` or `::` that precedes token `at`. Returns an empty span if the
    /// expression is too long or is not a chain of names, calls and subscripts.
    fn receiver(&self, at: usize) -> Option<Span> {
        let separator = self.token_at(at.checked_sub(1)?);
        let last = self.token_at(at.checked_sub(2)?);
        let unreadable = Span { start: separator.start, end: separator.start };
        let start = self.chain_start(at - 2);
        Some(start.map_or(unreadable, |start| Span { start, end: last.end }))
    }

    fn chain_start(&self, last: usize) -> Option<u32> {
        let end = self.token_at(last).end;
        let mut at = last;
        loop {
            let token = self.token_at(at);
            if token.kind == TokenKind::Close {
                at = token.opener as usize;
            }
            let is_name = |token: Token| {
                matches!(token.kind, TokenKind::Word | TokenKind::Variable | TokenKind::Keyword)
            };
            let before = self.token_at(at.wrapping_sub(1));
            let start = self.token_at(at);
            if end.saturating_sub(start.start) as usize > MAX_RECEIVER {
                return None;
            }
            if before.is_sign(sign::ARROW) || before.is_sign(sign::PATH) {
                at = at.checked_sub(2)?;
            } else if start.kind == TokenKind::Open
                && (before.kind == TokenKind::Close
                    || is_name(before) && !Self::separates(before)
                    || before.kind == TokenKind::Text && start.code == b'[')
            {
                at = at.checked_sub(1)?;
            } else if is_name(start) && before.is_sign(b'\\') {
                at = at.checked_sub(1)?;
                let outer = self.token_at(at.wrapping_sub(1));
                if matches!(outer.kind, TokenKind::Word) {
                    at -= 1;
                } else {
                    return Some(before.start);
                }
            } else {
                return Some(start.start);
            }
        }
    }

    /// Returns whether the token is a keyword that can precede a parenthesis without being a function name, as in
    /// `return (…)`.
    fn separates(token: Token) -> bool {
        token.kind == TokenKind::Keyword && token.code != Keyword::Modifier as u8
    }
}
