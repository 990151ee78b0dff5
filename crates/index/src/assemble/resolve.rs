//! Resolves references to symbols and creates the edges. Scopes and imports are used if the language has them;
//! otherwise references are resolved by name alone, with lower confidence.

use syntax::{Kind, ReferenceKind};

use super::edges::{Graph, RawEdge};
use super::imports::Scope;
use super::modules::{Modules, folder_of};
use super::symbols::{SymbolRow, SymbolTable, owner_of};
use super::{Assembly, FileRow, named_files, tested};
use crate::edge::EdgeKind;
use crate::facts::{FactsReader, ImportFact, ReferenceFact, UNNAMED};
use crate::threads;

/// The maximum number of definitions of a name that is resolved by name alone. A name with more definitions is too
/// ambiguous.
const MAX_DEFINITIONS_OF_NAME: usize = 24;
/// The maximum number of symbols that a reference can resolve to. A reference with more targets gets no edges.
const MAX_TARGETS: usize = 4;

/// Returns the graph of all edges in the tree.
pub(super) fn resolve<'a>(
    assembly: &Assembly<'a>,
    files: &[FileRow<'a>],
    symbols: &SymbolTable<'a>,
) -> Graph {
    let modules = Modules::new(files);
    let mut edges = Vec::new();
    let numbers: Vec<u32> = (0..assembly.files.len() as u32).collect();
    let resolve_some = |some: &[u32]| {
        let mut edges = Vec::new();
        for number in some {
            resolve_file(
                *number,
                assembly.files[*number as usize].record,
                files,
                symbols,
                &modules,
                &mut edges,
            );
        }
        edges
    };
    if assembly.threads > 1 && numbers.len() > 64 {
        let (first, second) = numbers.split_at(numbers.len() / 2);
        std::thread::scope(|scope| {
            let other = threads::start(scope, || resolve_some(second));
            edges = resolve_some(first);
            edges.extend(other.join().unwrap_or_default());
        });
    } else {
        edges = resolve_some(&numbers);
    }
    tested::add_edges(files, &mut edges);
    named_files::add_edges(assembly, files, &mut edges);
    Graph::new(edges)
}

fn resolve_file<'a>(
    number: u32,
    record: &'a [u8],
    files: &[FileRow<'a>],
    symbols: &SymbolTable<'a>,
    modules: &Modules<'_>,
    edges: &mut Vec<RawEdge>,
) {
    let reader = FactsReader::new(record);
    let names = reader.names();
    let mut scope = Scope::default();
    reader.imports(&names, |import| {
        if import.item != ImportFact::FILE {
            scope.add(number, import, modules, (files, symbols), edges);
        }
    });
    let row = &files[number as usize];
    let resolver = FileResolver {
        file: number,
        first_symbol: row.first_symbol,
        n_symbols: row.n_symbols,
        folder: folder_of(row.path),
        scope,
        symbols,
        modules,
    };
    let n_files = files.len() as u32;
    let mut found = Vec::new();
    reader.references(&names, |reference| {
        resolver.targets(&reference, &mut found);
        let enclosing =
            reference.enclosing.filter(|at| *at < row.n_symbols).map(|at| row.first_symbol + at);
        let from = enclosing.map_or(number, |symbol| n_files + symbol);
        edges.extend(found.drain(..).map(|(symbol, confidence)| RawEdge {
            from,
            to: n_files + symbol,
            kind: edge_kind(reference.kind, symbols.rows[symbol as usize].fact.kind),
            confidence: to_byte(confidence),
            line: reference.line,
        }));
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

struct FileResolver<'s, 'a> {
    file: u32,
    first_symbol: u32,
    n_symbols: u32,
    folder: &'a str,
    scope: Scope<'a>,
    symbols: &'s SymbolTable<'a>,
    modules: &'s Modules<'s>,
}

impl<'a> FileResolver<'_, 'a> {
    /// Appends the symbols that a reference may refer to, each with a confidence.
    fn targets(&self, reference: &ReferenceFact<'a>, found: &mut Vec<(u32, f32)>) {
        if !self.symbols.by_name.contains_key(reference.name) {
            return;
        }
        let (chosen, confidence) = match reference.receiver {
            "" => self.by_scope(reference),
            UNNAMED => None,
            "self" | "this" | "cls" | "Self" | "super" | "@" | "parent" | "static" => {
                self.by_own_type(reference)
            }
            receiver => self.by_receiver(reference, receiver),
        }
        .unwrap_or_else(|| self.by_name(reference));
        if chosen.len() <= MAX_TARGETS {
            let share = confidence / chosen.len().max(1) as f32;
            found.extend(chosen.into_iter().map(|symbol| (symbol, share)));
        }
    }

    fn row(&self, symbol: u32) -> &SymbolRow<'a> {
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
            .take(MAX_TARGETS + 1)
            .collect();
        (!fitting.is_empty()).then_some(fitting)
    }

    fn enclosing(&self, reference: &ReferenceFact<'a>) -> Option<u32> {
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
        if same_named.len() > MAX_DEFINITIONS_OF_NAME {
            return (Vec::new(), 0.0);
        }
        let is_free = reference.receiver.is_empty();
        let fitting = self.fitting(
            reference,
            same_named.iter().copied().filter(|symbol| {
                self.has_same_modules(*symbol)
                    && (is_free || is_member(&self.symbols.rows, *symbol))
            }),
        );
        (fitting.unwrap_or_default(), if is_free { 0.6 } else { 0.5 })
    }

    fn has_same_modules(&self, symbol: u32) -> bool {
        self.modules.has_same_modules(self.file, self.row(symbol).file)
    }
}

fn is_member(rows: &[SymbolRow<'_>], symbol: u32) -> bool {
    let row = &rows[symbol as usize];
    row.fact.kind == Kind::Method
        || row.parent.is_some_and(|parent| rows[parent as usize].fact.kind.has_methods())
}

/// Returns whether a reference of this kind can refer to a symbol of this kind.
fn fits(reference: ReferenceKind, target: Kind) -> bool {
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
