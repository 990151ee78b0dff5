//! Resolves references to symbols and creates the edges. In Python, JavaScript, TypeScript, Rust and Go, the types of
//! expressions are derived and used. In other languages, rules compare names.

use std::io;
use std::ops::Range;
use std::rc::Rc;
use std::sync::atomic::{AtomicUsize, Ordering};

use syntax::{Kind, ReferenceKind};

use super::edges::{EdgeRun, EdgeSorter, REFUTED, RawEdge};
use super::file_facts::{FileFacts, FileFactsCache};
use super::modules::Modules;
use super::named_files::NamedFiles;
use super::paths::{FileTable, folder_of};
use super::standard_names::StandardNames;
use super::symbols::SymbolTable;
use super::values::Evaluator;
use super::{Tree, imports, tested};
use crate::facts::{FactsReader, ImportFact, ReferenceFact};
use crate::role::Role;
use crate::snapshot::EdgeKind;
use crate::threads;

/// A reference is resolved by its name alone only if the name has at most this many definitions. Otherwise, it is too
/// ambiguous.
pub(super) const MAX_DEFINITIONS_OF_NAME: usize = 24;
/// The maximum number of symbols that a reference can resolve to. A reference with more targets gets no edges.
const MAX_TARGETS: usize = 4;
/// The maximum number of definitions of one item for different platforms. A reference has an edge to each of them.
const MAX_VARIANTS: usize = 16;
/// The number of files that are resolved with the same [`Evaluator`]. Its cache can affect whether a limit is reached,
/// and thus the edges. So that the same tree always has the same edges, this number must not depend on the machine.
const FILES_PER_EVALUATOR: usize = 512;

/// The memory for resolving references, in bytes.
#[derive(Clone, Copy)]
pub(super) struct Budget {
    /// The memory for the facts of the most recently used files, in all threads.
    pub(super) cache: usize,
    /// The memory for edges before they are written to a file, in all threads.
    pub(super) edges: usize,
}

/// Resolves the imports and references of all files in the tree. Returns the edges as sorted runs.
pub(super) fn resolve(
    tree: &Tree<'_>,
    files: &FileTable<'_>,
    symbols: &SymbolTable,
    budget: Budget,
) -> io::Result<Vec<EdgeRun>> {
    let modules = Modules::new(files);
    let named_files = NamedFiles::new(files);
    let standard = StandardNames::new();
    let n_chunks = files.len().div_ceil(FILES_PER_EVALUATOR);
    let n_threads = tree.threads.clamp(1, n_chunks.max(1));
    let next = AtomicUsize::new(0);
    let work = || -> io::Result<Vec<EdgeRun>> {
        let reader = tree.records();
        let cache = FileFactsCache::new(reader, symbols, &modules, budget.cache / n_threads);
        let mut records = tree.records();
        let mut edges = EdgeSorter::new(tree.spill, budget.edges / n_threads);
        loop {
            let first = next.fetch_add(1, Ordering::Relaxed) * FILES_PER_EVALUATOR;
            if first >= files.len() {
                return Ok(edges.finish());
            }
            tree.pauses.wait();
            let last = (first + FILES_PER_EVALUATOR).min(files.len());
            let values = Evaluator::new(files, symbols, &modules, &standard, &cache);
            let resolver = Resolver { values: &values, named: &named_files };
            for number in first as u32..last as u32 {
                records.with(number, |record| {
                    resolver.resolve_file(number, &FactsReader::new(record), &mut edges)
                })?;
            }
        }
    };
    let mut runs = Vec::new();
    let results: Vec<io::Result<Vec<EdgeRun>>> = std::thread::scope(|scope| {
        let others: Vec<_> = (1..n_threads).map(|_| threads::start(scope, work)).collect();
        let mut results = vec![work()];
        let failed = || Err(io::Error::other("a thread ended early"));
        results.extend(others.into_iter().map(|thread| thread.join().unwrap_or_else(failed)));
        results
    });
    for result in results {
        runs.extend(result?);
    }
    let mut edges = EdgeSorter::new(tree.spill, budget.edges);
    tested::add_edges(files, |edge| edges.push(edge))?;
    named_files.add_edges(|edge| edges.push(edge))?;
    runs.extend(edges.finish());
    Ok(runs)
}

/// Resolves the imports and references of files.
struct Resolver<'s, 't> {
    values: &'s Evaluator<'t>,
    named: &'s NamedFiles<'t>,
}

impl Resolver<'_, '_> {
    fn resolve_file(
        &self,
        number: u32,
        reader: &FactsReader<'_>,
        edges: &mut EdgeSorter<'_>,
    ) -> io::Result<()> {
        let names = reader.names();
        // An error is returned after the whole record has been read.
        let mut result = Ok(());
        let mut add = |edge: RawEdge| {
            if result.is_ok() {
                result = edges.push(edge);
            }
        };
        self.add_imports(number, reader, &names, &mut add);
        self.add_references(number, reader, &names, &mut add);
        result
    }

    fn add_imports(
        &self,
        number: u32,
        reader: &FactsReader<'_>,
        names: &[&str],
        add: &mut impl FnMut(RawEdge),
    ) {
        let Evaluator { files, symbols, modules, .. } = *self.values;
        let n_files = files.len() as u32;
        reader.imports(names, |import| {
            if import.item == ImportFact::FILE {
                self.named.add_named(number, &import, &mut *add);
                return;
            }
            imports::add_edges(number, &import, modules, symbols, |edge| {
                let is_tested = edge.to < n_files
                    && files.role(number) == Role::Test
                    && files.role(edge.to) == Role::Source;
                if is_tested {
                    let confidence = edge.confidence / 2;
                    add(RawEdge { kind: EdgeKind::Tests, confidence, ..edge });
                }
                add(edge);
            });
        });
    }

    fn add_references(
        &self,
        number: u32,
        reader: &FactsReader<'_>,
        names: &[&str],
        add: &mut impl FnMut(RawEdge),
    ) {
        let Evaluator { files, symbols, modules, .. } = *self.values;
        let folder = folder_of(files.path(number));
        let has_packages = modules.has_packages(number);
        let resolver = FileResolver {
            file: number,
            folder,
            folder_files: if has_packages { files.paths.below(folder) } else { 0..0 },
            is_test: files.role(number) == Role::Test,
            facts: self.values.facts(number),
            symbols,
            modules,
            values: self.values,
        };
        let (n_files, own) = (files.len() as u32, symbols.of_file(number));
        let mut found = Vec::new();
        reader.references(names, |reference, lines| {
            let is_foreign = resolver.targets(&reference, &mut found);
            let enclosing = resolver.enclosing(&reference);
            debug_assert!(
                enclosing.is_none_or(|symbol| own.contains(&symbol)),
                "it is in the file"
            );
            let from = enclosing.map_or(number, |symbol| n_files + symbol);
            if is_foreign && let Some(symbol) = symbols.named(reference.name).first() {
                let (to, kind, confidence) = (n_files + symbol, EdgeKind::Calls, REFUTED);
                for line in lines {
                    add(RawEdge { from, to, kind, confidence, line: *line });
                }
            }
            for (symbol, confidence) in found.drain(..) {
                let kind = edge_kind(reference.kind, symbols.kind(symbol));
                let (to, confidence) = (n_files + symbol, to_byte(confidence));
                for line in lines {
                    add(RawEdge { from, to, kind, confidence, line: *line });
                }
            }
        });
    }
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

/// What a reference refers to.
pub(super) enum Resolution {
    /// One of these symbols, with the total confidence.
    Symbols(Vec<u32>, f32),
    /// Something that the tree does not define.
    Foreign,
    Unknown,
}

pub(super) struct FileResolver<'s, 't> {
    pub(super) file: u32,
    pub(super) folder: &'s str,
    /// The files below the file's folder. Empty if files in the same folder have to import each other in this language.
    pub(super) folder_files: Range<u32>,
    is_test: bool,
    pub(super) facts: Rc<FileFacts>,
    pub(super) symbols: &'s SymbolTable,
    pub(super) modules: &'s Modules<'t>,
    pub(super) values: &'s Evaluator<'t>,
}

impl FileResolver<'_, '_> {
    /// Appends the symbols that a reference may refer to, each with a confidence. Returns whether the reference is a
    /// call that is known to refer to something outside the tree.
    fn targets(&self, reference: &ReferenceFact<'_>, found: &mut Vec<(u32, f32)>) -> bool {
        let name = reference.name;
        if !self.symbols.is_known(name) && !self.facts.scope.is_alias(name, &self.facts.names) {
            return false;
        }
        self.values.start();
        let resolution = if self.modules.has_types(self.file) {
            self.by_types(reference)
        } else if self.modules.declares_types(self.file) {
            self.by_declared_types(reference)
        } else {
            self.by_rules(reference)
        };
        match resolution {
            Resolution::Symbols(chosen, confidence) => {
                let are_variants = self.are_variants(&chosen);
                if chosen.len() <= MAX_TARGETS || are_variants && chosen.len() <= MAX_VARIANTS {
                    let n_alternatives = if are_variants { 1 } else { chosen.len() };
                    let share = confidence / n_alternatives.max(1) as f32;
                    found.extend(chosen.into_iter().map(|symbol| (symbol, share)));
                }
                false
            }
            Resolution::Foreign => reference.kind == ReferenceKind::Call,
            Resolution::Unknown => false,
        }
    }

    /// Returns whether the file may refer to a symbol. Only test files refer to definitions in test files.
    pub(super) fn may_refer_to(&self, symbol: u32) -> bool {
        self.is_test || self.values.files.role(self.symbols.file(symbol)) != Role::Test
    }

    /// Returns whether the language's standard library has a method with this name.
    pub(super) fn is_standard(&self, name: &str) -> bool {
        self.values.standard.contains(self.modules.system(self.file), name)
    }

    /// Returns the elements of `symbols` that the reference can refer to, according to [`fits`] and
    /// [`Self::may_refer_to`]. Returns at most `MAX_VARIANTS + 1` elements, or `None` if there are none.
    pub(super) fn fitting(
        &self,
        reference: &ReferenceFact<'_>,
        symbols: impl Iterator<Item = u32>,
    ) -> Option<Vec<u32>> {
        let fitting: Vec<u32> = symbols
            .filter(|symbol| fits(reference.kind, self.symbols.kind(*symbol)))
            .filter(|symbol| self.may_refer_to(*symbol))
            .take(MAX_VARIANTS + 1)
            .collect();
        (!fitting.is_empty()).then_some(fitting)
    }

    pub(super) fn enclosing(&self, reference: &ReferenceFact<'_>) -> Option<u32> {
        let own = self.symbols.of_file(self.file);
        reference.enclosing.map(|at| own.start.saturating_add(at)).filter(|at| own.contains(at))
    }

    pub(super) fn has_same_modules(&self, symbol: u32) -> bool {
        self.modules.has_same_modules(self.file, self.symbols.file(symbol))
    }
}

pub(super) fn is_member(symbols: &SymbolTable, symbol: u32) -> bool {
    symbols.kind(symbol) == Kind::Method
        || symbols.parent(symbol).is_some_and(|parent| symbols.kind(parent).has_methods())
}

/// Returns the last name of a chain of names, without the brackets at the end: `c` for `a.b.c()`.
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
