//! Reads C and C++ types: structures, classes, enumerations and template arguments.

use super::{Keyword, Reader, Role, Start, TokenKind, sign};
use crate::definition::Kind;
use crate::outline::ReferenceKind;
use crate::span::Span;

/// The maximum number of tokens that are searched for the end of template arguments. The search is limited, because
/// `<` may also be a comparison.
pub(super) const MAX_ANGLES: usize = 400;
/// The maximum number of tokens in a type's header, not counting the content of its brackets.
const MAX_HEADER: usize = 1000;

impl Reader<'_> {
    /// Returns the kind of the type whose keyword is at index `at`.
    pub(super) fn type_kind(&self, at: usize) -> Option<Kind> {
        match Keyword::of_token(self.token_at(at))? {
            Keyword::Struct => Some(Kind::Struct),
            Keyword::Class => Some(Kind::Class),
            Keyword::Enum => Some(Kind::Enum),
            _ => None,
        }
    }

    /// Finds the name of the type whose keyword is at index `at`, and returns the name's index. The name is the last
    /// word before the bases or the body.
    pub(super) fn type_name(&self, at: usize) -> Option<usize> {
        let mut name = None;
        let mut index = at + 1;
        while index < at + MAX_HEADER {
            let token = self.token_at(index);
            match token.kind {
                TokenKind::Word => name = Some(index),
                TokenKind::Keyword if token.code == Keyword::Class as u8 => {}
                TokenKind::Keyword if token.code == Keyword::Struct as u8 => {}
                TokenKind::Keyword if token.code == Keyword::Qualifier as u8 => {}
                TokenKind::Keyword if token.code == Keyword::Attribute as u8 => {
                    index += usize::from(self.token_at(index + 1).opens(b'('));
                }
                TokenKind::Open if token.code == b'[' => {}
                // These are the arguments of a macro such as `API(1)`.
                TokenKind::Open if token.code == b'(' && name == Some(index - 1) => name = None,
                // The angle brackets contain the arguments of a specialisation.
                TokenKind::Sign if matches!(token.code, sign::PATH | b'<') => {}
                _ => break,
            }
            index = self.after_part(index);
        }
        name
    }

    /// Returns the index of the opening brace of the type whose keyword is at index `at`, or `None` if the type has no
    /// body.
    pub(super) fn type_body(&self, at: usize) -> Option<usize> {
        self.type_kind(at)?;
        let mut index = at + 1;
        let mut has_bases = false;
        while let Some(token) = self.tokens.get(index).filter(|_| index < at + MAX_HEADER) {
            match token.kind {
                TokenKind::Open if token.code == b'{' => return Some(index),
                TokenKind::Open => {
                    // `struct a f(…) {` is a function, while `struct API(1) a {` is a type.
                    let after = self.token_at(token.opener as usize + 1);
                    let follows_name = self.is_word(index - 1);
                    if token.code == b'(' && follows_name && after.kind != TokenKind::Word {
                        return None;
                    }
                    index = token.opener as usize;
                }
                TokenKind::Close => return None,
                TokenKind::Sign if token.code == b':' => has_bases = true,
                TokenKind::Sign if token.code == b'<' => {
                    index = self.after_angles(index)?;
                    continue;
                }
                TokenKind::Sign if token.code == sign::PATH => {}
                TokenKind::Sign if token.code == b',' && has_bases => {}
                TokenKind::Sign if token.code == b'.' && has_bases => {}
                TokenKind::Sign => return None,
                _ => {}
            }
            index += 1;
        }
        None
    }

    /// Starts the definition of the type whose keyword is at index `at`, and records its base classes.
    pub(super) fn type_definition(&mut self, start: Start, brace: usize, kind: Kind) {
        let content = Self::content_of(kind);
        match self.type_name(start.first) {
            Some(name) => {
                let span = self.token_at(name).span();
                self.begin(self.headed(kind, start, span, brace));
                self.expect(brace, content, Role::Body);
                self.bases(name + 1, brace, kind);
            }
            None => self.expect(brace, content, Role::Plain),
        }
    }

    fn bases(&mut self, from: usize, brace: usize, kind: Kind) {
        let mut at = from;
        while at < brace && !self.token_at(at).is_sign(b':') {
            at += 1;
        }
        if kind == Kind::Enum {
            return self.types_between(at, brace);
        }
        let mut first = None;
        while at < brace {
            let token = self.token_at(at);
            if token.kind == TokenKind::Word {
                let start = *first.get_or_insert(token.start);
                if !self.token_at(at + 1).is_sign(sign::PATH) {
                    let qualifier = self.token_at(at.wrapping_sub(2)).end;
                    let receiver = (start < token.start).then_some(Span { start, end: qualifier });
                    self.refer(ReferenceKind::Inherit, token, receiver);
                    first = None;
                }
            } else if token.is_sign(b'<') {
                let end = self.after_angles(at).unwrap_or(at + 1);
                self.types_between(at, end);
                at = end;
                continue;
            }
            at += 1;
        }
    }

    /// Returns the index after the token at `at`. Brackets and template arguments are skipped with their content.
    pub(super) fn after_part(&self, at: usize) -> usize {
        let token = self.token_at(at);
        if token.kind == TokenKind::Open {
            token.opener as usize + 1
        } else if token.is_sign(b'<') {
            self.after_angles(at).unwrap_or(at + 1)
        } else {
            at + 1
        }
    }

    /// Returns the index after the `>` that matches the `<` at `open`, or `None` if the tokens between them cannot be
    /// template arguments.
    pub(super) fn after_angles(&self, open: usize) -> Option<usize> {
        let mut depth = 0_i32;
        let mut at = open;
        while at < open + MAX_ANGLES {
            let token = self.tokens.get(at)?;
            match token.kind {
                TokenKind::Open if token.code == b'{' => return None,
                TokenKind::Open => at = token.opener as usize,
                TokenKind::Close => return None,
                TokenKind::Sign => match token.code {
                    b'<' => depth += 1,
                    b'>' => depth -= 1,
                    b';' => return None,
                    _ => {}
                },
                _ => {}
            }
            at += 1;
            if depth == 0 {
                return Some(at);
            }
        }
        None
    }

    /// Records each name between two tokens as a type, except for qualifiers such as `std` in `std::string`.
    pub(super) fn types_between(&mut self, from: usize, to: usize) {
        for at in from..to {
            let token = self.token_at(at);
            let is_type =
                token.kind == TokenKind::Word && !self.token_at(at + 1).is_sign(sign::PATH);
            if is_type {
                self.refer(ReferenceKind::Type, token, None);
            }
        }
    }
}
