//! What a question is asked with, and the answer that every question returns.

use std::time::Instant;

use contract::Arguments;
use index::{Node, View};
use serde_json::{Map, Value};

use crate::explore::RELATED_CODE;
use crate::location::Location;
use crate::naming::find_nodes;
use crate::query::Query;
use crate::question::{DIRECT_ANSWER, DirectQuestion};
use crate::search::FileHit;
use crate::source::{Snippet, Source, read_lines};

/// How a step of a call chain was found.
pub(crate) const CALL_GRAPH: &str = "call graph";
/// How code that a change would affect was found.
pub(crate) const IMPACT: &str = "impact";
/// How a complex function was found.
pub(crate) const COMPLEXITY: &str = "complexity";

/// The maximum number of definitions and files from which edges are followed.
const MAX_START_NODES: usize = 6;
/// The maximum number of definitions of a name if the prompt contains several names.
const MAX_NODES_OF_NAME: usize = 2;

/// A text with its query and its direct questions. It is read once and then passed to everything that needs them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReadPrompt {
    pub text: String,
    pub query: Query,
    /// The direct questions, most explicit first.
    pub questions: Vec<DirectQuestion>,
}

impl ReadPrompt {
    #[must_use]
    pub fn new(text: String) -> Self {
        Self { query: Query::read(&text), questions: DirectQuestion::read(&text), text }
    }
}

/// A question: its text and its arguments, and the repository that it is about.
pub struct Asking<'a> {
    pub view: &'a View,
    pub source: &'a Source<'a>,
    /// The prompt. Empty if the arguments contain what the question is about.
    pub prompt: &'a ReadPrompt,
    pub arguments: &'a Arguments,
    /// Returns the files that match the prompt, best first.
    pub search: &'a dyn Fn() -> Vec<FileHit>,
    /// The current day, in days since 1970.
    pub today: u32,
    pub deadline: Instant,
}

/// No definition or file has the name that a question is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownName(pub String);

/// The answer to a question.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    /// The places that answer the question, best first.
    pub items: Vec<Item>,
    /// The places that are only counted.
    pub rest: Vec<Remainder>,
    /// Statements that there is no such place, as in "no callers of `save`".
    pub absent: Vec<String>,
    pub completeness: Completeness,
    /// The answer in a few words, as in "3 callers, 2 callees".
    pub summary: String,
    /// The sentence that is shown if there are no items.
    pub nothing: String,
    /// A sentence without which the items may be misunderstood.
    pub note: Option<String>,
    /// The names of the lists in the JSON of the command line. Empty if the JSON is one list.
    pub lists: &'static [&'static str],
    /// Further fields in the JSON of the command line.
    pub more: Map<String, Value>,
}

/// Places that belong to an answer but are only counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remainder {
    /// The number of places in words, as in "12 more callers of `save`".
    pub title: String,
    pub n: usize,
    /// Some of the places, as `path:line`.
    pub citations: Vec<String>,
}

/// Whether an answer contains all places and, if not, why.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Completeness {
    #[default]
    Complete,
    /// The maximum number of results or the deadline was reached.
    Cut,
    /// `about` lines look like calls, and only `certain` of them are known to be calls.
    Unresolved { certain: usize, about: usize },
    /// The name occurs in too many files, or the deadline passed, so there may be more than `listed` lines.
    SearchStopped { listed: usize },
}

impl Completeness {
    #[must_use]
    pub fn of(is_complete: bool) -> Self {
        if is_complete { Self::Complete } else { Self::Cut }
    }

    #[must_use]
    pub fn is_complete(self) -> bool {
        self == Self::Complete
    }

    /// Returns why the answer is not complete, or `None` if it is complete.
    #[must_use]
    pub fn reason(self) -> Option<String> {
        match self {
            Self::Complete => None,
            Self::Cut => Some(
                "incomplete, because the maximum number of results or the timeout was reached"
                    .to_owned(),
            ),
            Self::Unresolved { certain, about } => {
                Some(format!("{certain} of about {about} direct calls are certain"))
            }
            Self::SearchStopped { listed } => Some(format!(
                "not all files were searched, so there may be more than {listed} direct calls"
            )),
        }
    }
}

/// A place that belongs to an answer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Item {
    /// The path relative to the repository root.
    pub path: String,
    /// The line, or `None` if the item is a whole file.
    pub line: Option<u32>,
    /// The qualified name of the definition at the line.
    pub symbol: Option<String>,
    /// The title of the finding if it is not the symbol.
    pub title: Option<String>,
    /// What the place has to do with the question, as in "calls `save`" or "caller, 2 away".
    pub role: String,
    /// The line or the signature.
    pub quote: String,
    /// Further lines or definitions in the same file.
    pub also: String,
    pub snippet: Option<Snippet>,
    /// Whether a briefing leaves the item out, because it is shown elsewhere or is unlikely to be relevant.
    pub is_minor: bool,
    /// Whether the relation is shown as a fact. If not, it is shown as possible.
    pub is_certain: bool,
    /// The probability that the place has this relation.
    pub certainty: f32,
    /// The estimated probability that the prompt needs the place, or `None` if it is not estimated.
    pub relevance: Option<f32>,
    /// How the place was found.
    pub source: String,
    /// The name of the list in [`Answer::lists`] that contains the item.
    pub list: &'static str,
    /// The fields of the item in the JSON of the command line, sorted by name. A table shows some of them.
    pub fields: Map<String, Value>,
}

impl Item {
    /// Creates an item at `line`, or at the first line of the location if `line` is 0.
    pub(crate) fn at(location: &Location, line: u32) -> Self {
        let line = if line > 0 { line } else { *location.lines.start() };
        Self {
            path: location.path.clone(),
            line: Some(line),
            symbol: location.symbol.clone(),
            is_certain: true,
            certainty: 1.0,
            ..Self::default()
        }
    }

    /// Adds the fields of the JSON object `fields`.
    pub(crate) fn with_fields(mut self, fields: Value) -> Self {
        if let Value::Object(fields) = fields {
            self.fields = fields;
        }
        self
    }

    /// Describes the place in one line: its role, the quoted line, and further lines.
    #[must_use]
    pub fn summary(&self) -> String {
        let between = if self.role.is_empty() || self.quote.is_empty() { "" } else { ": " };
        format!("{}{between}{}{}", self.role, self.quote, self.also)
    }

    /// Returns the number by which a briefing compares findings: the relevance or, if it is not estimated, the
    /// certainty.
    #[must_use]
    pub fn confidence(&self) -> f32 {
        self.relevance.unwrap_or(self.certainty)
    }
}

/// Returns whether the number of a finding from this source is its relevance to the prompt. The number of a caller or of
/// affected code is the certainty of a relation, which is stated in words ("calls", "possible caller").
#[must_use]
pub fn states_relevance(source: &str) -> bool {
    !matches!(source, DIRECT_ANSWER | RELATED_CODE | CALL_GRAPH | IMPACT | COMPLEXITY)
}

impl<'a> Asking<'a> {
    /// Returns a number among the arguments.
    pub(crate) fn number(&self, key: &str, default: usize) -> usize {
        let number = self.arguments.number(key).map(usize::try_from);
        number.map_or(default, |number| number.unwrap_or(usize::MAX))
    }

    /// Returns a number of at most 32 bits among the arguments.
    pub(crate) fn small(&self, key: &str, default: u32) -> u32 {
        u32::try_from(self.number(key, default as usize)).unwrap_or(u32::MAX)
    }

    /// Returns the definitions and files that the argument `name` names. Without this argument, returns those that the
    /// prompt names, or the best search results if it names none.
    pub(crate) fn starts(&self) -> Result<Vec<Node>, UnknownName> {
        match self.arguments.text("name") {
            Some(name) => self.named(name),
            None => Ok(self.starts_in_prompt()),
        }
    }

    pub(crate) fn named(&self, name: &str) -> Result<Vec<Node>, UnknownName> {
        let nodes = find_nodes(self.view, name);
        if nodes.is_empty() { Err(UnknownName(name.to_owned())) } else { Ok(nodes) }
    }

    fn starts_in_prompt(&self) -> Vec<Node> {
        let names = self.names();
        // Of several names, each contributes its most likely definitions.
        let max_of_name = if names.len() > 1 { MAX_NODES_OF_NAME } else { usize::MAX };
        let mut nodes: Vec<Node> = Vec::new();
        for name in &names {
            for node in find_nodes(self.view, name).into_iter().take(max_of_name) {
                if !nodes.contains(&node) && (names.len() == 1 || nodes.len() < MAX_START_NODES) {
                    nodes.push(node);
                }
            }
        }
        if nodes.is_empty() {
            nodes = (self.search)().iter().filter_map(|hit| hit.node(self.view)).collect();
        }
        nodes
    }

    /// Returns the names and paths in the prompt. The parts of a qualified name are not names of their own.
    fn names(&self) -> Vec<&'a str> {
        let Query { qualified, identifiers, paths, .. } = &self.prompt.query;
        let mut names: Vec<&str> = qualified.iter().map(|mention| mention.text.as_str()).collect();
        let is_part = |name: &&str| {
            let mut parts =
                qualified.iter().flat_map(|mention| mention.text.split(['.', ':', '#']));
            !parts.any(|part| part == *name)
        };
        names.extend(identifiers.iter().map(|name| name.name.as_str()).filter(is_part));
        names.extend(paths.iter().map(|mention| mention.text.as_str()));
        names
    }

    /// Returns a line of a file, or an empty string if it may not be quoted.
    pub(crate) fn line(&self, path: &str, line: u32) -> String {
        let read = read_lines(self.source, path, line.into(), 1);
        let text = read.and_then(|snippet| snippet.lines.into_iter().next());
        text.map(|(_, text)| text.trim().to_owned()).unwrap_or_default()
    }

    /// Returns the name in the arguments, for messages.
    pub(crate) fn name(&self) -> &'a str {
        self.arguments.text("name").unwrap_or(&self.prompt.text)
    }
}
