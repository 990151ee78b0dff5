//! Names become arrows: by scope and import where the language shows them, by name alone with less confidence where not.

use syntax::{Kind, ReferenceKind};

use super::edges::{Graph, RawEdge};
use super::imports::{Scope, last_part};
use super::modules::Modules;
use super::symbols::{SymbolRow, SymbolTable};
use super::{Assembly, FileRow, tested};
use crate::edge::EdgeKind;
use crate::facts::{FactsReader, ReferenceFact};

/// A name borne by more than this many says nothing without a scope.
const MAX_NAMESAKES: usize = 6;
/// Nobody gains from more arrows than this from one reference.
const MAX_TARGETS: usize = 4;

/// All arrows of the tree.
pub(super) fn resolve<'a>(assembly: &Assembly<'a>, files: &[FileRow<'a>], symbols: &SymbolTable<'a>) -> Graph {
    let modules = Modules::new(files);
    let mut edges = Vec::new();
    let numbers: Vec<u32> = (0..assembly.files.len() as u32).collect();
    let resolve_some = |some: &[u32]| {
        let mut edges = Vec::new();
        for number in some {
            resolve_file(*number, assembly.files[*number as usize].record, files, symbols, &modules, &mut edges);
        }
        edges
    };
    if assembly.threads > 1 && numbers.len() > 64 {
        let (first, second) = numbers.split_at(numbers.len() / 2);
        std::thread::scope(|scope| {
            let other = scope.spawn(|| resolve_some(second));
            edges = resolve_some(first);
            edges.extend(other.join().unwrap_or_default());
        });
    } else {
        edges = resolve_some(&numbers);
    }
    tested::add_edges(files, &mut edges);
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
    let mut reader = FactsReader::new(record);
    reader.terms(|_, _| {});
    reader.symbols(|_| {});
    let mut references = Vec::new();
    reader.references(|reference| references.push(reference));
    let mut scope = Scope::default();
    reader.imports(|import| scope.add(number, import, modules, (files, symbols), edges));
    let row = &files[number as usize];
    let site = Site { file: number, first_symbol: row.first_symbol, n_symbols: row.n_symbols, scope, symbols, modules };
    let n_files = files.len() as u32;
    let mut found = Vec::new();
    for reference in &references {
        site.targets(reference, &mut found);
        let enclosing = reference.enclosing.filter(|at| *at < row.n_symbols).map(|at| row.first_symbol + at);
        let from = enclosing.map_or(number, |symbol| n_files + symbol);
        edges.extend(found.drain(..).map(|(symbol, confidence)| RawEdge {
            from,
            to: n_files + symbol,
            kind: edge_kind(reference.kind, symbols.rows[symbol as usize].fact.kind),
            confidence: to_byte(confidence),
            line: reference.line,
        }));
    }
}

/// A confidence as it is stored.
pub(super) fn to_byte(confidence: f32) -> u8 {
    (confidence.clamp(0.0, 1.0) * 255.0).round() as u8
}

fn edge_kind(reference: ReferenceKind, target: Kind) -> EdgeKind {
    match reference {
        ReferenceKind::Inherit => EdgeKind::Inherits,
        ReferenceKind::Call | ReferenceKind::Macro => EdgeKind::Calls,
        // A function named without being called is handed to someone who will.
        ReferenceKind::Use if target.is_callable() => EdgeKind::Calls,
        ReferenceKind::Type | ReferenceKind::Use => EdgeKind::References,
    }
}

/// A file whose references are being resolved.
struct Site<'s, 'a> {
    file: u32,
    first_symbol: u32,
    n_symbols: u32,
    scope: Scope<'a>,
    symbols: &'s SymbolTable<'a>,
    modules: &'s Modules<'s>,
}

impl<'a> Site<'_, 'a> {
    /// What a reference may mean, with how sure that is.
    fn targets(&self, reference: &ReferenceFact<'a>, found: &mut Vec<(u32, f32)>) {
        let Some(namesakes) = self.symbols.by_name.get(reference.name) else { return };
        let fitting = |symbol: &&u32| fits(reference.kind, self.row(**symbol).fact.kind);
        let receiver = last_part(reference.receiver.trim_end_matches(['?', '!', '(', ')']));
        let (chosen, confidence) = match receiver {
            "" => self.by_scope(reference, namesakes),
            "self" | "this" | "cls" | "Self" | "super" | "@" | "parent" | "static" => self.by_own_type(reference, namesakes),
            _ => self.by_receiver(reference, receiver, namesakes),
        }
        .unwrap_or_else(|| self.by_name(reference, namesakes));
        let chosen: Vec<u32> = chosen.iter().filter(fitting).take(MAX_TARGETS + 1).copied().collect();
        if chosen.len() <= MAX_TARGETS {
            let share = confidence / chosen.len().max(1) as f32;
            found.extend(chosen.into_iter().map(|symbol| (symbol, share)));
        }
    }

    fn row(&self, symbol: u32) -> &SymbolRow<'a> {
        &self.symbols.rows[symbol as usize]
    }

    fn enclosing(&self, reference: &ReferenceFact<'a>) -> Option<u32> {
        reference.enclosing.filter(|at| *at < self.n_symbols).map(|at| self.first_symbol + at)
    }

    /// The nearest type around a reference, by its qualified name.
    fn own_type(&self, reference: &ReferenceFact<'a>) -> Option<&'a str> {
        let mut next = self.enclosing(reference);
        while let Some(symbol) = next {
            let row = self.row(symbol);
            if row.fact.kind.has_methods() {
                return Some(row.fact.name);
            }
            // `func (s *Server) Run()` names its type without standing in it.
            if row.fact.kind == Kind::Method && row.parent.is_none() {
                return row.fact.qualified.rsplit('.').nth(1);
            }
            next = row.parent;
        }
        None
    }

    /// A bare name: this file, then what it imports, then its package.
    fn by_scope(&self, reference: &ReferenceFact<'a>, namesakes: &[u32]) -> Option<(Vec<u32>, f32)> {
        let free = |symbol: &u32| !is_member(&self.symbols.rows, *symbol);
        let here = pick(namesakes, |symbol| self.row(*symbol).file == self.file && free(symbol));
        if !here.is_empty() {
            return Some((here, 0.95));
        }
        if let Some(files) = self.scope.files_of(reference.name) {
            let imported = pick(namesakes, |symbol| files.contains(&self.row(*symbol).file) && free(symbol));
            if !imported.is_empty() {
                return Some((imported, 0.95));
            }
            // Imported from outside the tree: a namesake here is another thing.
            if files.is_empty() {
                return Some((Vec::new(), 0.0));
            }
        }
        let opened = pick(namesakes, |symbol| self.scope.open.contains(&self.row(*symbol).file) && free(symbol));
        if !opened.is_empty() {
            return Some((opened, 0.85));
        }
        let package = pick(namesakes, |symbol| self.modules.is_same_package(self.file, self.row(*symbol).file) && free(symbol));
        if !package.is_empty() {
            return Some((package, 0.9));
        }
        // In some languages a bare name may also be a method of the type around it.
        self.by_own_type(reference, namesakes).filter(|_| self.own_type(reference).is_some())
    }

    /// `self.x`: the type around the reference, wherever its other parts stand.
    fn by_own_type(&self, reference: &ReferenceFact<'a>, namesakes: &[u32]) -> Option<(Vec<u32>, f32)> {
        let own = self.own_type(reference)?;
        self.members_of(own, namesakes).map(|members| (members, 0.95))
    }

    /// `x.name`: `x` is a module, a type, or a variable that is called like its type.
    fn by_receiver(&self, reference: &ReferenceFact<'a>, receiver: &str, namesakes: &[u32]) -> Option<(Vec<u32>, f32)> {
        if let Some(files) = self.scope.files_of(receiver) {
            if files.is_empty() {
                return Some((Vec::new(), 0.0));
            }
            let inside = pick(namesakes, |symbol| files.contains(&self.row(*symbol).file));
            if !inside.is_empty() {
                return Some((inside, 0.9));
            }
        }
        if let Some(members) = self.members_of(receiver, namesakes) {
            return Some((members, 0.9));
        }
        let plain = |text: &str| text.replace('_', "").to_lowercase();
        let wanted = plain(receiver);
        if wanted.len() > 2 {
            let like = pick(namesakes, |symbol| container_name(self.row(*symbol)).is_some_and(|name| plain(name) == wanted));
            if !like.is_empty() {
                return Some((like, 0.75));
            }
        }
        let members = pick(namesakes, |symbol| is_member(&self.symbols.rows, *symbol));
        Some(self.by_name(reference, &members))
    }

    /// Symbols of a type with this name; those in this file first.
    fn members_of(&self, owner: &str, namesakes: &[u32]) -> Option<Vec<u32>> {
        let members = pick(namesakes, |symbol| container_name(self.row(*symbol)) == Some(owner));
        let here = pick(&members, |symbol| self.row(*symbol).file == self.file);
        [here, members].into_iter().find(|list| !list.is_empty())
    }

    /// Nothing but the name, within the language.
    fn by_name(&self, reference: &ReferenceFact<'a>, namesakes: &[u32]) -> (Vec<u32>, f32) {
        let family = pick(namesakes, |symbol| {
            let row = self.row(*symbol);
            fits(reference.kind, row.fact.kind) && self.modules.is_same_family(self.file, row.file)
        });
        if family.len() > MAX_NAMESAKES {
            return (Vec::new(), 0.0);
        }
        (family, if reference.receiver.is_empty() { 0.6 } else { 0.5 })
    }
}

fn pick(symbols: &[u32], keep: impl Fn(&u32) -> bool) -> Vec<u32> {
    symbols.iter().copied().filter(|symbol| keep(symbol)).collect()
}

/// The last name before a symbol's own in its qualified name.
fn container_name<'a>(row: &SymbolRow<'a>) -> Option<&'a str> {
    row.fact.qualified.rsplit('.').nth(1)
}

fn is_member(rows: &[SymbolRow<'_>], symbol: u32) -> bool {
    let row = &rows[symbol as usize];
    row.fact.kind == Kind::Method
        || row.parent.is_some_and(|parent| rows[parent as usize].fact.kind.has_methods())
}

/// Whether such a reference can mean such a thing.
fn fits(reference: ReferenceKind, target: Kind) -> bool {
    let is_type = target.has_methods() || target == Kind::TypeAlias;
    match reference {
        ReferenceKind::Call => {
            target.is_callable() || is_type || matches!(target, Kind::Macro | Kind::Variant | Kind::Property | Kind::Field | Kind::Variable | Kind::Constant)
        }
        ReferenceKind::Macro => target == Kind::Macro || target.is_callable(),
        ReferenceKind::Type | ReferenceKind::Inherit => is_type || target == Kind::Module,
        ReferenceKind::Use => target != Kind::Module,
    }
}
