//! Records bindings in Rust source: the types of parameters, results, fields, constants and aliases, and the values in
//! `let` statements and loops.

use super::{Reader, Token, TokenKind, sign};
use crate::binding::{BindingKind, MAX_TYPE, NO_NAME};
use crate::chain::read_chain;
use crate::conventions::is_camel_case;

/// The maximum number of tokens that are read from one pattern or type.
const MAX_TOKENS: usize = 200;

/// Methods that pass an element of an iterator, or the content of an option, to a closure.
#[rustfmt::skip]
const PASSING_METHODS: &[&[u8]] = &[
    b"all", b"and_then", b"any", b"filter", b"filter_map", b"find", b"find_map", b"flat_map", b"for_each",
    b"inspect", b"is_ok_and", b"is_some_and", b"map", b"map_or", b"map_while", b"max_by_key", b"min_by_key",
    b"partition", b"position", b"retain", b"rposition", b"skip_while", b"sort_by_key", b"take_while", b"then_some",
    b"try_for_each",
];

/// Types whose constructor takes the value that they wrap.
const WRAPPERS: &[&[u8]] =
    &[b"Some", b"Ok", b"Box", b"Rc", b"Arc", b"RefCell", b"Cell", b"Mutex", b"RwLock", b"Pin"];

impl Reader<'_> {
    /// Records the type parameters, the parameters and the return type of a function. Its name is after the current
    /// token, and its header ends before token `end`.
    pub(super) fn bind_header(&mut self, end: usize) {
        let mut at = self.at + 2;
        if self.token_at(at).is_sign(b'<') {
            let close = self.item_end(at + 1, end);
            self.bind_list(at + 1, close);
            at = close;
        }
        let Some(opener) = (at..end).find(|at| self.token_at(*at).opens(b'(')) else { return };
        let close = self.item_end(opener + 1, end);
        self.bind_list(opener + 1, close);
        if self.token_at(close + 1).is_sign(sign::ARROW) {
            let text = self.type_text(close + 2, end);
            self.builder.bind(BindingKind::ReturnType, NO_NAME, text);
        }
        let is_where = |at: &usize| self.bytes(self.token_at(*at)) == b"where";
        if let Some(clause) = (close + 1..end).find(is_where) {
            self.bind_list(clause + 1, end);
        }
    }

    /// Returns the index of the closing bracket of the list that starts at token `from`, or `end`.
    fn item_end(&self, from: usize, end: usize) -> usize {
        self.find_by_depth(from, end, |_, depth| depth < 0)
    }

    /// Returns the index of the first token from `from` on that `is_wanted` accepts, or `end`. The second argument of
    /// `is_wanted` is the number of brackets that are open after the token, including angle brackets.
    fn find_by_depth(
        &self,
        from: usize,
        end: usize,
        is_wanted: impl Fn(Token, i32) -> bool,
    ) -> usize {
        let mut depth = 0_i32;
        let is_found = |at: &usize| {
            let token = self.token_at(*at);
            depth += i32::from(token.kind == TokenKind::Open || token.is_sign(b'<'));
            depth -= i32::from(token.kind == TokenKind::Close || token.is_sign(b'>'));
            is_wanted(token, depth)
        };
        (from..end).find(is_found).unwrap_or(end)
    }

    /// Records each `name: Type` in a list of parameters, type parameters or bounds.
    fn bind_list(&mut self, from: usize, end: usize) {
        let mut at = from;
        while at < end {
            let next = self.next_comma(at, end);
            let mut name = at;
            while name < next && matches!(self.bytes(self.token_at(name)), b"mut" | b"ref") {
                name += 1;
            }
            if self.is_word(name) && self.token_at(name + 1).is_sign(b':') {
                let text = self.type_text(name + 2, next);
                self.builder.bind(BindingKind::Annotation, self.token_at(name).span(), text);
            }
            at = next + 1;
        }
    }

    fn next_comma(&self, from: usize, end: usize) -> usize {
        self.find_by_depth(from, end, |token, depth| token.is_sign(b',') && depth <= 0)
    }

    /// Returns the type that starts at token `from`, without references, lifetimes and white space. Parts of paths are
    /// separated by dots. The type ends before token `end`, `where`, an equals sign, a comma, a semicolon or an
    /// unmatched closing bracket.
    pub(super) fn type_text(&self, from: usize, end: usize) -> String {
        let mut text = String::new();
        let mut depth = 0_i32;
        for at in from..end.min(from + MAX_TOKENS) {
            let token = self.token_at(at);
            match token.kind {
                TokenKind::Open if token.code == b'{' && depth == 0 => break,
                TokenKind::Open => depth += 1,
                TokenKind::Close if depth == 0 => break,
                TokenKind::Close => depth -= 1,
                TokenKind::Sign if token.code == b'<' => depth += 1,
                TokenKind::Sign if token.code == b'>' => depth -= 1,
                TokenKind::Sign if matches!(token.code, b'=' | b',' | b';') && depth == 0 => break,
                TokenKind::Sign if token.code == sign::PATH => {
                    text.push('.');
                    continue;
                }
                TokenKind::Sign if matches!(token.code, b'&' | b'*' | sign::AND) => continue,
                TokenKind::Lifetime => continue,
                TokenKind::Keyword => match self.bytes(token) {
                    b"where" => break,
                    b"mut" | b"dyn" | b"impl" | b"const" => continue,
                    _ => {}
                },
                _ => {}
            }
            text.push_str(token.span().text(self.builder.source));
        }
        if text.len() > MAX_TYPE { String::new() } else { text }
    }

    /// Records the type that an alias refers to. The current token is the keyword `type`.
    pub(super) fn bind_alias(&mut self, end: usize) {
        let is_equals = |at: &usize| self.token_at(*at).is_sign(b'=');
        if let Some(equals) = (self.at..end).find(is_equals) {
            let text = self.type_text(equals + 1, end);
            self.builder.bind(BindingKind::Base, self.next().span(), text);
        }
    }

    /// Records the name in a `let` statement or condition: `let name = …`, `let name: T`, `let Some(name) = …`. The
    /// current token is `let`.
    pub(super) fn bind_let(&mut self) {
        let mut at = self.at + 1;
        let mut is_wrapped = false;
        if matches!(self.bytes(self.token_at(at)), b"Some" | b"Ok" | b"Err")
            && self.token_at(at + 1).opens(b'(')
        {
            is_wrapped = self.bytes(self.token_at(at)) != b"Err";
            if !is_wrapped {
                return;
            }
            at += 2;
        }
        while matches!(self.bytes(self.token_at(at)), b"mut" | b"ref")
            || self.token_at(at).is_sign(b'&')
        {
            at += 1;
        }
        let name = self.token_at(at);
        if name.kind != TokenKind::Word {
            return;
        }
        let mut after = at + 1;
        if is_wrapped {
            if !self.token_at(after).closes(b')') {
                return;
            }
            after += 1;
        }
        let next = self.token_at(after);
        if next.is_sign(b':') {
            let text = self.type_text(after + 1, self.tokens.len());
            if text != "_" && !text.is_empty() {
                return self.builder.bind(BindingKind::Annotation, name.span(), text);
            }
            self.builder.bind(BindingKind::Value, name.span(), String::new());
        } else if next.is_sign(b'=') {
            let value = self.value_text(after + 1, !is_wrapped && self.starts_let());
            self.builder.bind(BindingKind::Value, name.span(), value);
        }
    }

    /// Returns whether the current `let` starts a statement, rather than the condition of an `if` or `while`.
    fn starts_let(&self) -> bool {
        self.previous().kind != TokenKind::Keyword && !self.previous().is_sign(sign::AND)
    }

    /// Records the variable of a loop. The current token is `for`.
    pub(super) fn bind_loop(&mut self) {
        let mut at = self.at + 1;
        while matches!(self.bytes(self.token_at(at)), b"mut" | b"ref")
            || self.token_at(at).is_sign(b'&')
        {
            at += 1;
        }
        let name = self.token_at(at);
        if name.kind == TokenKind::Word && self.bytes(self.token_at(at + 1)) == b"in" {
            let value = self.value_text(at + 2, false);
            self.builder.bind(BindingKind::Element, name.span(), value);
        }
    }

    /// Records the parameter of a closure that a method of an iterator or an option calls, as in
    /// `items.iter().any(|item| …)`. The current token is the first `|`.
    pub(super) fn bind_closure(&mut self) {
        let mut at = self.at + 1;
        while self.token_at(at).is_sign(b'&') || self.bytes(self.token_at(at)) == b"mut" {
            at += 1;
        }
        let (name, next) = (self.token_at(at), self.token_at(at + 1));
        if name.kind != TokenKind::Word {
            return;
        }
        if next.is_sign(b':') {
            let close = (at..at + MAX_TOKENS).find(|at| self.token_at(*at).is_sign(b'|'));
            let text = self.type_text(at + 2, close.unwrap_or(at));
            return self.builder.bind(BindingKind::Annotation, name.span(), text);
        }
        let Some(method) = self.at.checked_sub(2) else { return };
        let is_argument = self.token_at(method + 1).opens(b'(');
        if !next.is_sign(b'|')
            || !is_argument
            || !PASSING_METHODS.contains(&self.bytes(self.token_at(method)))
        {
            return;
        }
        let here = std::mem::replace(&mut self.at, method);
        let receiver = self.receiver();
        self.at = here;
        let Some(receiver) = receiver.filter(|it| !it.is_empty()) else { return };
        let text = receiver.of(self.builder.source);
        if let Some(chain) = read_chain(text, 0)
            && matches!(text.get(chain.end..), Some(b"" | b"?"))
        {
            self.builder.bind(BindingKind::Element, name.span(), chain.text);
        }
    }

    /// Returns the expression that starts at token `at` as a chain, or an empty string if it is not a chain. A struct
    /// literal is written as a call of its type.
    fn value_text(&self, mut at: usize, may_be_literal: bool) -> String {
        while self.token_at(at).is_sign(b'&')
            || self.token_at(at).is_sign(b'*')
            || self.bytes(self.token_at(at)) == b"mut"
        {
            at += 1;
        }
        let source = self.builder.source;
        // `Rc::new(value)` has the members of the value.
        let mut is_wrapped = false;
        while WRAPPERS.contains(&self.bytes(self.token_at(at))) {
            let has_new = self.token_at(at + 1).is_sign(sign::PATH)
                && self.bytes(self.token_at(at + 2)) == b"new";
            let opener = if has_new { at + 3 } else { at + 1 };
            if !self.token_at(opener).opens(b'(') {
                break;
            }
            is_wrapped = true;
            at = opener + 1;
        }
        let Some(chain) = read_chain(source, self.token_at(at).start as usize) else {
            return String::new();
        };
        let rest = source.get(chain.end..).unwrap_or_default().trim_ascii_start();
        let rest = rest.strip_prefix(b"?").unwrap_or(rest).trim_ascii_start();
        let last = chain.text.rsplit('.').next().unwrap_or_default();
        match rest.first() {
            Some(b'{') if (may_be_literal || is_wrapped) && is_camel_case(last.as_bytes()) => {
                format!("{}()", chain.text)
            }
            Some(b';' | b'{') => chain.text,
            Some(b')' | b',') if is_wrapped => chain.text,
            Some(b'e') if rest.starts_with(b"else") => chain.text,
            Some(b'&') if rest.starts_with(b"&&") && !may_be_literal => chain.text,
            _ => String::new(),
        }
    }
}
