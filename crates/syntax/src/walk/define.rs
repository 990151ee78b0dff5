//! Records definitions with their signatures, doc comments and containers.

use tree_sitter::Node;

use super::{Opened, Walk, lines, span};
use crate::definition::{Cut, Definition, DefinitionId, Kind, signature};
use crate::span::Span;

/// The parts of a definition that a rule provides.
pub(crate) struct Draft<'t> {
    kind: Kind,
    node: Node<'t>,
    name: Span,
    body: Option<Node<'t>>,
    owner: Option<Span>,
    doc: Option<Span>,
    signature_end: Option<usize>,
}

impl<'t> Draft<'t> {
    pub(crate) fn new(kind: Kind, node: Node<'t>, name: Node<'_>) -> Self {
        Self::named(kind, node, span(name))
    }

    pub(crate) fn named(kind: Kind, node: Node<'t>, name: Span) -> Self {
        Self { kind, node, name, body: None, owner: None, doc: None, signature_end: None }
    }

    /// Sets the body. The signature ends where the body starts.
    pub(crate) fn body(self, body: Option<Node<'t>>) -> Self {
        Self { body, ..self }
    }

    pub(crate) fn owner(self, owner: Option<Span>) -> Self {
        Self { owner, ..self }
    }

    pub(crate) fn doc(self, doc: Option<Span>) -> Self {
        Self { doc, ..self }
    }

    pub(crate) fn signature_end(self, end: Option<usize>) -> Self {
        Self { signature_end: end, ..self }
    }
}

impl Walk<'_> {
    /// Records a definition that encloses everything inside its node.
    pub(crate) fn define(&mut self, draft: Draft<'_>) {
        let id = self.define_leaf(draft);
        self.enclose_in(id);
    }

    /// Makes a definition the innermost enclosing definition until the walk leaves the current node.
    fn enclose_in(&mut self, id: DefinitionId) {
        let saved = self.builder.enclose_in(id);
        self.open(Opened::Definition(saved));
    }

    /// Records a definition without members, such as `a` in `int a, b;`.
    pub(crate) fn define_leaf(&mut self, draft: Draft<'_>) -> DefinitionId {
        let lines = lines(draft.node);
        let doc = self.take_doc(lines.first);
        let definition = Definition {
            kind: draft.kind,
            name: draft.name,
            container: self.builder.enclosing,
            owner: draft.owner,
            span: span(draft.node),
            lines,
            signature: self.signature(&draft),
            doc: draft.doc.or(doc),
            complexity: None,
        };
        let id = self.builder.define(definition, draft.body.is_some());
        self.claim(draft.name);
        id
    }

    /// Extends the last definition to `node` if both have the same name and container, so that the definition also
    /// encloses everything inside `node`. Returns whether it was extended.
    pub(crate) fn continues_definition(&mut self, node: Node<'_>, name: Span) -> bool {
        let Some(last) = self.builder.outline.definitions.last_mut() else { return false };
        let is_same = last.container == self.builder.enclosing
            && last.kind != Kind::Module
            && last.name.of(self.source) == name.of(self.source);
        if !is_same {
            return false;
        }
        last.span.end = last.span.end.max(span(node).end);
        last.lines.last = last.lines.last.max(lines(node).last);
        let id = DefinitionId(self.builder.outline.definitions.len() as u32 - 1);
        self.enclose_in(id);
        true
    }

    fn signature(&self, draft: &Draft<'_>) -> Span {
        let node = draft.node.byte_range();
        let end = draft.signature_end.or(draft.body.map(|body| body.start_byte()));
        let cut = if draft.body.is_none() && !draft.kind.is_callable() {
            Cut::AtLineEnd
        } else {
            Cut::AtLength
        };
        signature(self.source, node.start..end.unwrap_or(node.end).clamp(node.start, node.end), cut)
    }
}
