//! Finds the callers of definitions: the lines with a call edge, and the lines that look like calls of the name and that
//! the index did not resolve to something else.

use std::collections::BTreeMap;
use std::time::Instant;

use index::{EdgeKind, FileId, Node, Role, SymbolId, View};
use rustc_hash::FxHashSet;

use super::answer_name::{MIN_CERTAIN_EDGE, NameSites};
use super::line_relations::{calls, imports};
use super::occurrences::{Corpus, place};
use crate::location::{Location, file_of};
use crate::source::Source;

/// If more definitions than this have the name, only the lines that refer to the first ones are known to be unrelated.
const MAX_SAME_NAMED: usize = 512;
/// The confidence in a line that looks like a call of a name with a single definition.
const BY_UNAMBIGUOUS_TEXT: f32 = 0.75;
/// The confidence in a line that looks like a call, if something else may have the same name.
const BY_TEXT: f32 = 0.3;

/// A line that calls a definition, or may call it.
#[derive(Clone, Debug, PartialEq)]
pub struct CallSite {
    /// The definition that contains the line, or the file if the line is in no definition.
    pub caller: Location,
    pub node: Node,
    pub line: u32,
    /// The confidence that the line calls the definition, between 0 and 1.
    pub confidence: f32,
    /// Whether the index resolved the call. If not, the line looks like a call of the name, and the index resolved it
    /// neither to the definition nor to something else.
    pub has_edge: bool,
}

/// The callers of definitions with the same name.
#[derive(Clone, Debug, PartialEq)]
pub struct Callers {
    /// The lines that call one of the definitions. Source code precedes tests.
    pub certain: Vec<CallSite>,
    /// The lines that may call one of the definitions, in the same order.
    pub possible: Vec<CallSite>,
    /// Whether the search was stopped because the name occurs in too many files, or because the deadline passed, so that
    /// there may be more callers.
    pub is_stopped: bool,
}

impl Callers {
    /// Returns the number of lines that call one of the definitions or may call it.
    #[must_use]
    pub fn about(&self) -> usize {
        self.certain.len() + self.possible.len()
    }
}

/// Returns the lines that call one of the `definitions`, which must have the same name. Calls inside the definitions
/// themselves are left out. Returns `None` if there are no definitions.
#[must_use]
pub fn callers(
    view: &View,
    source: &Source<'_>,
    definitions: &[SymbolId],
    deadline: Instant,
) -> Option<Callers> {
    let name = view.symbol(*definitions.first()?).name;
    let corpus = Corpus { view: Some(view), source, deadline };
    Some(NameSites::new(corpus, name, definitions.to_vec(), false).callers(view))
}

impl NameSites<'_> {
    pub(super) fn callers(&self, view: &View) -> Callers {
        let mut found: BTreeMap<(FileId, u32), CallSite> = BTreeMap::new();
        for site in self.call_edges(view) {
            let same = found.entry((file_of(view, site.node), site.line)).or_insert(site.clone());
            if same.confidence < site.confidence {
                *same = site;
            }
        }
        for site in self.call_lines(view) {
            let confidence = site.confidence;
            let same = found.entry((file_of(view, site.node), site.line)).or_insert(site);
            same.confidence = same.confidence.max(confidence);
        }
        let mut all: Vec<CallSite> = found.into_values().collect();
        all.sort_by_cached_key(|site| {
            let role = place(view.role(file_of(view, site.node)));
            (site.caller.is_test, role, site.caller.path.clone(), site.line)
        });
        let is_certain = |site: &CallSite| site.confidence >= MIN_CERTAIN_EDGE;
        let (certain, possible): (Vec<_>, Vec<_>) = all.into_iter().partition(is_certain);
        Callers { certain, possible, is_stopped: !self.occurrences().is_complete }
    }

    fn call_edges(&self, view: &View) -> Vec<CallSite> {
        let mut sites = Vec::new();
        for target in self.targets(view) {
            for edge in view.references_into(Node::Symbol(target)) {
                if edge.kind != EdgeKind::Calls || self.is_inside(view, edge.from) {
                    continue;
                }
                let caller = Location::of(view, edge.from);
                let line = if edge.line > 0 { edge.line } else { *caller.lines.start() };
                let (node, confidence) = (edge.from, edge.confidence);
                sites.push(CallSite { caller, node, line, confidence, has_edge: true });
            }
        }
        sites
    }

    /// Returns the lines that look like calls of the name and that the index did not resolve to something else.
    fn call_lines(&self, view: &View) -> Vec<CallSite> {
        if !self.searches_text {
            return Vec::new();
        }
        let confidence = if self.is_unambiguous { BY_UNAMBIGUOUS_TEXT } else { BY_TEXT };
        let mut sites = Vec::new();
        for found in self.references() {
            let Some(file) = found.file else { continue };
            if !calls(&found.text, self.name)
                || imports(&found.text)
                || self.refers_to_other(view, file, found.line)
            {
                continue;
            }
            let node = view.symbol_at(file, found.line).map_or(Node::File(file), Node::Symbol);
            if self.is_inside(view, node) {
                continue;
            }
            let (caller, line) = (Location::of(view, node), found.line);
            sites.push(CallSite { caller, node, line, confidence, has_edge: false });
        }
        sites
    }

    /// Returns whether a node is one of the definitions or is inside one of them. Definitions of types are not
    /// considered.
    fn is_inside(&self, view: &View, node: Node) -> bool {
        let Node::Symbol(mut id) = node else { return false };
        loop {
            let symbol = view.symbol(id);
            if self.definitions.contains(&id) && !symbol.kind.has_methods() {
                return true;
            }
            let Some(parent) = symbol.parent else { return false };
            id = parent;
        }
    }

    /// Returns whether a line that contains the name cannot refer to one of the definitions: the index resolved it to
    /// another symbol or to something outside the repository, its language is a different one, or it would refer from
    /// code to a test.
    pub(super) fn refers_to_other(&self, view: &View, file: FileId, line: u32) -> bool {
        let others = self.others.get_or_init(|| self.lines_of_others(view));
        let language = |file: FileId| view.file(file).language.filter(|it| it.is_code());
        let can_refer = |id: &SymbolId| {
            let defined_in = view.file_of(*id);
            let is_test = |file: FileId| view.role(file) == Role::Test;
            let has_language = match (language(file), language(defined_in)) {
                (Some(one), Some(other)) => one.module_system() == other.module_system(),
                _ => true,
            };
            has_language && (is_test(file) || !is_test(defined_in))
        };
        others.contains(&(file, line)) || !self.definitions.iter().any(can_refer)
    }

    /// Returns the lines that the index resolved to another symbol with this name or to something outside the
    /// repository.
    fn lines_of_others(&self, view: &View) -> FxHashSet<(FileId, u32)> {
        let targets = self.targets(view);
        let mut others = FxHashSet::default();
        let mut own = FxHashSet::default();
        let mut same_named = view.symbols_named(self.name);
        same_named.truncate(MAX_SAME_NAMED);
        for id in same_named {
            others.extend(view.foreign_calls(id));
            let is_target = targets.contains(&id);
            for edge in view.references_into(Node::Symbol(id)) {
                if is_target || edge.confidence >= MIN_CERTAIN_EDGE {
                    let lines = if is_target { &mut own } else { &mut others };
                    lines.insert((file_of(view, edge.from), edge.line));
                }
            }
        }
        others.retain(|line| !own.contains(line));
        others
    }
}
