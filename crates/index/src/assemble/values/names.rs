//! Looks up names and evaluates their bindings.

use syntax::{BindingKind, Kind, ModuleSystem};

use super::super::annotations::{Annotation, alternatives};
use super::super::bindings::{BindingRow, Subject};
use super::super::file_facts::FileFacts;
use super::super::imports::DEFAULT_EXPORT;
use super::super::paths::folder_of;
use super::{Entity, Evaluator, MAX_DEPTH, Value, add};
use crate::role::Role;

impl Evaluator<'_> {
    /// Returns the item that a plain name refers to in the scope of a symbol, or `None` if the file neither defines
    /// nor imports the name.
    pub(in crate::assemble) fn entity(
        &self,
        file: u32,
        scope: Option<u32>,
        name: &str,
        depth: u8,
    ) -> Option<Entity> {
        let mut next = scope;
        while let Some(symbol) = next {
            if self.symbols.kind(symbol).is_callable() {
                let nested = self.symbols.in_symbol(symbol, name);
                if let Some(nested) = nested
                    .filter(|nested| self.is_definition(*nested) && self.is_usable(*nested))
                    .last()
                {
                    return Some(Entity::Symbol(nested));
                }
                let facts = self.facts_around(symbol);
                let mut locals = facts.bindings_of(Subject::Local(symbol), name).peekable();
                if locals.peek().is_some() {
                    return Some(Entity::Variable(self.union(&facts, locals, depth)));
                }
            }
            next = self.symbols.parent(symbol);
        }
        self.in_module(file, name, depth)
    }

    /// Returns the definitions of `name` in the Go package of `file`.
    pub(in crate::assemble) fn in_package(&self, file: u32, name: &str) -> Vec<u32> {
        if self.modules.system(file) != Some(ModuleSystem::Go) {
            return Vec::new();
        }
        let folder = folder_of(self.files.path(file));
        let named = self.symbols.in_files(self.files.paths.below(folder), name).iter().copied();
        let is_inside = |symbol: &u32| {
            let other = self.symbols.file(*symbol);
            self.symbols.parent(*symbol).is_none()
                && self.is_usable(*symbol)
                && folder_of(self.files.path(other)) == folder
        };
        named.filter(is_inside).collect()
    }

    pub(super) fn is_definition(&self, symbol: u32) -> bool {
        let kind = self.symbols.kind(symbol);
        kind.is_callable() || kind.has_methods()
    }

    /// Returns whether code can refer to the symbol by its name. It cannot if the name is only the title of a test, as
    /// in `it("adds numbers", …)`.
    pub(super) fn is_usable(&self, symbol: u32) -> bool {
        let file = self.symbols.file(symbol);
        let kind = self.symbols.kind(symbol);
        let is_title = kind == Kind::Test && self.modules.is_script(file);
        // In Go, methods are not inside their types.
        let is_method =
            kind == Kind::Method && self.is_declared(file) && self.symbols.parent(symbol).is_none();
        !is_title && !is_method
    }

    /// Returns the item that `name` refers to at the top level of a file: a definition, a variable or an imported name.
    pub(in crate::assemble) fn in_module(
        &self,
        file: u32,
        name: &str,
        depth: u8,
    ) -> Option<Entity> {
        if depth > MAX_DEPTH {
            self.is_limited.set(true);
            return None;
        }
        let is_module = |parent: u32| self.symbols.kind(parent) == Kind::Module;
        let is_top = |symbol: &u32| {
            self.symbols.parent(*symbol).is_none_or(is_module) && self.is_usable(*symbol)
        };
        let mut here: Vec<u32> = self.symbols.in_file(file, name).filter(is_top).collect();
        if here.is_empty() {
            here = self.in_package(file, name);
        }
        let definition = here.iter().rev().find(|symbol| self.is_definition(**symbol));
        if let Some(symbol) = definition.or(here.last()) {
            return Some(Entity::Symbol(*symbol));
        }
        let facts = self.facts(file);
        let scope = &facts.scope;
        let mut imported = scope.imported(name, &facts.names).peekable();
        if imported.peek().is_some() {
            let mut is_inside = false;
            for import in imported {
                let item = import.item(&facts.names);
                for module in &import.files {
                    is_inside = true;
                    if item.is_empty() {
                        return Some(Entity::Module(*module));
                    }
                    if let Some(entity) = self.in_module(*module, item, depth + 1) {
                        return Some(entity);
                    }
                    // A module without a default export is a CommonJS module, which is imported as a whole.
                    if item == DEFAULT_EXPORT {
                        return Some(Entity::Module(*module));
                    }
                    if let Some(module) = self.modules.submodule(*module, item) {
                        return Some(Entity::Module(module));
                    }
                }
            }
            return Some(if is_inside { Entity::Variable(Vec::new()) } else { Entity::External });
        }
        let mut variables = facts.bindings_of(Subject::Module, name).peekable();
        if let Some(first) = variables.peek() {
            // A renamed export refers to the exported definition.
            let value = facts.text(first.value);
            let is_name = !value.is_empty() && !value.contains(['.', '(', '[']);
            if is_name
                && first.kind == BindingKind::Value
                && let Some(entity) = self.in_module(file, value, depth + 1)
            {
                return Some(entity);
            }
            return Some(Entity::Variable(self.union(&facts, variables, depth)));
        }
        let opened = scope.open.iter().filter(|opened| **opened != file);
        let found = opened.into_iter().find_map(|opened| self.in_module(*opened, name, depth + 2));
        let unknown = || scope.has_unknown_names.then(|| Entity::Variable(Vec::new()));
        found.or_else(unknown)
    }

    pub(super) fn values_of(&self, entity: &Entity, depth: u8) -> Vec<Value> {
        match entity {
            Entity::Symbol(symbol) => self.values_of_symbol(*symbol, depth),
            Entity::Module(file) => vec![Value::Module(*file)],
            Entity::Variable(values) => values.clone(),
            Entity::External => vec![Value::External],
        }
    }

    pub(super) fn values_of_symbol(&self, symbol: u32, depth: u8) -> Vec<Value> {
        let kind = self.symbols.kind(symbol);
        if kind.is_callable() {
            return vec![Value::Function(symbol)];
        }
        if kind.has_methods() || kind == Kind::Module {
            return vec![Value::Type(symbol)];
        }
        if self.is_declared(self.symbols.file(symbol)) {
            match (kind, self.symbols.parent(symbol)) {
                (Kind::TypeAlias, _) => return vec![Value::Type(symbol)],
                (Kind::Variant, Some(parent)) => return vec![Value::Instance(parent)],
                _ => {}
            }
        }
        let name = self.symbols.name(symbol);
        let facts = self.facts_around(symbol);
        let parent = self.symbols.parent(symbol);
        let around = parent.filter(|parent| self.is_definition(*parent));
        let subject = around.map_or(Subject::Module, Subject::Member);
        let mut values = self.union(&facts, facts.bindings_of(subject, name), depth);
        let next = symbol + 1;
        let has_members =
            (next as usize) < self.symbols.len() && self.symbols.parent(next) == Some(symbol);
        if values.is_empty() && has_members {
            values.push(Value::Instance(symbol));
        }
        values
    }

    /// Returns the possible values of a name, given all its bindings. If there are type annotations, only these are
    /// used.
    pub(super) fn union<'b>(
        &self,
        facts: &FileFacts,
        rows: impl Iterator<Item = &'b BindingRow>,
        depth: u8,
    ) -> Vec<Value> {
        let mut values = Vec::new();
        let mut is_annotated = false;
        let rows: Vec<&BindingRow> = rows.collect();
        for row in &rows {
            // `let name = name.unwrap()` does not change the type of a name that has another binding.
            if rows.len() > 1 && self.is_declared(facts.file) && is_own_value(facts, row) {
                continue;
            }
            let is_annotation =
                matches!(row.kind, BindingKind::Annotation | BindingKind::MemberAnnotation);
            // An annotation is more reliable than an assigned value.
            if is_annotation && !is_annotated {
                values.clear();
                is_annotated = true;
            }
            if is_annotation == is_annotated {
                let found = self.values_of_binding(facts, row, depth + 1);
                add(&mut values, found);
            }
        }
        values
    }

    pub(super) fn values_of_binding(
        &self,
        facts: &FileFacts,
        row: &BindingRow,
        depth: u8,
    ) -> Vec<Value> {
        let text = facts.text(row.value);
        let value = || self.evaluate(facts.file, self.outer_scope(facts, row), text, depth);
        match row.kind {
            BindingKind::Annotation | BindingKind::MemberAnnotation | BindingKind::ReturnType => {
                self.annotation(facts.file, row.scope, text, depth)
            }
            BindingKind::Parameter => self.fixture(facts, row, depth),
            _ if row.value.is_empty() => Vec::new(),
            BindingKind::Value
            | BindingKind::MemberValue
            | BindingKind::Returned
            | BindingKind::Yielded
            | BindingKind::Base => value(),
            BindingKind::Element => {
                let mut values = self.each(value(), |value| self.subscript(value, depth));
                // The element of an unknown collection need not be defined outside the tree.
                if self.modules.is_script(facts.file) {
                    values.retain(|value| *value != Value::External);
                }
                values
            }
            BindingKind::Entered => self.each(value(), |value| self.entered(value, depth)),
        }
    }

    /// Returns the scope in which a binding's value is evaluated. The value of `x = x` in a function is evaluated
    /// outside the function.
    fn outer_scope(&self, facts: &FileFacts, row: &BindingRow) -> Option<u32> {
        let is_own =
            row.kind == BindingKind::Value && facts.text(row.value) == facts.text(row.name);
        let parent = |scope: u32| self.symbols.parent(scope);
        if is_own { row.scope.and_then(parent) } else { row.scope }
    }

    /// Returns the possible values of a parameter without a type annotation. In a Python test, these are the results of
    /// the pytest fixture with the name of the parameter. Elsewhere, the values are unknown, and the list is empty.
    fn fixture(&self, facts: &FileFacts, row: &BindingRow, depth: u8) -> Vec<Value> {
        let file = facts.file;
        if !self.modules.is_python(file) || self.files.role(file) != Role::Test {
            return Vec::new();
        }
        let is_fixture = |symbol: &u32| {
            self.symbols.kind(*symbol) == Kind::Function && Some(*symbol) != row.scope
        };
        let name = facts.text(row.name);
        let files = [file].into_iter().chain(self.modules.conftests(file));
        for file in files {
            if let Some(fixture) = self.symbols.in_file(file, name).rfind(is_fixture) {
                let results = self.results(fixture, depth + 1);
                return self.each(results, |value| vec![value.element_or_self()]);
            }
        }
        Vec::new()
    }

    /// Returns the values that a variable with the type annotation `text` can have.
    pub(super) fn annotation(
        &self,
        file: u32,
        scope: Option<u32>,
        text: &str,
        depth: u8,
    ) -> Vec<Value> {
        if self.is_declared(file) {
            return self.declared(file, scope, text, depth);
        }
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
}

/// Returns whether the value of a binding starts with the name that it binds.
fn is_own_value(facts: &FileFacts, row: &BindingRow) -> bool {
    let rest = facts.text(row.value).strip_prefix(facts.text(row.name));
    matches!(row.kind, BindingKind::Value | BindingKind::Element)
        && rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '(', '[']))
}

fn instances(types: Vec<Value>, of: fn(u32) -> Value) -> Vec<Value> {
    let to_instance = |value| match value {
        Value::Type(class) => Some(of(class)),
        Value::External => Some(Value::External),
        Value::Instance(_) | Value::Function(_) | Value::Module(_) | Value::Elements(_) => None,
    };
    types.into_iter().filter_map(to_instance).collect()
}
