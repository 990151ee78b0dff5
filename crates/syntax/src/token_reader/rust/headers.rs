//! Reads the headers of Rust items, from the keyword to the body, and the items' attributes.

use super::{Content, Cut, Keyword, Kind, Reader, ReferenceKind, Role, Token, TokenKind};
use super::{Result, sign};
use crate::binding::BindingKind;
use crate::conventions::{is_camel_case, is_rust_test_attribute};
use crate::outline::Imported;
use crate::token_reader::Unsupported;
use crate::token_reader::item::Item;

/// The maximum number of tokens that are searched for the end of a header. Longer headers are not supported.
const MAX_HEAD: usize = 2000;

impl Reader<'_> {
    /// Returns whether the current keyword starts an item. Only modifiers such as `pub` may precede it in the
    /// statement.
    pub(super) fn starts_item(&mut self) -> bool {
        let super::Own { start, opener, .. } = self.level().own;
        // In `x: &(impl Read + Send)`, `impl` is part of a type.
        if opener == b'(' || opener == b'[' {
            return false;
        }
        let at = self.at;
        let previous = self.previous();
        let is_modifier = previous.is_keyword(Keyword::Pub) || previous.is_keyword(Keyword::Unsafe);
        let is_default = previous.kind == TokenKind::Word && self.bytes(previous) == b"default";
        at == start
            || is_modifier
            || is_default && at == start + 1
            || previous.closes(b')') && {
                // The parentheses may belong to a visibility, as in `pub(crate) use …`.
                let opener = previous.opener as usize;
                self.token_at(opener.wrapping_sub(1)).is_keyword(Keyword::Pub)
            }
    }

    /// Returns the index of the token that ends the header, which is the opening brace of the body or a semicolon.
    fn head_end(&self) -> Result<usize> {
        let is_end = |token: Token| token.opens(b'{') || token.is_sign(b';');
        let end = self.find_end(self.at, is_end);
        let is_found = is_end(self.token_at(end)) && end < self.at + MAX_HEAD;
        if is_found { Ok(end) } else { Err(Unsupported) }
    }

    pub(super) fn function(&mut self) -> Result<()> {
        let end = self.head_end()?;
        let has_body = self.token_at(end).opens(b'{');
        self.begin_statement(Kind::Function, self.next(), end, has_body, Cut::AtLength);
        self.bind_header(end);
        self.expect_body(has_body.then_some(Content::Code));
        self.at += 1;
        Ok(())
    }

    /// Reads the header of a `struct`, `enum`, `union` or `type`. `content` specifies what the body contains.
    pub(super) fn type_item(&mut self, kind: Kind, content: Content) -> Result<()> {
        let end = self.head_end()?;
        let is_alias = kind == Kind::TypeAlias;
        let has_body = self.token_at(end).opens(b'{') && !is_alias;
        let rest = &self.tokens[self.at..end];
        let tuple = rest.iter().position(|it| it.opens(b'(')).filter(|_| !has_body && !is_alias);
        let head_end = tuple.map_or(end, |tuple| self.at + tuple);
        let is_closed = has_body || tuple.is_some();
        let cut = if is_closed { Cut::AtLength } else { Cut::AtLineEnd };
        let after = if is_closed { head_end } else { head_end + 1 };
        self.begin_statement(kind, self.next(), after, has_body, cut);
        self.expect_body(has_body.then_some(content));
        if is_alias {
            self.bind_alias(end);
        }
        self.at += 1;
        Ok(())
    }

    pub(super) fn trait_item(&mut self) -> Result<()> {
        let end = self.head_end()?;
        self.begin_statement(Kind::Trait, self.next(), end, true, Cut::AtLength);
        self.expect_body(Some(Content::Code));
        let bounds = self.supertraits(end);
        self.at += 1;
        let first = self.at + 1;
        for at in first..end {
            self.head_word(at, bounds.contains(&at));
        }
        self.at = end - 1;
        Ok(())
    }

    /// Returns the indices of the supertraits' names. Each of them is the last name of a path between the colon and
    /// `where`.
    fn supertraits(&self, end: usize) -> Vec<usize> {
        let mut found = Vec::new();
        let mut angles = 0_i32;
        let mut is_bound = false;
        for at in self.at + 2..end {
            let token = self.tokens[at];
            match token.kind {
                TokenKind::Sign if token.code == b'<' => angles += 1,
                TokenKind::Sign if token.code == b'>' => angles -= 1,
                TokenKind::Sign if token.code == b':' && angles == 0 => is_bound = true,
                TokenKind::Keyword if self.bytes(token) == b"where" => break,
                TokenKind::Word
                    if is_bound && angles == 0 && !self.token_at(at + 1).is_sign(sign::PATH) =>
                {
                    found.push(at);
                }
                _ => {}
            }
        }
        found
    }

    /// Reads an `impl` header. `impl Trait for Type` is recorded as an extension of `Type` with the supertype `Trait`.
    pub(super) fn impl_item(&mut self) -> Result<()> {
        let end = self.head_end()?;
        let (implemented, name) = self.impl_parts(end);
        let Some(name) = name else { return Ok(()) };
        self.begin_statement(Kind::Extension, self.tokens[name], end, true, Cut::AtLength);
        self.expect_body(Some(Content::Code));
        for at in self.at + 1..end {
            if at != name {
                self.head_word(at, implemented == Some(at));
            }
        }
        self.at = end - 1;
        Ok(())
    }

    /// Returns the index of the trait's name, if the header contains a trait, and the index of the type's name. A name
    /// is the last part of a path outside angle brackets.
    fn impl_parts(&self, end: usize) -> (Option<usize>, Option<usize>) {
        let mut angles = 0_i32;
        let (mut before, mut after, mut is_after) = (None, None, false);
        for at in self.at + 1..end {
            let token = self.tokens[at];
            match token.kind {
                TokenKind::Sign if token.code == b'<' => angles += 1,
                TokenKind::Sign if token.code == b'>' => angles -= 1,
                TokenKind::Keyword if angles > 0 => {}
                TokenKind::Keyword if token.code == Keyword::For as u8 => {
                    is_after |= !self.token_at(at + 1).is_sign(b'<');
                }
                TokenKind::Keyword if self.bytes(token) == b"where" => break,
                // Only the first path outside angle brackets is read. Its last part is the name.
                TokenKind::Word
                    if angles == 0
                        && is_after
                        && (after.is_none() || self.token_at(at - 1).is_sign(sign::PATH)) =>
                {
                    after = Some(at);
                }
                TokenKind::Word if is_after => {}
                TokenKind::Word if angles == 0 => before = Some(at),
                _ => {}
            }
        }
        if is_after { (before, after) } else { (None, before) }
    }

    /// Records a name in a header as a supertype if `inherits` is true, and otherwise as a name in code.
    fn head_word(&mut self, at: usize, inherits: bool) {
        let here = std::mem::replace(&mut self.at, at);
        let token = self.tokens[at];
        if inherits {
            let receiver = self.receiver();
            self.refer(ReferenceKind::Inherit, token, receiver);
        } else if token.kind == TokenKind::Word {
            self.word(token);
        }
        self.at = here;
    }

    pub(super) fn module(&mut self) -> Result<()> {
        let (name, line) = (self.next(), self.tokens[self.at].line);
        let has_body = self.token_at(self.at + 2).opens(b'{');
        let end = self.at + if has_body { 2 } else { 3 };
        self.begin_statement(Kind::Module, name, end, has_body, Cut::AtLength);
        self.expect_body(has_body.then_some(Content::Code));
        if !has_body {
            let path = format!("self::{}", name.span().text(self.builder.source));
            self.builder.import(&path, Imported::Module, None, line);
        }
        self.at += 1;
        Ok(())
    }

    /// Records `const NAME: …` and `static NAME: …`. Ignores `*const T`, `<const N: …>` and `const fn`.
    pub(super) fn constant(&mut self, token: Token) -> Result<()> {
        let is_mutable = self.bytes(self.next()) == b"mut";
        let name_at = self.at + if is_mutable { 2 } else { 1 };
        let name = self.token_at(name_at);
        let previous = self.previous();
        let is_parameter = previous.is_sign(b'<') || previous.is_sign(b',');
        let is_named = name.kind == TokenKind::Word && self.token_at(name_at + 1).is_sign(b':');
        if !is_named || is_parameter || self.bytes(name) == b"_" {
            return Ok(());
        }
        let is_constant = token.code == Keyword::Const as u8;
        let kind = if is_constant { Kind::Constant } else { Kind::Variable };
        // The value may be long and contain braces, so the signature covers only the first line.
        let end = self.line_end(name_at);
        self.begin_statement(kind, name, end, false, Cut::AtLineEnd);
        let text = self.type_text(name_at + 2, self.tokens.len());
        self.builder.bind(BindingKind::Annotation, name.span(), text);
        self.at = name_at;
        Ok(())
    }

    /// Returns the index of the semicolon that ends the statement, or of the first token on the next line.
    fn line_end(&self, from: usize) -> usize {
        let line = self.tokens[from].line;
        let mut depth = 0_usize;
        for (offset, token) in self.tokens[from..].iter().enumerate() {
            match token.kind {
                _ if token.line != line => return from + offset,
                TokenKind::Open => depth += 1,
                TokenKind::Close => depth = depth.saturating_sub(1),
                TokenKind::Sign if token.code == b';' && depth == 0 => return from + offset,
                _ => {}
            }
        }
        self.tokens.len()
    }

    /// Starts a definition at the current statement. Its header ends before token `end`.
    pub(super) fn begin_statement(
        &mut self,
        kind: Kind,
        name: Token,
        end: usize,
        has_body: bool,
        cut: Cut,
    ) {
        self.end_item_before(self.at);
        let super::Own { start, attribute_line, .. } = self.level().own;
        let first = start.min(self.at);
        let Token { start, line, .. } = self.token_at(first);
        let item = self.item(kind, first, name.span(), end).with_body(has_body);
        self.begin(Item { cut, doc: (start, attribute_line.unwrap_or(line)), ..item });
        let is_member = matches!(kind, Kind::Field | Kind::Variant);
        self.level().own.until = if is_member { b',' } else { b';' };
    }

    pub(super) fn expect_body(&mut self, content: Option<Content>) {
        if let Some(content) = content {
            self.level().ahead = Some((content, Role::Body));
        }
    }

    pub(super) fn is_attribute(&self) -> bool {
        let previous = self.previous();
        previous.is_sign(b'#')
            || previous.is_sign(b'!') && self.token_at(self.at.wrapping_sub(2)).is_sign(b'#')
    }

    /// Reads an attribute and records its names, such as `Debug` in `derive(Debug)`. The item starts after the attribute.
    pub(super) fn attribute(&mut self) {
        let opened = self.at;
        self.at = self.after_bracket(opened) - 1;
        for at in opened..self.at {
            let token = self.token_at(at);
            if token.kind == TokenKind::Word && is_camel_case(self.bytes(token)) {
                self.refer(ReferenceKind::Type, token, None);
            } else if token.kind == TokenKind::Word {
                self.name(token, None);
            }
        }
        self.mark_test(opened);
        let (line, at) = (self.tokens[opened].line, self.at);
        let is_inner = self.token_at(opened.wrapping_sub(1)).is_sign(b'!');
        let own = &mut self.level().own;
        own.start = at + 1;
        if !is_inner {
            own.attribute_line.get_or_insert(line);
        }
    }

    /// Marks the next definition as a test if the last part of the attribute's path is `test` or similar, as in
    /// `#[test]` and `#[tokio::test]`.
    fn mark_test(&mut self, opened: usize) {
        let path = self.tokens[opened + 1..].iter();
        let path = path.take_while(|it| it.kind == TokenKind::Word || it.is_sign(sign::PATH));
        let is_test = path.last().is_some_and(|it| is_rust_test_attribute(self.bytes(*it)));
        self.builder.marked_as_test |= is_test;
    }

    /// Records a macro definition such as `macro_rules! name { … }`. Its body is ignored.
    pub(super) fn macro_definition(&mut self) {
        let name = self.token_at(self.at + 2);
        let body = self.token_at(self.at + 3);
        if name.kind != TokenKind::Word || body.kind != TokenKind::Open {
            return;
        }
        let end = self.at + 3;
        self.begin_statement(Kind::Macro, name, end, true, Cut::AtLineEnd);
        self.at = end;
        self.open_bracket(body, Content::Inert, Role::Body);
    }
}
