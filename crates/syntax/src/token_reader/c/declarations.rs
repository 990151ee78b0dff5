//! Reads C and C++ declarations: namespaces, types, aliases, enumerators and macros.

use super::{Content, Directive, Keyword, Reader, Result, Role, Start, Token, TokenKind, sign};
use crate::conventions::is_upper_case;
use crate::definition::Kind;
use crate::outline::Imported;
use crate::span::Span;
use crate::token_reader::item::Item;
use crate::token_reader::lexer::{count_breaks, name_length};

impl Reader<'_> {
    /// Records a `#define` as a macro or constant, and an `#include` as an import.
    pub(super) fn directive(&mut self, directive: &Directive) {
        let source = self.builder.source;
        let rest = Span { start: directive.after_word, end: directive.span.end }.of(source);
        let start = directive.after_word as usize + rest.len() - rest.trim_ascii_start().len();
        let text = rest.trim_ascii();
        let line = directive.line;
        if !directive.is_define {
            let text = String::from_utf8_lossy(text);
            let path = text.split("//").next().unwrap_or_default().trim();
            let path = path.trim_matches(['"', '<', '>']);
            return self.builder.import(path, Imported::Module, None, line);
        }
        let length = name_length(text);
        if length == 0 {
            return;
        }
        let is_function = text.get(length) == Some(&b'(');
        let kind = if is_function { Kind::Macro } else { Kind::Constant };
        let (name, span) = (Span::new(start..start + length), directive.span);
        let saved = self.begin_item(Item::new(kind, name, (span.start, line), span.end));
        let n_breaks = count_breaks(span.of(source));
        // The line break is part of the directive.
        let has_break = source.get(span.end as usize) == Some(&b'\n');
        self.end_item(saved, span.end + u32::from(has_break), line + n_breaks);
    }

    /// Reads the header of a declaration. Returns whether the current token was consumed.
    pub(super) fn declaration(&mut self) -> Result<bool> {
        let mut first = self.at;
        if let Some(next) = self.after_label(first) {
            // The next declaration is read separately, because a directive may precede it.
            self.at = next - 1;
            self.level().at_start = true;
            return Ok(true);
        }
        let mut doc = first;
        loop {
            let (token, next) = (self.token_at(first), self.token_at(first + 1));
            if token.is_keyword(Keyword::Template) && next.is_sign(b'<') {
                let Some(end) = self.after_angles(first + 1) else { return Ok(false) };
                self.types_between(first + 2, end - 1);
                first = self.after_requirement(end);
            } else if token.is_keyword(Keyword::Extern) && next.kind == TokenKind::Text {
                if self.token_at(first + 2).opens(b'{') {
                    self.expect(first + 2, Content::Declarations, Role::Plain);
                    self.at = first + 1;
                    return Ok(true);
                }
                first += 2;
                doc = first;
            } else if token.is_keyword(Keyword::Friend) {
                first += 1;
                doc = first;
            } else if let Some(next) = self.after_macros(first) {
                first = next;
                doc = first;
            } else {
                break;
            }
        }
        self.at = first;
        let token = self.token_at(first);
        if first >= self.tokens.len() || token.kind == TokenKind::Close {
            self.at = first.saturating_sub(1);
            return Ok(true);
        }
        let is_inline = self.bytes(token) == b"inline";
        let start = if is_inline { first + 1 } else { first };
        if self.token_at(start).is_keyword(Keyword::Namespace) {
            return Ok(self.namespace(first, start));
        }
        if token.is_keyword(Keyword::Using) {
            return Ok(self.using(Start { first, doc }));
        }
        if token.is_keyword(Keyword::Typedef) {
            return self.typedef(first);
        }
        if token.is_keyword(Keyword::StaticAssert) || token.opens(b'{') {
            return Ok(false);
        }
        let start = Start { first, doc };
        if self.bytes(token) == b"concept" && self.rules.language == crate::languages::Language::Cpp
        {
            return Ok(self.concept(start));
        }
        self.general(start)
    }

    /// Reads a type or alias that is declared inside a function. Returns whether the current token was consumed.
    pub(super) fn local_declaration(&mut self) -> Result<bool> {
        let token = self.token_at(self.at);
        if token.kind != TokenKind::Keyword {
            return Ok(false);
        }
        if token.is_keyword(Keyword::Typedef) {
            return self.typedef(self.at);
        }
        if token.is_keyword(Keyword::Using) {
            return Ok(self.using(Start::at(self.at)));
        }
        Ok(false)
    }

    /// Skips the semicolon or label (such as `public:` or `signals:`) at token `first`. Returns the index of the next
    /// token, or `None` if there is no semicolon or label.
    fn after_label(&mut self, first: usize) -> Option<usize> {
        let token = self.token_at(first);
        if token.is_sign(b';') {
            return Some(first + 1);
        }
        let is_access = token.is_keyword(Keyword::Access);
        let is_member = self.level().content == Content::Members;
        let has_word = is_access && self.is_word(first + 1);
        let colon = first + 1 + usize::from(has_word);
        let is_label = is_access || is_member && token.kind == TokenKind::Word;
        (is_label && self.token_at(colon).is_sign(b':')).then_some(colon + 1)
    }

    /// Skips the macros before a declaration, such as `API` in `API class Parser { … }`. The macros start at token
    /// `first` and have no arguments. Returns the index of the first token after them, or `None` if there are no
    /// macros.
    fn after_macros(&self, first: usize) -> Option<usize> {
        const MAX_MACROS: usize = 4;
        let mut at = first;
        while self.is_word(at) && at < first + MAX_MACROS {
            at += 1;
        }
        let next = self.token_at(at);
        let declares = [
            Keyword::Namespace,
            Keyword::Template,
            Keyword::Typedef,
            Keyword::Using,
            Keyword::Friend,
        ];
        let is_declared = declares.into_iter().any(|keyword| next.is_keyword(keyword))
            || self.type_body(at).is_some();
        if at > first && is_declared {
            return Some(at);
        }
        // This may be a macro on a line of its own.
        let (word, next) = (self.token_at(first), self.token_at(first + 1));
        let is_macro = word.kind == TokenKind::Word
            && next.line > word.line
            && matches!(next.kind, TokenKind::Word | TokenKind::Keyword)
            && (!self.token_at(first + 2).opens(b'(') || is_upper_case(self.bytes(next)))
            && is_upper_case(self.bytes(word))
            && self.bytes(word).contains(&b'_');
        is_macro.then_some(first + 1)
    }

    fn after_requirement(&self, at: usize) -> usize {
        if self.bytes(self.token_at(at)) != b"requires" {
            return at;
        }
        let mut end = at + 1;
        loop {
            let token = self.token_at(end);
            if token.opens(b'(') {
                end = self.after_bracket(end);
            } else if token.kind == TokenKind::Word {
                end += 1;
                while self.token_at(end).is_sign(sign::PATH) {
                    end += 2;
                }
                if self.token_at(end).is_sign(b'<') {
                    end = self.after_angles(end).unwrap_or(end + 1);
                }
            } else if token.is_keyword(Keyword::Attribute) {
                end += 1;
                continue;
            }
            let after = self.token_at(end);
            if after.is_sign(sign::AND) || after.is_sign(sign::OR) {
                end += 1;
            } else {
                return end;
            }
        }
    }

    fn namespace(&mut self, first: usize, start: usize) -> bool {
        let mut at = start + 1;
        while self.token_at(at).opens(b'[') {
            at = self.after_bracket(at);
        }
        let name_at = at;
        while self.is_word(at) || self.token_at(at).is_sign(sign::PATH) {
            at += 1;
        }
        if !self.token_at(at).opens(b'{') {
            // This is `namespace a = b;`, or a macro precedes the brace.
            self.at = self.statement_end(start).saturating_sub(1).max(first);
            return true;
        }
        if at > name_at {
            let name = self.span(name_at, at - 1);
            self.begin(self.headed(Kind::Module, Start::at(first), name, at));
            self.expect(at, Content::Declarations, Role::Body);
        } else {
            self.expect(at, Content::Declarations, Role::Plain);
        }
        self.at = at - 1;
        true
    }

    /// Reads `using A = B;`. Other forms of `using` are read as names.
    fn using(&mut self, start: Start) -> bool {
        let name = self.token_at(start.first + 1);
        let end = self.statement_end(start.first);
        if name.kind == TokenKind::Word && self.token_at(start.first + 2).is_sign(b'=') {
            self.begin(self.headed(Kind::TypeAlias, start, name.span(), end + 1));
            self.types_between(start.first + 3, end);
        } else if !name.is_keyword(Keyword::Namespace) {
            self.at = start.first + 1;
            if self.is_word(self.at) {
                self.word(self.token_at(self.at));
            }
        }
        self.at = end.saturating_sub(1).max(start.first);
        true
    }

    fn concept(&mut self, start: Start) -> bool {
        let name = self.token_at(start.first + 1);
        if name.kind != TokenKind::Word {
            return false;
        }
        let end = self.statement_end(start.first);
        self.begin(self.headed(Kind::Interface, start, name.span(), end + 1));
        self.at = start.first + 1;
        true
    }

    /// Reads a type alias. `typedef struct { … } Point;` defines the structure `Point`.
    fn typedef(&mut self, first: usize) -> Result<bool> {
        let end = self.statement_end(first);
        if !self.token_at(end).is_sign(b';') {
            return Ok(false);
        }
        let mut specifier = first + 1;
        while self.is_specifier_prefix(specifier) {
            specifier += 1;
        }
        let body = self.type_body(specifier);
        let declarators = body.map_or(specifier, |brace| self.after_bracket(brace));
        let Some(name) = self.aliased_name(declarators, end) else {
            self.at = first;
            return Ok(false);
        };
        let kind = self.type_kind(specifier);
        let (Some(brace), Some(kind)) = (body, kind) else {
            let span = self.token_at(name).span();
            self.define(self.headed(Kind::TypeAlias, Start::at(first), span, end + 1), end);
            self.types_between(first + 1, name);
            self.types_between(name + 1, end);
            self.at = end - 1;
            return Ok(true);
        };
        let is_nameless = self.type_name(specifier).is_none();
        let content = Self::content_of(kind);
        if is_nameless {
            let kind = if kind == Kind::Enum { Kind::Enum } else { Kind::Struct };
            let name = self.token_at(name).span();
            self.begin(self.headed(kind, Start::at(first), name, brace));
            self.expect(brace, content, Role::Aliased);
        } else {
            let name = self.token_at(name).span();
            self.define(self.headed(Kind::TypeAlias, Start::at(first), name, end + 1), end);
            self.type_definition(Start::at(specifier), brace, kind);
        }
        self.skip(declarators, end);
        self.at = brace - 1;
        Ok(true)
    }

    /// Returns the index of the name that a `typedef` defines. This is the name in `(*name)(…)`, or else the last
    /// name.
    fn aliased_name(&self, from: usize, end: usize) -> Option<usize> {
        let mut name = None;
        let mut at = from;
        while at < end {
            let token = self.token_at(at);
            match token.kind {
                TokenKind::Word => name = Some(at),
                TokenKind::Sign if token.code == b',' => return name,
                TokenKind::Open if token.code == b'(' => {
                    if let Some(inner) = self.pointer_name(at) {
                        return Some(inner);
                    }
                    // This is a function type: `typedef int (name)(…)`.
                    if self.after_bracket(at) == at + 3
                        && self.is_word(at + 1)
                        && self.token_at(at + 3).opens(b'(')
                    {
                        return Some(at + 1);
                    }
                    // These are the parameters of a function type, or the arguments of an attribute.
                    if name.is_some() && !self.token_at(at - 1).is_keyword(Keyword::Attribute) {
                        return name;
                    }
                }
                _ => {}
            }
            at = self.after_part(at);
        }
        name
    }

    pub(super) fn content_of(kind: Kind) -> Content {
        if kind == Kind::Enum { Content::Enumerators } else { Content::Members }
    }

    /// Reads the header of an enumerator. Its value is read later. Returns whether there is an enumerator.
    pub(super) fn enumerator(&mut self) -> bool {
        let name = self.token_at(self.at);
        if name.kind != TokenKind::Word {
            return false;
        }
        let end = self.find_end(self.at + 1, |token| token.is_sign(b','));
        self.begin(self.headed(Kind::Variant, Start::at(self.at), name.span(), end));
        true
    }

    pub(super) fn is_specifier_prefix(&self, at: usize) -> bool {
        let token: Token = self.token_at(at);
        token.is_keyword(Keyword::Qualifier) || token.is_keyword(Keyword::Extern)
    }
}
