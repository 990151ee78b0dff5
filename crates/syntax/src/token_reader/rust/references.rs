//! Records the names in Rust code (calls, types, values) and the members of types.

use super::{Content, Cut, Kind, Reader, ReferenceKind, Role, Token, TokenKind, sign};
use crate::binding::BindingKind;
use crate::conventions::is_camel_case;
use crate::span::Span;

/// The maximum number of tokens that are searched for the end of a turbofish. The search is limited, because `<` may
/// also be a comparison.
const MAX_TURBOFISH: usize = 48;

impl Reader<'_> {
    pub(super) fn word(&mut self, token: Token) {
        if self.is_member_start() {
            return self.member(token);
        }
        let text = self.bytes(token);
        let (previous, next) = (self.previous(), self.next());
        if next.is_sign(b'!') && self.token_at(self.at + 2).kind == TokenKind::Open {
            let receiver = self.receiver();
            return self.refer(ReferenceKind::Macro, token, receiver);
        }
        if text == b"macro_rules" && next.is_sign(b'!') {
            return self.macro_definition();
        }
        if text == b"union" && next.kind == TokenKind::Word && self.starts_item() {
            // The error can be ignored, because the stack of brackets reports unbalanced brackets.
            let _is_read = self.type_item(Kind::Struct, Content::Fields).is_ok();
            return;
        }
        if is_prelude(text) {
            return;
        }
        let is_pattern = self.is_in_pattern();
        let is_bound = matches!(text, b"Fn" | b"FnMut" | b"FnOnce");
        if !is_pattern && !is_bound && (next.opens(b'(') || self.is_turbofish_call()) {
            let receiver = self.receiver();
            return self.refer(ReferenceKind::Call, token, receiver);
        }
        if previous.is_sign(b'.') {
            return;
        }
        let is_type = is_camel_case(text);
        if next.is_sign(sign::PATH) {
            if is_type {
                self.refer(ReferenceKind::Type, token, None);
            } else if !previous.is_sign(sign::PATH) {
                self.name(token, None);
            }
        } else if previous.is_sign(sign::PATH) {
            self.end_of_path(token, is_type);
        } else if is_type {
            self.refer(ReferenceKind::Type, token, None);
        } else if !next.is_sign(b':') && text != b"_" {
            self.name(token, None);
        }
    }

    /// Records the last name of a path. `Color::Red` and `module::function` are recorded as values, and `module::Type`
    /// as a type.
    fn end_of_path(&mut self, token: Token, is_type: bool) {
        let receiver = self.receiver();
        let scope = receiver.map(|it| it.of(self.builder.source)).unwrap_or_default();
        let last_scope = scope.rsplit(|byte| *byte == b':').next().unwrap_or_default();
        let is_literal = self.next().opens(b'{') && self.level().ahead.is_none();
        let is_variant = is_camel_case(last_scope) && !is_literal;
        let kind = if is_type && !is_variant { ReferenceKind::Type } else { ReferenceKind::Use };
        self.refer(kind, token, receiver);
    }

    fn is_turbofish_call(&self) -> bool {
        if !self.next().is_sign(sign::PATH) || !self.token_at(self.at + 2).is_sign(b'<') {
            return false;
        }
        let mut angles = 0;
        for (offset, token) in self.tokens[self.at + 2..].iter().take(MAX_TURBOFISH).enumerate() {
            angles += i32::from(token.is_sign(b'<')) - i32::from(token.is_sign(b'>'));
            if angles == 0 {
                return self.token_at(self.at + 3 + offset).opens(b'(');
            }
        }
        false
    }

    /// Returns whether the current name is the name of a field or a variant.
    fn is_member_start(&mut self) -> bool {
        let at = self.at;
        let level = self.level();
        let is_first = level.own.start == at;
        match level.content {
            Content::Fields => {
                // A visibility may precede the name: `pub(crate) name: Type`.
                level.open_item.is_none() && self.next().is_sign(b':')
            }
            Content::Variants => is_first && level.open_item.is_none(),
            Content::Code | Content::Arms | Content::Inert => false,
        }
    }

    fn member(&mut self, name: Token) {
        let content = self.level().content;
        let (kind, end) = match content {
            Content::Variants if self.next().kind == TokenKind::Open => {
                (Kind::Variant, self.at + 1)
            }
            Content::Variants => (Kind::Variant, self.field_end()),
            _ => (Kind::Field, self.field_end()),
        };
        let has_fields = content == Content::Variants && self.next().opens(b'{');
        let cut = if kind == Kind::Field || !has_fields { Cut::AtLineEnd } else { Cut::AtLength };
        self.begin_statement(kind, name, end, false, cut);
        if kind == Kind::Field {
            let text = self.type_text(self.at + 2, end);
            self.builder.bind(BindingKind::MemberAnnotation, name.span(), text);
        }
        if has_fields {
            self.level().ahead = Some((Content::Fields, Role::Body));
        }
    }

    /// Returns the index of the comma after the member, or of the bracket that closes the type's body.
    fn field_end(&self) -> usize {
        let (mut depth, mut angles, mut has_value) = (0_usize, 0_i32, false);
        for (offset, token) in self.tokens[self.at..].iter().enumerate() {
            match token.kind {
                TokenKind::Open => depth += 1,
                TokenKind::Close if depth == 0 => return self.at + offset,
                TokenKind::Close => depth -= 1,
                // After the equals sign, angle brackets are operators.
                TokenKind::Sign if token.code == b'=' => has_value = true,
                TokenKind::Sign if token.code == b'<' => angles += 1,
                TokenKind::Sign if token.code == b'>' => angles -= 1,
                TokenKind::Sign
                    if token.code == b',' && depth == 0 && (angles <= 0 || has_value) =>
                {
                    return self.at + offset;
                }
                _ => {}
            }
        }
        self.tokens.len()
    }

    /// Returns the receiver of the current name, such as `self.items` or `tokio::task`. Returns an empty span if the
    /// receiver is too long.
    pub(super) fn receiver(&self) -> Option<Span> {
        let separator = self.previous();
        if !separator.is_sign(b'.') && !separator.is_sign(sign::PATH) {
            return None;
        }
        let unreadable = Span { start: separator.start, end: separator.start };
        let operand = |at: usize| {
            let first = self.operand_start(at)?;
            let is_attribute = self.token_at(first).opens(b'[')
                && self.token_at(first.wrapping_sub(1)).is_sign(b'#');
            (!is_attribute).then_some(first)
        };
        let is_separator = |at: usize| {
            let token = self.token_at(at);
            token.is_sign(b'.') || token.is_sign(sign::PATH)
        };
        let last = self.at.checked_sub(2);
        let chain = last.and_then(|it| self.chain(it, operand, is_separator, Token::ends_operand));
        Some(chain.unwrap_or(unreadable))
    }

    /// Returns the index of the first token of the operand that ends at token `at`. An operand is a name, a literal,
    /// or a pair of brackets with its content.
    fn operand_start(&self, at: usize) -> Option<usize> {
        let token = self.token_at(at);
        match token.kind {
            TokenKind::Close if token.code != b'}' => Some(token.opener as usize),
            TokenKind::Word | TokenKind::Keyword | TokenKind::Number | TokenKind::Text => Some(at),
            TokenKind::Sign if token.code == b'?' => self.operand_start_once(at.checked_sub(1)?),
            TokenKind::Sign if token.code == b'>' => self.angle_start(at),
            _ => None,
        }
    }

    fn operand_start_once(&self, at: usize) -> Option<usize> {
        let token = self.token_at(at);
        match token.kind {
            TokenKind::Close if token.code != b'}' => Some(token.opener as usize),
            TokenKind::Word | TokenKind::Keyword | TokenKind::Number => Some(at),
            _ => None,
        }
    }

    fn angle_start(&self, at: usize) -> Option<usize> {
        let mut angles = 0;
        for back in 0..MAX_TURBOFISH {
            let token = self.token_at(at.checked_sub(back)?);
            angles += i32::from(token.is_sign(b'>')) - i32::from(token.is_sign(b'<'));
            if angles == 0 {
                let opening = at - back;
                let is_turbofish = self.token_at(opening.wrapping_sub(1)).is_sign(sign::PATH);
                return Some(if is_turbofish { opening.checked_sub(2)? } else { opening });
            }
        }
        None
    }
}

/// Returns whether a name is a variant of `Option` or `Result`. These names are not recorded as references.
fn is_prelude(name: &[u8]) -> bool {
    matches!(name, b"Some" | b"None" | b"Ok" | b"Err")
}
