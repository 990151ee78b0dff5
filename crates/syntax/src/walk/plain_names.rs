//! Plain names in expressions: rules for the walk.

use tree_sitter::Node;

use super::{Walk, line, span};
use crate::names::{Candidate, is_plain};
use crate::outline::ReferenceKind;

impl Walk<'_> {
    pub(crate) fn name(&mut self, node: Node<'_>) {
        if self.is_claimed(node) {
            return;
        }
        if self.type_scopes > 0 {
            return self.record(ReferenceKind::Type, node, None);
        }
        self.scratch.names.push(Candidate {
            name: span(node),
            receiver: None,
            line: line(node),
            enclosing: self.enclosing,
        });
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
            let (name, line) = (span(name), line(name));
            let enclosing = self.enclosing;
            self.scratch.names.push(Candidate { name, receiver, line, enclosing });
        }
    }
}
