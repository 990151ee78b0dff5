//! Resolves references to symbols and creates the edges: with types in the languages that have bindings, otherwise with
//! rules that compare names.

use syntax::{Kind, ReferenceKind};

use super::bindings::BindingTable;
use super::edges::{Graph, RawEdge};
use super::imports::Scope;
use super::modules::{Modules, folder_of};
use super::standard_names::StandardNames;
use super::symbols::{SymbolRow, SymbolTable};
use super::values::Evaluator;
use super::{Assembly, FileRow, named_files, tested};
use crate::edge::EdgeKind;
use crate::facts::{FactsReader, ImportFact, ReferenceFact};
use crate::role::Role;
use crate::threads;

/// The maximum number of definitions of a name that is resolved by name alone. A name with more definitions is too
/// ambiguous.
pub(super) const MAX_DEFINITIONS_OF_NAME: usize = 24;
/// The maximum number of symbols that a reference can resolve to. A reference with more targets gets no edges.
const MAX_TARGETS: usize = 4;

/// Returns the graph of all edges in the tree.
pub(super) fn resolve<'a>(
    assembly: &Assembly<'a>,
    files: &[FileRow<'a>],
    symbols: &SymbolTable<'a>,
) -> Graph {
    let modules = Modules::new(files);
    let standard = StandardNames::new();
    let numbers: Vec<u32> = (0..assembly.files.len() as u32).collect();
    let imports_of = |some: &[u32]| -> (Vec<Scope<'a>>, Vec<RawEdge>) {
        let mut edges = Vec::new();
        let scopes = some
            .iter()
            .map(|number| {
                let reader = FactsReader::new(assembly.files[*number as usize].record);
                let mut scope = Scope::default();
                reader.imports(&reader.names(), |import| {
                    if import.item != ImportFact::FILE {
                        scope.add(*number, import, &modules, (files, symbols), &mut edges);
                    }
                });
                scope
            })
            .collect();
        (scopes, edges)
    };
    let halves = in_halves(assembly.threads, &numbers, imports_of);
    let mut scopes = Vec::with_capacity(files.len());
    let mut edges = Vec::new();
    for (some_scopes, some_edges) in halves {
        scopes.extend(some_scopes);
        edges.extend(some_edges);
    }
    // A thread that ended early gives no scopes.
    scopes.resize_with(files.len(), Scope::default);
    let bindings = BindingTable::collect(assembly, files, symbols);
    let resolve_some = |some: &[u32]| {
        let mut edges = Vec::new();
        let values = Evaluator::new((files, symbols), &modules, &scopes, &bindings);
        for number in some {
            resolve_file(
                *number,
                assembly.files[*number as usize].record,
                &values,
                &standard,
                &mut edges,
            );
        }
        edges
    };
    edges.extend(in_halves(assembly.threads, &numbers, resolve_some).into_iter().flatten());
    tested::add_edges(files, &mut edges);
    named_files::add_edges(assembly, files, &mut edges);
    Graph::new(edges)
}

/// Applies `work` to all files, on two threads if there are several.
fn in_halves<T: Send + Default>(
    n_threads: usize,
    files: &[u32],
    work: impl Fn(&[u32]) -> T + Sync,
) -> Vec<T> {
    if n_threads < 2 || files.len() <= 64 {
        return vec![work(files)];
    }
    let (first, second) = files.split_at(files.len() / 2);
    std::thread::scope(|scope| {
        let other = threads::start(scope, || work(second));
        vec![work(first), other.join().unwrap_or_default()]
    })
}

fn resolve_file<'a>(
    number: u32,
    record: &'a [u8],
    values: &Evaluator<'_, 'a>,
    standard: &StandardNames,
    edges: &mut Vec<RawEdge>,
) {
    let reader = FactsReader::new(record);
    let names = reader.names();
    let Evaluator { files, symbols, modules, scopes, .. } = *values;
    let row = &files[number as usize];
    let resolver = FileResolver {
        file: number,
        first_symbol: row.first_symbol,
        n_symbols: row.n_symbols,
        folder: folder_of(row.path),
        is_test: row.role == Role::Test,
        scope: &scopes[number as usize],
        symbols,
        modules,
        values,
        standard,
    };
    let n_files = files.len() as u32;
    let mut found = Vec::new();
    reader.references(&names, |reference, lines| {
        resolver.targets(&reference, &mut found);
        let enclosing =
            reference.enclosing.filter(|at| *at < row.n_symbols).map(|at| row.first_symbol + at);
        let from = enclosing.map_or(number, |symbol| n_files + symbol);
        for (symbol, confidence) in found.drain(..) {
            let kind = edge_kind(reference.kind, symbols.rows[symbol as usize].fact.kind);
            let (to, confidence) = (n_files + symbol, to_byte(confidence));
            edges.extend(lines.iter().map(|line| RawEdge {
                from,
                to,
                kind,
                confidence,
                line: *line,
            }));
        }
    });
}

pub(super) fn to_byte(confidence: f32) -> u8 {
    (confidence.clamp(0.0, 1.0) * 255.0).round() as u8
}

fn edge_kind(reference: ReferenceKind, target: Kind) -> EdgeKind {
    match reference {
        ReferenceKind::Inherit => EdgeKind::Inherits,
        ReferenceKind::Call | ReferenceKind::Macro => EdgeKind::Calls,
        // A function that is used without being called is usually passed to code that calls it.
        ReferenceKind::Use if target.is_callable() => EdgeKind::Calls,
        ReferenceKind::Type | ReferenceKind::Use => EdgeKind::References,
    }
}

pub(super) struct FileResolver<'s, 'a> {
    pub(super) file: u32,
    first_symbol: u32,
    n_symbols: u32,
    pub(super) folder: &'a str,
    is_test: bool,
    pub(super) scope: &'s Scope<'a>,
    pub(super) symbols: &'s SymbolTable<'a>,
    pub(super) modules: &'s Modules<'s>,
    pub(super) values: &'s Evaluator<'s, 'a>,
    standard: &'s StandardNames,
}

impl<'a> FileResolver<'_, 'a> {
    /// Appends the symbols that a reference may refer to, each with a confidence.
    fn targets(&self, reference: &ReferenceFact<'a>, found: &mut Vec<(u32, f32)>) {
        let name = reference.name;
        let is_known = self.symbols.by_name.contains_key(name)
            || self.values.bindings.other_names.contains(name)
            || self.scope.aliases.contains(&name);
        if !is_known {
            return;
        }
        self.values.start();
        let (chosen, confidence) = if self.modules.has_types(self.file) {
            self.by_types(reference)
        } else {
            self.by_rules(reference)
        };
        if chosen.len() <= MAX_TARGETS {
            let share = confidence / chosen.len().max(1) as f32;
            found.extend(chosen.into_iter().map(|symbol| (symbol, share)));
        }
    }

    /// Returns whether the file may refer to a symbol. Only tests refer to the definitions in tests.
    pub(super) fn may_refer_to(&self, symbol: u32) -> bool {
        self.is_test || self.values.files[self.row(symbol).file as usize].role != Role::Test
    }

    /// Returns whether the standard library of the language has a method with this name.
    pub(super) fn is_standard(&self, name: &str) -> bool {
        self.standard.contains(self.modules.system(self.file), name)
    }

    pub(super) fn row(&self, symbol: u32) -> &SymbolRow<'a> {
        &self.symbols.rows[symbol as usize]
    }

    /// Returns the elements of `symbols` whose kind fits the reference (at most `MAX_TARGETS + 1`), or `None` if there
    /// are none.
    pub(super) fn fitting(
        &self,
        reference: &ReferenceFact<'a>,
        symbols: impl Iterator<Item = u32>,
    ) -> Option<Vec<u32>> {
        let fitting: Vec<u32> = symbols
            .filter(|symbol| fits(reference.kind, self.row(*symbol).fact.kind))
            .filter(|symbol| self.may_refer_to(*symbol))
            .take(MAX_TARGETS + 1)
            .collect();
        (!fitting.is_empty()).then_some(fitting)
    }

    pub(super) fn enclosing(&self, reference: &ReferenceFact<'a>) -> Option<u32> {
        reference.enclosing.filter(|at| *at < self.n_symbols).map(|at| self.first_symbol + at)
    }

    pub(super) fn has_same_modules(&self, symbol: u32) -> bool {
        self.modules.has_same_modules(self.file, self.row(symbol).file)
    }
}

pub(super) fn is_member(rows: &[SymbolRow<'_>], symbol: u32) -> bool {
    let row = &rows[symbol as usize];
    row.fact.kind == Kind::Method
        || row.parent.is_some_and(|parent| rows[parent as usize].fact.kind.has_methods())
}

/// Returns the last name of a chain, or the chain itself if it is not a chain of names.
pub(super) fn last_name(chain: &str) -> &str {
    let chain = chain.trim_end_matches(['(', ')', '[', ']']);
    chain.rsplit('.').next().unwrap_or(chain)
}

/// Returns whether a reference of this kind can refer to a symbol of this kind.
pub(super) fn fits(reference: ReferenceKind, target: Kind) -> bool {
    let is_type = target.has_methods() || target == Kind::TypeAlias;
    match reference {
        ReferenceKind::Call => {
            target.is_callable()
                || is_type
                || matches!(
                    target,
                    Kind::Macro
                        | Kind::Variant
                        | Kind::Property
                        | Kind::Field
                        | Kind::Variable
                        | Kind::Constant
                )
        }
        ReferenceKind::Macro => target == Kind::Macro || target.is_callable(),
        ReferenceKind::Type | ReferenceKind::Inherit => is_type || target == Kind::Module,
        ReferenceKind::Use => target != Kind::Module,
    }
}
