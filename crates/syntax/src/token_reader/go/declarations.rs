//! Reads Go declarations: functions, types, constants, variables, imports and fields.

use super::{Content, Keyword, Reader, Role, Token, TokenKind};
use crate::binding::BindingKind;
use crate::conventions::is_go_test;
use crate::definition::Kind;
use crate::outline::{Imported, ReferenceKind};
use crate::span::Span;
use crate::token_reader::item::Item;

impl Reader<'_> {
    /// Reads the declaration or member that starts at the current token, if there is one. Returns whether the token
    /// was consumed.
    pub(super) fn statement(&mut self, token: Token) -> bool {
        let is_outermost = self.is_outermost();
        match self.level().content {
            Content::Fields if token.kind != TokenKind::Close => return self.field(),
            Content::Methods if token.kind != TokenKind::Close => return self.method_element(),
            Content::Group(keyword) if token.kind != TokenKind::Close => {
                return self.declared(keyword, self.at);
            }
            _ => {}
        }
        let is = |keyword| token.is_keyword(keyword);
        if is(Keyword::Func) && is_outermost {
            return self.function();
        }
        let keyword = [Keyword::Type, Keyword::Const, Keyword::Var, Keyword::Import];
        let Some(keyword) = keyword.into_iter().find(|keyword| is(*keyword)) else {
            // The name in a package clause is not a reference.
            let is_package = is(Keyword::Package);
            self.at += usize::from(is_package);
            return is_package;
        };
        if self.next().opens(b'(') {
            self.at += 1;
            self.open_level(Content::Group(keyword), Role::Plain);
            return true;
        }
        self.at += 1;
        if !self.declared(keyword, self.at) {
            self.at -= 1;
            return false;
        }
        true
    }

    /// Reads one line of a declaration. Its keyword is either on the same line or before a group such as `const (`.
    /// Returns whether the line was consumed.
    fn declared(&mut self, keyword: Keyword, first: usize) -> bool {
        match keyword {
            Keyword::Type => self.type_spec(),
            Keyword::Import => self.import_line(first),
            Keyword::Const => self.values(Kind::Constant),
            Keyword::Var => self.values(Kind::Variable),
            _ => false,
        }
    }

    fn function(&mut self) -> bool {
        let has_receiver = self.next().opens(b'(');
        let name_at = if has_receiver { self.after_bracket(self.at + 1) } else { self.at + 1 };
        let name = self.token_at(name_at);
        if name.kind != TokenKind::Word {
            return false;
        }
        let generics = self.token_at(name_at + 1).opens(b'[');
        let parameters = if generics { self.after_bracket(name_at + 1) } else { name_at + 1 };
        if !self.token_at(parameters).opens(b'(') {
            return false;
        }
        let result = self.after_bracket(parameters);
        let end = self.result_end(result);
        let owner = has_receiver.then(|| self.receiver_type(self.at + 1)).flatten();
        let types = self.span(parameters, result - 1).of(self.builder.source);
        let kind = if has_receiver { Kind::Method } else { Kind::Function };
        let kind = kind.or_test(is_go_test(self.bytes(name), types));
        let has_body = self.token_at(end).opens(b'{');
        let item = self.item(kind, self.at, name.span(), end);
        self.begin(Item { owner, ..item.with_body(has_body) });
        if has_receiver {
            self.parameter_types(self.at + 1);
            self.bind_parameters(self.at + 1);
        }
        self.bind_parameters(parameters);
        self.bind_result(result, end);
        if generics {
            self.types_between(name_at + 2, parameters);
        }
        self.parameter_types(parameters);
        self.result_types(result, end);
        if has_body {
            self.expect(end, Content::Code, Role::Body);
        }
        self.at = end - 1;
        true
    }

    /// Returns the name of a receiver's type, such as `Queue` for `(q *Queue[T])`.
    fn receiver_type(&self, opener: usize) -> Option<Span> {
        let end = self.after_bracket(opener) - 1;
        let group = &self.tokens[opener + 1..end];
        let generics = group.iter().position(|it| it.opens(b'[')).unwrap_or(group.len());
        let name = group[..generics].iter().rev().find(|it| it.kind == TokenKind::Word)?;
        Some(name.span())
    }

    fn type_spec(&mut self) -> bool {
        let name = self.token_at(self.at);
        if name.kind != TokenKind::Word {
            return false;
        }
        let mut at = self.at + 1;
        // `Set[T comparable] …` has type parameters; `Names [n]string` is an array.
        let is_generic = self.token_at(at).opens(b'[')
            && self.is_word(at + 1)
            && !self.token_at(at + 2).closes(b']');
        if is_generic {
            at = self.after_bracket(at);
        }
        let keyword = self.token_at(at);
        let has_brace = self.token_at(at + 1).opens(b'{');
        let (kind, content) = if keyword.is_keyword(Keyword::Struct) && has_brace {
            (Kind::Struct, Some(Content::Fields))
        } else if keyword.is_keyword(Keyword::Interface) && has_brace {
            (Kind::Interface, Some(Content::Methods))
        } else {
            (Kind::TypeAlias, None)
        };
        let end = if content.is_some() { at + 1 } else { self.line_end(self.at) };
        let item = self.item(kind, self.at, name.span(), end);
        self.begin(item.with_body(content.is_some()));
        if content.is_none() {
            self.bind_alias(at, end);
        }
        if is_generic {
            self.types_between(self.at + 2, at);
        }
        let has_struct = self.has_struct(at, end);
        if content.is_none() && !has_struct {
            self.types_between(at, end);
        }
        if let Some(content) = content.filter(|_| !has_struct) {
            self.expect(end, content, Role::Body);
        }
        // The braces of a structure contain fields, so the reader continues before its keyword.
        self.at = if has_struct { at - 1 } else { end - 1 };
        true
    }

    fn has_struct(&self, from: usize, to: usize) -> bool {
        let tokens = self.tokens.get(from..to).unwrap_or_default();
        tokens.iter().any(|it| it.is_keyword(Keyword::Struct))
    }

    /// Returns the index of the token that ends the line. Brackets and their content are skipped.
    pub(super) fn line_end(&self, from: usize) -> usize {
        self.find_end(from, |token| token.kind == TokenKind::LineEnd || token.is_sign(b';'))
    }

    /// Reads constants or variables that are declared outside functions, such as `a, b T = …`. Returns false inside a
    /// function, where they are not recorded.
    fn values(&mut self, kind: Kind) -> bool {
        if self.builder.callable.is_some() {
            return false;
        }
        let (first, end) = (self.at, self.line_end(self.at));
        if end == first {
            return false;
        }
        let at = self.define_names(kind, first, end);
        self.bind_declared(BindingKind::Annotation, first, at.min(end - 1), end);
        let value = (at + 1..end).find(|it| self.token_at(*it).is_sign(b'=')).unwrap_or(end);
        self.types_between(at + 1, value);
        self.at = value.max(first + 1) - 1;
        true
    }

    /// Records the names that are separated by commas from token `first` on as definitions, which end before token `end`.
    /// Returns the index of the last name.
    fn define_names(&mut self, kind: Kind, first: usize, end: usize) -> usize {
        let mut at = first;
        while at < end && self.is_word(at) {
            let item = self.item(kind, first, self.token_at(at).span(), end);
            self.define(item, end.saturating_sub(1));
            if !self.token_at(at + 1).is_sign(b',') {
                break;
            }
            at += 2;
        }
        at
    }

    fn import_line(&mut self, first: usize) -> bool {
        let end = self.line_end(first);
        let path = self.token_at(end.saturating_sub(1));
        if path.kind == TokenKind::Text {
            let named = self.token_at(first);
            let imported = if named.is_sign(b'.') { Imported::All } else { Imported::Module };
            let alias = (named.kind == TokenKind::Word).then(|| named.span());
            let inner = Span { start: path.start + 1, end: path.end - 1 };
            self.builder.import(inner.text(self.builder.source), imported, alias, named.line);
            self.rules.import_paths.push(inner);
        }
        self.at = end.max(first + 1) - 1;
        end > first
    }

    /// Reads the fields of a structure, such as `a, b T`, or an embedded type. Returns whether a token was consumed.
    fn field(&mut self) -> bool {
        let (first, end) = (self.at, self.line_end(self.at));
        let second = self.token_at(first + 1);
        let is_generic = second.opens(b'[') && !self.token_at(first + 2).closes(b']') && {
            // `Base[T]` alone on a line is an embedded type; `names [4]string` is a field.
            self.after_bracket(first + 1) == end
        };
        let starts_type = matches!(second.kind, TokenKind::Word | TokenKind::Keyword)
            || second.is_sign(b'*')
            || second.opens(b'[') && !is_generic
            || second.opens(b'(')
            || second.is_sign(super::sign::ARROW);
        let is_named = self.is_word(first) && (starts_type || second.is_sign(b','));
        if !is_named {
            self.embedded(first, end);
            self.at = end - 1;
            return end > first;
        }
        let at = self.define_names(Kind::Field, first, end);
        self.bind_declared(BindingKind::MemberAnnotation, first, at, end);
        if self.has_struct(at + 1, end) {
            self.at = at;
        } else {
            self.types_between(at + 1, end);
            self.at = end - 1;
        }
        true
    }

    fn embedded(&mut self, first: usize, end: usize) {
        let words = (first..end).filter(|at| self.is_word(*at));
        let mut outside = words.filter(|at| !self.token_at(at + 1).is_sign(b'.'));
        if let Some(at) = outside.next() {
            let receiver = self.receiver_at(at);
            self.refer(ReferenceKind::Inherit, self.token_at(at), receiver);
        }
    }

    /// Reads an interface method, such as `Name(…) …`, or an embedded type. Returns whether a token was consumed.
    fn method_element(&mut self) -> bool {
        let (first, end) = (self.at, self.line_end(self.at));
        let name = self.token_at(first);
        let is_method = name.kind == TokenKind::Word && self.next().opens(b'(');
        if is_method {
            self.begin(self.item(Kind::Method, first, name.span(), end));
            self.parameter_types(first + 1);
            let result = self.after_bracket(first + 1);
            self.result_types(result, end);
            self.bind_result(result, end);
        } else {
            let is_union =
                self.tokens[first..end].iter().any(|it| it.is_sign(b'|') || it.is_sign(b'~'));
            if !is_union {
                self.embedded(first, end);
            }
        }
        self.at = end.max(first + 1) - 1;
        end > first
    }
}
