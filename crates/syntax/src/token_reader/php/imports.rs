//! Reads PHP's `use` declarations.

use super::{Keyword, Reader};
use crate::outline::Imported;
use crate::span::Span;

impl Reader<'_> {
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
                let whole = Span { start: token.start, end: self.token_at(last).end };
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
        let has_alias = Self::is_keyword(self.token_at(last + 1), Keyword::As);
        let alias = has_alias.then(|| self.token_at(last + 2).span());
        let imported = Imported::Item(name.span());
        self.import(&path, imported, alias, self.token_at(first).line);
        last + if has_alias { 3 } else { 1 }
    }
}
