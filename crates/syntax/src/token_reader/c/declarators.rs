//! Reads declarations of functions, operators and variables, and finds the names that they declare.

use super::types::MAX_ANGLES;
use super::{Keyword, Reader, Result, Start, TokenKind, sign};
use crate::conventions::c_variable_kind;
use crate::definition::Kind;
use crate::languages::Language;
use crate::outline::ReferenceKind;

/// What the first declarator of a declaration declares.
enum Declared {
    /// A function, with the token indices of its name and of the parenthesis that opens its parameters.
    Function {
        name: usize,
        open: usize,
    },
    /// An operator, with the token indices of the keyword `operator` and of the parenthesis that opens its parameters.
    Operator {
        keyword: usize,
        open: usize,
    },
    Variable,
    /// A construct that is read as code, usually a macro call.
    Unknown,
}

impl Reader<'_> {
    /// Reads a declaration of a function, an operator or variables. Returns whether the current token was consumed.
    pub(super) fn general(&mut self, start: Start) -> Result<bool> {
        let mut specifier = start.first;
        while self.is_specifier_prefix(specifier) || self.token_at(specifier).opens(b'[') {
            let is_attribute = self.token_at(specifier).opens(b'[');
            specifier = if is_attribute { self.after_bracket(specifier) } else { specifier + 1 };
        }
        if let (Some(kind), Some(brace)) = (self.type_kind(specifier), self.type_body(specifier)) {
            let after = self.after_bracket(brace);
            let end = self.statement_end(after);
            if self.token_at(end).is_sign(b';') {
                self.declarators(start, after, end, true);
                self.skip(after, end);
            }
            self.type_definition(Start { first: specifier, ..start }, brace, kind);
            self.at = brace - 1;
            return Ok(true);
        }
        match self.declared(start.first) {
            Declared::Function { name, open } => self.function(start, name, open),
            Declared::Operator { keyword, open } => self.operator_function(start, keyword, open),
            Declared::Variable => Ok(self.variables(start)),
            Declared::Unknown => Ok(false),
        }
    }

    fn declared(&self, first: usize) -> Declared {
        let mut at = first;
        while let Some(token) = self.tokens.get(at) {
            match token.kind {
                TokenKind::Keyword if token.code == Keyword::Operator as u8 => {
                    return self.operator_parameters(at);
                }
                TokenKind::Keyword if token.code == Keyword::Attribute as u8 => {
                    at += usize::from(self.token_at(at + 1).opens(b'('));
                }
                TokenKind::Keyword if token.code >= Keyword::If as u8 => {
                    let is_value = matches!(self.bytes(*token), b"sizeof" | b"NULL");
                    return if is_value { Declared::Variable } else { Declared::Unknown };
                }
                TokenKind::Sign if matches!(token.code, b';' | b'=' | b',' | b':') => break,
                TokenKind::Open if token.code == b'(' => {
                    if let Some(name) = self.function_name(first, at) {
                        return Declared::Function { name, open: at };
                    }
                    // The parentheses in `int (name)(…)` prevent the expansion of a macro with this name.
                    let open = token.opener as usize + 1;
                    let is_protected = at > first
                        && open == at + 3
                        && self.is_word(at + 1)
                        && self.token_at(open).opens(b'(');
                    if is_protected {
                        return Declared::Function { name: at + 1, open };
                    }
                    if self.pointer_name(at).is_some() {
                        return Declared::Variable;
                    }
                }
                TokenKind::Open if token.code == b'{' => break,
                TokenKind::Close => break,
                _ => {}
            }
            at = self.after_part(at);
        }
        Declared::Variable
    }

    /// Returns the index of the function's name, which precedes the parenthesis at `open`. Returns `None` if the
    /// parenthesis does not open parameters. The declaration starts at token `first`.
    fn function_name(&self, first: usize, open: usize) -> Option<usize> {
        let before = open.checked_sub(1).filter(|before| *before >= first)?;
        let token = self.token_at(before);
        if token.is_sign(b'>') {
            // This is a specialisation such as `f<int>(…)`.
            let name = self.before_angles(before)?;
            return (name >= first && self.is_word(name)).then_some(name);
        }
        if token.kind != TokenKind::Word {
            return None;
        }
        // `int f OF((int a));` declares `f`. The macro removes the parameters for old compilers.
        let is_hidden =
            self.token_at(open + 1).opens(b'(') && before > first + 1 && self.is_word(before - 1);
        if is_hidden {
            return Some(before - 1);
        }
        let after = self.token_at(self.after_bracket(open));
        let is_protected = before > first
            && after.opens(b'(')
            && self.after_bracket(open) == open + 3
            && self.is_word(open + 1)
            && self.token_at(self.after_bracket(open + 3)).line == token.line
            && !self.token_at(before - 1).is_sign(sign::PATH);
        if is_protected && self.rules.language == Language::C {
            return None;
        }
        let is_pointer = before > first
            && self.pointer_name(open).is_some()
            && (after.opens(b'(')
                || after.opens(b'[')
                || after.is_sign(b';')
                || after.is_sign(b'='));
        // `Type name(1);` initialises a variable.
        let argument = self.token_at(open + 1).kind;
        let is_value = before > first && matches!(argument, TokenKind::Number | TokenKind::Text);
        (!is_pointer && !is_value).then_some(before)
    }

    /// Returns the index of the token before the `<` that matches the `>` at `close`, or `None` if no `<` matches.
    pub(super) fn before_angles(&self, close: usize) -> Option<usize> {
        let mut depth = 0_i32;
        let mut at = close;
        for _ in 0..MAX_ANGLES {
            let token = self.token_at(at);
            match token.kind {
                TokenKind::Close if token.code != b'}' => at = token.opener as usize,
                TokenKind::Sign if token.code == b'>' => depth += 1,
                TokenKind::Sign if token.code == b'<' => depth -= 1,
                TokenKind::Sign if token.code == b';' => return None,
                TokenKind::Open | TokenKind::Close => return None,
                _ => {}
            }
            at = at.checked_sub(1)?;
            if depth == 0 {
                return Some(at);
            }
        }
        None
    }

    fn operator_parameters(&self, keyword: usize) -> Declared {
        const MAX_NAME: usize = 24;
        let first = keyword + 1;
        // The name `operator()` contains an empty pair of parentheses.
        let from = if self.token_at(first).opens(b'(') { first + 2 } else { first };
        let open = (from..from + MAX_NAME).find(|at| self.token_at(*at).opens(b'('));
        open.map_or(Declared::Unknown, |open| Declared::Operator { keyword, open })
    }

    /// Returns the index of the name in `(*name)` or `(Type::*name[3])`. `open` is the index of the parenthesis.
    pub(super) fn pointer_name(&self, open: usize) -> Option<usize> {
        let close = self.token_at(open).opener as usize;
        // A word before the star is a calling convention, as in `(WINAPI *name)(…)`.
        let is_called = self.token_at(close + 1).opens(b'(');
        let mut at = open + 1;
        while self.is_word(at)
            && (self.token_at(at + 1).is_sign(sign::PATH)
                || is_called && self.token_at(at + 1).is_sign(b'*'))
        {
            at += 1;
            if self.token_at(at).is_sign(sign::PATH) {
                at += 1;
            }
        }
        let marks = at;
        while at < close
            && (matches!(self.token_at(at).code, b'*' | b'&' | b'^')
                && self.token_at(at).kind == TokenKind::Sign
                || self.token_at(at).is_keyword(Keyword::Qualifier))
        {
            at += 1;
        }
        let after = self.token_at(at + 1);
        let is_name = at > marks
            && self.is_word(at)
            && (at + 1 == close || after.opens(b'[') || after.opens(b'('));
        is_name.then_some(at)
    }

    /// Reads variables such as `Type a = …, *b[3];`. Their values are read later. Returns whether the current token
    /// was consumed.
    fn variables(&mut self, start: Start) -> bool {
        let end = self.statement_end(start.first);
        if !self.token_at(end).is_sign(b';') {
            return false;
        }
        let Some(name) = self.declarators(start, start.first, end, false) else {
            if self.type_kind(start.first).is_some() {
                // This is a forward declaration.
                self.types_between(start.first, end);
                self.at = end - 1;
                return true;
            }
            return false;
        };
        self.types_between(start.first, name);
        // The name of a function pointer is in parentheses, which are skipped together with the name.
        let group = (start.first..name).find(|at| {
            let token = self.token_at(*at);
            token.kind == TokenKind::Open && token.opener as usize > name
        });
        self.at = group.map_or(name, |open| self.token_at(open).opener as usize);
        true
    }

    /// Defines the variables whose names are between the tokens `from` and `end`, in a declaration that starts at token
    /// `first`. If `has_type` is true, their type precedes `from`. Returns the index of the first variable's name.
    fn declarators(
        &mut self,
        start: Start,
        from: usize,
        end: usize,
        has_type: bool,
    ) -> Option<usize> {
        let mut found = None;
        let mut has_type = has_type;
        let mut at = from;
        while at < end {
            let name = self.declarator(at, end, has_type);
            if let Some(name) = name {
                self.define_variable(start, name, end);
                if found.is_none() {
                    found = Some(name);
                } else {
                    self.skip(name, name + 1);
                }
            } else if found.is_none() && !has_type {
                return None;
            }
            has_type = true;
            at = self.declarator_end(name.map_or(at, |name| name + 1), end) + 1;
        }
        found
    }

    fn define_variable(&mut self, start: Start, name: usize, end: usize) {
        if self.builder.callable.is_some() {
            return;
        }
        let is_member = self.level().content == super::Content::Members;
        let text = &self.builder.source[self.token_at(start.first).start as usize..];
        let kind = if is_member { Kind::Field } else { c_variable_kind(text) };
        let name = self.token_at(name).span();
        self.define(self.headed(kind, start, name, end + 1), end);
    }

    /// Returns the index of the name that the declarator at `from` declares.
    fn declarator(&self, from: usize, end: usize, has_type: bool) -> Option<usize> {
        let mut has_type = has_type;
        let mut name = None;
        let mut at = from;
        while at < end {
            let token = self.token_at(at);
            match token.kind {
                TokenKind::Word => {
                    let follows_tag = at > 0 && self.type_kind(at - 1).is_some();
                    let is_qualified = self.token_at(at.wrapping_sub(1)).is_sign(sign::PATH);
                    if let (None, false) = (name, has_type) {
                        has_type = true;
                    } else if !follows_tag && !is_qualified {
                        name = Some(at);
                    } else {
                        name = None;
                        has_type = true;
                    }
                }
                TokenKind::Keyword if token.code == Keyword::Primitive as u8 => has_type = true,
                TokenKind::Keyword if token.code == Keyword::Attribute as u8 => {
                    has_type |=
                        matches!(self.bytes(token), b"decltype" | b"typeof" | b"__typeof__");
                    at += usize::from(self.token_at(at + 1).opens(b'('));
                }
                TokenKind::Sign if token.code == b'<' => {
                    name = None;
                    has_type = true;
                }
                TokenKind::Sign if token.code == sign::PATH => name = None,
                TokenKind::Sign if matches!(token.code, b'=' | b',' | b':') => break,
                TokenKind::Open if token.code == b'(' => {
                    if let Some(inner) = self.pointer_name(at) {
                        return Some(inner);
                    }
                    return name;
                }
                TokenKind::Open if token.code == b'{' => break,
                TokenKind::Open if name.is_some() => break,
                _ => {}
            }
            at = self.after_part(at);
        }
        name
    }

    /// Returns the index of the comma after a declarator, or `end` if there is none.
    fn declarator_end(&self, from: usize, end: usize) -> usize {
        let mut at = from;
        while at < end && !self.token_at(at).is_sign(b',') {
            at = self.after_part(at);
        }
        at.min(end)
    }

    /// Records the types and names of the parameters after the parenthesis at `open`.
    pub(super) fn parameters(&mut self, open: usize) {
        let close = self.token_at(open).opener as usize;
        let mut at = open + 1;
        while at < close {
            let end = self.declarator_end(at, close);
            let value = (at..end).find(|at| self.token_at(*at).is_sign(b'=')).unwrap_or(end);
            let name = self.declarator(at, value, false);
            for index in at..value {
                let token = self.token_at(index);
                if token.kind != TokenKind::Word || self.token_at(index + 1).is_sign(sign::PATH) {
                    continue;
                }
                if name == Some(index) {
                    self.name(token, None);
                } else {
                    self.refer(ReferenceKind::Type, token, None);
                }
            }
            let here = self.at;
            for index in value..end {
                let token = self.token_at(index);
                if token.kind == TokenKind::Word {
                    self.at = index;
                    self.word(token);
                }
            }
            self.at = here;
            at = end + 1;
        }
    }
}
