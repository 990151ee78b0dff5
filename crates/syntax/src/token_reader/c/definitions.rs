//! Records C and C++ definitions, given the indices of their tokens.

use super::Reader;
use crate::definition::Kind;
use crate::span::Span;
use crate::token_reader::reader::Item;

impl Reader<'_> {
    /// Returns a definition that starts at token `first` and whose header ends before token `end`. Its doc comment is
    /// the comment above token `doc_from`. The text before a body belongs to the header.
    pub(super) fn headed(
        &self,
        kind: Kind,
        first: usize,
        name: Span,
        end: usize,
        doc_from: usize,
    ) -> Item {
        let (brace, doc) = (self.token_at(end), self.token_at(doc_from));
        let has_body = brace.opens(b'{');
        let item = self.item(kind, first, name, end).with_body(has_body);
        let item = item.documented_above(doc.start, doc.line);
        // In `typedef struct { … } name`, the name follows the body.
        if has_body { item.ending_at(brace.start) } else { item }
    }
}
