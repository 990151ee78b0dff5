//! Records bindings in Python source. These are the annotations, assignments, loops, and `with`, `return` and `yield`
//! statements from which the types of names are derived.

use super::{Reader, Token, TokenKind};
use crate::binding::{BindingKind, NO_NAME, compact_type};
use crate::chain::read_chain;
use crate::span::Span;
use crate::token_reader::token::sign;

/// The maximum number of tokens that are read from one header or assignment.
const MAX_TOKENS: usize = 600;
/// The maximum number of alternatives that are read from one value, such as `a or b` or `a if b else c`.
const MAX_ALTERNATIVES: usize = 3;

impl Reader<'_> {
    /// Records the parameters and the return type of a function. `opener` is the index of the bracket after the
    /// function's name.
    pub(super) fn bind_header(&mut self, opener: usize) {
        let mut depth = 0_usize;
        let mut starts_parameter = false;
        for at in opener..opener + MAX_TOKENS {
            let token = self.token_at(at);
            match token.kind {
                TokenKind::Open => {
                    depth += 1;
                    starts_parameter = depth == 1;
                }
                TokenKind::Close => depth = depth.saturating_sub(1),
                TokenKind::Sign if depth == 1 && token.code == b',' => starts_parameter = true,
                TokenKind::Word if depth == 1 && starts_parameter => {
                    starts_parameter = false;
                    self.bind_parameter(at);
                }
                TokenKind::Sign if depth == 0 && token.code == sign::ARROW => {
                    let text = self.type_after(at);
                    return self.builder.bind(BindingKind::ReturnType, NO_NAME, text);
                }
                TokenKind::Sign if depth == 0 && token.code == b':' => return,
                TokenKind::LineEnd => return,
                _ => {}
            }
        }
    }

    fn bind_parameter(&mut self, at: usize) {
        let (name, next) = (self.token_at(at), self.token_at(at + 1));
        // `*args: Foo` declares a tuple of `Foo`, and `**kwargs: Foo` a dictionary.
        let is_variadic = self.token_at(at.wrapping_sub(1)).is_sign(b'*');
        if next.is_sign(b':') && !is_variadic {
            let text = self.type_after(at + 1);
            self.builder.bind(BindingKind::Annotation, name.span(), text);
        } else {
            let kind = if is_variadic { BindingKind::Value } else { BindingKind::Parameter };
            self.builder.bind(kind, name.span(), String::new());
        }
    }

    /// Returns the type that starts after token `at`. It ends before a comma, an equals sign, a colon, a semicolon or a
    /// closing bracket, or at the end of the line.
    fn type_after(&self, at: usize) -> String {
        let end = self.find_end(at + 1, |token| {
            token.kind == TokenKind::LineEnd
                || token.kind == TokenKind::Sign && matches!(token.code, b',' | b'=' | b':' | b';')
        });
        if end == at + 1 {
            return String::new();
        }
        let last = self.token_at(end.min(at + 1 + MAX_TOKENS) - 1);
        let span = Span { start: self.token_at(at + 1).start, end: last.end };
        compact_type(span.of(self.builder.source))
    }

    /// Records an assignment that starts after the current token, such as `a = …`, `a: T = …`, `self.a = …` or
    /// `a, b = …`.
    pub(super) fn bind_assignment(&mut self) {
        let start = self.at + 1;
        let (first, second) = (self.token_at(start), self.token_at(start + 1));
        let third = self.token_at(start + 2);
        if second.is_sign(b'=') {
            self.bind_values(BindingKind::Value, first, start + 2);
        } else if second.is_sign(b':') {
            let text = self.type_after(start + 1);
            self.builder.bind(BindingKind::Annotation, first.span(), text);
        } else if second.is_sign(b',') {
            self.bind_tuple(start);
        } else if second.is_sign(b'.')
            && third.kind == TokenKind::Word
            && matches!(self.bytes(first), b"self" | b"cls")
        {
            let sign = self.token_at(start + 3);
            if sign.is_sign(b'=') {
                self.bind_values(BindingKind::MemberValue, third, start + 4);
            } else if sign.is_sign(b':') {
                let text = self.type_after(start + 3);
                self.builder.bind(BindingKind::MemberAnnotation, third.span(), text);
            }
        }
    }

    /// Records the names in `a, b = …` as local names of unknown type.
    fn bind_tuple(&mut self, start: usize) {
        let mut names = Vec::new();
        let mut at = start;
        while self.is_word(at) && names.len() < 8 {
            names.push(self.token_at(at).span());
            if !self.token_at(at + 1).is_sign(b',') {
                break;
            }
            at += 2;
        }
        if self.token_at(at + 1).is_sign(b'=') {
            for name in names {
                self.builder.bind(BindingKind::Value, name, String::new());
            }
        }
    }

    /// Records each alternative of the value that starts at token `at`, such as `a` and `b` in `name = a or b`.
    fn bind_values(&mut self, kind: BindingKind, name: Token, at: usize) {
        let name = if matches!(kind, BindingKind::Returned | BindingKind::Yielded) {
            NO_NAME
        } else {
            name.span()
        };
        let mut start = self.token_at(at).start as usize;
        let mut n_bound = 0;
        while n_bound < MAX_ALTERNATIVES {
            let source = self.builder.source;
            if source.get(start..).is_some_and(|rest| rest.starts_with(b"None")) {
                break;
            }
            let Some(chain) = read_chain(source, start) else { break };
            let rest = source.get(chain.end..).unwrap_or_default();
            let line = &rest[..rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len())];
            let line = line.trim_ascii_start();
            let offset = line.as_ptr() as usize - source.as_ptr() as usize;
            let next = if let Some(other) = line.strip_prefix(b"or ") {
                Some(offset + line.len() - other.len())
            } else if line.starts_with(b"if ") {
                let other = line.windows(6).position(|part| part == b" else ");
                other.map(|other| offset + other + 6)
            } else {
                None
            };
            let ends = line.is_empty() || matches!(line.first(), Some(b'#' | b';' | b')' | b'='));
            if next.is_none() && !ends {
                break;
            }
            self.builder.bind(kind, name, chain.text);
            n_bound += 1;
            match next {
                Some(next) => start = next,
                None => break,
            }
        }
        if n_bound == 0 && !name.is_empty() {
            self.builder.bind(kind, name, String::new());
        }
    }

    /// Records the variables of a loop or comprehension. The current token is the keyword `for`.
    pub(super) fn bind_elements(&mut self) {
        let mut at = self.at + 1;
        let mut names = Vec::new();
        for _ in 0..16 {
            let token = self.token_at(at);
            match token.kind {
                TokenKind::Word => names.push(token.span()),
                TokenKind::Open | TokenKind::Close => {}
                TokenKind::Sign if token.code == b',' || token.code == b'*' => {}
                _ => break,
            }
            at += 1;
        }
        if self.bytes(self.token_at(at)) != b"in" {
            return;
        }
        let source = self.builder.source;
        let chain = read_chain(source, self.token_at(at + 1).start as usize);
        match names[..] {
            [name] => {
                let value = chain.map(|chain| chain.text).unwrap_or_default();
                self.builder.bind(BindingKind::Element, name, value);
            }
            _ => {
                for name in names {
                    self.builder.bind(BindingKind::Value, name, String::new());
                }
            }
        }
    }

    /// Records the name in `except … as name`. The clause starts after the current token.
    pub(super) fn bind_caught(&mut self) {
        let chain = read_chain(self.builder.source, self.token_at(self.at + 2).start as usize);
        for at in self.at + 2..self.at + 14 {
            if self.bytes(self.token_at(at)) == b"as" {
                let name = self.token_at(at + 1);
                let value = chain.map(|chain| chain.text).unwrap_or_default();
                if name.kind == TokenKind::Word {
                    self.builder.bind(BindingKind::Annotation, name.span(), value);
                }
                return;
            }
            if self.token_at(at).is_sign(b':') {
                return;
            }
        }
    }

    /// Records a `return`, `yield` or `with` statement. Its first two tokens, `first` and `second`, follow the current
    /// token.
    pub(super) fn bind_other(&mut self, first: Token, second: Token) {
        let after = self.at + 2;
        match self.bytes(first) {
            b"return" => self.bind_values(BindingKind::Returned, second, after),
            b"yield" => self.bind_values(BindingKind::Yielded, second, after),
            b"with" => self.bind_entered(after),
            b"async" if self.bytes(second) == b"with" => self.bind_entered(after + 1),
            _ => {}
        }
    }

    /// Records each `value as name` in a `with` statement.
    fn bind_entered(&mut self, first: usize) {
        let mut start = first;
        let mut depth = 0_usize;
        for at in first..first + MAX_TOKENS {
            let token = self.token_at(at);
            match token.kind {
                TokenKind::Open if at == start => start = at + 1,
                TokenKind::Open => depth += 1,
                TokenKind::Close => depth = depth.saturating_sub(1),
                TokenKind::Sign if depth == 0 && token.code == b',' => start = at + 1,
                TokenKind::Sign if depth == 0 && token.code == b':' => return,
                TokenKind::LineEnd => return,
                TokenKind::Keyword if depth == 0 && self.bytes(token) == b"as" => {
                    let name = self.token_at(at + 1);
                    let chain =
                        read_chain(self.builder.source, self.token_at(start).start as usize);
                    let value = chain.map(|chain| chain.text).unwrap_or_default();
                    if name.kind == TokenKind::Word {
                        self.builder.bind(BindingKind::Entered, name.span(), value);
                    }
                }
                _ => {}
            }
        }
    }
}
