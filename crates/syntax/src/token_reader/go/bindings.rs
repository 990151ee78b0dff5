//! Records bindings in Go source: the types of receivers, parameters, results, fields and variables, and the values in
//! short variable declarations.

use super::{Keyword, Reader, TokenKind};
use crate::binding::{BindingKind, NO_NAME, compact_type};
use crate::chain::read_chain;
use crate::span::Span;

/// The maximum number of names that are read from one declaration.
const MAX_NAMES: usize = 8;

impl Reader<'_> {
    /// Records the parameters in the list that starts at token `opener`, such as `(a, b T, c U)`.
    pub(super) fn bind_parameters(&mut self, opener: usize) {
        let end = self.after_bracket(opener) - 1;
        if !self.has_names(opener, end) {
            return;
        }
        let mut names = Vec::new();
        let mut at = opener + 1;
        while at < end {
            let next = self.next_comma(at, end);
            if self.is_word(at) {
                names.push(self.token_at(at).span());
            }
            // In `a, b T`, the type follows the last name.
            if next > at + 1 {
                let text = self.type_text(at + 1, next);
                for name in names.drain(..) {
                    self.builder.bind(BindingKind::Annotation, name, text.clone());
                }
            }
            at = next + 1;
        }
    }

    /// Records the result of a function: a type, or a list such as `(n int, err error)`.
    pub(super) fn bind_result(&mut self, from: usize, to: usize) {
        let text = if self.token_at(from).opens(b'(') && self.after_bracket(from) <= to {
            let end = self.after_bracket(from) - 1;
            let first = if self.has_names(from, end) {
                self.bind_parameters(from);
                // The type follows the last of the names that share it.
                let mut at = from + 1;
                while self.token_at(at + 1).is_sign(b',') {
                    at += 2;
                }
                at + 1
            } else {
                from + 1
            };
            self.type_text(first, self.next_comma(first, end))
        } else {
            self.type_text(from, to)
        };
        if !text.is_empty() {
            self.builder.bind(BindingKind::ReturnType, NO_NAME, text);
        }
    }

    fn next_comma(&self, from: usize, end: usize) -> usize {
        self.find_end(from, |token| token.is_sign(b',')).min(end)
    }

    /// Returns the type between two tokens without white space.
    fn type_text(&self, from: usize, to: usize) -> String {
        let (first, last) = (self.token_at(from), self.token_at(to.wrapping_sub(1)));
        if from >= to || last.end <= first.start {
            return String::new();
        }
        compact_type(Span { start: first.start, end: last.end }.of(self.builder.source))
    }

    /// Records fields, or variables with a type: `a, b T`. The names are the tokens from `first` to `last`, and the
    /// type and the value are before token `end`.
    pub(super) fn bind_declared(
        &mut self,
        kind: BindingKind,
        first: usize,
        last: usize,
        end: usize,
    ) {
        let is_end = |at: &usize| {
            let token = self.token_at(*at);
            token.is_sign(b'=') || token.kind == TokenKind::Text
        };
        let type_end = (last + 1..end).find(is_end).unwrap_or(end);
        let text = self.type_text(last + 1, type_end);
        let has_value = self.token_at(type_end).is_sign(b'=');
        for (index, at) in (first..=last).step_by(2).enumerate() {
            let name = self.token_at(at).span();
            if text.is_empty() && has_value && kind == BindingKind::Annotation {
                let value = if index == 0 { self.value_text(type_end + 1) } else { String::new() };
                self.builder.bind(BindingKind::Value, name, value);
            } else {
                self.builder.bind(kind, name, text.clone());
            }
        }
    }

    /// Records the type that the type with the name at the current token is based on.
    pub(super) fn bind_alias(&mut self, mut from: usize, end: usize) {
        if self.token_at(from).is_sign(b'=') {
            from += 1;
        }
        let text = self.type_text(from, end);
        if !text.is_empty()
            && text.bytes().all(|it| it.is_ascii_alphanumeric() || matches!(it, b'_' | b'.'))
        {
            self.builder.bind(BindingKind::Base, self.token_at(self.at).span(), text);
        }
    }

    /// Records `a, b := …` and `a, b := range …`, which start at the current token, and variables that are declared in
    /// a function.
    pub(super) fn bind_statement(&mut self) {
        if self.builder.callable.is_none() {
            return;
        }
        let mut at = self.at;
        let mut first = self.token_at(at);
        // `if a := …`, `for a := …` and `switch a := …`
        let is_branch = |keyword| first.is_keyword(keyword);
        if [Keyword::If, Keyword::For, Keyword::Switch, Keyword::Case].into_iter().any(is_branch) {
            at += 1;
        } else if is_branch(Keyword::Var) {
            return self.bind_local_variable();
        }
        let mut names = Vec::new();
        loop {
            first = self.token_at(at);
            if first.kind != TokenKind::Word || names.len() >= MAX_NAMES {
                return;
            }
            names.push(first.span());
            if !self.token_at(at + 1).is_sign(b',') {
                break;
            }
            at += 2;
        }
        let assign = self.token_at(at + 1);
        if assign.kind != TokenKind::Sign || self.bytes(assign) != b":=" {
            return;
        }
        let value_at = at + 2;
        let value = self.token_at(value_at);
        if self.bytes(value) == b"range" {
            let text = self.value_text(value_at + 1);
            for (index, name) in names.into_iter().enumerate() {
                let (kind, text) = if index == 1 {
                    (BindingKind::Element, text.clone())
                } else {
                    (BindingKind::Value, String::new())
                };
                self.builder.bind(kind, name, text);
            }
            return;
        }
        for (index, name) in names.into_iter().enumerate() {
            if index > 0 {
                self.builder.bind(BindingKind::Value, name, String::new());
            } else if let Some(text) = self.asserted_type(value_at) {
                self.builder.bind(BindingKind::Annotation, name, text);
            } else {
                let text = self.value_text(value_at);
                self.builder.bind(BindingKind::Value, name, text);
            }
        }
    }

    /// Records `var a, b T = …` in a function.
    fn bind_local_variable(&mut self) {
        let first = self.at + 1;
        let mut last = first;
        if !self.is_word(first) {
            return;
        }
        while self.token_at(last + 1).is_sign(b',') {
            last += 2;
        }
        let end = self.line_end(first);
        self.bind_declared(BindingKind::Annotation, first, last, end);
    }

    /// Returns `T` if the expression that starts at token `at` is the assertion `x.(T)`.
    fn asserted_type(&self, at: usize) -> Option<String> {
        let end = self.line_end(at).min(at + 40);
        let dot = (at..end)
            .find(|at| self.token_at(*at).is_sign(b'.') && self.token_at(*at + 1).opens(b'('))?;
        let close = self.after_bracket(dot + 1) - 1;
        let ends = close + 1 >= end || self.token_at(close + 1).is_sign(b';');
        let text = self.type_text(dot + 2, close);
        (ends && text != "type").then_some(text)
    }

    /// Returns the expression that starts at token `at` as a chain, or an empty string if it is not a chain. A composite
    /// literal is written as a call of its type.
    fn value_text(&self, mut at: usize) -> String {
        let source = self.builder.source;
        let is_reference = self.token_at(at).is_sign(b'&');
        if is_reference || self.token_at(at).is_sign(b'*') {
            at += 1;
        }
        if self.bytes(self.token_at(at)) == b"new" && self.token_at(at + 1).opens(b'(') {
            let text = self.type_text(at + 2, self.after_bracket(at + 1) - 1);
            return format!("{text}()");
        }
        let Some(chain) = read_chain(source, self.token_at(at).start as usize) else {
            return String::new();
        };
        let rest = source.get(chain.end..).unwrap_or_default();
        let rest = &rest[..rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len())];
        let rest = rest.trim_ascii_start();
        match rest.first() {
            Some(b'{') if is_reference || rest.len() == 1 || !rest.ends_with(b"{") => {
                let has_call = chain.text.ends_with(')');
                if has_call {
                    chain.text
                } else {
                    format!("{}()", chain.text.trim_end_matches("[]"))
                }
            }
            None | Some(b';' | b'{') => chain.text,
            Some(b'/') if rest.starts_with(b"//") => chain.text,
            _ => String::new(),
        }
    }
}
