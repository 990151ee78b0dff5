//! Looks up names and the values that their bindings give them.

use syntax::{BindingKind, Kind};

use super::super::annotations::{Annotation, alternatives};
use super::super::bindings::BindingRow;
use super::super::imports::DEFAULT_EXPORT;
use super::{Entity, Evaluator, MAX_DEPTH, Value, add};
use crate::role::Role;

impl<'a> Evaluator<'_, 'a> {
    /// Returns what a plain name refers to in the scope of a symbol, or `None` if the file does not define it.
    pub(in crate::assemble) fn entity(
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

    pub(super) fn is_definition(&self, symbol: u32) -> bool {
        let kind = self.symbols.rows[symbol as usize].fact.kind;
        kind.is_callable() || kind.has_methods()
    }

    /// Returns whether the name of a symbol can be used in code. The title of a test cannot.
    pub(super) fn is_usable(&self, symbol: u32) -> bool {
        let row = &self.symbols.rows[symbol as usize];
        row.fact.kind != Kind::Test || self.modules.is_python(row.file)
    }

    /// Returns what `name` refers to at the top level of a file: a definition, a variable or an imported name.
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
        let is_module = |parent: u32| self.symbols.rows[parent as usize].fact.kind == Kind::Module;
        let is_top = |symbol: &u32| {
            self.symbols.rows[*symbol as usize].parent.is_none_or(is_module)
                && self.is_usable(*symbol)
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
                    // A module without default export is a CommonJS module, which is imported as a whole.
                    if import.item == DEFAULT_EXPORT {
                        return Some(Entity::Module(*module));
                    }
                    if let Some(module) = self.modules.submodule(*module, import.item) {
                        return Some(Entity::Module(module));
                    }
                }
            }
            return Some(if is_inside { Entity::Variable(Vec::new()) } else { Entity::External });
        }
        let mut variables = self.bindings.of_module(file, name).peekable();
        if let Some(first) = variables.peek() {
            // A renamed export is the exported definition.
            let is_name = !first.value.is_empty() && !first.value.contains(['.', '(', '[']);
            if is_name
                && first.kind == BindingKind::Value
                && let Some(entity) = self.in_module(file, first.value, depth + 1)
            {
                return Some(entity);
            }
            return Some(Entity::Variable(self.union(variables, depth)));
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
    pub(super) fn union<'b>(
        &self,
        rows: impl Iterator<Item = &'b BindingRow<'a>>,
        depth: u8,
    ) -> Vec<Value>
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

    pub(super) fn values_of_binding(&self, row: &BindingRow<'a>, depth: u8) -> Vec<Value> {
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
    pub(super) fn outer_scope(&self, row: &BindingRow<'a>) -> Option<u32> {
        let is_own = row.kind == BindingKind::Value && row.value == row.name;
        let parent = |scope: u32| self.symbols.rows[scope as usize].parent;
        if is_own { row.scope.and_then(parent) } else { row.scope }
    }

    /// Returns the values of a parameter without a type. In a test, it may be the result of a pytest fixture.
    pub(super) fn fixture(&self, row: &BindingRow<'a>, depth: u8) -> Vec<Value> {
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
                return self.each(results, |value| vec![value.element_or_self()]);
            }
        }
        Vec::new()
    }

    /// Returns the objects that a type annotation describes.
    pub(super) fn annotation(
        &self,
        file: u32,
        scope: Option<u32>,
        text: &str,
        depth: u8,
    ) -> Vec<Value> {
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

fn instances(types: Vec<Value>, of: fn(u32) -> Value) -> Vec<Value> {
    let to_instance = |value| match value {
        Value::Type(class) => Some(of(class)),
        Value::External => Some(Value::External),
        Value::Instance(_) | Value::Function(_) | Value::Module(_) | Value::Elements(_) => None,
    };
    types.into_iter().filter_map(to_instance).collect()
}
