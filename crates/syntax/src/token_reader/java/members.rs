//! Reads the members of Java files and types: classes, methods, fields, constants and imports.

use super::{Content, Keyword, Reader, Result, Role, Token, TokenKind};
use crate::conventions::{has_test_annotation, is_camel_case, java_field_kind};
use crate::definition::Kind;
use crate::outline::{Imported, ReferenceKind};
use crate::span::Span;
use crate::token_reader::Unsupported;

/// The maximum number of tokens that are searched for the end of type parameters or arguments. The search is limited,
/// because `<` may also be a comparison.
pub(super) const MAX_ANGLES: usize = 500;

impl Reader<'_> {
    /// Reads the header of a member. Returns whether the current token was consumed.
    pub(super) fn member(&mut self) -> Result<bool> {
        let first = self.at;
        let start = self.after_modifiers(first);
        let token = self.token_at(start);
        if token.is_keyword(Keyword::Import) {
            return Ok(self.import_declaration(start));
        }
        if token.is_keyword(Keyword::Package) {
            self.at = self.statement_end(start);
            self.level().at_start = true;
            return Ok(true);
        }
        if self.type_keyword(start).is_some() {
            return self.type_definition(first, start);
        }
        if token.opens(b'{') || token.is_sign(b';') || token.kind == TokenKind::Close {
            if token.opens(b'{') {
                self.expect(start, Content::Code, Role::Body);
            }
            let has_modifiers = start > first;
            self.at = if has_modifiers { start - 1 } else { first };
            return Ok(has_modifiers);
        }
        self.method_or_field(first, start)
    }

    /// Reads the header of a class, record, interface or enum that is declared inside a method. Returns whether there
    /// is one.
    pub(super) fn local_type(&mut self) -> Result<bool> {
        let first = self.at;
        let token = self.token_at(first);
        let can_start = token.kind == TokenKind::Word
            || token.is_sign(b'@')
            || token.kind == TokenKind::Keyword;
        if !can_start {
            return Ok(false);
        }
        let start = self.after_modifiers(first);
        match self.type_keyword(start) {
            Some(_) => self.type_definition(first, start),
            None => Ok(false),
        }
    }

    /// Returns the index of the first token after the annotations and modifiers.
    fn after_modifiers(&mut self, first: usize) -> usize {
        let mut at = first;
        loop {
            let token = self.token_at(at);
            let is_annotation =
                token.is_sign(b'@') && !self.token_at(at + 1).is_keyword(Keyword::Interface);
            if is_annotation {
                at = self.after_annotation(at);
            } else if token.is_keyword(Keyword::Modifier) || token.is_keyword(Keyword::Default) {
                at += 1;
            } else if self.bytes(token) == b"non" && self.token_at(at + 1).is_sign(b'-') {
                at += 3;
            } else {
                return at;
            }
        }
    }

    fn after_annotation(&mut self, at: usize) -> usize {
        let mut name = at + 1;
        while self.token_at(name + 1).is_sign(b'.') {
            name += 2;
        }
        let end = name + 1;
        if self.token_at(end).opens(b'(') { self.after_bracket(end) } else { end }
    }

    /// Returns the kind of the type whose keyword is at index `at`, and the index of the type's name.
    fn type_keyword(&self, at: usize) -> Option<(Kind, usize)> {
        let (token, next) = (self.token_at(at), self.token_at(at + 1));
        let name_follows = next.kind == TokenKind::Word;
        match Keyword::of_token(token) {
            Some(Keyword::Class) if name_follows => Some((Kind::Class, at + 1)),
            Some(Keyword::Interface) if name_follows => Some((Kind::Interface, at + 1)),
            Some(Keyword::Enum) if name_follows => Some((Kind::Enum, at + 1)),
            _ if token.is_sign(b'@') && next.is_keyword(Keyword::Interface) => {
                Some((Kind::Interface, at + 2))
            }
            _ if self.bytes(token) == b"record" && name_follows => {
                let following = self.token_at(at + 2);
                (following.opens(b'(') || following.is_sign(b'<')).then_some((Kind::Class, at + 1))
            }
            _ => None,
        }
    }

    fn type_definition(&mut self, first: usize, start: usize) -> Result<bool> {
        let Some((kind, name_at)) = self.type_keyword(start) else { return Ok(false) };
        let brace = self.head_end(name_at);
        if !self.token_at(brace).opens(b'{') {
            return Err(Unsupported);
        }
        let item = self.item(kind, first, self.token_at(name_at).span(), brace);
        self.begin(item.with_body(true));
        self.annotations(first, start);
        self.type_head(name_at + 1, brace);
        let content = if kind == Kind::Enum { Content::Constants } else { Content::Members };
        self.expect(brace, content, Role::Body);
        self.at = brace - 1;
        Ok(true)
    }

    /// Records the types in a type's header: type parameters, record components and supertypes.
    fn type_head(&mut self, from: usize, to: usize) {
        let (mut angles, mut inherits) = (0_i32, false);
        for at in from..to {
            let token = self.token_at(at);
            match token.kind {
                TokenKind::Sign if token.code == b'<' => angles += 1,
                TokenKind::Sign if token.code == b'>' => angles -= 1,
                TokenKind::Keyword if angles == 0 => {
                    inherits |=
                        token.is_keyword(Keyword::Extends) || token.is_keyword(Keyword::Implements);
                }
                TokenKind::Word if self.token_at(at + 1).is_sign(b'.') => {}
                TokenKind::Word => {
                    let kind = if inherits && angles == 0 {
                        ReferenceKind::Inherit
                    } else {
                        ReferenceKind::Type
                    };
                    if kind == ReferenceKind::Inherit || self.is_type_name(token) {
                        self.refer(kind, token, self.receiver_at(at));
                    }
                }
                _ => {}
            }
        }
    }

    pub(super) fn is_type_name(&self, token: Token) -> bool {
        is_camel_case(self.bytes(token))
    }

    /// Returns the index of the brace, semicolon or equals sign that ends a header. Parentheses and square brackets
    /// are skipped with their content.
    fn head_end(&self, from: usize) -> usize {
        let is_end = |token: Token| token.opens(b'{') || token.is_sign(b';') || token.is_sign(b'=');
        self.find_end(from, is_end)
    }

    fn method_or_field(&mut self, first: usize, start: usize) -> Result<bool> {
        let mut at = start;
        if self.token_at(at).is_sign(b'<') {
            at = self.after_angles(at);
        }
        let end = self.head_end(at);
        let parameters = self.parameters(at, end);
        let class = self.builder.enclosing_name();
        match parameters {
            Some(parameters) => Ok(self.method(first, at, parameters, end)),
            None if self.token_at(end).opens(b'{') => {
                // The compact constructor of a record has no parameter list.
                let name = self.token_at(at);
                if class != Some(self.bytes(name)) || end != at + 1 {
                    return Err(Unsupported);
                }
                let item = self.item(Kind::Constructor, first, name.span(), end);
                self.begin(item.with_body(true));
                self.expect(end, Content::Code, Role::Body);
                self.at = end - 1;
                Ok(true)
            }
            None => self.field(first, at),
        }
    }

    fn after_angles(&self, from: usize) -> usize {
        let mut angles = 0_i32;
        for (offset, token) in self.tokens[from..].iter().take(MAX_ANGLES).enumerate() {
            angles += i32::from(token.is_sign(b'<')) - i32::from(token.is_sign(b'>'));
            if angles == 0 || token.opens(b'{') {
                return from + offset + 1;
            }
        }
        from + 1
    }

    /// Returns the index of the parenthesis that opens the parameter list. This is the first parenthesis that follows
    /// a name and does not open the arguments of an annotation.
    fn parameters(&self, from: usize, end: usize) -> Option<usize> {
        let mut at = from;
        while at < end {
            let token = self.token_at(at);
            let follows_name = self.is_word(at.wrapping_sub(1));
            let is_annotated = self.token_at(at.wrapping_sub(2)).is_sign(b'@');
            if token.opens(b'(') && follows_name && !is_annotated {
                return Some(at);
            }
            at = if token.kind == TokenKind::Open { token.opener as usize + 1 } else { at + 1 };
        }
        None
    }

    fn method(&mut self, first: usize, start: usize, parameters: usize, end: usize) -> bool {
        let name_at = parameters - 1;
        let name = self.token_at(name_at);
        let in_type = self.builder.enclosing_kind().is_some_and(Kind::has_methods);
        let is_constructor =
            in_type && name_at == start && self.builder.enclosing_name() == Some(self.bytes(name));
        let head = Span { start: self.token_at(first).start, end: self.token_at(start).start };
        let is_test = has_test_annotation(head.of(self.builder.source));
        let kind = if is_constructor { Kind::Constructor } else { Kind::Method.or_test(is_test) };
        // The default value of an annotation element may contain braces.
        let has_default =
            self.token_at(self.after_bracket(parameters)).is_keyword(Keyword::Default);
        let has_body = self.token_at(end).opens(b'{') && !has_default;
        let end = if has_body { end } else { self.statement_end(end) };
        let item = self.item(kind, first, name.span(), end);
        self.begin(item.with_body(has_body));
        self.annotations(first, start);
        self.types_between(start, name_at);
        self.types_between(parameters + 1, end);
        if has_body {
            self.expect(end, Content::Code, Role::Body);
        }
        self.at = end - 1;
        true
    }

    /// Reads fields such as `Type a = …, b;`. Their values are read as code later.
    fn field(&mut self, first: usize, start: usize) -> Result<bool> {
        let end = self.statement_end(start);
        if !self.token_at(end).is_sign(b';') {
            return Err(Unsupported);
        }
        let mut angles = 0_i32;
        let mut at = start;
        let (mut names, mut has_value, mut value) = (Vec::new(), false, None);
        while at < end {
            let (token, next) = (self.token_at(at), self.token_at(at + 1));
            let ends_name = next.is_sign(b'=')
                || next.is_sign(b',')
                || next.is_sign(b';')
                || next.opens(b'[') && self.token_at(at + 2).closes(b']');
            match token.kind {
                TokenKind::Sign if token.code == b'<' => angles += 1,
                TokenKind::Sign if token.code == b'>' => angles -= 1,
                TokenKind::Sign if token.code == b'=' => {
                    has_value = true;
                    value = value.or(Some(at));
                }
                TokenKind::Sign if token.code == b',' && angles <= 0 => has_value = false,
                TokenKind::Word
                    if ends_name
                        && !has_value
                        && angles <= 0
                        && at > start
                        && !self.token_at(at - 1).is_sign(b'.')
                        && !self.token_at(at - 1).is_sign(b'@') =>
                {
                    names.push(token);
                }
                TokenKind::Open => at = token.opener as usize,
                _ => {}
            }
            at += 1;
        }
        for name in &names {
            let kind = java_field_kind(self.bytes(*name));
            self.define(self.item(kind, first, name.span(), end + 1), end);
        }
        self.annotations(first, start);
        let value = value.unwrap_or(end);
        self.types_between(start, value);
        self.at = value - 1;
        if names.is_empty() { Err(Unsupported) } else { Ok(true) }
    }

    /// Reads the header of an enum constant. Its arguments and body are read later. Returns whether there is an enum
    /// constant.
    pub(super) fn constant(&mut self) -> bool {
        let first = self.at;
        let at = self.after_modifiers(first);
        let name = self.token_at(at);
        if name.kind != TokenKind::Word {
            return false;
        }
        let arguments = self.token_at(at + 1).opens(b'(');
        let end = if arguments { self.after_bracket(at + 1) } else { at + 1 };
        let has_body = self.token_at(end).opens(b'{');
        let item = self.item(Kind::Variant, first, name.span(), end);
        self.begin(item.with_body(has_body));
        self.annotations(first, at);
        if has_body {
            self.expect(end, Content::Members, Role::Body);
        }
        self.at = at;
        true
    }

    /// Records the names and arguments of annotations.
    fn annotations(&mut self, from: usize, to: usize) {
        let here = self.at;
        for at in from..to {
            if self.is_word(at) && !self.token_at(at + 1).is_sign(b'=') {
                self.at = at;
                let is_name = self.token_at(at.wrapping_sub(1)).is_sign(b'@');
                if is_name {
                    self.refer(ReferenceKind::Type, self.token_at(at), None);
                } else {
                    self.word(self.token_at(at));
                }
            }
        }
        self.at = here;
    }

    pub(super) fn types_between(&mut self, from: usize, to: usize) {
        for at in from..to {
            let token = self.token_at(at);
            let is_type = token.kind == TokenKind::Word
                && !self.token_at(at + 1).is_sign(b'.')
                && self.is_type_name(token);
            if is_type {
                self.refer(ReferenceKind::Type, token, self.receiver_at(at));
            }
        }
    }

    fn import_declaration(&mut self, start: usize) -> bool {
        let end = self.statement_end(start);
        let is_static = self.token_at(start + 1).is_keyword(Keyword::Modifier);
        let first = start + if is_static { 2 } else { 1 };
        let (last, line) = (self.token_at(end.saturating_sub(1)), self.token_at(start).line);
        let path_end = if end >= first + 3 { end - 3 } else { first };
        let path = self.span(first, path_end);
        let imported = if last.is_sign(b'*') {
            Imported::All
        } else if end >= first + 3 {
            Imported::Item(last.span())
        } else {
            Imported::Module
        };
        if end > first {
            self.builder.import(path.text(self.builder.source), imported, None, line);
        }
        self.at = end;
        self.level().at_start = true;
        true
    }
}
