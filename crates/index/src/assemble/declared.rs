//! Resolves references in Rust and Go. The types of receivers are derived from declarations; if a type is unknown, the
//! rules of [`super::untyped`] are used.

use syntax::{Kind, ReferenceKind};

use super::bindings::Subject;
use super::resolve::{FileResolver, MAX_DEFINITIONS_OF_NAME, Resolution, is_member};
use super::values::{Entity, Member, Value};
use crate::facts::{LITERAL, ReferenceFact, UNNAMED};

/// The confidence in a symbol that was found by the type of the receiver.
const BY_TYPE: f32 = 0.95;
/// The confidence in the method of a trait that a type may implement.
const BY_TRAIT: f32 = 0.5;

impl FileResolver<'_, '_> {
    pub(super) fn by_declared_types(&self, reference: &ReferenceFact<'_>) -> Resolution {
        match reference.receiver {
            "" if self.is_local(reference) => Resolution::Unknown,
            "" if self.values.is_built_in(self.file, reference.name)
                && self.values.entity(self.file, None, reference.name, 0).is_none() =>
            {
                Resolution::Foreign
            }
            "" | UNNAMED => self.by_rules(reference),
            LITERAL => Resolution::Foreign,
            receiver => {
                let values = self.values.chain(self.file, self.enclosing(reference), receiver);
                if values.is_empty() {
                    return self.by_rules(reference);
                }
                self.by_values(reference, &values)
            }
        }
    }

    /// Returns whether a plain name is a variable or parameter of an enclosing function.
    fn is_local(&self, reference: &ReferenceFact<'_>) -> bool {
        let mut next = self.enclosing(reference);
        while let Some(symbol) = next {
            let is_bound = self.symbols.kind(symbol).is_callable()
                && self.facts.bindings_of(Subject::Local(symbol), reference.name).next().is_some();
            if is_bound {
                return true;
            }
            next = self.symbols.parent(symbol);
        }
        false
    }

    fn by_values(&self, reference: &ReferenceFact<'_>, values: &[Value]) -> Resolution {
        let name = reference.name;
        let mut found = Vec::new();
        for value in values {
            let members = match *value {
                Value::Instance(class) | Value::Type(class) => {
                    self.members_of_type(class, name, reference.kind == ReferenceKind::Call)
                }
                Value::Module(file) => self.values.all_in_module(file, name),
                Value::Function(_) | Value::Elements(_) | Value::External => Vec::new(),
            };
            found.extend(members);
        }
        found.sort_unstable();
        found.dedup();
        if let Some(found) = self.fitting(reference, found.into_iter()) {
            return Resolution::Symbols(found, BY_TYPE);
        }
        let is_outside = |value: &Value| matches!(value, Value::External | Value::Elements(_));
        if values.iter().all(is_outside) {
            return Resolution::Foreign;
        }
        self.by_trait(reference)
    }

    fn members_of_type(&self, class: u32, name: &str, is_called: bool) -> Vec<u32> {
        let own = self.values.declared_members(class, name, is_called, 0);
        if !own.is_empty() {
            return own;
        }
        match self.values.member(class, name, 0) {
            Member::Symbol(symbol) => vec![symbol],
            Member::Values(_) | Member::Unknown => Vec::new(),
        }
    }

    /// Resolves a method that the type of the receiver does not define: a trait may define it for other types.
    fn by_trait(&self, reference: &ReferenceFact<'_>) -> Resolution {
        let same_named = self.symbols.named(reference.name);
        if same_named.len() > MAX_DEFINITIONS_OF_NAME || self.is_standard(reference.name) {
            return Resolution::Unknown;
        }
        let is_of_trait = |symbol: &u32| {
            let parent = self.symbols.parent(*symbol);
            self.has_same_modules(*symbol)
                && parent.is_some_and(|parent| self.symbols.kind(parent) == Kind::Trait)
        };
        match self.fitting(reference, same_named.iter().copied().filter(is_of_trait)) {
            Some(found) => Resolution::Symbols(found, BY_TRAIT),
            None => Resolution::Unknown,
        }
    }

    /// Returns whether the symbols are definitions of the same item for different platforms or configurations. Methods
    /// in the same file are not, because a type can implement a trait several times: `From<A>` and `From<B>`.
    pub(super) fn are_variants(&self, symbols: &[u32]) -> bool {
        let folder = |symbol: u32| {
            super::paths::folder_of(self.values.files.path(self.symbols.file(symbol)))
        };
        let [first, others @ ..] = symbols else { return false };
        self.values.is_declared(self.file)
            && others.iter().all(|other| {
                let is_method = is_member(self.symbols, *other);
                folder(*other) == folder(*first)
                    && (!is_method || self.symbols.file(*other) != self.symbols.file(*first))
                    && self.symbols.owner(*other) == self.symbols.owner(*first)
            })
    }
}

impl super::values::Evaluator<'_> {
    /// Returns all definitions that `name` can refer to in a module. A Go package can have one for each platform.
    fn all_in_module(&self, file: u32, name: &str) -> Vec<u32> {
        let variants = self.in_package(file, name);
        if !variants.is_empty() {
            return variants;
        }
        match self.in_module(file, name, 0) {
            Some(Entity::Symbol(symbol)) => vec![symbol],
            _ => Vec::new(),
        }
    }
}
