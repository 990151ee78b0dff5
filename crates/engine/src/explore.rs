//! `adjutant explore`: shows the code that a question or a name is about, so that one call replaces several searches and
//! reads.
//!
//! A name, a path or `path:line` is answered with the definition itself, what it calls and uses, its call sites and its
//! tests. Any other text is answered with the definitions that match it best. All code is quoted with line numbers within
//! a token budget. A briefing shows the same code as far as it is likely to be needed ([`ask_working_set`]).

mod matches;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;
use std::time::Instant;

use contract::counted;
use index::{EdgeKind, FileId, Kind, Node, SymbolId, View};
use rustc_hash::FxHashSet;
use serde_json::json;

use crate::ask::{Answer, Asking, Completeness, Item, Remainder, UnknownName};
use crate::location::Location;
use crate::naming::find_nodes;
use crate::question::MIN_CERTAIN_EDGE;
use crate::quote::quote;
use crate::source::{Snippet, read_lines};

pub use matches::ask_working_set;

/// How the code was found that a question or a prompt is about.
pub const MATCHED_CODE: &str = "graph";
/// How the code was found that a matching definition calls, uses or is called by.
pub const RELATED_CODE: &str = "related code";

/// The number of tokens that are quoted unless the arguments say otherwise.
const DEFAULT_BUDGET: usize = 8_000;
const BYTES_PER_TOKEN: usize = 4;
/// The maximum number of names in one text.
const MAX_NAMES: usize = 8;
/// The maximum number of definitions with the same name that are shown with their surroundings.
const MAX_SAME_NAMED: usize = 3;
/// A definition with at most this many lines is quoted whole although it is only called or used.
const MAX_SHORT_LINES: usize = 15;
/// A definition with at most this many lines is quoted whole if the user names it.
const MAX_NAMED_LINES: usize = 160;
/// The maximum number of places that are cited of those that are only counted.
const MAX_CITATIONS: usize = 5;
/// The maximum number of definitions in the outline of a file.
const MAX_OUTLINE: usize = 80;
/// The maximum number of lines, such as annotations, before the line that contains the name of a definition.
const MAX_LINES_BEFORE_NAME: usize = 8;

/// The maximum number of places of each kind that are shown around a definition.
#[derive(Clone, Copy)]
struct MaxRelated {
    call_sites: usize,
    tests: usize,
    used: usize,
}

impl MaxRelated {
    const EXPLORED: Self = Self { call_sites: 10, tests: 3, used: 14 };
}

/// Answers `adjutant explore`.
pub fn ask_explore(asking: &Asking<'_>) -> Result<Answer, UnknownName> {
    let text = asking.arguments.text("query").unwrap_or(&asking.prompt.text).trim();
    let budget = asking.number("budget", DEFAULT_BUDGET).saturating_mul(BYTES_PER_TOKEN);
    let mut shown = Shown::new(asking, budget, MaxRelated::EXPLORED);
    match names(asking.view, text) {
        None => shown.matches(),
        Some(names) => shown.named(&names),
    }
    Ok(shown.into_answer())
}

/// Returns the definitions and files that each word of `text` names. Returns `None` if one of the words names nothing, or
/// if there are too many words, so that the text is a question.
fn names(view: &View, text: &str) -> Option<Vec<Vec<Node>>> {
    let words: Vec<&str> = text.split_whitespace().collect();
    if words.is_empty() || words.len() > MAX_NAMES {
        return None;
    }
    // A word such as `run` is a name by itself, but not in a sentence.
    let is_code =
        |word: &&str| word.contains(['_', '.', ':', '/']) || word.contains(char::is_uppercase);
    if words.len() > 1 && !words.iter().all(is_code) {
        return None;
    }
    let nodes = words.iter().map(|word| find_nodes(view, word));
    nodes.map(|nodes| (!nodes.is_empty()).then_some(nodes)).collect()
}

/// The places that an answer contains so far.
struct Shown<'a> {
    asking: &'a Asking<'a>,
    /// The number of bytes that may still be quoted.
    room: usize,
    /// The lines of each file that are quoted.
    lines: BTreeMap<String, BTreeSet<u32>>,
    max_related: MaxRelated,
    answer: Answer,
}

impl<'a> Shown<'a> {
    fn new(asking: &'a Asking<'a>, room: usize, max_related: MaxRelated) -> Self {
        Self { asking, room, lines: BTreeMap::new(), max_related, answer: Answer::default() }
    }

    fn into_answer(mut self) -> Answer {
        self.answer.summary = counted(self.answer.items.len(), "place");
        self.answer.nothing = "nothing found".to_owned();
        self.answer
    }

    /// Shows the definitions of each name, then their call sites and tests, then what they call and use.
    fn named(&mut self, names: &[Vec<Node>]) {
        let mut shown = Vec::new();
        for nodes in names {
            for node in nodes.iter().take(MAX_SAME_NAMED) {
                match *node {
                    Node::File(file) => self.outline(file),
                    Node::Symbol(_) => {
                        let location = Location::of(self.asking.view, *node);
                        let source = MATCHED_CODE.to_owned();
                        let item = Item { source, ..Item::at(&location, 0) };
                        self.quote_definition(&location, None, MAX_NAMED_LINES, item);
                        shown.push(*node);
                    }
                }
            }
            if let Some(rest) = nodes.get(MAX_SAME_NAMED..).filter(|rest| !rest.is_empty()) {
                let view = self.asking.view;
                let cite = |node: &Node| Location::of(view, *node).citation();
                self.count(counted(rest.len(), "more definition"), rest, cite);
            }
        }
        for node in &shown {
            self.call_sites(*node);
        }
        for node in &shown {
            self.used_by(*node);
        }
    }

    /// Lists the definitions of a file with their signatures.
    fn outline(&mut self, file: FileId) {
        let view = self.asking.view;
        let is_listed = |kind: Kind| {
            kind.is_callable() || kind.has_methods() || matches!(kind, Kind::Constant | Kind::Macro)
        };
        let listed = view.symbols_in(file).filter(|symbol| is_listed(symbol.kind));
        for (at, symbol) in listed.enumerate() {
            if at >= MAX_OUTLINE || self.must_stop() {
                self.answer.completeness = Completeness::Cut;
                break;
            }
            let location = Location::of(view, Node::Symbol(symbol.id));
            if !self.is_shown(&location) {
                self.push(&location, None, related(&location, 0, String::new()));
            }
        }
    }

    /// Quotes a definition, unless it is quoted already or nothing is left of the budget. `line` is the line that must be
    /// quoted, if there is one.
    fn quote_definition(
        &mut self,
        location: &Location,
        line: Option<u32>,
        max_lines: usize,
        item: Item,
    ) {
        if !self.must_stop() && !self.is_shown(location) {
            let snippet = self.lines_of(location, line, max_lines);
            self.push(location, snippet, item);
        }
    }

    /// Quotes what a definition calls and uses: a short definition whole, a longer one with its signature. Shows
    /// nothing if the depth is 1.
    fn used_by(&mut self, node: Node) {
        if self.asking.number("depth", 2) < 2 {
            return;
        }
        let user = Location::of(self.asking.view, node);
        for (kind, location) in self.most_specific_used(node, &user) {
            if self.must_stop() {
                break;
            }
            let verb = if kind == EdgeKind::Calls { "called by" } else { "used by" };
            let snippet = self.lines_of(&location, None, MAX_SHORT_LINES);
            let item = related(&location, 0, format!("{verb} `{}`", user.name()));
            self.push(&location, snippet, item);
        }
    }

    /// Returns the definitions that the quoted lines of a definition call and use and that are not shown yet, in the order
    /// of these lines. If there are too many, returns those that are used least often elsewhere.
    fn most_specific_used(&self, node: Node, user: &Location) -> Vec<(EdgeKind, Location)> {
        let view = self.asking.view;
        let quoted = self.lines.get(&user.path);
        let quoted = quoted.filter(|lines| lines.range(user.lines.clone()).count() > 1);
        let mut known = FxHashSet::default();
        let mut used: Vec<(u32, EdgeKind, SymbolId, Location)> = Vec::new();
        for edge in view.references_from(node) {
            let is_use = matches!(edge.kind, EdgeKind::Calls | EdgeKind::References);
            let is_quoted = quoted.is_none_or(|lines| lines.contains(&edge.line));
            if let Node::Symbol(id) = edge.to
                && is_use
                && is_quoted
                && edge.confidence >= MIN_CERTAIN_EDGE
                && known.insert(id)
            {
                let location = Location::of(view, edge.to);
                // The members of a type are found by its name.
                let is_member = matches!(location.kind, Some(Kind::Field | Kind::Variant));
                if !is_member && !self.is_shown(&location) {
                    used.push((edge.line, edge.kind, id, location));
                }
            }
        }
        used.sort_by_cached_key(|(line, kind, id, _)| {
            (view.references_into(Node::Symbol(*id)).count(), *line, *kind, *id)
        });
        used.truncate(self.max_related.used);
        used.sort_by_key(|(line, kind, id, _)| (*line, *kind, *id));
        used.into_iter().map(|(_, kind, _, location)| (kind, location)).collect()
    }

    /// Lists the lines that call a definition, and the tests that call it.
    fn call_sites(&mut self, node: Node) {
        let view = self.asking.view;
        let called = Location::of(view, node);
        let name = called.name();
        let mut sites: Vec<(Location, u32)> = Vec::new();
        for edge in view.references_into(node) {
            if edge.kind == EdgeKind::Calls && edge.confidence >= MIN_CERTAIN_EDGE && edge.line > 0
            {
                sites.push((Location::of(view, edge.from), edge.line));
            }
        }
        sites.sort_by(|a, b| (a.0.is_test, &a.0.path, a.1).cmp(&(b.0.is_test, &b.0.path, b.1)));
        sites.dedup_by(|a, b| a.0.path == b.0.path && a.1 == b.1);
        let MaxRelated { call_sites, tests, .. } = self.max_related;
        for (is_test, max, noun) in [(false, call_sites, "call"), (true, tests, "test")] {
            let all: Vec<&(Location, u32)> =
                sites.iter().filter(|site| site.0.is_test == is_test).collect();
            for (location, line) in all.iter().take(max) {
                if self.must_stop() {
                    return;
                }
                let verb = if is_test { "tests" } else { "calls" };
                let item = Item {
                    quote: self.asking.line(&location.path, *line),
                    ..related(location, *line, format!("{verb} `{name}`"))
                };
                self.room = self.room.saturating_sub(item.quote.len() + location.path.len());
                self.add(location, item);
            }
            if all.len() > max {
                let rest = &all[max..];
                let n = counted(rest.len(), &format!("more {noun}"));
                let cite = |(at, line): &&(Location, u32)| format!("{}:{line}", at.path);
                self.count(format!("{n} of `{name}`"), rest, cite);
            }
        }
    }

    /// Counts places that are not shown, and cites the first of them.
    fn count<T>(&mut self, title: String, places: &[T], cite: impl Fn(&T) -> String) {
        let citations = places.iter().take(MAX_CITATIONS).map(cite).collect();
        self.answer.rest.push(Remainder { title, n: places.len(), citations });
    }

    /// Returns the lines of a definition: all of them if there are at most `max_lines`, otherwise the signature and the
    /// lines around `line` or, if it is `None`, those that match the question best.
    fn lines_of(
        &self,
        location: &Location,
        line: Option<u32>,
        max_lines: usize,
    ) -> Option<Snippet> {
        let n_lines = location.lines.clone().count();
        let (path, source) = (&location.path, self.asking.source);
        if n_lines <= max_lines {
            return read_lines(source, path, u64::from(*location.lines.start()), n_lines);
        }
        if max_lines <= MAX_SHORT_LINES {
            return None;
        }
        let regions = match line {
            Some(line) => around(&location.lines, line, max_lines),
            None => vec![location.lines.clone()],
        };
        quote(source, path, &regions, &self.asking.prompt.query, max_lines)
    }

    /// Adds a definition. Without a snippet, or if the snippet does not fit, its signature is shown.
    fn push(&mut self, location: &Location, snippet: Option<Snippet>, item: Item) {
        let bytes =
            |snippet: &Snippet| snippet.lines.iter().map(|(_, line)| line.len() + 6).sum::<usize>();
        let snippet = snippet.filter(|snippet| bytes(snippet) <= self.room);
        let quote = if snippet.is_some() { String::new() } else { self.first_line(location) };
        let cost = snippet.as_ref().map_or(quote.len(), bytes) + location.path.len();
        if cost > self.room {
            self.answer.completeness = Completeness::Cut;
            return;
        }
        self.room -= cost;
        let n_lines = location.lines.clone().count();
        let also = match &snippet {
            Some(snippet) if leaves_out_code(snippet, location) => {
                format!("… {} of {n_lines} lines, to {}", snippet.lines.len(), location.lines.end())
            }
            None if n_lines > 1 => format!(" … to {}", location.lines.end()),
            _ => String::new(),
        };
        self.add(location, Item { quote, also, snippet, ..item });
    }

    /// Returns the first line of a definition that contains its name. The line comes from the file and not from the index,
    /// because the index contains signatures with their secrets.
    fn first_line(&self, location: &Location) -> String {
        let name = location.symbol.as_deref().and_then(|symbol| symbol.rsplit('.').next());
        let n_lines = location.lines.clone().count().min(MAX_LINES_BEFORE_NAME);
        let start = u64::from(*location.lines.start());
        let read = read_lines(self.asking.source, &location.path, start, n_lines);
        let lines = read.map(|snippet| snippet.lines).unwrap_or_default();
        let is_named = |line: &&(u64, String)| name.is_some_and(|name| line.1.contains(name));
        let line = lines.iter().find(is_named).or_else(|| lines.first());
        line.map(|(_, text)| text.trim().to_owned()).unwrap_or_default()
    }

    /// Returns whether the budget is used up or the deadline has passed, and then marks the answer as incomplete.
    fn must_stop(&mut self) -> bool {
        let must_stop = self.room == 0 || Instant::now() >= self.asking.deadline;
        if must_stop {
            self.answer.completeness = Completeness::Cut;
        }
        must_stop
    }

    fn add(&mut self, location: &Location, item: Item) {
        let shown = self.lines.entry(location.path.clone()).or_default();
        let quoted = item.snippet.iter().flat_map(|snippet| &snippet.lines);
        shown.extend(quoted.filter_map(|(number, _)| u32::try_from(*number).ok()));
        shown.extend(item.line);
        let code: Option<Vec<String>> = item.snippet.as_ref().map(|snippet| {
            snippet.lines.iter().map(|(number, line)| format!("{number}| {line}")).collect()
        });
        let fields = json!({
            "code": code, "line": item.line, "path": item.path, "role": item.role, "symbol": item.symbol,
            "signature": item.quote, "to_line": location.lines.end(),
        });
        self.answer.items.push(item.with_fields(fields));
    }

    /// Returns whether the first and the last line of a definition are shown already.
    fn is_shown(&self, location: &Location) -> bool {
        let shown = self.lines.get(&location.path);
        shown.is_some_and(|shown| {
            shown.contains(location.lines.start()) && shown.contains(location.lines.end())
        })
    }
}

/// Creates the item for a place that calls, uses or contains a definition that is shown, or is called or used by it.
fn related(location: &Location, line: u32, role: String) -> Item {
    Item { role, source: RELATED_CODE.to_owned(), ..Item::at(location, line) }
}

/// Returns the first line of a definition, and the other lines of at most `max_lines` around `line`.
fn around(
    definition: &RangeInclusive<u32>,
    line: u32,
    max_lines: usize,
) -> Vec<RangeInclusive<u32>> {
    let (first, last) = (*definition.start(), *definition.end());
    let n_lines = u32::try_from(max_lines).unwrap_or(u32::MAX).saturating_sub(1).max(1);
    let start = line.saturating_sub(n_lines / 2).clamp(first, last.max(first));
    let end = start.saturating_add(n_lines - 1).min(last);
    vec![first..=first, start..=end]
}

/// Returns whether a snippet leaves out lines of a definition that are not empty. Empty lines in the middle of a long
/// definition are never quoted.
fn leaves_out_code(snippet: &Snippet, location: &Location) -> bool {
    let last = snippet.lines.last().map_or(0, |(number, _)| *number);
    let has_gap = snippet.lines.windows(2).any(|pair| pair[1].0 > pair[0].0 + 2);
    last < u64::from(*location.lines.end()) || has_gap
}
