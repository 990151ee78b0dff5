//! An outline that is being built, with the definitions that enclose the current position. The walk of a syntax tree and
//! the token readers fill it.

use crate::binding::{Binding, BindingKind};
use crate::complexity::{Branch, Complexity, separates_operators};
use crate::definition::{Definition, DefinitionId, Kind};
use crate::known_names;
use crate::languages::Language;
use crate::outline::{Import, Imported, Outline, Reference, ReferenceKind};
use crate::span::Span;

pub(crate) struct Builder<'s> {
    pub(crate) source: &'s [u8],
    pub(crate) outline: Outline,
    /// The plain names that are references if the file imports or defines them.
    names: &'s mut Vec<Reference>,
    /// The innermost enclosing definition.
    pub(crate) enclosing: Option<DefinitionId>,
    /// The innermost enclosing function with a body. Branches are added to its complexity.
    pub(crate) callable: Option<DefinitionId>,
    pub(crate) nesting: u16,
    /// The code of the last logical operator, and the position after that operator.
    last_operator: Option<(u16, u32)>,
    /// Whether the next definition is a test, if it is a function or method.
    pub(crate) marked_as_test: bool,
}

/// The state before a definition enclosed the current position. Restored when the definition ends.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SavedState {
    pub(crate) definition: DefinitionId,
    enclosing: Option<DefinitionId>,
    callable: Option<DefinitionId>,
    nesting: u16,
}

impl<'s> Builder<'s> {
    pub(crate) fn new(source: &'s [u8], outline: Outline, names: &'s mut Vec<Reference>) -> Self {
        names.clear();
        Self {
            source,
            outline,
            names,
            enclosing: None,
            callable: None,
            nesting: 0,
            last_operator: None,
            marked_as_test: false,
        }
    }

    /// Adds a definition. Its kind is adapted to the enclosing definition, and its complexity is counted from here if it
    /// is a function with a body.
    pub(crate) fn define(&mut self, definition: Definition, has_body: bool) -> DefinitionId {
        let is_test = std::mem::take(&mut self.marked_as_test);
        let kind = definition.kind.or_test(is_test).inside(self.enclosing_kind());
        let complexity = (kind.is_callable() && has_body).then_some(Complexity::NO_BRANCHES);
        self.outline.definitions.push(Definition { kind, complexity, ..definition });
        DefinitionId(self.outline.definitions.len() as u32 - 1)
    }

    /// Makes a definition the innermost enclosing definition until [`Self::leave`] is called with the returned state.
    pub(crate) fn enclose_in(&mut self, definition: DefinitionId) -> SavedState {
        let Self { enclosing, callable, nesting, .. } = *self;
        self.enclosing = Some(definition);
        if self.outline.definitions[definition.index()].complexity.is_some() {
            self.callable = Some(definition);
            self.nesting = 0;
        }
        SavedState { definition, enclosing, callable, nesting }
    }

    pub(crate) fn leave(&mut self, saved: SavedState) {
        self.enclosing = saved.enclosing;
        self.callable = saved.callable;
        self.nesting = saved.nesting;
    }

    /// Makes the container of the innermost enclosing definition the innermost one. Returns the previous one.
    pub(crate) fn step_out(&mut self) -> Option<DefinitionId> {
        let outer = self.enclosing_definition().and_then(|it| it.container);
        std::mem::replace(&mut self.enclosing, outer)
    }

    pub(crate) fn enclosing_definition(&self) -> Option<&Definition> {
        self.outline.definitions.get(self.enclosing?.index())
    }

    pub(crate) fn enclosing_kind(&self) -> Option<Kind> {
        self.enclosing_definition().map(|it| it.kind)
    }

    pub(crate) fn enclosing_name(&self) -> Option<&'s [u8]> {
        self.enclosing_definition().map(|it| it.name.of(self.source))
    }

    /// Returns whether a comment describes the whole file (`//!` in Rust) and not the definition below it.
    pub(crate) fn is_about_the_file(&self, comment: Span) -> bool {
        let text = comment.of(self.source);
        self.outline.language == Language::Rust
            && (text.starts_with(b"//!") || text.starts_with(b"/*!"))
    }

    pub(crate) fn refer(
        &mut self,
        kind: ReferenceKind,
        name: Span,
        receiver: Option<Span>,
        line: u32,
    ) {
        // A single letter is usually a type parameter or a loop variable.
        if name.end > name.start + 1 || kind == ReferenceKind::Call {
            let enclosing = self.enclosing;
            self.outline.references.push(Reference { kind, name, receiver, line, enclosing });
        }
    }

    /// Records a name that is a reference if it is known in the file.
    pub(crate) fn name(&mut self, name: Span, receiver: Option<Span>, line: u32) {
        let (kind, enclosing) = (ReferenceKind::Use, self.enclosing);
        self.names.push(Reference { kind, name, receiver, line, enclosing });
    }

    pub(crate) fn import(
        &mut self,
        path: impl Into<String>,
        imported: Imported,
        alias: Option<Span>,
        line: u32,
    ) {
        self.outline.imports.push(Import { path: path.into(), imported, alias, line });
    }

    pub(crate) fn bind(&mut self, kind: BindingKind, name: Span, value: String) {
        let scope = self.enclosing;
        self.outline.bindings.push(Binding { kind, scope, name, value });
    }

    /// Adds a branch to the complexity of the enclosing function.
    pub(crate) fn branch(&mut self, branch: Branch) {
        let nesting = self.nesting;
        if let Some(complexity) = self.complexity() {
            complexity.add(branch, nesting);
        }
    }

    /// Adds a logical operator to the complexity of the enclosing function. `code` identifies the operator.
    pub(crate) fn operator(&mut self, code: u16, operator: Span) {
        let starts_a_run = self.last_operator.is_none_or(|(last, end)| {
            let between = Span { start: end, end: operator.start }.of(self.source);
            code != last || separates_operators(between)
        });
        if let Some(complexity) = self.complexity() {
            complexity.add_operator(starts_a_run);
            self.last_operator = Some((code, operator.end));
        }
    }

    pub(crate) fn complexity(&mut self) -> Option<&mut Complexity> {
        let callable = self.callable?.index();
        self.outline.definitions.get_mut(callable)?.complexity.as_mut()
    }

    /// Adds the references to known names and returns the outline.
    pub(crate) fn finish(mut self) -> Outline {
        known_names::keep_known(&mut self.outline, self.source, self.names);
        self.outline
    }
}
