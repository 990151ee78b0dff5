//! The bindings of a file: what its source states about the types of variables, members and functions.

use syntax::BindingKind;

use super::file_facts::{NameRange, Names};
use super::key_table::hash_key;
use super::symbols::SymbolTable;
use crate::facts::FactsReader;

#[derive(Clone, Copy)]
pub(super) struct BindingRow {
    pub(super) kind: BindingKind,
    /// The enclosing definition.
    pub(super) scope: Option<u32>,
    pub(super) name: NameRange,
    pub(super) value: NameRange,
}

/// The bindings of one file, with an index for lookup.
#[derive(Default)]
pub(super) struct Bindings {
    /// For each binding, the hash of its subject and name, in ascending order. Bindings with the same hash are in
    /// source order.
    keys: Vec<u64>,
    rows: Vec<BindingRow>,
}

/// The item that a binding describes. It is part of the lookup key.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Subject {
    /// A module-level variable.
    Module,
    /// A variable or parameter of a function.
    Local(u32),
    /// A member of a type.
    Member(u32),
    /// The result of a function.
    Function(u32),
    /// A supertype of a type.
    Base(u32),
}

impl Subject {
    fn has_name(self) -> bool {
        match self {
            Self::Module | Self::Local(_) | Self::Member(_) => true,
            Self::Function(_) | Self::Base(_) => false,
        }
    }
}

impl Bindings {
    pub(super) fn collect(
        file: u32,
        reader: &FactsReader<'_>,
        names: &Names,
        symbols: &SymbolTable,
    ) -> Self {
        let own = symbols.of_file(file);
        let mut keyed: Vec<(u64, BindingRow)> = Vec::new();
        reader.bindings(|kind, scope, [name, value]| {
            let scope = scope.filter(|at| *at < own.end - own.start).map(|at| own.start + at);
            let row =
                BindingRow { kind, scope, name: names.range(name), value: names.range(value) };
            if let Some(subject) = subject_of(&row, symbols) {
                let name = if subject.has_name() { names.text(row.name) } else { "" };
                keyed.push((hash_key((subject, name)), row));
            }
        });
        keyed.sort_by_key(|(key, _)| *key);
        let (keys, rows) = keyed.into_iter().unzip();
        Self { keys, rows }
    }

    /// Returns the bindings whose subject and name have the hash of these, in source order. The name is empty for the
    /// result of a function and for the supertypes of a type.
    pub(super) fn get(&self, subject: Subject, name: &str) -> &[BindingRow] {
        let key = hash_key((subject, name));
        let start = self.keys.partition_point(|other| *other < key);
        let length = self.keys[start..].partition_point(|other| *other == key);
        &self.rows[start..start + length]
    }

    /// Returns the size of the bindings in memory, in bytes.
    pub(super) fn size(&self) -> usize {
        self.keys.len() * 8 + self.rows.len() * size_of::<BindingRow>()
    }
}

fn subject_of(row: &BindingRow, symbols: &SymbolTable) -> Option<Subject> {
    Some(match row.kind {
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
            None => Subject::Module,
            Some(scope) if symbols.kind(scope).has_methods() => Subject::Member(scope),
            Some(scope) => Subject::Local(scope),
        },
    })
}
