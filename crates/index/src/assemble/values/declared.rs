//! Evaluates types and members in Rust and Go, in which methods are defined outside their types.

use syntax::{Kind, ModuleSystem};

use super::super::annotations::{Annotation, go_type, rust_type};
use super::super::paths::folder_of;
use super::{Entity, Evaluator, Member, Value};

/// The maximum number of methods with the same name and owner that are compared with a type.
const MAX_METHODS: usize = 64;

/// Methods of Rust's wrappers and iterators that return the wrapped value or another wrapper of it.
#[rustfmt::skip]
const PASSING: &[&str] = &[
    "as_deref", "as_deref_mut", "as_mut", "as_ref", "await", "borrow", "borrow_mut", "by_ref", "clone", "cloned", "context", "copied",
    "downgrade", "err", "expect", "filter", "get_mut", "get_or_insert_with", "inspect", "into_inner", "iter", "iter_mut", "into_iter", "lock",
    "map_err", "ok", "ok_or", "ok_or_else", "or", "or_else", "peekable", "read", "rev", "skip", "take", "to_owned", "to_vec",
    "try_read", "try_lock", "unwrap", "unwrap_or", "unwrap_or_default", "unwrap_or_else", "upgrade", "with_context", "write", "values", "values_mut",
    "lock_arc", "load", "get_ref", "deref", "as_slice", "drain", "chain", "load_full", "borrow_and_update",
];
/// Methods of Rust's collections and iterators that return one element.
#[rustfmt::skip]
const ELEMENT: &[&str] = &[
    "find", "first", "first_mut", "get", "get_mut", "last", "last_mut", "max_by_key", "min_by_key", "next", "next_back", "nth", "peek", "pop",
    "pop_back", "pop_front", "remove", "swap_remove", "recv", "try_recv", "entry", "or_default", "or_insert", "or_insert_with", "get_or_insert",
];

impl Evaluator<'_> {
    /// Returns whether types in the language of `file` are declared.
    pub(in crate::assemble) fn is_declared(&self, file: u32) -> bool {
        self.modules.declares_types(file)
    }

    fn is_rust(&self, file: u32) -> bool {
        self.modules.system(file) == Some(ModuleSystem::Rust)
    }

    /// Returns the type around a symbol. An `impl` block is replaced with the type that it extends.
    pub(super) fn own_type(&self, scope: u32, depth: u8) -> Option<u32> {
        let own = self.symbols.type_around(scope)?;
        if self.symbols.kind(own) != Kind::Extension {
            return Some(own);
        }
        let named = self.in_module(self.symbols.file(own), self.symbols.name(own), depth + 1);
        named.and_then(Entity::symbol).filter(|of| self.is_type(*of)).or(Some(own))
    }

    pub(super) fn is_type(&self, symbol: u32) -> bool {
        let kind = self.symbols.kind(symbol);
        kind.has_methods() || kind == Kind::TypeAlias
    }

    /// Returns the definitions of the member `name` of a type: fields and variants, and methods in `impl` blocks and
    /// after receivers. If both a field and a method have this name, the use of the member decides.
    pub(in crate::assemble) fn declared_members(
        &self,
        class: u32,
        name: &str,
        is_called: bool,
        depth: u8,
    ) -> Vec<u32> {
        let mut found: Vec<u32> = self.symbols.in_symbol(class, name).collect();
        found.extend(self.methods(class, name, depth));
        let fits = |symbol: &u32| self.symbols.kind(*symbol).is_callable() == is_called;
        if found.iter().any(fits) {
            found.retain(fits);
        }
        found
    }

    /// Returns the methods of a type that are defined outside it: those in its file, or else those in other files.
    fn methods(&self, class: u32, name: &str, depth: u8) -> Vec<u32> {
        let (owner, file) = (self.symbols.name(class), self.symbols.file(class));
        let outside = |symbol: &u32| self.symbols.parent(*symbol) != Some(class);
        let here: Vec<u32> =
            self.symbols.of_owner_in_file(file, owner, name).filter(outside).collect();
        if !here.is_empty() {
            return here;
        }
        let folder = |file: u32| folder_of(self.files.path(file));
        let is_own = |symbol: &u32| {
            let other = self.symbols.file(*symbol);
            if !outside(symbol) || !self.modules.has_same_modules(file, other) {
                return false;
            }
            if !self.is_rust(file) {
                return folder(other) == folder(file);
            }
            self.in_module(other, owner, depth + 1) == Some(Entity::Symbol(class))
        };
        self.symbols.of_owner(owner, name).take(MAX_METHODS).filter(is_own).collect()
    }

    /// Returns the member `name` of a type or of the types that it embeds or implements.
    pub(super) fn declared_member(
        &self,
        class: u32,
        name: &str,
        is_called: bool,
        depth: u8,
    ) -> Member {
        let mut open = vec![class];
        let mut seen = Vec::new();
        while let Some(class) = open.pop() {
            if seen.contains(&class) || seen.len() >= 16 {
                continue;
            }
            seen.push(class);
            if let Some(found) = self.declared_members(class, name, is_called, depth).last() {
                return Member::Symbol(*found);
            }
            let mut is_known = true;
            open.extend(self.bases(class, depth, &mut is_known));
            open.extend(self.implemented(class, depth));
        }
        Member::Unknown
    }

    /// Returns the traits that the `impl` blocks in the file of a type implement for it.
    fn implemented(&self, class: u32, depth: u8) -> Vec<u32> {
        let file = self.symbols.file(class);
        if !self.is_rust(file) {
            return Vec::new();
        }
        let name = self.symbols.name(class);
        let is_block = |symbol: &u32| {
            self.symbols.kind(*symbol) == Kind::Extension && self.symbols.name(*symbol) == name
        };
        let mut is_known = true;
        let blocks = self.symbols.of_file(file).filter(is_block);
        blocks.flat_map(|block| self.bases(block, depth, &mut is_known)).collect()
    }

    /// Returns the values of `value.name` if `name` is not defined in the tree.
    pub(super) fn undefined_member(&self, value: Value, name: &str) -> Vec<Value> {
        match value {
            // `Foo::default()` and `Foo::parse()` usually return a `Foo`.
            Value::Type(class) if self.is_rust(self.symbols.file(class)) => vec![value],
            Value::Instance(_) if PASSING.contains(&name) => vec![value],
            Value::Elements(of) if ELEMENT.contains(&name) => vec![Value::Instance(of)],
            Value::Elements(_) if PASSING.contains(&name) => vec![value],
            Value::Elements(_) => vec![Value::External],
            Value::Instance(_)
            | Value::Type(_)
            | Value::Function(_)
            | Value::Module(_)
            | Value::External => Vec::new(),
        }
    }

    /// Returns the values of a variable whose type is declared as `text`.
    pub(super) fn declared(
        &self,
        file: u32,
        scope: Option<u32>,
        text: &str,
        depth: u8,
    ) -> Vec<Value> {
        let read = if self.is_rust(file) { rust_type(text) } else { go_type(text) };
        let types = |path: &str| self.evaluate(file, scope, path, depth + 1);
        let of = |values: Vec<Value>, of: fn(u32) -> Value| -> Vec<Value> {
            let to_value = |value| match value {
                // A type parameter is a variable that has the type of its bound.
                Value::Type(class) | Value::Instance(class) => Some(of(class)),
                Value::External => Some(Value::External),
                Value::Function(_) | Value::Module(_) | Value::Elements(_) => None,
            };
            values.into_iter().filter_map(to_value).collect()
        };
        match read {
            Some(Annotation::Of(path)) => of(types(path), Value::Instance),
            Some(Annotation::Elements(path)) => of(types(path), Value::Elements),
            Some(Annotation::Type(path)) => types(path),
            Some(Annotation::Standard) => vec![Value::External],
            None => Vec::new(),
        }
    }

    /// If a chain starts with the path of a module, such as `crate.store.open()`, returns this module and the rest of
    /// the chain.
    pub(super) fn path_module<'c>(&self, file: u32, chain: &'c str) -> Option<(Value, &'c str)> {
        if !self.is_rust(file) {
            return None;
        }
        let end = chain.find(['(', '[']).unwrap_or(chain.len());
        let names = &chain[..end];
        // The last name before a bracket is a function or a type.
        let mut path = if end < chain.len() { names.rsplit_once('.')?.0 } else { names };
        loop {
            let found = self.modules.find(file, &path.replace('.', "::"), "");
            if found.confidence >= 0.8
                && let [module] = found.files[..]
            {
                return Some((Value::Module(module), &chain[path.len()..]));
            }
            path = path.rsplit_once('.')?.0;
        }
    }
}
