//! Resolves references to symbols and creates the edges. Scopes and imports are used if the language has them;
//! otherwise references are resolved by name alone, with lower confidence.

use syntax::{Kind, ReferenceKind};

use super::bindings::BindingTable;
use super::edges::{Graph, RawEdge};
use super::imports::Scope;
use super::modules::{Modules, folder_of};
use super::standard_names::StandardNames;
use super::symbols::{SymbolRow, SymbolTable, owner_of};
use super::values::Evaluator;
use super::{Assembly, FileRow, named_files, tested};
use crate::edge::EdgeKind;
use crate::facts::{FactsReader, ImportFact, LITERAL, ReferenceFact, UNNAMED};
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
    folder: &'a str,
    is_test: bool,
    scope: &'s Scope<'a>,
    pub(super) symbols: &'s SymbolTable<'a>,
    modules: &'s Modules<'s>,
    pub(super) values: &'s Evaluator<'s, 'a>,
    standard: &'s StandardNames,
}

impl<'a> FileResolver<'_, 'a> {
    /// Appends the symbols that a reference may refer to, each with a confidence.
    fn targets(&self, reference: &ReferenceFact<'a>, found: &mut Vec<(u32, f32)>) {
        if !self.symbols.by_name.contains_key(reference.name) {
            return;
        }
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

    /// Resolves a reference in a language without bindings. The last name of the receiver is compared with the names
    /// of modules and types.
    fn by_rules(&self, reference: &ReferenceFact<'a>) -> (Vec<u32>, f32) {
        match last_name(reference.receiver) {
            "" => self.by_scope(reference),
            UNNAMED | LITERAL => None,
            "self" | "this" | "cls" | "Self" | "super" | "@" | "parent" | "static" => {
                self.by_own_type(reference)
            }
            receiver => self.by_receiver(reference, receiver),
        }
        .unwrap_or_else(|| self.by_name(reference))
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
    fn fitting(
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

    /// Returns the name of the innermost type that encloses a reference.
    fn own_type(&self, reference: &ReferenceFact<'a>) -> Option<&'a str> {
        let mut next = self.enclosing(reference);
        while let Some(symbol) = next {
            let row = self.row(symbol);
            if row.fact.kind.has_methods() {
                return Some(row.fact.name);
            }
            // In Go, `func (s *Server) Run()` is not nested in its type; the receiver names the type.
            if row.fact.kind == Kind::Method && row.parent.is_none() {
                return owner_of(row);
            }
            next = row.parent;
        }
        None
    }

    /// Resolves a name without a receiver: in this file, then in its imports, then in its package, then among the
    /// members of the enclosing type.
    fn by_scope(&self, reference: &ReferenceFact<'a>) -> Option<(Vec<u32>, f32)> {
        let name = reference.name;
        let free = |symbol: &u32| !is_member(&self.symbols.rows, *symbol);
        let free_in = |file: u32| self.symbols.in_file(file, name).filter(free);
        if let Some(here) = self.fitting(reference, free_in(self.file)) {
            return Some((here, 0.95));
        }
        if let Some(files) = self.scope.files_of(name) {
            if let Some(imported) =
                self.fitting(reference, files.iter().flat_map(|file| free_in(*file)))
            {
                return Some((imported, 0.95));
            }
            // The name is imported from outside the tree, so a symbol with this name in the tree is unrelated.
            if files.is_empty() {
                return Some((Vec::new(), 0.0));
            }
        }
        if let Some(opened) =
            self.fitting(reference, self.scope.open.iter().flat_map(|file| free_in(*file)))
        {
            return Some((opened, 0.85));
        }
        if self.modules.has_packages(self.file)
            && let Some(package) =
                self.fitting(reference, self.symbols.in_folder(self.folder, name).filter(free))
        {
            return Some((package, 0.9));
        }
        // In some languages a bare name may also refer to a method of the enclosing type.
        self.by_own_type(reference)
    }

    /// Resolves `self.x` among the members of the enclosing type: in this file, otherwise in other files.
    fn by_own_type(&self, reference: &ReferenceFact<'a>) -> Option<(Vec<u32>, f32)> {
        let own = self.own_type(reference)?;
        self.members_of(own, reference).map(|members| (members, 0.95))
    }

    /// Resolves `x.name`, where `x` is a module, a type, or a variable named after its type.
    fn by_receiver(
        &self,
        reference: &ReferenceFact<'a>,
        receiver: &str,
    ) -> Option<(Vec<u32>, f32)> {
        if let Some(files) = self.scope.files_of(receiver) {
            if files.is_empty() {
                return Some((Vec::new(), 0.0));
            }
            let inside = files.iter().flat_map(|file| self.symbols.in_file(*file, reference.name));
            if let Some(inside) = self.fitting(reference, inside) {
                return Some((inside, 0.9));
            }
        }
        if let Some(members) = self.members_of(receiver, reference) {
            return Some((members, 0.9));
        }
        if receiver.len() > 2
            && let Some(like) =
                self.fitting(reference, self.symbols.of_normalized_owner(receiver, reference.name))
        {
            return Some((like, 0.75));
        }
        if let Some(inside) = self.in_module(receiver, reference) {
            return Some((inside, 0.8));
        }
        Some(self.by_name(reference))
    }

    /// Resolves `store::open()` in a file that does not import `store`. The function may be in that module or in one of
    /// its submodules, because a module can re-export names of its submodules.
    fn in_module(&self, receiver: &str, reference: &ReferenceFact<'a>) -> Option<Vec<u32>> {
        let modules = self.modules.modules_named(self.file, receiver)?;
        let same_named = self.symbols.by_name.get(reference.name)?;
        let is_inside = |symbol: &u32| {
            let file = self.row(*symbol).file;
            !is_member(&self.symbols.rows, *symbol)
                && modules.iter().any(|module| self.modules.is_in(file, module))
        };
        self.fitting(reference, same_named.iter().copied().filter(is_inside))
    }

    /// Returns the matching members of the type `owner`: those in this file, or if there are none, those in other
    /// files.
    fn members_of(&self, owner: &str, reference: &ReferenceFact<'a>) -> Option<Vec<u32>> {
        let members = || self.symbols.of_owner(owner, reference.name);
        let here =
            self.fitting(reference, members().filter(|symbol| self.row(*symbol).file == self.file));
        here.or_else(|| {
            self.fitting(reference, members().filter(|symbol| self.has_same_modules(*symbol)))
        })
    }

    /// Resolves a reference by its name alone, among files with the same module system. If the reference has a
    /// receiver, only members are considered.
    fn by_name(&self, reference: &ReferenceFact<'a>) -> (Vec<u32>, f32) {
        let same_named = self.symbols.by_name.get(reference.name).map_or(&[][..], Vec::as_slice);
        let is_free = reference.receiver.is_empty();
        if same_named.len() > MAX_DEFINITIONS_OF_NAME
            || (!is_free && self.is_standard(reference.name))
        {
            return (Vec::new(), 0.0);
        }
        let fitting = self.fitting(
            reference,
            same_named.iter().copied().filter(|symbol| {
                self.has_same_modules(*symbol)
                    && (is_free || is_member(&self.symbols.rows, *symbol))
            }),
        );
        (fitting.unwrap_or_default(), if is_free { 0.6 } else { 0.5 })
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
