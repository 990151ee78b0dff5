//! Plain names in expressions: most are local variables, so only those the file imports or defines
//! at its top are kept, once per enclosing definition.

use rustc_hash::FxHashSet;
use tree_sitter::Node;

use super::{Walk, line, span};
use crate::definition::{DefinitionId, Kind};
use crate::language::Language;
use crate::outline::{Imported, Outline, Reference, ReferenceKind};
use crate::span::Span;

pub(super) struct Candidate {
    name: Span,
    receiver: Option<Span>,
    line: u32,
    enclosing: Option<DefinitionId>,
}

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

    pub(super) fn keep_known_names(&mut self) {
        let known = known_names(&self.outline, self.source);
        if known.is_empty() {
            return;
        }
        let mut used = Vec::new();
        let mut kept = FxHashSet::default();
        for candidate in &self.scratch.names {
            let name = candidate.name.of(self.source);
            let root = candidate.receiver.unwrap_or(candidate.name).of(self.source);
            if known.contains(root) && kept.insert((candidate.enclosing, name)) {
                used.push(Reference {
                    kind: ReferenceKind::Use,
                    name: candidate.name,
                    receiver: candidate.receiver,
                    line: candidate.line,
                    enclosing: candidate.enclosing,
                });
            }
        }
        self.outline.references.append(&mut used);
        self.outline.references.sort_by_key(|it| it.name);
    }
}

fn known_names<'s>(outline: &'s Outline, source: &'s [u8]) -> FxHashSet<&'s [u8]> {
    let mut known = FxHashSet::default();
    for import in &outline.imports {
        match (import.alias, import.imported) {
            (Some(name), _) | (None, Imported::Item(name)) => {
                known.insert(name.of(source));
            }
            (None, Imported::Module) => {
                let mut parts =
                    import.path.split(['.', '/', ':', '\\']).filter(|it| !it.is_empty());
                known.extend(parts.next().map(str::as_bytes));
                known.extend(parts.next_back().map(str::as_bytes));
            }
            (None, Imported::All) => {}
        }
    }
    let kind_of = |id: DefinitionId| outline.definitions.get(id.index()).map(|it| it.kind);
    for definition in &outline.definitions {
        let is_at_top =
            definition.container.and_then(kind_of).is_none_or(|kind| kind == Kind::Module);
        if is_value(outline.language, definition.kind, is_at_top) {
            known.insert(definition.name.of(source));
        }
    }
    // The blank name of Go, Python and others.
    known.remove(b"_".as_slice());
    known
}

/// Whether a plain name can mean a definition of this kind.
fn is_value(language: Language, kind: Kind, is_at_top: bool) -> bool {
    // A macro of Rust is named with an exclamation mark, a structure of C with its keyword.
    let is_marked = (language == Language::Rust && kind == Kind::Macro)
        || (language == Language::C && matches!(kind, Kind::Struct | Kind::Enum));
    // A call without arguments looks like a variable in Ruby.
    let is_bare_call = language == Language::Ruby && kind.is_callable();
    !is_marked && (is_at_top || is_bare_call || kind == Kind::Constant)
}

fn is_plain(name: &[u8]) -> bool {
    name.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_' || !byte.is_ascii())
}
