//! Evaluates expressions to the types and functions that they can refer to. Types are followed through assignments,
//! annotations, imports, re-exports, base classes and the results of functions.

use std::cell::{Cell, RefCell};

use rustc_hash::FxHashMap;
use syntax::{BindingKind, Kind};

use super::FileRow;
use super::annotations::{Annotation, alternatives};
use super::bindings::{BindingRow, BindingTable};
use super::imports::Scope;
use super::modules::Modules;
use super::symbols::SymbolTable;
use crate::role::Role;

/// The maximum number of steps from one expression to another.
const MAX_DEPTH: u8 = 10;
/// The maximum number of expressions that are evaluated for one reference.
const MAX_STEPS: u32 = 400;
/// The maximum number of values of one expression.
const MAX_VALUES: usize = 4;
/// The maximum number of classes that are searched for one member.
const MAX_BASES: usize = 40;

/// What an expression can refer to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Value {
    /// An object of a type of the tree, or an object literal.
    Instance(u32),
    /// A type of the tree.
    Type(u32),
    Function(u32),
    /// A module, by its file.
    Module(u32),
    /// A collection of objects of a type of the tree.
    Elements(u32),
    /// Something that is defined outside the tree.
    External,
}

/// What a name refers to.
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
    /// The type, or one of its bases, is not completely known.
    Unknown,
}

/// Evaluates the expressions of a tree. Each thread has its own evaluator.
pub(super) struct Evaluator<'s, 'a> {
    pub(super) files: &'s [FileRow<'a>],
    pub(super) symbols: &'s SymbolTable<'a>,
    pub(super) modules: &'s Modules<'s>,
    pub(super) scopes: &'s [Scope<'a>],
    pub(super) bindings: &'s BindingTable<'a>,
    results: RefCell<FxHashMap<u32, Vec<Value>>>,
    steps: Cell<u32>,
    /// Whether a limit was reached. Results are then not kept, because they depend on the start of the evaluation.
    is_limited: Cell<bool>,
}

impl<'s, 'a> Evaluator<'s, 'a> {
    pub(super) fn new(
        (files, symbols): (&'s [FileRow<'a>], &'s SymbolTable<'a>),
        modules: &'s Modules<'s>,
        scopes: &'s [Scope<'a>],
        bindings: &'s BindingTable<'a>,
    ) -> Self {
        let results = RefCell::default();
        let (steps, is_limited) = (Cell::new(0), Cell::new(false));
        Self { files, symbols, modules, scopes, bindings, results, steps, is_limited }
    }

    /// Returns the values of a chain in the scope of a symbol. An empty list means that they are unknown.
    pub(super) fn chain(&self, file: u32, scope: Option<u32>, chain: &str) -> Vec<Value> {
        self.steps.set(0);
        self.is_limited.set(false);
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
            "self" | "this" | "cls"
                if scope.is_some_and(|it| self.symbols.type_around(it).is_some()) =>
            {
                let own = scope.and_then(|it| self.symbols.type_around(it)).unwrap_or_default();
                vec![if head == "cls" { Value::Type(own) } else { Value::Instance(own) }]
            }
            "super" => match self.after_super(scope, &mut parts, depth) {
                Some(values) => values,
                None => return Vec::new(),
            },
            _ => match self.dotted_module(file, chain) {
                Some((module, rest)) => {
                    parts.rest = rest;
                    vec![module]
                }
                None => match self.entity(file, scope, head, depth) {
                    Some(entity) => self.values_of(&entity, depth),
                    // Every other name of Python is built in. JavaScript has parameters without bindings.
                    None if self.modules.is_python(file) => vec![Value::External],
                    None => Vec::new(),
                },
            },
        };
        for part in parts {
            let mut next = Vec::new();
            for value in values {
                let found = match part {
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

    /// Returns the member of a base that follows `super()`.
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

    /// Returns the module of a dotted import with which the chain starts, and the rest of the chain.
    fn dotted_module<'c>(&self, file: u32, chain: &'c str) -> Option<(Value, &'c str)> {
        let dotted = &self.scopes[file as usize].dotted;
        let starts = |path: &str| {
            let rest = chain.strip_prefix(path)?;
            (rest.is_empty() || rest.starts_with('.')).then_some(rest)
        };
        let longest = dotted.iter().filter(|(path, _)| starts(path).is_some());
        if let Some((path, files)) = longest.max_by_key(|(path, _)| path.len()) {
            let module = files.first().map_or(Value::External, |file| Value::Module(*file));
            return Some((module, starts(path)?));
        }
        // `import a.b` also makes `a` known.
        let head = chain.split('.').next()?;
        let is_first = |path: &str| path.split('.').next() == Some(head);
        dotted.iter().any(|(path, _)| is_first(path)).then(|| {
            let files = self.modules.find(file, head, "").files;
            let module = files.first().map_or(Value::External, |file| Value::Module(*file));
            (module, &chain[head.len()..])
        })
    }

    /// Returns what a plain name refers to in the scope of a symbol, or `None` if the file does not define it.
    pub(super) fn entity(
        &self,
        file: u32,
        scope: Option<u32>,
        name: &str,
        depth: u8,
    ) -> Option<Entity> {
        let mut next = scope;
        while let Some(symbol) = next {
            let row = &self.symbols.rows[symbol as usize];
            if row.fact.kind.is_callable() {
                let nested = self.symbols.in_symbol(symbol, name);
                if let Some(nested) = nested
                    .filter(|nested| self.is_definition(*nested) && self.is_usable(*nested))
                    .last()
                {
                    return Some(Entity::Symbol(nested));
                }
                let mut locals = self.bindings.of_function(symbol, name).peekable();
                if locals.peek().is_some() {
                    return Some(Entity::Variable(self.union(locals, depth)));
                }
            }
            next = row.parent;
        }
        self.in_module(file, name, depth)
    }

    fn is_definition(&self, symbol: u32) -> bool {
        let kind = self.symbols.rows[symbol as usize].fact.kind;
        kind.is_callable() || kind.has_methods()
    }

    /// Returns whether the name of a symbol can be used in code. The title of a test cannot.
    fn is_usable(&self, symbol: u32) -> bool {
        let row = &self.symbols.rows[symbol as usize];
        row.fact.kind != Kind::Test || self.modules.is_python(row.file)
    }

    /// Returns what `name` refers to at the top level of a file: a definition, a variable or an imported name.
    pub(super) fn in_module(&self, file: u32, name: &str, depth: u8) -> Option<Entity> {
        if depth > MAX_DEPTH {
            self.is_limited.set(true);
            return None;
        }
        let is_top = |symbol: &u32| {
            let parent = self.symbols.rows[*symbol as usize].parent;
            parent.is_none_or(|parent| !self.is_definition(parent)) && self.is_usable(*symbol)
        };
        let here: Vec<u32> = self.symbols.in_file(file, name).filter(is_top).collect();
        let definition = here.iter().rev().find(|symbol| self.is_definition(**symbol));
        if let Some(symbol) = definition.or(here.last()) {
            return Some(Entity::Symbol(*symbol));
        }
        let scope = &self.scopes[file as usize];
        if let Some(imported) = scope.imported(name) {
            let mut is_inside = false;
            for import in imported {
                for module in &import.files {
                    is_inside = true;
                    if import.item.is_empty() {
                        return Some(Entity::Module(*module));
                    }
                    if let Some(entity) = self.in_module(*module, import.item, depth + 1) {
                        return Some(entity);
                    }
                    if let Some(module) = self.modules.submodule(*module, import.item) {
                        return Some(Entity::Module(module));
                    }
                }
            }
            return Some(if is_inside { Entity::Variable(Vec::new()) } else { Entity::External });
        }
        let mut variables = self.bindings.of_module(file, name).peekable();
        if variables.peek().is_some() {
            return Some(Entity::Variable(self.union(variables, depth)));
        }
        let opened = scope.open.iter().filter(|opened| **opened != file);
        let found = opened.into_iter().find_map(|opened| self.in_module(*opened, name, depth + 2));
        let unknown = || scope.has_unknown_names.then(|| Entity::Variable(Vec::new()));
        found.or_else(unknown)
    }

    fn values_of(&self, entity: &Entity, depth: u8) -> Vec<Value> {
        match entity {
            Entity::Symbol(symbol) => self.values_of_symbol(*symbol, depth),
            Entity::Module(file) => vec![Value::Module(*file)],
            Entity::Variable(values) => values.clone(),
            Entity::External => vec![Value::External],
        }
    }

    fn values_of_symbol(&self, symbol: u32, depth: u8) -> Vec<Value> {
        let row = &self.symbols.rows[symbol as usize];
        let kind = row.fact.kind;
        if kind.is_callable() {
            return vec![Value::Function(symbol)];
        }
        if kind.has_methods() || kind == Kind::Module {
            return vec![Value::Type(symbol)];
        }
        let name = row.fact.name;
        let mut values = match row.parent.filter(|parent| self.is_definition(*parent)) {
            Some(parent) => self.union(self.bindings.of_member(parent, name), depth),
            None => self.union(self.bindings.of_module(row.file, name), depth),
        };
        let has_members = self
            .symbols
            .rows
            .get(symbol as usize + 1)
            .is_some_and(|next| next.parent == Some(symbol));
        if values.is_empty() && has_members {
            values.push(Value::Instance(symbol));
        }
        values
    }

    /// Returns the values of several bindings of one name.
    fn union<'b>(&self, rows: impl Iterator<Item = &'b BindingRow<'a>>, depth: u8) -> Vec<Value>
    where
        'a: 'b,
    {
        let mut values = Vec::new();
        let mut is_annotated = false;
        for row in rows {
            let is_annotation =
                matches!(row.kind, BindingKind::Annotation | BindingKind::MemberAnnotation);
            // An annotation is more reliable than an assigned value.
            if is_annotation && !is_annotated {
                values.clear();
                is_annotated = true;
            }
            if is_annotation == is_annotated {
                let found = self.values_of_binding(row, depth + 1);
                add(&mut values, found);
            }
        }
        values
    }

    fn values_of_binding(&self, row: &BindingRow<'a>, depth: u8) -> Vec<Value> {
        let value = || self.evaluate(row.file, self.outer_scope(row), row.value, depth);
        match row.kind {
            BindingKind::Annotation | BindingKind::MemberAnnotation | BindingKind::ReturnType => {
                self.annotation(row.file, row.scope, row.value, depth)
            }
            BindingKind::Parameter => self.fixture(row, depth),
            _ if row.value.is_empty() => Vec::new(),
            BindingKind::Value
            | BindingKind::MemberValue
            | BindingKind::Returned
            | BindingKind::Yielded
            | BindingKind::Base => value(),
            BindingKind::Element => self.each(value(), |value| self.subscript(value, depth)),
            BindingKind::Entered => self.each(value(), |value| self.entered(value, depth)),
        }
    }

    /// Returns the scope of a binding. The value of `x = x` in a function is evaluated outside the function.
    fn outer_scope(&self, row: &BindingRow<'a>) -> Option<u32> {
        let is_own = row.kind == BindingKind::Value && row.value == row.name;
        let parent = |scope: u32| self.symbols.rows[scope as usize].parent;
        if is_own { row.scope.and_then(parent) } else { row.scope }
    }

    fn each(&self, values: Vec<Value>, of: impl Fn(Value) -> Vec<Value>) -> Vec<Value> {
        let mut found = Vec::new();
        for value in values {
            add(&mut found, of(value));
        }
        found
    }

    /// Returns the values of a parameter without a type. In a test, it may be the result of a pytest fixture.
    fn fixture(&self, row: &BindingRow<'a>, depth: u8) -> Vec<Value> {
        if !self.modules.is_python(row.file) || self.files[row.file as usize].role != Role::Test {
            return Vec::new();
        }
        let is_fixture = |symbol: &u32| {
            let kind = self.symbols.rows[*symbol as usize].fact.kind;
            kind == Kind::Function && Some(*symbol) != row.scope
        };
        let files = [row.file].into_iter().chain(self.modules.conftests(row.file));
        for file in files {
            if let Some(fixture) = self.symbols.in_file(file, row.name).filter(is_fixture).last() {
                let results = self.results(fixture, depth + 1);
                return self.each(results, |value| match value {
                    Value::Elements(of) => vec![Value::Instance(of)],
                    other => vec![other],
                });
            }
        }
        Vec::new()
    }

    /// Returns the objects that a type annotation describes.
    fn annotation(&self, file: u32, scope: Option<u32>, text: &str, depth: u8) -> Vec<Value> {
        let mut values = Vec::new();
        for alternative in alternatives(text) {
            let types = |path: &str| match path {
                "Self" | "this" => scope
                    .and_then(|scope| self.symbols.type_around(scope))
                    .map_or_else(Vec::new, |own| vec![Value::Type(own)]),
                _ => self.evaluate(file, scope, path, depth + 1),
            };
            let found = match alternative {
                Annotation::Of(path) => instances(types(path), Value::Instance),
                Annotation::Elements(path) => instances(types(path), Value::Elements),
                Annotation::Type(path) => types(path),
                Annotation::Standard => vec![Value::External],
            };
            add(&mut values, found);
        }
        values
    }

    /// Returns the values of `value.name`.
    fn attribute(&self, value: Value, name: &str, depth: u8) -> Vec<Value> {
        match value {
            Value::Instance(class) | Value::Type(class) => {
                self.member_values(self.member(class, name, depth), depth)
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
                self.each(results, |value| match value {
                    Value::Function(_) => Vec::new(),
                    other => self.attribute(other, name, depth + 1),
                })
            }
            Value::Elements(_) | Value::External => vec![Value::External],
        }
    }

    fn member_values(&self, member: Member, depth: u8) -> Vec<Value> {
        match member {
            Member::Symbol(symbol) => self.values_of_symbol(symbol, depth + 1),
            Member::Values(values) => values,
            Member::Unknown => Vec::new(),
        }
    }

    /// Returns the results of a call.
    fn call(&self, value: Value, depth: u8) -> Vec<Value> {
        match value {
            Value::Type(class) => vec![Value::Instance(class)],
            Value::Function(function) => self.results(function, depth + 1),
            Value::Instance(class) => match self.member(class, "__call__", depth) {
                Member::Symbol(function) => self.results(function, depth + 1),
                Member::Values(_) | Member::Unknown => Vec::new(),
            },
            // A module that is called is its default export.
            Value::Module(file) => match self.in_module(file, "default", depth + 1) {
                Some(entity) => {
                    let values = self.values_of(&entity, depth + 1);
                    self.each(values, |value| match value {
                        Value::Module(_) => Vec::new(),
                        other => self.call(other, depth + 1),
                    })
                }
                None => Vec::new(),
            },
            Value::Elements(_) | Value::External => vec![Value::External],
        }
    }

    fn subscript(&self, value: Value, depth: u8) -> Vec<Value> {
        match value {
            Value::Elements(of) => vec![Value::Instance(of)],
            // The parameters of a generic type.
            Value::Type(class) => vec![Value::Type(class)],
            Value::Function(function) => {
                let results = self.results(function, depth + 1);
                self.each(results, |value| match value {
                    Value::Elements(of) => vec![Value::Instance(of)],
                    _ => Vec::new(),
                })
            }
            Value::Instance(class) => match self.member(class, "__getitem__", depth) {
                Member::Symbol(function) => self.results(function, depth + 1),
                Member::Values(_) | Member::Unknown => Vec::new(),
            },
            Value::Module(_) | Value::External => vec![Value::External],
        }
    }

    /// Returns the objects that `with value as name` gives.
    fn entered(&self, value: Value, depth: u8) -> Vec<Value> {
        match value {
            Value::Elements(of) => vec![Value::Instance(of)],
            Value::Instance(class) => {
                let enter = ["__enter__", "__aenter__"].into_iter().find_map(|name| {
                    match self.member(class, name, depth) {
                        Member::Symbol(function) => Some(self.results(function, depth + 1)),
                        Member::Values(_) | Member::Unknown => None,
                    }
                });
                match enter {
                    Some(values) if !values.is_empty() && values != [Value::External] => values,
                    _ => vec![value],
                }
            }
            other => vec![other],
        }
    }

    /// Returns the results of a function: its return type, or the values that it returns.
    pub(super) fn results(&self, function: u32, depth: u8) -> Vec<Value> {
        if let Some(known) = self.results.borrow().get(&function) {
            return known.clone();
        }
        if depth > MAX_DEPTH {
            self.is_limited.set(true);
            return Vec::new();
        }
        let was_limited = self.is_limited.replace(false);
        let declared =
            self.bindings.results(function).find(|row| row.kind == BindingKind::ReturnType);
        let returned = |kind: BindingKind| {
            let mut values = Vec::new();
            for row in self.bindings.results(function).filter(|row| row.kind == kind) {
                add(&mut values, self.values_of_binding(row, depth + 1));
            }
            values
        };
        let values = match declared {
            Some(row) => self.values_of_binding(row, depth + 1),
            None => {
                let values = returned(BindingKind::Returned);
                if values.is_empty() {
                    instances_of_yielded(returned(BindingKind::Yielded))
                } else {
                    values
                }
            }
        };
        if !self.is_limited.get() {
            self.results.borrow_mut().insert(function, values.clone());
        }
        self.is_limited.set(was_limited || self.is_limited.get());
        values
    }

    /// Returns the member `name` of a type or of its bases.
    pub(super) fn member(&self, class: u32, name: &str, depth: u8) -> Member {
        self.search_member(vec![class], name, depth)
    }

    /// Returns the member `name` of the bases of a type.
    pub(super) fn member_of_bases(&self, class: u32, name: &str, depth: u8) -> Member {
        let mut is_known = true;
        let bases = self.bases(class, depth, &mut is_known);
        self.search_member(bases, name, depth)
    }

    fn bases(&self, class: u32, depth: u8, is_known: &mut bool) -> Vec<u32> {
        let mut bases = Vec::new();
        let parent = self.symbols.rows[class as usize].parent;
        for row in self.bindings.bases(class) {
            let mut is_found = false;
            for value in self.evaluate(row.file, parent, row.value, depth + 2) {
                if let Value::Type(base) = value
                    && base != class
                {
                    bases.push(base);
                    is_found = true;
                }
            }
            *is_known &= is_found;
        }
        bases
    }

    fn search_member(&self, mut open: Vec<u32>, name: &str, depth: u8) -> Member {
        open.reverse();
        let mut seen = Vec::new();
        let mut is_known = true;
        while let Some(class) = open.pop() {
            if seen.contains(&class) || seen.len() >= MAX_BASES {
                continue;
            }
            seen.push(class);
            let members = self.symbols.in_symbol(class, name);
            if let Some(member) = members.last() {
                return Member::Symbol(member);
            }
            let mut rows = self.bindings.of_member(class, name).peekable();
            if rows.peek().is_some() {
                return Member::Values(self.union(rows, depth));
            }
            let mut bases = self.bases(class, depth, &mut is_known);
            bases.reverse();
            open.append(&mut bases);
        }
        if is_known { Member::Values(Vec::new()) } else { Member::Unknown }
    }
}

fn instances(types: Vec<Value>, of: fn(u32) -> Value) -> Vec<Value> {
    let to_instance = |value| match value {
        Value::Type(class) => Some(of(class)),
        Value::External => Some(Value::External),
        Value::Instance(_) | Value::Function(_) | Value::Module(_) | Value::Elements(_) => None,
    };
    types.into_iter().filter_map(to_instance).collect()
}

/// Returns the values of a generator. It is used as a context manager or fixture, or in a loop.
fn instances_of_yielded(values: Vec<Value>) -> Vec<Value> {
    let to_elements = |value| match value {
        Value::Instance(class) => Value::Elements(class),
        other => other,
    };
    values.into_iter().map(to_elements).collect()
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

/// The parts of a chain as `syntax::read_chain` writes it.
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
