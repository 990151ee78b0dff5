//! Resolves references in the languages for which the types of receivers are derived. In Python, JavaScript and
//! TypeScript, a name is looked up in its scope or, if it has a receiver, in the receiver's type. In Rust and Go, types are
//! derived from declarations; if a type is unknown, the rules of [`super::untyped`] are used.

use syntax::{Kind, ReferenceKind};

use super::bindings::Subject;
use super::paths::folder_of;
use super::resolve::{
    FileResolver, MAX_DEFINITIONS_OF_NAME, Resolution, fits, is_member, last_name,
};
use super::values::{Entity, Evaluator, Member, Value};
use crate::facts::{LITERAL, ReferenceFact, UNNAMED};

/// The confidence in a symbol that was found by scope, import or type.
const BY_TYPE: f32 = 0.95;
/// The confidence in a method whose type is named like the receiver: `client.send()` and `Client.send`.
const BY_RECEIVER_NAME: f32 = 0.65;
/// The confidence in a method that was found by its name alone, because the type of the receiver is unknown.
const BY_NAME: f32 = 0.45;
/// The confidence in the method of a trait that a type may implement.
const BY_TRAIT: f32 = 0.5;

impl FileResolver<'_, '_> {
    /// Resolves a reference by the scope of its name or by the type of its receiver.
    pub(super) fn by_types(&self, reference: &ReferenceFact<'_>) -> Resolution {
        let enclosing = self.enclosing(reference);
        let found = match reference.receiver {
            "" => match self.values.entity(self.file, enclosing, reference.name, 0) {
                Some(Entity::Symbol(symbol)) => vec![symbol],
                Some(Entity::External) => return Resolution::Foreign,
                None if self.values.is_built_in(self.file, reference.name) => {
                    return Resolution::Foreign;
                }
                Some(Entity::Module(_) | Entity::Variable(_)) | None => Vec::new(),
            },
            LITERAL => return Resolution::Foreign,
            UNNAMED => return self.by_unknown_type(reference),
            "super()" | "super" => {
                let own = enclosing.and_then(|symbol| self.symbols.type_around(symbol));
                let member = own.map(|own| self.values.member_of_bases(own, reference.name, 0));
                member.and_then(Member::symbol).into_iter().collect()
            }
            receiver => {
                let values = self.values.chain(self.file, enclosing, receiver);
                if values.is_empty() {
                    return self.by_unknown_type(reference);
                }
                if values.iter().all(is_outside) {
                    return Resolution::Foreign;
                }
                let mut found: Vec<u32> = Vec::new();
                for value in values {
                    self.add_members(value, reference.name, 0, &mut found);
                }
                found
            }
        };
        let fitting: Vec<u32> = found
            .into_iter()
            .filter(|symbol| fits(reference.kind, self.symbols.kind(*symbol)))
            .filter(|symbol| self.may_refer_to(*symbol))
            .collect();
        if fitting.is_empty() {
            return Resolution::Unknown;
        }
        Resolution::Symbols(fitting, BY_TYPE)
    }

    /// Adds the symbols that `value.name` refers to.
    fn add_members(&self, value: Value, name: &str, depth: u8, found: &mut Vec<u32>) {
        let symbol = match value {
            Value::Instance(class) | Value::Type(class) => {
                self.values.member(class, name, depth).symbol()
            }
            Value::Module(file) => {
                self.values.in_module(file, name, depth).and_then(Entity::symbol)
            }
            // The function is a property, so `name` is a member of its result.
            Value::Function(function) if depth < 4 => {
                for result in self.values.results(function, depth) {
                    self.add_members(result, name, depth + 1, found);
                }
                return;
            }
            Value::Function(_) | Value::Elements(_) | Value::External => None,
        };
        found.extend(symbol.filter(|symbol| !found.contains(symbol)));
    }

    /// Resolves a method by its name, because the type of the receiver is unknown.
    fn by_unknown_type(&self, reference: &ReferenceFact<'_>) -> Resolution {
        let same_named = self.symbols.named(reference.name);
        if same_named.len() > MAX_DEFINITIONS_OF_NAME || self.is_standard(reference.name) {
            return Resolution::Unknown;
        }
        let is_candidate = |symbol: &u32| {
            let kind = self.symbols.kind(*symbol);
            is_member(self.symbols, *symbol)
                && (kind.is_callable() || kind == Kind::Property)
                && fits(reference.kind, kind)
                && self.has_same_modules(*symbol)
                && self.may_refer_to(*symbol)
        };
        let candidates: Vec<u32> = same_named.iter().copied().filter(is_candidate).collect();
        let receiver = last_name(reference.receiver);
        let like: Vec<u32> = self
            .symbols
            .of_normalized_owner(receiver, reference.name)
            .iter()
            .copied()
            .filter(|symbol| candidates.contains(symbol))
            .collect();
        if receiver.len() > 2 && !like.is_empty() {
            return Resolution::Symbols(like, BY_RECEIVER_NAME);
        }
        Resolution::Symbols(candidates, BY_NAME)
    }

    /// Resolves a reference by the declared type of its receiver.
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
        self.values.member(class, name, 0).symbol().into_iter().collect()
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
        let folder = |symbol: u32| folder_of(self.values.files.path(self.symbols.file(symbol)));
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

impl Evaluator<'_> {
    /// Returns all definitions that `name` can refer to in a module. A Go package can have one for each platform.
    fn all_in_module(&self, file: u32, name: &str) -> Vec<u32> {
        let variants = self.in_package(file, name);
        if !variants.is_empty() {
            return variants;
        }
        self.in_module(file, name, 0).and_then(Entity::symbol).into_iter().collect()
    }
}

/// Returns whether a value is outside the tree, or has the members of a standard collection.
fn is_outside(value: &Value) -> bool {
    matches!(value, Value::External | Value::Elements(_))
}
