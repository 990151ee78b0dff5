//! Reads function headers in C and C++.

use super::{Content, Keyword, Reader, Result, Role, Start, Token, TokenKind, sign};
use crate::conventions::{cpp_function_kind, is_cpp_test_macro};
use crate::definition::Kind;
use crate::languages::Language;
use crate::outline::ReferenceKind;
use crate::span::Span;
use crate::token_reader::item::Item;

/// What follows the parameters of a function.
enum Tail {
    /// The brace that opens the body.
    Body(usize),
    /// The colon before the initialisers of a constructor, and the brace that opens the body.
    Initialisers(usize, usize),
    /// The semicolon or macro call that ends the declaration.
    End(usize),
    Unknown,
}

impl Reader<'_> {
    /// Reads a function whose name is at index `name` and whose parameters open at index `open`. Returns whether the
    /// current token was consumed.
    pub(super) fn function(&mut self, start: Start, name: usize, open: usize) -> Result<bool> {
        let after = self.after_bracket(open);
        let has_tilde = self.token_at(name.wrapping_sub(1)).is_sign(b'~') && name > start.first;
        let name_first = if has_tilde { name - 1 } else { name };
        let scope = self.scope_start(start.first, name_first);
        let is_bare = scope == start.first && !self.is_constructor(name, scope, name_first);
        if is_bare
            && !has_tilde
            && let Some(read) = self.macro_call(start, open, after)
        {
            return Ok(read);
        }
        let tail = self.tail(after);
        let span = self.span(name_first, name);
        self.define_function(start, scope, (span, name_first), open, tail)
    }

    pub(super) fn operator_function(
        &mut self,
        start: Start,
        keyword: usize,
        open: usize,
    ) -> Result<bool> {
        let tail = self.tail(self.after_bracket(open));
        let span = self.span(keyword, open - 1);
        let scope = self.scope_start(start.first, keyword);
        self.define_function(start, scope, (span, keyword), open, tail)
    }

    fn define_function(
        &mut self,
        start: Start,
        scope: usize,
        (name, name_first): (Span, usize),
        open: usize,
        tail: Tail,
    ) -> Result<bool> {
        let owner = (scope < name_first).then(|| self.span(scope, name_first - 2));
        let kind = self.callable_kind(name, owner);
        let after = self.after_bracket(open);
        let (header_end, next) = match tail {
            Tail::Body(brace) | Tail::Initialisers(_, brace) => {
                let item = self.headed(kind, start, name, brace);
                self.begin(Item { owner, ..item });
                self.expect(brace, Content::Code, Role::Body);
                if let Tail::Initialisers(colon, _) = tail {
                    (colon, colon)
                } else {
                    (brace, brace)
                }
            }
            Tail::End(end) => {
                if self.builder.callable.is_none() {
                    let item = self.headed(kind, start, name, end + 1);
                    self.define(Item { owner, ..item }, end);
                }
                (end, end)
            }
            // This is a macro call without a semicolon.
            Tail::Unknown => return Ok(false),
        };
        self.types_between(start.first, scope);
        self.parameters(open);
        if !matches!(tail, Tail::End(_)) || self.token_at(after).is_sign(sign::ARROW) {
            self.types_between(after, header_end);
        }
        if let Tail::Initialisers(colon, brace) = tail {
            self.skip_initialiser_names(colon, brace);
        }
        let is_cut = matches!(tail, Tail::End(end) if !self.token_at(end).is_sign(b';'));
        self.level().at_start = is_cut;
        self.at = if is_cut { next } else { next - 1 };
        Ok(true)
    }

    fn starts_declaration(token: Token) -> bool {
        let keywords = [
            Keyword::Template,
            Keyword::Namespace,
            Keyword::Typedef,
            Keyword::Using,
            Keyword::Access,
            Keyword::StaticAssert,
        ];
        keywords.into_iter().any(|keyword| token.is_keyword(keyword))
    }

    /// Returns the index of the first token of the qualified name that ends at `name`.
    fn scope_start(&self, first: usize, name: usize) -> usize {
        let mut start = name;
        while start >= first + 2 && self.token_at(start - 1).is_sign(sign::PATH) {
            let mut part = start - 2;
            if self.token_at(part).is_sign(b'>') {
                let Some(before) = self.before_angles(part) else { return start };
                part = before;
            }
            if !self.is_word(part) || part < first {
                return start;
            }
            start = part;
        }
        start
    }

    /// Returns whether a function without a return type can be a constructor. Its name must be qualified or equal to
    /// the name of the enclosing class.
    fn is_constructor(&self, name: usize, scope: usize, name_first: usize) -> bool {
        let text = self.bytes(self.token_at(name));
        if scope < name_first {
            return true;
        }
        self.builder.enclosing_name() == Some(text)
    }

    fn callable_kind(&self, name: Span, owner: Option<Span>) -> Kind {
        let source = self.builder.source;
        let name = name.of(source);
        let in_class = matches!(self.builder.enclosing_kind(), Some(Kind::Class | Kind::Struct));
        let class = self.builder.enclosing_name().filter(|_| in_class);
        let class = owner.map(|it| it.of(source)).or(class);
        cpp_function_kind(name, class)
    }

    /// Reads `NAME(…)` without a return type as a test or a macro call, and returns `Some(true)`. If it is a function
    /// instead, reads nothing and returns `None`.
    fn macro_call(&mut self, start: Start, open: usize, after: usize) -> Option<bool> {
        let next = self.token_at(after);
        if next.opens(b'{') {
            let is_test = is_cpp_test_macro(self.bytes(self.token_at(start.first)));
            if is_test && self.token_at(open + 2).is_sign(b',') {
                let (suite, case) = (self.token_at(open + 1), self.token_at(open + 3));
                let item = self.headed(Kind::Test, start, case.span(), after);
                self.begin(Item { owner: Some(suite.span()), ..item });
                self.refer(ReferenceKind::Type, suite, None);
                self.expect(after, Content::Code, Role::Body);
                self.at = after - 1;
                return Some(true);
            }
            return None;
        }
        let is_declarator = next.is_sign(b':') || next.is_sign(b'=') || next.is_sign(sign::ARROW);
        if is_declarator
            || next.is_keyword(Keyword::Qualifier) && next.line == self.token_at(after - 1).line
        {
            return None;
        }
        // This is a macro call. The next declaration may follow without a semicolon.
        self.refer(ReferenceKind::Call, self.token_at(start.first), None);
        for at in open + 1..after - 1 {
            self.at = at;
            let token: Token = self.token_at(at);
            if token.kind == TokenKind::Word {
                self.word(token);
            }
        }
        self.at = after - 1;
        self.level().at_start = !next.is_sign(b';') && !next.is_sign(b',');
        Some(true)
    }

    /// Determines what follows the parameters of a function.
    fn tail(&self, after: usize) -> Tail {
        let mut at = after;
        while let Some(token) = self.tokens.get(at) {
            match token.kind {
                TokenKind::Open if token.code == b'{' => return Tail::Body(at),
                TokenKind::Open => at = token.opener as usize,
                TokenKind::Close => return Tail::Unknown,
                // The body is a macro call, and the next declaration follows it.
                TokenKind::Keyword if Self::starts_declaration(*token) => return Tail::End(at - 1),
                TokenKind::Sign => match token.code {
                    b';' => {
                        let body = self.old_style_body(after, at);
                        return body.map_or(Tail::End(at), Tail::Body);
                    }
                    b'=' | b',' => {
                        let end = self.statement_end(at);
                        let is_end = self.token_at(end).is_sign(b';');
                        return if is_end { Tail::End(end) } else { Tail::Unknown };
                    }
                    b':' if self.rules.language == Language::Cpp => {
                        let body = self.initialised_body(at + 1);
                        return body.map_or(Tail::Unknown, |body| Tail::Initialisers(at, body));
                    }
                    _ => {}
                },
                _ => {}
            }
            at += 1;
        }
        Tail::Unknown
    }

    /// Returns the index of the opening brace of an old-style (K&R) function such as `f(a) int a; { … }`, which
    /// declares its parameters before the body. Returns `None` for any other declaration. `after` is the index of the
    /// first token after the parentheses, and `semicolon` is the index of the first semicolon.
    fn old_style_body(&self, after: usize, semicolon: usize) -> Option<usize> {
        if self.rules.language != Language::C || semicolon < after + 2 {
            return None;
        }
        let mut at = semicolon;
        while self.token_at(at).is_sign(b';') {
            let next = self.token_at(at + 1);
            if next.opens(b'{') {
                return Some(at + 1);
            }
            at += 1;
            while let Some(token) = self.tokens.get(at) {
                let is_part = matches!(token.kind, TokenKind::Word | TokenKind::Number)
                    || token.kind == TokenKind::Sign && matches!(token.code, b'*' | b',')
                    || token.is_keyword(Keyword::Primitive)
                    || token.is_keyword(Keyword::Qualifier)
                    || token.is_keyword(Keyword::Struct);
                if !is_part {
                    break;
                }
                at += 1;
            }
        }
        None
    }

    /// Skips the constructor initialisers that start at `from`, and returns the index of the brace that opens the body.
    /// Returns `None` if there are no initialisers or if no body follows them.
    fn initialised_body(&self, from: usize) -> Option<usize> {
        let mut at = from;
        loop {
            while matches!(self.token_at(at).kind, TokenKind::Word | TokenKind::Keyword)
                || self.token_at(at).is_sign(sign::PATH)
            {
                at += 1;
            }
            if self.token_at(at).is_sign(b'<') {
                at = self.after_angles(at)?;
                continue;
            }
            if !self.token_at(at).opens(b'(') && !self.token_at(at).opens(b'{') {
                return None;
            }
            at = self.after_bracket(at);
            while self.token_at(at).is_sign(b'.') {
                at += 1;
            }
            if self.token_at(at).opens(b'{') {
                return Some(at);
            }
            if !self.token_at(at).is_sign(b',') {
                return None;
            }
            at += 1;
        }
    }

    /// Makes the reader skip the member names in the constructor initialisers between the tokens `colon` and `brace`.
    fn skip_initialiser_names(&mut self, colon: usize, brace: usize) {
        let mut at = colon + 1;
        let mut start = at;
        while at < brace {
            let token = self.token_at(at);
            if token.is_sign(b'<') {
                let end = self.after_angles(at).unwrap_or(at + 1);
                self.types_between(at, end);
                at = end;
            } else if token.kind == TokenKind::Open {
                self.skip(start, at);
                at = self.after_bracket(at);
                start = at;
            } else {
                at += 1;
            }
        }
    }
}
