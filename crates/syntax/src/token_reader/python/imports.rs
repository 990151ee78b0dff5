//! Reads `import` and `from … import` statements. Reading starts after the keyword, which is the current token.

use super::lexer::Keyword;
use super::{Reader, Token, TokenKind, Unsupported};
use crate::outline::Imported;
use crate::span::Span;

impl Reader<'_> {
    /// Reads `import a.b as c, d`.
    pub(super) fn import_modules(&mut self) {
        while let Some((path, line)) = self.dotted_name() {
            let alias = self.alias();
            self.import(path.text(self.builder.source), Imported::Module, alias, line);
            if !self.next().is_sign(b',') {
                break;
            }
            self.at += 1;
        }
    }

    /// Reads `from ..a import b as c, d`.
    pub(super) fn import_from(&mut self) -> Result<(), Unsupported> {
        let (module, _) = self.dotted_name().ok_or(Unsupported)?;
        if !Self::is_keyword(self.next(), Keyword::Import) {
            return Err(Unsupported);
        }
        self.at += 1;
        let path = module.text(self.builder.source);
        let is_listed = self.next().opens(b'(');
        if is_listed {
            self.at += 1;
        }
        loop {
            let item = self.next();
            let imported = match item.kind {
                TokenKind::Word => Imported::Item(item.span()),
                TokenKind::Sign if item.code == b'*' => Imported::All,
                _ => break,
            };
            self.at += 1;
            let alias = self.alias();
            if path != "__future__" {
                self.import(path, imported, alias, item.line);
            }
            if !self.next().is_sign(b',') {
                break;
            }
            self.at += 1;
        }
        if is_listed && !self.next().closes(b')') {
            return Err(Unsupported);
        }
        self.at += usize::from(is_listed);
        Ok(())
    }

    /// Reads names that are separated by dots. Returns their span and the line of the first name.
    fn dotted_name(&mut self) -> Option<(Span, u32)> {
        let is_part = |it: Token| it.kind == TokenKind::Word || it.is_sign(b'.');
        let first = Some(self.next()).filter(|it| is_part(*it))?;
        let mut end = first.end;
        while is_part(self.next()) {
            end = self.next().end;
            self.at += 1;
        }
        Some((Span { start: first.start, end }, first.line))
    }

    fn alias(&mut self) -> Option<Span> {
        let name = self.token_at(self.at + 2);
        if !Self::is_keyword(self.next(), Keyword::As) || name.kind != TokenKind::Word {
            return None;
        }
        self.at += 2;
        Some(name.span())
    }
}
