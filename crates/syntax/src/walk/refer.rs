//! Records references (calls, types, supertypes and values) with their receivers.

use tree_sitter::Node;

use super::{Walk, line, span};
use crate::grammar::Field;
use crate::known_names::is_plain;
use crate::outline::{MAX_RECEIVER, ReferenceKind};
use crate::span::Span;

/// The maximum depth to which an expression is searched for its name. The name in `a::b::<T>` is two levels deep.
/// Without a maximum, a long expression such as `f()()()…` would take quadratic time.
const MAX_STEPS_TO_NAME: usize = 4;

impl Walk<'_> {
    /// Records a call. The called expression is in the field `function`. If there is no such field, the name is taken
    /// from the node itself.
    pub(crate) fn call(&mut self, node: Node<'_>) {
        self.refer_to(ReferenceKind::Call, self.field(node, Field::Function).unwrap_or(node));
    }

    pub(super) fn construct(&mut self, node: Node<'_>) {
        let of_type = [Field::Constructor, Field::Type];
        if let Some(built) = of_type.into_iter().find_map(|field| self.field(node, field)) {
            self.refer_to(ReferenceKind::Call, built);
        }
    }

    /// Records a type with a path, such as `models.User`, unless its name has already been recorded.
    pub(super) fn scoped_type(&mut self, node: Node<'_>) {
        if self.last_name(node).is_some_and(|name| !self.is_claimed_ahead(name)) {
            self.refer_to(ReferenceKind::Type, node);
        }
    }

    /// Records a reference whose name is the node itself, unless the node has already been recorded.
    pub(crate) fn refer(&mut self, kind: ReferenceKind, node: Node<'_>) {
        if !self.is_claimed(node) {
            self.record(kind, node, None);
        }
    }

    /// Records a reference to the last name in an expression, such as `c` in `a.b.c` or `b` in `a::b::<T>`.
    pub(crate) fn refer_to(&mut self, kind: ReferenceKind, expression: Node<'_>) {
        let Some(name) = self.last_name(expression) else { return };
        let receiver = self.receiver(expression, name);
        self.record(kind, name, receiver);
        self.claim(span(name));
    }

    /// Records each child as a supertype of the innermost enclosing definition. Keyword arguments and lifetimes are
    /// skipped.
    pub(crate) fn inherit_each(&mut self, list: Node<'_>) {
        let mut cursor = list.walk();
        for child in list.named_children(&mut cursor) {
            if !matches!(child.kind(), "keyword_argument" | "lifetime") {
                self.refer_to(ReferenceKind::Inherit, child);
            }
        }
    }

    pub(crate) fn record(&mut self, kind: ReferenceKind, name: Node<'_>, receiver: Option<Span>) {
        self.builder.refer(kind, span(name), receiver, line(name));
    }

    /// Returns the leaf node that contains the last name in an expression or type, or `None` if there is none.
    pub(crate) fn last_name<'t>(&self, expression: Node<'t>) -> Option<Node<'t>> {
        const INWARD: [Field; 7] = [
            Field::Attribute,
            Field::Property,
            Field::Member,
            Field::Method,
            Field::Name,
            Field::Function,
            Field::Type,
        ];
        let mut node = expression;
        for _ in 0..MAX_STEPS_TO_NAME {
            if node.child_count() == 0 {
                break;
            }
            let inward = INWARD.into_iter().find_map(|field| self.field(node, field));
            node = inward.or_else(|| last_part(node))?;
        }
        let starts_a_name = |byte: &u8| {
            byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'$' | b'@') || !byte.is_ascii()
        };
        (node.child_count() == 0 && self.bytes(node).first().is_some_and(starts_a_name))
            .then_some(node)
    }

    /// Returns the text before `name` in `expression`, without the separating dot, colons or arrow. Returns `None` if
    /// the text is empty, and an empty span if it is too long.
    pub(crate) fn receiver(&self, expression: Node<'_>, name: Node<'_>) -> Option<Span> {
        let (start, end) = (expression.start_byte(), name.start_byte());
        let text = self.source.get(start..end)?;
        let is_separator =
            |byte: &u8| matches!(byte, b'.' | b':' | b'?' | b'!' | b'-' | b'>' | b'&' | b'\\');
        let mut kept = text.trim_ascii_end();
        while let Some((last, rest)) = kept.split_last()
            && is_separator(last)
        {
            kept = rest.trim_ascii_end();
        }
        let length = if kept.len() <= MAX_RECEIVER { kept.len() } else { 0 };
        (!kept.is_empty()).then(|| Span::new(start..start + length))
    }

    /// Marks a name or node as already recorded, so that it is not recorded again when the walk reaches it.
    pub(crate) fn claim(&mut self, name: Span) {
        self.forget_claims_before(self.position);
        // The claims are sorted in descending order, so that the nearest one is last. All claims lie inside the nodes
        // that are currently being visited, so there are few of them.
        let after = self.claimed.iter().rposition(|other| *other > name.start as usize);
        self.claimed.insert(after.map_or(0, |index| index + 1), name.start as usize);
    }

    /// Returns whether the current node was claimed with [`Self::claim`].
    pub(crate) fn is_claimed(&mut self, node: Node<'_>) -> bool {
        self.forget_claims_before(node.start_byte());
        self.claimed.last() == Some(&node.start_byte())
    }

    /// Returns whether a name that the walk has not reached yet was claimed with [`Self::claim`].
    pub(crate) fn is_claimed_ahead(&self, name: Node<'_>) -> bool {
        let start = name.start_byte();
        self.claimed.iter().rev().find(|claimed| **claimed >= start) == Some(&start)
    }

    fn forget_claims_before(&mut self, position: usize) {
        while self.claimed.last().is_some_and(|claimed| *claimed < position) {
            self.claimed.pop();
        }
    }

    pub(crate) fn name(&mut self, node: Node<'_>) {
        if self.is_claimed(node) {
            return;
        }
        if self.type_scopes > 0 {
            return self.record(ReferenceKind::Type, node, None);
        }
        self.builder.name(span(node), None, line(node));
    }

    pub(super) fn member(&mut self, node: Node<'_>) {
        let Some(name) = self.last_name(node) else { return };
        if self.is_claimed_ahead(name) {
            return;
        }
        let receiver = self.receiver(node, name);
        self.claim(span(name));
        if self.type_scopes > 0 {
            self.record(ReferenceKind::Type, name, receiver);
        } else if receiver.is_some_and(|receiver| is_plain(receiver.of(self.source))) {
            self.builder.name(span(name), receiver, line(name));
        }
    }
}

/// Returns the child that contains the name of a type or the last part of a qualified name. Used for grammars without
/// field names.
fn last_part(node: Node<'_>) -> Option<Node<'_>> {
    let kind = node.kind();
    let is_name = ["type", "name", "identifier", "suffix", "specifier", "invocation"];
    if !is_name.iter().any(|ending| kind.ends_with(ending)) && kind != "navigation_expression" {
        return None;
    }
    let last = node.named_child_count() as u32;
    let mut parts = (0..last).rev().filter_map(|index| node.named_child(index));
    parts.find(|part| !part.kind().contains("argument"))
}
