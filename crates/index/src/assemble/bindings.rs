//! Collects the bindings of all files: what the sources state about the types of variables, members and functions.

use syntax::BindingKind;

use super::symbols::SymbolTable;
use super::symbols_by_key::{SymbolsByKey, hash_key};
use super::{Assembly, FileRow};
use crate::facts::FactsReader;

#[derive(Clone, Copy)]
pub(super) struct BindingRow<'a> {
    pub(super) kind: BindingKind,
    pub(super) file: u32,
    /// The enclosing definition.
    pub(super) scope: Option<u32>,
    pub(super) name: &'a str,
    pub(super) value: &'a str,
}

/// All bindings of the tree, with indexes for lookup.
#[derive(Default)]
pub(super) struct BindingTable<'a> {
    rows: Vec<BindingRow<'a>>,
    by_key: SymbolsByKey,
}

/// What a binding describes. It is part of the key of the lookup.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Subject {
    /// A variable of the module, in a file.
    Module(u32),
    /// A variable or parameter of a function.
    Local(u32),
    /// A member of a type.
    Member(u32),
    /// The result of a function.
    Function(u32),
    /// A supertype of a type.
    Base(u32),
}

impl<'a> BindingTable<'a> {
    pub(super) fn collect(
        assembly: &Assembly<'a>,
        files: &[FileRow<'a>],
        symbols: &SymbolTable<'a>,
    ) -> Self {
        let mut rows = Vec::new();
        let mut keys = Vec::new();
        for (number, file) in (0_u32..).zip(files) {
            let reader = FactsReader::new(assembly.files[number as usize].record);
            if !reader.has_bindings() {
                continue;
            }
            let names = reader.names();
            reader.bindings(&names, |fact| {
                let scope =
                    fact.scope.filter(|at| *at < file.n_symbols).map(|at| file.first_symbol + at);
                let row = BindingRow {
                    kind: fact.kind,
                    file: number,
                    scope,
                    name: fact.name,
                    value: fact.value,
                };
                if let Some(key) = key_of(&row, symbols) {
                    keys.push((key, rows.len() as u32));
                    rows.push(row);
                }
            });
        }
        Self { rows, by_key: SymbolsByKey::new(keys) }
    }

    /// Returns the bindings of a variable of the module.
    pub(super) fn of_module<'s>(
        &'s self,
        file: u32,
        name: &'s str,
    ) -> impl Iterator<Item = &'s BindingRow<'a>> + 's {
        self.get(Subject::Module(file), name).filter(move |row| row.name == name)
    }

    /// Returns the bindings of a variable or parameter of a function.
    pub(super) fn of_function<'s>(
        &'s self,
        function: u32,
        name: &'s str,
    ) -> impl Iterator<Item = &'s BindingRow<'a>> + 's {
        self.get(Subject::Local(function), name).filter(move |row| row.name == name)
    }

    /// Returns the bindings of a member of a type.
    pub(super) fn of_member<'s>(
        &'s self,
        class: u32,
        name: &'s str,
    ) -> impl Iterator<Item = &'s BindingRow<'a>> + 's {
        self.get(Subject::Member(class), name).filter(move |row| row.name == name)
    }

    /// Returns what is known about the result of a function.
    pub(super) fn results(&self, function: u32) -> impl Iterator<Item = &BindingRow<'a>> {
        self.get(Subject::Function(function), "")
    }

    /// Returns the supertypes of a type, in source order.
    pub(super) fn bases(&self, class: u32) -> impl Iterator<Item = &BindingRow<'a>> {
        self.get(Subject::Base(class), "")
    }

    fn get(&self, subject: Subject, name: &str) -> impl Iterator<Item = &BindingRow<'a>> {
        self.by_key.get(hash_key((subject, name))).map(|at| &self.rows[at as usize])
    }
}

fn key_of(row: &BindingRow<'_>, symbols: &SymbolTable<'_>) -> Option<u64> {
    let subject = match row.kind {
        BindingKind::Base => Subject::Base(row.scope?),
        BindingKind::Returned | BindingKind::Yielded | BindingKind::ReturnType => {
            Subject::Function(symbols.function_around(row.scope?)?)
        }
        BindingKind::MemberValue | BindingKind::MemberAnnotation => {
            Subject::Member(symbols.type_around(row.scope?)?)
        }
        BindingKind::Value
        | BindingKind::Annotation
        | BindingKind::Parameter
        | BindingKind::Element
        | BindingKind::Entered => match row.scope.and_then(|scope| symbols.scope_around(scope)) {
            None => Subject::Module(row.file),
            Some(scope) if symbols.rows[scope as usize].fact.kind.has_methods() => {
                Subject::Member(scope)
            }
            Some(scope) => Subject::Local(scope),
        },
    };
    let name = match subject {
        Subject::Function(_) | Subject::Base(_) => "",
        Subject::Module(_) | Subject::Local(_) | Subject::Member(_) => row.name,
    };
    Some(hash_key((subject, name)))
}
