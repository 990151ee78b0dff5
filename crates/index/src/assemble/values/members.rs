//! Looks up the members of types and the results of functions.

use syntax::BindingKind;

use super::super::bindings::Subject;
use super::{Evaluator, MAX_DEPTH, Member, Value, add};

/// The maximum number of classes that are searched for one member.
const MAX_BASES: usize = 40;

impl Evaluator<'_> {
    pub(super) fn member_values(&self, member: Member, depth: u8) -> Vec<Value> {
        match member {
            Member::Symbol(symbol) => self.values_of_symbol(symbol, depth + 1),
            Member::Values(values) => values,
            Member::Unknown => Vec::new(),
        }
    }

    /// Returns the possible results of calling `value`.
    pub(super) fn call(&self, value: Value, depth: u8) -> Vec<Value> {
        match value {
            Value::Type(class) => vec![Value::Instance(class)],
            Value::Function(function) => self.results(function, depth + 1),
            Value::Elements(_) if self.is_array(value) => vec![value],
            // The value of a method that passes its receiver, or of a variant.
            Value::Instance(of) | Value::Elements(of)
                if self.is_declared(self.symbols.file(of)) =>
            {
                vec![value]
            }
            Value::Instance(class) => self.result_of_method(class, "__call__", depth),
            Value::Module(_) => Vec::new(),
            Value::Elements(_) | Value::External => vec![Value::External],
        }
    }

    /// Returns the possible results of calling the method `name` of an object.
    fn result_of_method(&self, class: u32, name: &str, depth: u8) -> Vec<Value> {
        let method = self.member(class, name, depth).symbol();
        method.map_or_else(Vec::new, |method| self.results(method, depth + 1))
    }

    /// Returns whether a value is a JavaScript array, or a method that returns such an array.
    fn is_array(&self, value: Value) -> bool {
        matches!(value, Value::Elements(of) if self.modules.is_script(self.symbols.file(of)))
    }

    pub(super) fn subscript(&self, value: Value, depth: u8) -> Vec<Value> {
        match value {
            Value::Elements(of) => vec![Value::Instance(of)],
            // A subscript after a type contains the arguments of the generic type.
            Value::Type(class) => vec![Value::Type(class)],
            Value::Function(function) => {
                let results = self.results(function, depth + 1);
                self.each(results, |value| {
                    let is_collection = matches!(value, Value::Elements(_));
                    if is_collection { vec![value.element_or_self()] } else { Vec::new() }
                })
            }
            Value::Instance(class) if self.is_declared(self.symbols.file(class)) => vec![value],
            Value::Instance(class) => self.result_of_method(class, "__getitem__", depth),
            Value::Module(_) | Value::External => vec![Value::External],
        }
    }

    /// Returns the objects that `with value as name` assigns to `name`.
    pub(super) fn entered(&self, value: Value, depth: u8) -> Vec<Value> {
        match value {
            Value::Instance(class) => {
                let mut names = ["__enter__", "__aenter__"].into_iter();
                let enter = names.find_map(|name| self.member(class, name, depth).symbol());
                match enter.map(|function| self.results(function, depth + 1)) {
                    Some(values) if !values.is_empty() && values != [Value::External] => values,
                    _ => vec![value],
                }
            }
            Value::Type(_)
            | Value::Function(_)
            | Value::Module(_)
            | Value::Elements(_)
            | Value::External => vec![value.element_or_self()],
        }
    }

    /// Returns the possible results of a function: instances of its declared return type, or else the values that it
    /// returns or yields.
    pub(in crate::assemble) fn results(&self, function: u32, depth: u8) -> Vec<Value> {
        if let Some(known) = self.results.borrow().get(&function) {
            return known.clone();
        }
        if depth > MAX_DEPTH {
            self.is_limited.set(true);
            return Vec::new();
        }
        let was_limited = self.is_limited.replace(false);
        let facts = self.facts_around(function);
        let rows = facts.bindings.get(Subject::Function(function), "");
        let declared = rows.iter().find(|row| row.kind == BindingKind::ReturnType);
        let returned = |kind: BindingKind| {
            let mut values = Vec::new();
            for row in rows.iter().filter(|row| row.kind == kind) {
                add(&mut values, self.values_of_binding(&facts, row, depth + 1));
            }
            values
        };
        let values = match declared {
            Some(row) => self.values_of_binding(&facts, row, depth + 1),
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

    /// Returns the member `name` of a type, or of its bases if the type does not define it.
    pub(in crate::assemble) fn member(&self, class: u32, name: &str, depth: u8) -> Member {
        if self.is_declared(self.symbols.file(class)) {
            return self.declared_member(class, name, true, depth);
        }
        self.search_member(vec![class], name, depth)
    }

    /// Returns the member `name` of the bases of a type.
    pub(in crate::assemble) fn member_of_bases(&self, class: u32, name: &str, depth: u8) -> Member {
        let mut is_known = true;
        let bases = self.bases(class, depth, &mut is_known);
        self.search_member(bases, name, depth)
    }

    pub(super) fn bases(&self, class: u32, depth: u8, is_known: &mut bool) -> Vec<u32> {
        let mut bases = Vec::new();
        let parent = self.symbols.parent(class);
        let facts = self.facts_around(class);
        for row in facts.bindings.get(Subject::Base(class), "") {
            let mut is_found = false;
            let text = facts.text(row.value);
            let values = if self.is_declared(facts.file) {
                self.declared(facts.file, parent, text, depth + 2)
            } else {
                self.evaluate(facts.file, parent, text, depth + 2)
            };
            for value in values {
                if let Value::Type(base) | Value::Instance(base) = value
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

    pub(super) fn search_member(&self, mut open: Vec<u32>, name: &str, depth: u8) -> Member {
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
            let facts = self.facts_around(class);
            let mut rows = facts.bindings_of(Subject::Member(class), name).peekable();
            if rows.peek().is_some() {
                return Member::Values(self.union(&facts, rows, depth));
            }
            let mut bases = self.bases(class, depth, &mut is_known);
            bases.reverse();
            open.append(&mut bases);
        }
        if is_known { Member::Values(Vec::new()) } else { Member::Unknown }
    }
}

/// Returns the possible results of a generator function, given the values that it yields. An object is converted to a
/// collection of such objects, because callers use the generator in a loop, as a context manager or as a fixture.
fn instances_of_yielded(values: Vec<Value>) -> Vec<Value> {
    let to_elements = |value| {
        if let Value::Instance(class) = value { Value::Elements(class) } else { value }
    };
    values.into_iter().map(to_elements).collect()
}
