//! Adds branches to the complexity of the enclosing function.

use tree_sitter::Node;

use super::{Opened, Walk};
use crate::complexity::{Branch, Complexity, separates_operators};

impl Walk<'_> {
    pub(crate) fn branch(&mut self, branch: Branch, node: Node<'_>) {
        let nesting = self.nesting;
        if branch == Branch::Case && is_default(self.bytes(node)) {
            return;
        }
        let else_if = branch == Branch::If && self.follows_else(node);
        let Some(complexity) = self.complexity() else { return };
        if else_if {
            // The `else` of an `else if` has already been counted. Grammars differ in how they nest the `if` after it.
            return complexity.add(Branch::Case, nesting);
        }
        complexity.add(branch, nesting);
        if branch.nests() {
            self.nesting = nesting.saturating_add(1);
            self.open(Opened::Nesting);
        }
    }

    pub(super) fn closure(&mut self, node: Node<'_>) {
        if !self.is_claimed(node) {
            self.branch(Branch::Closure, node);
        }
    }

    pub(crate) fn operator(&mut self, node: Node<'_>) {
        let starts_a_run = self.last_operator.is_none_or(|(kind_id, end)| {
            let between = self.source.get(end..node.start_byte()).unwrap_or_default();
            kind_id != node.kind_id() || separates_operators(between)
        });
        if let Some(complexity) = self.complexity() {
            complexity.add_operator(starts_a_run);
            self.last_operator = Some((node.kind_id(), node.end_byte()));
        }
    }

    fn complexity(&mut self) -> Option<&mut Complexity> {
        let callable = self.callable?.index();
        self.outline.definitions.get_mut(callable)?.complexity.as_mut()
    }

    fn follows_else(&self, node: Node<'_>) -> bool {
        let before = self.source.get(..node.start_byte()).unwrap_or_default().trim_ascii_end();
        before.strip_suffix(b"else").is_some_and(|rest| {
            !rest.last().is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
        })
    }
}

/// Returns whether a case is the default case, which is not a decision.
fn is_default(case: &[u8]) -> bool {
    const DEFAULTS: [&[u8]; 6] = [b"default", b"else", b"*)", b"_ =>", b"case _", b"_ ->"];
    DEFAULTS.iter().any(|text| case.starts_with(text))
}
