//! Resolves references in Python, JavaScript and TypeScript, for which bindings are collected. A name is looked up in
//! its scope or, if it has a receiver, in the receiver's type.

use syntax::Kind;

use super::resolve::{FileResolver, MAX_DEFINITIONS_OF_NAME, Resolution, fits, is_member};
use super::values::{Entity, Member, Value};
use crate::facts::{LITERAL, ReferenceFact, UNNAMED};

/// The confidence in a symbol that was found by scope, import or type.
const BY_TYPE: f32 = 0.95;
/// The confidence in a method whose type is named like the receiver: `client.send()` and `Client.send`.
const BY_RECEIVER_NAME: f32 = 0.65;
/// The confidence in a method that was found by its name alone, because the type of the receiver is unknown.
const BY_NAME: f32 = 0.45;

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
                own.map_or_else(Vec::new, |own| {
                    member_symbol(&self.values.member_of_bases(own, reference.name, 0))
                })
            }
            receiver => {
                let values = self.values.chain(self.file, enclosing, receiver);
                if values.is_empty() {
                    return self.by_unknown_type(reference);
                }
                if values.iter().all(|value| matches!(value, Value::External | Value::Elements(_)))
                {
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
        let symbols = match value {
            Value::Instance(class) | Value::Type(class) => {
                member_symbol(&self.values.member(class, name, depth))
            }
            Value::Module(file) => match self.values.in_module(file, name, depth) {
                Some(Entity::Symbol(symbol)) => vec![symbol],
                _ => Vec::new(),
            },
            // The function is a property, so `name` is a member of its result.
            Value::Function(function) if depth < 4 => {
                for result in self.values.results(function, depth) {
                    self.add_members(result, name, depth + 1, found);
                }
                return;
            }
            Value::Function(_) | Value::Elements(_) | Value::External => Vec::new(),
        };
        for symbol in symbols {
            if !found.contains(&symbol) {
                found.push(symbol);
            }
        }
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
        let receiver = super::resolve::last_name(reference.receiver);
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
}

fn member_symbol(member: &Member) -> Vec<u32> {
    match member {
        Member::Symbol(symbol) => vec![*symbol],
        Member::Values(_) | Member::Unknown => Vec::new(),
    }
}
