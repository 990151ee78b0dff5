//! Members of files and types: classes, methods, fields, constants, imports.

use super::{Content, GiveUp, Keyword, Reader, Role, Token, TokenKind};
use crate::definition::Kind;
use crate::languages::has_test_mark;
use crate::outline::{Import, Imported, ReferenceKind};
use crate::scan::builder::Draft;
use crate::scan::receiver::receiver;
use crate::signature::{Cut, signature};
use crate::span::Span;

/// Type parameters are shorter; a comparison that looks like them is not followed further.
pub(super) const MAX_ANGLES: usize = 500;

impl Reader<'_> {
    /// Reads the head of a member; says whether the reader has moved past it.
    pub(super) fn member(&mut self) -> Result<bool, GiveUp> {
        let first = self.at;
        let start = self.after_modifiers(first);
        let token = self.near(start);
        if Self::is_keyword(token, Keyword::Import) {
            return Ok(self.import(start));
        }
        if Self::is_keyword(token, Keyword::Package) {
            self.at = self.statement_end(start);
            self.level().at_start = true;
            return Ok(true);
        }
        if self.type_keyword(start).is_some() {
            return self.type_definition(first, start);
        }
        if token.opens(b'{') || token.is_sign(b';') || token.kind == TokenKind::Close {
            if token.opens(b'{') {
                self.bodies.push((start, Content::Code, Role::Body));
            }
            let has_modifiers = start > first;
            self.at = if has_modifiers { start - 1 } else { first };
            return Ok(has_modifiers);
        }
        self.method_or_field(first, start)
    }

    /// A class, record or the like inside of a method.
    pub(super) fn local_type(&mut self) -> Result<bool, GiveUp> {
        let first = self.at;
        let token = self.near(first);
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

    /// Steps over annotations and modifiers, and marks tests.
    fn after_modifiers(&mut self, first: usize) -> usize {
        let mut at = first;
        loop {
            let token = self.near(at);
            let is_annotation =
                token.is_sign(b'@') && !Self::is_keyword(self.near(at + 1), Keyword::Interface);
            if is_annotation {
                at = self.after_annotation(at);
            } else if Self::is_keyword(token, Keyword::Modifier)
                || Self::is_keyword(token, Keyword::Default)
            {
                at += 1;
            } else if self.bytes(token) == b"non" && self.near(at + 1).is_sign(b'-') {
                at += 3;
            } else {
                return at;
            }
        }
    }

    fn after_annotation(&mut self, at: usize) -> usize {
        let mut name = at + 1;
        while self.near(name + 1).is_sign(b'.') {
            name += 2;
        }
        let behind = name + 1;
        if self.near(behind).opens(b'(') { self.behind(behind) } else { behind }
    }

    /// The kind of the type whose keyword stands at `at`, and where its name is.
    fn type_keyword(&self, at: usize) -> Option<(Kind, usize)> {
        let (token, next) = (self.near(at), self.near(at + 1));
        let name_follows = next.kind == TokenKind::Word;
        if Self::is_keyword(token, Keyword::Class) && name_follows {
            Some((Kind::Class, at + 1))
        } else if Self::is_keyword(token, Keyword::Interface) && name_follows {
            Some((Kind::Interface, at + 1))
        } else if Self::is_keyword(token, Keyword::Enum) && name_follows {
            Some((Kind::Enum, at + 1))
        } else if token.is_sign(b'@') && Self::is_keyword(next, Keyword::Interface) {
            Some((Kind::Interface, at + 2))
        } else if self.bytes(token) == b"record" && name_follows {
            let behind = self.near(at + 2);
            (behind.opens(b'(') || behind.is_sign(b'<')).then_some((Kind::Class, at + 1))
        } else {
            None
        }
    }

    fn type_definition(&mut self, first: usize, start: usize) -> Result<bool, GiveUp> {
        let Some((kind, name_at)) = self.type_keyword(start) else { return Ok(false) };
        let brace = self.head_end(name_at);
        if !self.near(brace).opens(b'{') {
            return Err(GiveUp);
        }
        self.begin(kind, first, self.near(name_at), brace, true);
        self.annotations(first, start);
        self.type_head(name_at + 1, brace);
        let content = if kind == Kind::Enum { Content::Constants } else { Content::Members };
        self.bodies.push((brace, content, Role::Body));
        self.at = brace - 1;
        Ok(true)
    }

    /// Type parameters, components, supertypes.
    fn type_head(&mut self, from: usize, to: usize) {
        let (mut angles, mut inherits) = (0_i32, false);
        for at in from..to {
            let token = self.near(at);
            match token.kind {
                TokenKind::Sign if token.code == b'<' => angles += 1,
                TokenKind::Sign if token.code == b'>' => angles -= 1,
                TokenKind::Keyword if angles == 0 => {
                    inherits |= Self::is_keyword(token, Keyword::Extends)
                        || Self::is_keyword(token, Keyword::Implements);
                }
                TokenKind::Word if self.near(at + 1).is_sign(b'.') => {}
                TokenKind::Word => {
                    let kind = if inherits && angles == 0 {
                        ReferenceKind::Inherit
                    } else {
                        ReferenceKind::Type
                    };
                    if kind == ReferenceKind::Inherit || self.is_type_name(token) {
                        self.builder.refer(kind, token, receiver(self.tokens, at));
                    }
                }
                _ => {}
            }
        }
    }

    pub(super) fn is_type_name(&self, token: Token) -> bool {
        let name = self.bytes(token);
        name.first().is_some_and(u8::is_ascii_uppercase) && name.iter().any(u8::is_ascii_lowercase)
    }

    /// The brace, semicolon or equals sign that ends a head; brackets are jumped over.
    fn head_end(&self, from: usize) -> usize {
        let mut at = from;
        while let Some(token) = self.tokens.get(at) {
            match token.kind {
                TokenKind::Open if token.code == b'{' => break,
                TokenKind::Open => at = token.opener as usize,
                TokenKind::Close => break,
                TokenKind::Sign if matches!(token.code, b';' | b'=') => break,
                _ => {}
            }
            at += 1;
        }
        at
    }

    /// The semicolon that ends a statement, braces and all.
    fn statement_end(&self, from: usize) -> usize {
        let mut at = from;
        while let Some(token) = self.tokens.get(at) {
            match token.kind {
                TokenKind::Open => at = token.opener as usize,
                TokenKind::Close => break,
                TokenKind::Sign if token.code == b';' => break,
                _ => {}
            }
            at += 1;
        }
        at
    }

    fn method_or_field(&mut self, first: usize, start: usize) -> Result<bool, GiveUp> {
        let mut at = start;
        if self.near(at).is_sign(b'<') {
            at = self.after_angles(at);
        }
        let end = self.head_end(at);
        let parameters = self.parameters(at, end);
        let class = self.enclosing_name();
        match parameters {
            Some(parameters) => Ok(self.method(first, at, parameters, end)),
            None if self.near(end).opens(b'{') => {
                // The compact constructor of a record has no parameters.
                let name = self.near(at);
                if class != Some(self.bytes(name)) || end != at + 1 {
                    return Err(GiveUp);
                }
                self.begin(Kind::Constructor, first, name, end, true);
                self.bodies.push((end, Content::Code, Role::Body));
                self.at = end - 1;
                Ok(true)
            }
            None => self.field(first, at),
        }
    }

    fn enclosing_name(&self) -> Option<&[u8]> {
        let enclosing = self.builder.enclosing?.index();
        let definition = self.builder.outline.definitions.get(enclosing)?;
        Some(definition.name.of(self.builder.source))
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

    /// The bracket of the parameters: the first behind a name, annotations aside.
    fn parameters(&self, from: usize, end: usize) -> Option<usize> {
        let mut at = from;
        while at < end {
            let token = self.near(at);
            let follows_name = self.near(at.wrapping_sub(1)).kind == TokenKind::Word;
            let is_annotated = self.near(at.wrapping_sub(2)).is_sign(b'@');
            if token.opens(b'(') && follows_name && !is_annotated {
                return Some(at);
            }
            at = if token.kind == TokenKind::Open { token.opener as usize + 1 } else { at + 1 };
        }
        None
    }

    fn method(&mut self, first: usize, start: usize, parameters: usize, end: usize) -> bool {
        let name_at = parameters - 1;
        let name = self.near(name_at);
        let in_type = self.builder.enclosing_kind().is_some_and(Kind::has_methods);
        let is_constructor =
            in_type && name_at == start && self.enclosing_name() == Some(self.bytes(name));
        let kind = if is_constructor { Kind::Constructor } else { Kind::Method };
        let head = Span { start: self.near(first).start, end: self.near(start).start };
        self.builder.marked_as_test = has_test_mark(head.of(self.builder.source));
        // The default of an annotation's element may have braces.
        let has_default = Self::is_keyword(self.near(self.behind(parameters)), Keyword::Default);
        let has_body = self.near(end).opens(b'{') && !has_default;
        let end = if has_body { end } else { self.statement_end(end) };
        self.begin(kind, first, name, end, has_body);
        self.annotations(first, start);
        self.types_between(start, name_at);
        self.types_between(parameters + 1, end);
        if has_body {
            self.bodies.push((end, Content::Code, Role::Body));
        }
        self.at = end - 1;
        true
    }

    /// `Type a = …, b;` and what is assigned, which is read as code.
    fn field(&mut self, first: usize, start: usize) -> Result<bool, GiveUp> {
        let end = self.statement_end(start);
        if !self.near(end).is_sign(b';') {
            return Err(GiveUp);
        }
        let mut angles = 0_i32;
        let mut at = start;
        let (mut names, mut has_value, mut value) = (Vec::new(), false, None);
        while at < end {
            let (token, next) = (self.near(at), self.near(at + 1));
            let ends_name = next.is_sign(b'=')
                || next.is_sign(b',')
                || next.is_sign(b';')
                || next.opens(b'[') && self.near(at + 2).closes(b']');
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
                        && !self.near(at - 1).is_sign(b'.')
                        && !self.near(at - 1).is_sign(b'@') =>
                {
                    names.push(token);
                }
                TokenKind::Open => at = token.opener as usize,
                _ => {}
            }
            at += 1;
        }
        for name in &names {
            let is_constant = !self.bytes(*name).iter().any(u8::is_ascii_lowercase);
            let kind = if is_constant { Kind::Constant } else { Kind::Field };
            self.begin(kind, first, *name, end + 1, false);
            self.end_begun(self.near(end));
        }
        self.annotations(first, start);
        let value = value.unwrap_or(end);
        self.types_between(start, value);
        self.at = value - 1;
        if names.is_empty() { Err(GiveUp) } else { Ok(true) }
    }

    /// A constant of an enumeration, with its arguments and body.
    pub(super) fn constant(&mut self) -> bool {
        let first = self.at;
        let at = self.after_modifiers(first);
        let name = self.near(at);
        if name.kind != TokenKind::Word {
            return false;
        }
        let arguments = self.near(at + 1).opens(b'(');
        let behind = if arguments { self.behind(at + 1) } else { at + 1 };
        let has_body = self.near(behind).opens(b'{');
        self.begin(Kind::Variant, first, name, behind, has_body);
        self.annotations(first, at);
        if has_body {
            self.bodies.push((behind, Content::Members, Role::Body));
        }
        self.at = at;
        true
    }

    /// Begins a definition that starts at token `first` and whose head ends before token `end`.
    fn begin(&mut self, kind: Kind, first: usize, name: Token, end: usize, has_body: bool) {
        let first = self.near(first);
        let last = self.near(end.saturating_sub(1)).end.max(name.end);
        let cut = if kind.is_callable() || has_body { Cut::AtLength } else { Cut::AtLineEnd };
        let head = signature(self.builder.source, first.start as usize..last as usize, cut);
        let doc = self.builder.take_doc(first.start, first.line);
        let around = self.builder.begin(Draft {
            kind,
            name: name.span(),
            owner: None,
            start: first.start,
            first_line: first.line,
            signature: head,
            doc,
            has_body,
        });
        self.level().begun = Some(around);
    }

    /// The names of annotations and what they are given.
    fn annotations(&mut self, from: usize, to: usize) {
        let here = self.at;
        for at in from..to {
            if self.near(at).kind == TokenKind::Word && !self.near(at + 1).is_sign(b'=') {
                self.at = at;
                let is_name = self.near(at.wrapping_sub(1)).is_sign(b'@');
                if is_name {
                    self.builder.refer(ReferenceKind::Type, self.near(at), None);
                } else {
                    self.word(self.near(at));
                }
            }
        }
        self.at = here;
    }

    pub(super) fn types_between(&mut self, from: usize, to: usize) {
        for at in from..to {
            let token = self.near(at);
            let is_type = token.kind == TokenKind::Word
                && !self.near(at + 1).is_sign(b'.')
                && self.is_type_name(token);
            if is_type {
                self.builder.refer(ReferenceKind::Type, token, receiver(self.tokens, at));
            }
        }
    }

    fn import(&mut self, start: usize) -> bool {
        let end = self.statement_end(start);
        let is_static = Self::is_keyword(self.near(start + 1), Keyword::Modifier);
        let first = start + if is_static { 2 } else { 1 };
        let (last, line) = (self.near(end.saturating_sub(1)), self.near(start).line);
        let path_end = if end >= first + 3 { end - 3 } else { first };
        let path = Span { start: self.near(first).start, end: self.near(path_end).end };
        let imported = if last.is_sign(b'*') {
            Imported::All
        } else if end >= first + 3 {
            Imported::Item(last.span())
        } else {
            Imported::Module
        };
        if end > first {
            let path = path.text(self.builder.source).to_owned();
            self.builder.outline.imports.push(Import { path, imported, alias: None, line });
        }
        self.at = end;
        self.level().at_start = true;
        true
    }
}
