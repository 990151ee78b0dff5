//! Reads PHP declarations: namespaces, imports, types, functions and their members.

use super::{Content, Keyword, Reader, Result, Role, Token, TokenKind, Unsupported};
use crate::conventions::php_method_kind;
use crate::definition::Kind;
use crate::outline::{Imported, ReferenceKind};
use crate::span::Span;
use crate::token_reader::item::Item;

impl Reader<'_> {
    /// Reads the declaration at the start of a statement. Returns whether the current token was consumed.
    pub(super) fn statement(&mut self) -> Result<bool> {
        let first = self.at;
        let token = self.token_at(first);
        let can_start = token.kind == TokenKind::Keyword
            || token.is_sign(b'#')
            || token.kind == TokenKind::Word && self.bytes(token) == b"enum";
        if !can_start {
            return Ok(false);
        }
        let start = self.after_modifiers(first);
        let token = self.token_at(start);
        if self.type_keyword(start).is_some() {
            return self.type_definition(first, start);
        }
        if token.is_keyword(Keyword::Function) && start == self.after_attributes(first) {
            let at = if self.token_at(start + 1).is_sign(b'&') { start + 2 } else { start + 1 };
            if !self.token_at(at).opens(b'(') {
                return self.function(Kind::Function, first, start);
            }
        } else if start == first && token.is_keyword(Keyword::Namespace) {
            return Ok(self.namespace());
        } else if start == first && token.is_keyword(Keyword::Use) {
            self.use_declaration(start);
            return Ok(true);
        } else if token.is_keyword(Keyword::Const) {
            return self.constants(first, start);
        }
        Ok(false)
    }

    /// Reads the header of a member. Returns whether the current token was consumed.
    pub(super) fn member(&mut self) -> Result<bool> {
        let first = self.at;
        let start = self.after_modifiers(first);
        let token = self.token_at(start);
        match Keyword::of_token(token) {
            Some(Keyword::Function) => return self.function(Kind::Method, first, start),
            Some(Keyword::Const) => return self.constants(first, start),
            Some(Keyword::Case) => self.case(first, start),
            Some(Keyword::Use) => {
                let end = self.head_end(start);
                self.inherit(start + 1, end);
                self.at = end - 1;
            }
            _ if token.is_sign(b';') => return Ok(false),
            _ => return self.properties(first, start),
        }
        Ok(true)
    }

    fn after_attributes(&self, first: usize) -> usize {
        let mut at = first;
        while self.token_at(at).is_sign(b'#') && self.token_at(at + 1).opens(b'[') {
            at = self.after_bracket(at + 1);
        }
        at
    }

    /// Returns the index of the first token after the attributes and modifiers.
    fn after_modifiers(&self, first: usize) -> usize {
        let mut at = self.after_attributes(first);
        loop {
            let token = self.token_at(at);
            let is_modifier = token.is_keyword(Keyword::Modifier) || token.is_keyword(Keyword::Var);
            // In code, `static` also occurs in `static fn`, `static::f()` and `static $x`. The caller checks what
            // follows it.
            if !is_modifier {
                return at;
            }
            at += 1;
            // This is an asymmetric visibility such as `private(set)`.
            if self.token_at(at).opens(b'(') && self.bytes(self.token_at(at + 1)) == b"set" {
                at = self.after_bracket(at);
            }
        }
    }

    /// Returns the kind of the type whose keyword is at index `at`.
    fn type_keyword(&self, at: usize) -> Option<Kind> {
        let (token, next) = (self.token_at(at), self.token_at(at + 1));
        if next.kind != TokenKind::Word {
            return None;
        }
        match Keyword::of_token(token) {
            Some(Keyword::Class) => Some(Kind::Class),
            Some(Keyword::Interface) => Some(Kind::Interface),
            Some(Keyword::Trait) => Some(Kind::Trait),
            Some(_) => None,
            None => {
                let after = self.token_at(at + 2);
                let is_header = after.opens(b'{')
                    || after.is_sign(b':')
                    || after.is_keyword(Keyword::Implements);
                (self.bytes(token) == b"enum" && is_header).then_some(Kind::Enum)
            }
        }
    }

    fn type_definition(&mut self, first: usize, start: usize) -> Result<bool> {
        let Some(kind) = self.type_keyword(start) else { return Ok(false) };
        let brace = self.head_end(start + 2);
        if !self.token_at(brace).opens(b'{') {
            return Err(Unsupported);
        }
        self.begin(self.headed(kind, first, self.token_at(start + 1).span(), brace, true));
        self.supertypes(start + 2, brace);
        self.expect(brace, Content::Members, Role::Body);
        self.continue_from(first, start, brace);
        Ok(true)
    }

    /// Records the supertypes in a header.
    pub(super) fn supertypes(&mut self, from: usize, to: usize) {
        let mut at = from;
        while at < to {
            let token = self.token_at(at);
            if token.is_keyword(Keyword::Extends) || token.is_keyword(Keyword::Implements) {
                at = self.inherit(at + 1, to);
            } else if token.is_sign(b':') {
                at = self.types(at + 1);
            } else {
                at += 1;
            }
        }
    }

    /// Records a list of supertypes. Returns the index of the first token after the list.
    fn inherit(&mut self, from: usize, to: usize) -> usize {
        let mut at = from;
        while at < to {
            if let Some(last) = self.last_word(at) {
                self.refer_to(ReferenceKind::Inherit, at, last);
                at = last + 1;
            } else if self.token_at(at).is_sign(b',') {
                at += 1;
            } else {
                break;
            }
        }
        at
    }

    fn function(&mut self, kind: Kind, first: usize, start: usize) -> Result<bool> {
        let by_reference = usize::from(self.token_at(start + 1).is_sign(b'&'));
        let name_at = start + 1 + by_reference;
        let parameters = name_at + 1;
        let name = self.token_at(name_at);
        let is_name = matches!(name.kind, TokenKind::Word | TokenKind::Keyword);
        if !is_name || !self.token_at(parameters).opens(b'(') {
            return Err(Unsupported);
        }
        let end = self.head_end(self.after_bracket(parameters));
        let has_body = self.token_at(end).opens(b'{');
        let attributes = Span {
            start: self.token_at(first).start,
            end: self.token_at(self.after_attributes(first)).start,
        };
        let kind = match kind {
            Kind::Method => php_method_kind(self.bytes(name), attributes.of(self.builder.source)),
            _ => kind,
        };
        self.begin(self.headed(
            kind,
            first,
            name.span(),
            if has_body { end } else { end + 1 },
            has_body,
        ));
        if has_body {
            self.expect(end, Content::Code, Role::Body);
        }
        self.expect(parameters, Content::Parameters, Role::Plain);
        self.continue_from(first, start, parameters);
        Ok(true)
    }

    /// Reads the types of a parameter up to its variable. A parameter with modifiers also defines a field of the class.
    /// Returns whether there is a parameter.
    pub(super) fn parameter(&mut self) -> bool {
        let first = self.at;
        let types = self.after_modifiers(first);
        let mut variable = self.types(types);
        if self.token_at(variable).is_sign(b'.') {
            variable += 3;
        }
        let name = self.token_at(variable);
        if name.kind != TokenKind::Variable {
            return false;
        }
        if types > self.after_attributes(first) {
            let end = self.list_item_end(variable);
            let method = self.builder.step_out();
            self.leaf(Kind::Field, first, without_dollar(name), end);
            self.builder.enclosing = method;
        }
        self.continue_from(first, self.after_attributes(first), variable + 1);
        true
    }

    /// Returns the index of the comma or closing bracket after an element of a list.
    fn list_item_end(&self, from: usize) -> usize {
        self.find_end(from, |token| token.is_sign(b',') || token.is_sign(b';'))
    }

    /// Reads properties such as `private ?Clock $clock = null, $other;`.
    fn properties(&mut self, first: usize, start: usize) -> Result<bool> {
        let variable = self.types(start);
        if self.token_at(variable).kind != TokenKind::Variable {
            return Err(Unsupported);
        }
        let after = self.token_at(variable + 1);
        let has_hooks = after.opens(b'{')
            || after.is_sign(b'=') && {
                let end = self.head_end(variable + 2);
                self.token_at(end).opens(b'{') && self.token_at(end).opener > 0
            };
        let end = if has_hooks {
            self.after_bracket(self.head_end(variable + 1).max(variable + 1))
        } else {
            self.statement_end(variable) + 1
        };
        let mut at = variable;
        while self.token_at(at).kind == TokenKind::Variable {
            self.leaf(Kind::Field, first, without_dollar(self.token_at(at)), end);
            at = self.list_item_end(at) + 1;
        }
        self.continue_from(first, self.after_attributes(first), variable + 1);
        Ok(true)
    }

    /// Reads constants such as `const string A = 'a', B = 'b';`. Their values are read later.
    fn constants(&mut self, first: usize, start: usize) -> Result<bool> {
        let end = self.statement_end(start) + 1;
        let mut at = start + 1;
        let mut value = None;
        while at < end {
            let mut name = at;
            while name < end && !self.token_at(name + 1).is_sign(b'=') {
                // Without the semicolon, the next declaration would be read as constants.
                if self.token_at(name).opens(b'{') {
                    return Err(Unsupported);
                }
                name += 1;
            }
            if name >= end {
                break;
            }
            if !matches!(self.token_at(name).kind, TokenKind::Word | TokenKind::Keyword) {
                return Err(Unsupported);
            }
            if value.is_none() {
                self.types_before(at, name);
                value = Some(name + 1);
            }
            self.leaf(Kind::Constant, first, self.token_at(name).span(), end);
            at = self.list_item_end(name) + 1;
        }
        let value = value.ok_or(Unsupported)?;
        self.continue_from(first, self.after_attributes(first), value);
        Ok(true)
    }

    /// Records the type of a constant, which starts at token `from` and ends before the constant's name at token
    /// `name`. Hides the name temporarily, because [`Self::types`] would read it as part of the type.
    fn types_before(&mut self, from: usize, name: usize) {
        if from < name {
            let last = self.token_at(name);
            self.tokens[name].kind = TokenKind::Number;
            self.types(from);
            self.tokens[name] = last;
        }
    }

    fn case(&mut self, first: usize, start: usize) {
        let end = self.statement_end(start + 1) + 1;
        self.begin(self.headed(Kind::Variant, first, self.token_at(start + 1).span(), end, false));
        self.continue_from(first, start, start + 2);
    }

    fn namespace(&mut self) -> bool {
        let first = self.at;
        if self.next().is_sign(b'\\') {
            return false;
        }
        let Some(last) = self.last_word(first + 1) else {
            if self.next().opens(b'{') {
                self.expect(first + 1, Content::Code, Role::Plain);
            }
            return true;
        };
        let name = self.span(first + 1, last);
        let has_body = self.token_at(last + 1).opens(b'{');
        let end = if has_body { last + 1 } else { last + 2 };
        self.begin(self.headed(Kind::Module, first, name, end, has_body));
        for at in first + 2..=last {
            if self.is_word(at) {
                self.name(self.token_at(at), None);
            }
        }
        if has_body {
            self.expect(last + 1, Content::Code, Role::Body);
        }
        self.at = last;
        true
    }

    /// Moves the reader to token `next`, because the tokens before it have already been read. If the declaration starts
    /// with attributes at token `first`, the reader reads the attributes before it moves to `next` (or to `start`, if
    /// that is later).
    fn continue_from(&mut self, first: usize, start: usize, next: usize) {
        if self.token_at(first).is_sign(b'#') {
            let modifiers = self.after_attributes(first);
            self.skip(modifiers, next.max(start));
            self.expect(first + 1, Content::Attributes, Role::Plain);
            self.at = first;
        } else {
            self.at = next - 1;
        }
    }

    /// Returns a definition whose header ends before token `end`. The text before a body belongs to the header.
    fn headed(&self, kind: Kind, first: usize, name: Span, end: usize, has_body: bool) -> Item {
        let item = self.item(kind, first, name, end).with_body(has_body);
        let end = if has_body { self.token_at(end).start.max(name.end) } else { item.end };
        Item { end, ..item }
    }

    /// Records a definition without members, from token `first` to the token before `end`.
    fn leaf(&mut self, kind: Kind, first: usize, name: Span, end: usize) {
        self.define(self.item(kind, first, name, end), end - 1);
    }

    /// Reads imports such as `use A\B as C, D;`, `use function A\b;` and `use A\{B, C as D};`.
    pub(super) fn use_declaration(&mut self, start: usize) {
        let end = self.statement_end(start);
        let mut prefix = String::new();
        let mut at = start + 1;
        while at < end {
            let token = self.token_at(at);
            if token.opens(b'{') || token.closes(b'}') || token.is_sign(b',') {
                at += 1;
                continue;
            }
            let Some(last) = self.last_word(at) else {
                at += 1;
                continue;
            };
            let after = last + 1;
            if self.token_at(after).is_sign(b'\\') && self.token_at(after + 1).opens(b'{') {
                let whole = self.span(at, last);
                whole.text(self.builder.source).clone_into(&mut prefix);
                at = after + 2;
                continue;
            }
            at = self.import_clause(&prefix, at, last);
        }
        self.at = end.saturating_sub(1);
    }

    /// Records one import. Returns the index after it.
    fn import_clause(&mut self, prefix: &str, first: usize, last: usize) -> usize {
        let (source, name) = (self.builder.source, self.token_at(last));
        let scope_end = if last >= first + 2 { self.token_at(last - 2).end } else { 0 };
        let start = self.token_at(first).start;
        let scope = Span { start, end: scope_end.max(start) }.text(source);
        let separator = if prefix.is_empty() || scope.is_empty() { "" } else { "\\" };
        let path = format!("{prefix}{separator}{scope}");
        let has_alias = self.token_at(last + 1).is_keyword(Keyword::As);
        let alias = has_alias.then(|| self.token_at(last + 2).span());
        let imported = Imported::Item(name.span());
        self.builder.import(&path, imported, alias, self.token_at(first).line);
        last + if has_alias { 3 } else { 1 }
    }
}

fn without_dollar(variable: Token) -> Span {
    Span { start: variable.start + 1, end: variable.end }
}
