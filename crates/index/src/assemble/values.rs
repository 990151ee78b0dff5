//! Evaluates expressions to the types and functions that they can refer to. Types are followed through assignments,
//! annotations, imports, re-exports, base classes and function results.

mod declared;
mod members;
mod names;

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::file_facts::{FileFacts, FileFactsCache};
use super::modules::Modules;
use super::paths::FileTable;
use super::standard_names::StandardNames;
use super::symbols::SymbolTable;

/// The maximum recursion depth. Evaluating one expression often requires evaluating another one.
const MAX_DEPTH: u8 = 10;
/// The maximum number of expressions that are evaluated for one reference.
const MAX_STEPS: u32 = 400;
/// The maximum number of possible values that are kept for one expression.
const MAX_VALUES: usize = 4;

/// Methods of JavaScript's arrays that return an array with the same elements.
const ARRAY_METHODS: &[&str] =
    &["concat", "filter", "reverse", "slice", "sort", "splice", "toSorted"];

/// A possible value of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Value {
    /// An object whose type is defined in the tree, or an object literal.
    Instance(u32),
    /// A type that is defined in the tree.
    Type(u32),
    Function(u32),
    /// A module, identified by its file.
    Module(u32),
    /// A collection of objects whose type is defined in the tree.
    Elements(u32),
    /// Something that is defined outside the tree.
    External,
}

impl Value {
    /// Returns an element of a collection, or the value itself if it is not a collection.
    fn element_or_self(self) -> Self {
        if let Self::Elements(of) = self { Self::Instance(of) } else { self }
    }
}

/// An item that a name can refer to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Entity {
    Symbol(u32),
    Module(u32),
    /// A variable whose definition is not a symbol, with its possible values.
    Variable(Vec<Value>),
    External,
}

/// A member of a type.
pub(super) enum Member {
    Symbol(u32),
    Values(Vec<Value>),
    /// The member was not found, but one of the type's bases is unknown and may define it.
    Unknown,
}

impl Entity {
    pub(super) fn symbol(self) -> Option<u32> {
        if let Self::Symbol(symbol) = self { Some(symbol) } else { None }
    }
}

impl Member {
    pub(super) fn symbol(self) -> Option<u32> {
        if let Self::Symbol(symbol) = self { Some(symbol) } else { None }
    }
}

/// Evaluates expressions in the files of a tree. An evaluator is used by one thread only.
pub(super) struct Evaluator<'s> {
    pub(super) files: &'s FileTable<'s>,
    pub(super) symbols: &'s SymbolTable,
    pub(super) modules: &'s Modules<'s>,
    pub(super) standard: &'s StandardNames,
    facts: &'s FileFactsCache<'s>,
    results: RefCell<FxHashMap<u32, Vec<Value>>>,
    steps: Cell<u32>,
    /// Whether a limit was reached. If so, results are not cached, because they depend on where the evaluation started.
    is_limited: Cell<bool>,
}

impl<'s> Evaluator<'s> {
    pub(super) fn new(
        files: &'s FileTable<'s>,
        symbols: &'s SymbolTable,
        modules: &'s Modules<'s>,
        standard: &'s StandardNames,
        facts: &'s FileFactsCache<'s>,
    ) -> Self {
        let results = RefCell::default();
        let (steps, is_limited) = (Cell::new(0), Cell::new(false));
        Self { files, symbols, modules, standard, facts, results, steps, is_limited }
    }

    /// Returns whether the language of `file` defines `name`.
    pub(super) fn is_built_in(&self, file: u32, name: &str) -> bool {
        self.standard.is_built_in(self.modules.system(file), name)
    }

    /// Returns the imports and bindings of a file.
    pub(super) fn facts(&self, file: u32) -> Rc<FileFacts> {
        self.facts.get(file)
    }

    /// Returns the imports and bindings of the file that contains a symbol.
    fn facts_around(&self, symbol: u32) -> Rc<FileFacts> {
        self.facts.get(self.symbols.file(symbol))
    }

    /// Resets the limits before the next reference is evaluated.
    pub(super) fn start(&self) {
        self.steps.set(0);
        self.is_limited.set(false);
    }

    /// Returns the possible values of a chain such as `a.b()` in the scope of a symbol. The list is empty if they are
    /// unknown.
    pub(super) fn chain(&self, file: u32, scope: Option<u32>, chain: &str) -> Vec<Value> {
        self.evaluate(file, scope, chain, 0)
    }

    fn evaluate(&self, file: u32, scope: Option<u32>, chain: &str, depth: u8) -> Vec<Value> {
        self.steps.set(self.steps.get() + 1);
        if depth > MAX_DEPTH || self.steps.get() > MAX_STEPS {
            self.is_limited.set(true);
            return Vec::new();
        }
        let mut parts = ChainParts { rest: chain };
        let Some(Part::Name(head)) = parts.next() else { return Vec::new() };
        let mut values = match head {
            "self" | "Self" if self.is_declared(file) => {
                let own = scope.and_then(|scope| self.own_type(scope, depth));
                let value = |own| {
                    if head == "Self" { Value::Type(own) } else { Value::Instance(own) }
                };
                own.map(value).into_iter().collect()
            }
            "self" | "this" | "cls"
                if scope.is_some_and(|it| self.symbols.type_around(it).is_some()) =>
            {
                let own = scope.and_then(|it| self.symbols.type_around(it)).unwrap_or_default();
                vec![if head == "cls" { Value::Type(own) } else { Value::Instance(own) }]
            }
            "super" if !self.is_declared(file) => {
                match self.after_super(scope, &mut parts, depth) {
                    Some(values) => values,
                    None => return Vec::new(),
                }
            }
            _ => match self.dotted_module(file, chain) {
                Some((module, rest)) => {
                    parts.rest = rest;
                    vec![module]
                }
                None => match self.entity(file, scope, head, depth) {
                    Some(entity) => self.values_of(&entity, depth),
                    None if self.is_built_in(file, head) => vec![Value::External],
                    None if let Some((module, rest)) = self.path_module(file, chain) => {
                        parts.rest = rest;
                        vec![module]
                    }
                    None if self.is_declared(file) && is_path_of_type(chain) => {
                        vec![Value::External]
                    }
                    // It may be a parameter of a lambda or a destructured one, because these have no bindings.
                    None => Vec::new(),
                },
            },
        };
        while let Some(part) = parts.next() {
            let is_called = parts.rest.starts_with("()");
            let mut next = Vec::new();
            for value in values {
                let found = match part {
                    Part::Name(name) if !is_called && self.is_declared(file) => {
                        self.field(value, name, depth)
                    }
                    Part::Name(name) => self.attribute(value, name, depth),
                    Part::Call => self.call(value, depth),
                    Part::Subscript => self.subscript(value, depth),
                };
                add(&mut next, found);
            }
            values = next;
        }
        values
    }

    /// Evaluates the member after `super` or `super()` in a chain, such as `save` in `super().save()`. The member is
    /// looked up in the base types of the enclosing type. Returns `None` if there is no enclosing type or no member
    /// name.
    fn after_super(
        &self,
        scope: Option<u32>,
        parts: &mut ChainParts<'_>,
        depth: u8,
    ) -> Option<Vec<Value>> {
        let own = self.symbols.type_around(scope?)?;
        let mut next = parts.next()?;
        if next == Part::Call {
            next = parts.next()?;
        }
        let Part::Name(name) = next else { return None };
        Some(self.member_values(self.member_of_bases(own, name, depth), depth))
    }

    /// If the chain starts with a module that was imported by its dotted path, returns this module and the rest of the
    /// chain.
    fn dotted_module<'c>(&self, file: u32, chain: &'c str) -> Option<(Value, &'c str)> {
        let facts = self.facts(file);
        let dotted = || facts.scope.dotted.iter().map(|(path, files)| (facts.text(*path), files));
        let starts = |path: &str| {
            let rest = chain.strip_prefix(path)?;
            (rest.is_empty() || rest.starts_with('.')).then_some(rest)
        };
        let longest = dotted().filter(|(path, _)| starts(path).is_some());
        if let Some((path, files)) = longest.max_by_key(|(path, _)| path.len()) {
            let module = files.first().map_or(Value::External, |file| Value::Module(*file));
            return Some((module, starts(path)?));
        }
        // `import a.b` also defines the name `a`.
        let head = chain.split('.').next()?;
        let is_first = |path: &str| path.split('.').next() == Some(head);
        dotted().any(|(path, _)| is_first(path)).then(|| {
            let files = self.modules.find(file, head, "").files;
            let module = files.first().map_or(Value::External, |file| Value::Module(*file));
            (module, &chain[head.len()..])
        })
    }

    /// Returns the values of `value.name` in a language in which a field and a method can have the same name.
    fn field(&self, value: Value, name: &str, depth: u8) -> Vec<Value> {
        if let Value::Instance(class) | Value::Type(class) = value
            && self.is_declared(self.symbols.file(class))
        {
            let member = self.declared_member(class, name, false, depth);
            return self.values_after(value, name, member, depth);
        }
        self.attribute(value, name, depth)
    }

    /// Returns the values of `value.name`, which is `member`.
    fn values_after(&self, value: Value, name: &str, member: Member, depth: u8) -> Vec<Value> {
        if matches!(member, Member::Unknown) {
            return self.undefined_member(value, name);
        }
        self.member_values(member, depth)
    }

    /// Returns the values of `value.name`.
    fn attribute(&self, value: Value, name: &str, depth: u8) -> Vec<Value> {
        match value {
            Value::Instance(class) | Value::Type(class) => {
                self.values_after(value, name, self.member(class, name, depth), depth)
            }
            Value::Module(file) => match self.in_module(file, name, depth + 1) {
                Some(entity) => self.values_of(&entity, depth + 1),
                None => match self.modules.submodule(file, name) {
                    Some(module) => vec![Value::Module(module)],
                    None => Vec::new(),
                },
            },
            // A function whose result has members is a property.
            Value::Function(function) => {
                let results = self.results(function, depth + 1);
                self.each(results, |value| {
                    let is_function = matches!(value, Value::Function(_));
                    if is_function { Vec::new() } else { self.attribute(value, name, depth + 1) }
                })
            }
            Value::Elements(of) if self.is_declared(self.symbols.file(of)) => {
                self.undefined_member(value, name)
            }
            Value::Elements(_) if ARRAY_METHODS.contains(&name) => vec![value],
            Value::Elements(_) | Value::External => vec![Value::External],
        }
    }

    fn each(&self, values: Vec<Value>, of: impl Fn(Value) -> Vec<Value>) -> Vec<Value> {
        let mut found = Vec::new();
        for value in values {
            add(&mut found, of(value));
        }
        found
    }
}

/// Returns whether a chain starts like `git2.DiffOptions`: with a module or crate, and a type in it.
fn is_path_of_type(chain: &str) -> bool {
    let mut parts = chain.split('.');
    let starts_upper = |part: &str| part.starts_with(|it: char| it.is_ascii_uppercase());
    parts.next().is_some_and(|first| !starts_upper(first) && !first.ends_with([')', ']']))
        && parts.next().is_some_and(starts_upper)
}

fn add(values: &mut Vec<Value>, more: Vec<Value>) {
    for value in more {
        if !values.contains(&value) && values.len() < MAX_VALUES {
            values.push(value);
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part<'c> {
    Name(&'c str),
    Call,
    Subscript,
}

/// The parts of a chain such as `app.test_client().routes[].rule`, in the form that `syntax::read_chain` returns.
struct ChainParts<'c> {
    rest: &'c str,
}

impl<'c> Iterator for ChainParts<'c> {
    type Item = Part<'c>;

    fn next(&mut self) -> Option<Part<'c>> {
        if let Some(rest) = self.rest.strip_prefix("()") {
            self.rest = rest;
            return Some(Part::Call);
        }
        if let Some(rest) = self.rest.strip_prefix("[]") {
            self.rest = rest;
            return Some(Part::Subscript);
        }
        let name = self.rest.strip_prefix('.').unwrap_or(self.rest);
        let end = name.find(['.', '(', '[']).unwrap_or(name.len());
        if end == 0 {
            return None;
        }
        self.rest = &name[end..];
        Some(Part::Name(&name[..end]))
    }
}
