//! Finds the lines that have a given relation to a name, by the edges in the index and by the text of the lines.
//!
//! Edges show which definition a line refers to, but some references cannot be resolved. Therefore, the text is also
//! searched for the exact name. A line that is found in this way counts as certain only if the name has a single
//! definition and is unlikely to occur with another meaning.

use std::cell::{OnceCell, RefCell};

use index::{EdgeKind, FileId, Kind, Node, Role, SymbolId, View};
use rustc_hash::{FxHashMap, FxHashSet};

use super::QuestionKind;
use super::answer::Verb;
use super::inheritance::overrides;
use super::line_relations::{
    calls, defines, has_word, imports, inherits, is_mention, reports, sets,
};
use super::occurrences::{Corpus, Occurrence, Occurrences, place};
use super::sites::{Site, Sites, enclosing_names, merge, remove_plain_imports};
use crate::impact::{Affected, affected};
use crate::location::{Location, file_of};

/// The minimum confidence at which an edge is reported as certain rather than possible.
pub(crate) const MIN_CERTAIN_EDGE: f32 = 0.7;
/// The minimum length at which a name that consists of a single word counts as distinctive.
const MIN_DISTINCTIVE_CHARS: usize = 10;
const MAX_INDIRECT: usize = 40;
/// If a question asks about a plain word, only the files of this many of its definitions are searched.
const MAX_DEFINITION_FILES: usize = 16;

/// Returns whether a name is unlikely to occur with another meaning, because it is a compound name or a long word.
pub(super) fn is_distinctive(name: &str) -> bool {
    let name = last_part(name).trim_matches('_');
    let mut n_parts = 0;
    index::text::for_each_part(name, |_| n_parts += 1);
    n_parts > 1 || name.chars().count() >= MIN_DISTINCTIVE_CHARS
}

pub(super) fn last_part(name: &str) -> &str {
    name.rsplit(['.', ':', '#', '>']).next().unwrap_or(name)
}

/// A name with its definitions and occurrences.
pub(super) struct NameSites<'a> {
    corpus: Corpus<'a>,
    /// The last part of the qualified name.
    pub(super) name: &'a str,
    pub(super) definitions: Vec<SymbolId>,
    /// Whether every line that contains the name is assumed to refer to its only definition.
    pub(super) is_unambiguous: bool,
    /// Whether all files are searched for lines that contain the name. If not, only the files of the definitions are
    /// searched. This is the case for a plain word, because a line that contains it may not refer to the symbol of that
    /// name.
    pub(super) searches_text: bool,
    occurrences: OnceCell<Occurrences>,
    /// The lines that contain the name and are known to refer to something else.
    pub(super) others: OnceCell<FxHashSet<(FileId, u32)>>,
    /// For each file that has been checked, the lines at which definitions with this name start.
    starts: RefCell<FxHashMap<FileId, Vec<u32>>>,
}

impl<'a> NameSites<'a> {
    pub(super) fn new(
        corpus: Corpus<'a>,
        name: &'a str,
        definitions: Vec<SymbolId>,
        is_word: bool,
    ) -> Self {
        let name = last_part(name);
        let n_same = corpus.view.map_or(1, |view| view.symbols_named(name).len());
        let is_unambiguous =
            n_same == definitions.len().max(1) && n_same == 1 && is_distinctive(name);
        let searches_text = corpus.view.is_none() || !is_word || is_unambiguous;
        Self {
            corpus,
            name,
            definitions,
            is_unambiguous,
            searches_text,
            occurrences: OnceCell::new(),
            others: OnceCell::new(),
            starts: RefCell::default(),
        }
    }

    pub(super) fn sites(&self, kind: QuestionKind) -> Sites {
        let mut sites = match kind {
            QuestionKind::Definition => self.definition_sites(),
            QuestionKind::Callees => self.callees(),
            QuestionKind::Overrides => self.overrides(),
            QuestionKind::Callers if self.corpus.view.is_some() => self.caller_sites(),
            QuestionKind::Callers
            | QuestionKind::Uses
            | QuestionKind::Implementations
            | QuestionKind::Tests
            | QuestionKind::Impact => self.incoming(kind),
            QuestionKind::Writes | QuestionKind::Reads | QuestionKind::Reports => {
                self.by_text(kind, Vec::new())
            }
        };
        if kind == QuestionKind::Implementations && sites.is_empty() {
            sites = self.overrides();
        }
        if kind == QuestionKind::Impact {
            self.add_indirect(&mut sites);
        }
        // A name that is never called may be used in another way, such as a class that is listed in a table.
        if kind == QuestionKind::Callers && sites.is_empty() {
            sites = self.incoming(QuestionKind::Uses);
        }
        let is_text = !matches!(
            kind,
            QuestionKind::Definition | QuestionKind::Callees | QuestionKind::Overrides
        );
        Sites {
            kind,
            is_complete: !is_text || self.occurrences().is_complete,
            is_absent: sites.is_empty() && self.is_absent(kind),
            sites,
        }
    }

    pub(super) fn occurrences(&self) -> &Occurrences {
        self.occurrences.get_or_init(|| {
            let name = self.name;
            let judge = |line: &str| has_word(line, name).then_some(100);
            match self.corpus.view {
                Some(view) if !self.searches_text => {
                    let first = self.definitions.iter().take(MAX_DEFINITION_FILES);
                    let mut files: Vec<_> = first.map(|id| view.symbol(*id).file).collect();
                    files.sort_by(|a, b| view.path(*a).cmp(view.path(*b)));
                    files.dedup();
                    self.corpus.find_in(view, files, &[name], &judge)
                }
                Some(_) | None => self.corpus.find(&[name], &[name], &judge),
            }
        })
    }

    /// Returns the occurrences in code that are neither definitions nor comments.
    pub(super) fn references(&self) -> impl Iterator<Item = &Occurrence> {
        self.occurrences()
            .found
            .iter()
            .filter(|found| is_code(found, self.name) && !self.is_definition(found))
    }

    /// Returns whether an occurrence is the place where the name is defined. This is the case if the text of its line
    /// looks like a definition, or if a symbol with this name starts there in the index. Decorators and comments
    /// between the start of the symbol and its name are skipped.
    fn is_definition(&self, found: &Occurrence) -> bool {
        if defines(&found.text, self.name) {
            return true;
        }
        let (Some(view), Some(file)) = (self.corpus.view, found.file) else { return false };
        let mut starts = self.starts.borrow_mut();
        let starts = starts.entry(file).or_insert_with(|| {
            let same = view.symbols_in(file).filter(|symbol| symbol.name == self.name);
            same.map(|symbol| *symbol.lines.start()).collect()
        });
        starts.iter().any(|start| self.name_line(&found.path, *start) == found.line)
    }

    /// Returns the first line at or after `start` that contains the name, or `start` if none of the next 12 lines
    /// contains it. Decorators and comments may precede the name.
    fn name_line(&self, path: &str, start: u32) -> u32 {
        let found = &self.occurrences().found;
        let first =
            found.partition_point(|found| (found.path.as_str(), found.line) < (path, start));
        let next = found.get(first).filter(|found| found.path == path && found.line <= start + 12);
        next.map_or(start, |found| found.line)
    }

    fn definition_sites(&self) -> Vec<Site> {
        let Some(view) = self.corpus.view else {
            let found =
                self.occurrences().found.iter().filter(|found| defines(&found.text, self.name));
            let mut sites = Vec::new();
            for found in found {
                merge(&mut sites, Site::of_occurrence(&self.corpus, found, Verb::Defines));
            }
            return sites;
        };
        let site = |id: &SymbolId| {
            let location = Location::of(view, Node::Symbol(*id));
            let line = self.name_line(&location.path, *location.lines.start());
            Site::at(view, Node::Symbol(*id), line, Verb::Defines, true)
        };
        self.definitions.iter().map(site).collect()
    }

    /// Returns the lines that have the relation `kind` to the name, found by edges and by their text.
    fn incoming(&self, kind: QuestionKind) -> Vec<Site> {
        let mut sites = Vec::new();
        if let Some(view) = self.corpus.view {
            for definition in self.targets(view) {
                for edge in view.edges_into(Node::Symbol(definition)) {
                    let Some(verb) = edge_verb(kind, edge.kind) else { continue };
                    let is_own =
                        matches!(edge.from, Node::Symbol(id) if self.definitions.contains(&id));
                    if !is_own {
                        let is_certain = edge.confidence >= MIN_CERTAIN_EDGE;
                        merge(&mut sites, Site::at(view, edge.from, edge.line, verb, is_certain));
                    }
                }
            }
        }
        let mut sites = self.by_text(kind, sites);
        if kind == QuestionKind::Tests {
            sites.retain(|site| site.is_test);
        }
        remove_plain_imports(&mut sites);
        for site in sites.iter_mut().filter(|site| site.is_test) {
            if matches!(site.verb, Verb::Calls | Verb::Uses | Verb::Imports) {
                site.verb = Verb::Tests;
            }
        }
        sites
    }

    /// Returns the callers as sites, with one site for each calling definition.
    fn caller_sites(&self) -> Vec<Site> {
        let Some(view) = self.corpus.view else { return Vec::new() };
        let callers = self.callers(view);
        let mut sites = Vec::new();
        for call in callers.certain.into_iter().chain(callers.possible) {
            let is_certain = call.confidence >= MIN_CERTAIN_EDGE;
            let mut new = Site::at(view, call.node, call.line, Verb::Calls, is_certain);
            if new.is_test {
                new.verb = Verb::Tests;
            }
            new.symbol = around_known(view, &sites, &new, file_of(view, call.node)).or(new.symbol);
            merge(&mut sites, new);
        }
        sites
    }

    /// Returns the definitions and, for types, their constructors.
    pub(super) fn targets(&self, view: &View) -> Vec<SymbolId> {
        let mut targets = self.definitions.clone();
        for id in &self.definitions {
            let symbol = view.symbol(*id);
            if symbol.kind.has_methods() {
                let is_constructor = |member: &index::Symbol<'_>| {
                    member.parent == Some(*id) && member.kind == Kind::Constructor
                };
                let members = view.symbols_in(symbol.file).filter(is_constructor);
                targets.extend(members.map(|member| member.id));
            }
        }
        targets
    }

    /// Adds to `sites` the lines whose text indicates that they have the relation `kind` to the name, and returns all
    /// sites.
    fn by_text(&self, kind: QuestionKind, mut sites: Vec<Site>) -> Vec<Site> {
        if !self.searches_text {
            return sites;
        }
        // An assignment may be the definition of a variable.
        let definitions = self.occurrences().found.iter().filter(|found| {
            kind == QuestionKind::Writes && is_code(found, self.name) && self.is_definition(found)
        });
        for found in self.references().chain(definitions) {
            let Some(verb) = text_verb(kind, &found.text, self.name) else { continue };
            let mut new = Site::of_occurrence(&self.corpus, found, verb);
            // This line is part of an import statement that spans several lines.
            if new.symbol.is_none() && found.text.trim_end_matches(',') == self.name {
                new.verb = Verb::Imports;
            }
            let is_text_relation =
                matches!(kind, QuestionKind::Writes | QuestionKind::Reads | QuestionKind::Reports);
            if let (Some(view), Some(file)) = (self.corpus.view, found.file) {
                if !is_text_relation && self.refers_to_other(view, file, found.line) {
                    continue;
                }
                new.symbol = around_known(view, &sites, &new, file).or(new.symbol);
                new.is_test |= view
                    .symbol_at(file, found.line)
                    .is_some_and(|id| Location::of(view, Node::Symbol(id)).is_test);
            }
            if !is_text_relation && self.is_own(&new) {
                continue;
            }
            new.is_certain = self.is_unambiguous || is_text_relation && is_distinctive(self.name);
            merge(&mut sites, new);
        }
        sites
    }

    /// Returns whether a site is inside one of the definitions, for example because it is a recursive call. Definitions
    /// of types are not considered.
    fn is_own(&self, site: &Site) -> bool {
        let Some(view) = self.corpus.view else { return site.symbol.as_deref() == Some(self.name) };
        self.definitions.iter().any(|id| {
            let symbol = view.symbol(*id);
            site.symbol.as_deref() == Some(symbol.qualified)
                && view.path(symbol.file) == site.path
                && !symbol.kind.has_methods()
        })
    }

    fn callees(&self) -> Vec<Site> {
        let Some(view) = self.corpus.view else { return Vec::new() };
        let mut sites: Vec<Site> = Vec::new();
        for definition in &self.definitions {
            for edge in view.edges_from(Node::Symbol(*definition)) {
                if edge.kind != EdgeKind::Calls {
                    continue;
                }
                let callee = Location::of(view, edge.to);
                let (callee, defined_at) = (callee.name().to_owned(), callee.citation());
                let verb = Verb::IsCaller { callee, defined_at };
                let is_certain = edge.confidence >= MIN_CERTAIN_EDGE;
                let site = Site::at(view, edge.from, edge.line, verb, is_certain);
                if !sites.contains(&site) {
                    sites.push(site);
                }
            }
        }
        sites
    }

    /// Returns the methods of this name that override one of the definitions.
    fn overrides(&self) -> Vec<Site> {
        let Some(view) = self.corpus.view else { return Vec::new() };
        let found = overrides(view, self.name, &self.definitions).into_iter();
        let site = |(id, base): (SymbolId, String)| {
            let location = Location::of(view, Node::Symbol(id));
            let line = self.name_line(&location.path, *location.lines.start());
            Site::at(view, Node::Symbol(id), line, Verb::Overrides { base }, true)
        };
        found.map(site).collect()
    }

    /// Adds the code that depends on the name through other definitions.
    fn add_indirect(&self, sites: &mut Vec<Site>) {
        let Some(view) = self.corpus.view else { return };
        let starts: Vec<Node> = self.definitions.iter().map(|id| Node::Symbol(*id)).collect();
        let (mut found, _) = affected(view, &starts, 2, MIN_CERTAIN_EDGE, self.corpus.deadline);
        found.truncate(MAX_INDIRECT);
        found.sort_by_key(|found| found.location.is_test);
        // An import between files alone is not evidence of a dependency.
        let is_indirect = |found: &Affected| found.depth > 1 && found.location.symbol.is_some();
        for affected in found.into_iter().filter(is_indirect) {
            let verb = Verb::DependsThrough { via: affected.via.name().to_owned() };
            let mut new = Site::at(view, affected.node, affected.line, verb, true);
            // Indirect dependents are listed after all direct ones.
            new.place = place(Role::Docs);
            merge(sites, new);
        }
    }

    /// Returns whether it is certain that no line in the repository has the relation `kind` to the name, because the
    /// name occurs only in its definitions and in comments.
    fn is_absent(&self, kind: QuestionKind) -> bool {
        let Some(view) = self.corpus.view else { return false };
        let can_be_absent =
            matches!(kind, QuestionKind::Callers | QuestionKind::Uses | QuestionKind::Tests);
        can_be_absent
            && !self.definitions.is_empty()
            && self.occurrences().is_complete
            && view.freshness().complete
            && view.freshness().left_out == 0
            && self.references().next().is_none()
    }
}

/// Returns the definition of a known site that contains the line of `new`. An edge starts at a function, but the line
/// may be in a nested definition.
fn around_known(view: &View, sites: &[Site], new: &Site, file: FileId) -> Option<String> {
    let around = enclosing_names(view, file, new.line);
    let known = sites.iter().find(|site| {
        site.path == new.path
            && (site.line == new.line
                || site.symbol.as_ref().is_some_and(|symbol| around.contains(symbol)))
    });
    known?.symbol.clone()
}

/// Returns whether an occurrence is in code, not in a comment or in prose.
fn is_code(found: &Occurrence, name: &str) -> bool {
    found.role != Role::Docs && !is_mention(&found.text, name)
}

/// Returns how the answer describes an edge of this kind, or `None` if the question does not ask for such edges.
fn edge_verb(kind: QuestionKind, edge: EdgeKind) -> Option<Verb> {
    let all = matches!(kind, QuestionKind::Uses | QuestionKind::Impact | QuestionKind::Tests);
    match edge {
        EdgeKind::Calls if all || kind == QuestionKind::Callers => Some(Verb::Calls),
        EdgeKind::Inherits if all || kind == QuestionKind::Implementations => {
            Some(Verb::Implements)
        }
        EdgeKind::References if all => Some(Verb::Uses),
        EdgeKind::Imports if all => Some(Verb::Imports),
        EdgeKind::Calls
        | EdgeKind::Inherits
        | EdgeKind::References
        | EdgeKind::Imports
        | EdgeKind::Tests => None,
    }
}

/// Returns how the answer describes the relation between a line and the name, or `None` if the question does not ask
/// for it.
fn text_verb(kind: QuestionKind, line: &str, name: &str) -> Option<Verb> {
    match kind {
        QuestionKind::Callers => (calls(line, name) && !imports(line)).then_some(Verb::Calls),
        QuestionKind::Implementations => inherits(line, name).then_some(Verb::Implements),
        QuestionKind::Writes => sets(line, name).then_some(Verb::Sets),
        QuestionKind::Reads => (!sets(line, name) && !imports(line)).then_some(Verb::Reads),
        QuestionKind::Reports => reports(line).then_some(Verb::Reports),
        QuestionKind::Uses | QuestionKind::Impact | QuestionKind::Tests => Some(if imports(line) {
            Verb::Imports
        } else if calls(line, name) {
            Verb::Calls
        } else if inherits(line, name) {
            Verb::Implements
        } else {
            Verb::Uses
        }),
        QuestionKind::Callees | QuestionKind::Overrides | QuestionKind::Definition => None,
    }
}
