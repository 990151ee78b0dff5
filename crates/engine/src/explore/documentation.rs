//! Finds the passage of the documentation that answers a question, and the definitions that the passage names.

use std::collections::BTreeMap;
use std::ops::Range;

use index::{FileId, Node, PassageId, Role, View};

use super::{Part, Shown};
use crate::location::Location;
use crate::query::{Query, QueryTerm};
use crate::quote::quote;

/// The number of files whose passages are compared.
const MAX_FILES: usize = 8;
/// The maximum number of files that are read from the postings of a word.
const MAX_POSTINGS: usize = 2_000;
/// The minimum share of the words of a question, each weighted by its rarity, that a passage contains.
const MIN_COVERAGE: f32 = 0.8;
/// The minimum number of words of a question. Fewer words occur together by chance.
const MIN_WORDS: usize = 2;
const MAX_PASSAGE_LINES: usize = 10;
/// The maximum number of definitions that are shown because the passage names them.
const MAX_NAMED: usize = 3;
/// A name with more definitions than this identifies none of them.
const MAX_SAME_NAMED: usize = 2;
/// The starts of the names of files that list the changes of every version.
const CHANGE_LISTS: [&str; 5] = ["changelog", "changes", "history", "news", "release"];

impl Shown<'_> {
    /// Quotes the passage of the documentation that contains the words of the question, and shows the definitions of the
    /// names in it.
    pub(super) fn documentation(&mut self) {
        let (view, query) = (self.asking.view, &self.asking.prompt.query);
        let Some(passage) = best_passage(view, query) else { return };
        let passage = view.passage(passage);
        let node = Node::File(passage.file);
        let location = Location { lines: passage.lines, ..Location::of(view, node) };
        let regions = std::slice::from_ref(&location.lines);
        let snippet = quote(self.asking.source, &location.path, regions, query, MAX_PASSAGE_LINES);
        let Some(snippet) = snippet else { return };
        let text: Vec<&str> = snippet.lines.iter().map(|(_, line)| line.as_str()).collect();
        let named = definitions_in(view, &text.join("\n"));
        let first = snippet.lines.first().and_then(|(number, _)| u32::try_from(*number).ok());
        let location = Location {
            lines: first.unwrap_or(*location.lines.start())..=*location.lines.end(),
            ..location
        };
        let role = format!("named in `{}`", location.path);
        self.push(&location, "documentation".to_owned(), Some(snippet), Part::Related);
        for node in named {
            let location = Location::of(view, node);
            if !self.is_shown(&location) {
                self.push(&location, role.clone(), None, Part::Related);
            }
        }
    }
}

/// Returns the passage of the documentation that contains most of the words of the query, or `None` if no passage contains
/// enough of them.
fn best_passage(view: &View, query: &Query) -> Option<PassageId> {
    let n_files = view.meta().files.max(1) as f32;
    let weight = |term: &QueryTerm| {
        let frequency = view.document_frequency(&term.text) as f32;
        (1.0 + n_files / (1.0 + frequency)).ln()
    };
    let terms: Vec<(&str, f32)> =
        query.search_terms().map(|term| (term.text.as_str(), weight(term))).collect();
    let total: f32 = terms.iter().map(|(_, weight)| weight).sum();
    if terms.len() < MIN_WORDS {
        return None;
    }
    let ranges: Vec<Range<u32>> =
        best_files(view, &terms).into_iter().map(|file| view.passages_of(file)).collect();
    let mut scores: BTreeMap<PassageId, f32> = BTreeMap::new();
    for (term, weight) in &terms {
        view.for_each_passage_posting_in(term, &ranges, |posting| {
            *scores.entry(posting.passage).or_default() += weight;
        });
    }
    let best = scores.into_iter().max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)))?;
    (best.1 >= MIN_COVERAGE * total).then_some(best.0)
}

/// Returns the files of the documentation that contain most of the words, sorted by their number.
fn best_files(view: &View, terms: &[(&str, f32)]) -> Vec<FileId> {
    let mut scores: BTreeMap<FileId, f32> = BTreeMap::new();
    for (term, weight) in terms {
        let postings = view.best_postings(term).take(MAX_POSTINGS);
        for posting in postings.filter(|posting| is_documentation(view, posting.file)) {
            *scores.entry(posting.file).or_default() += weight;
        }
    }
    let mut files: Vec<(FileId, f32)> = scores.into_iter().collect();
    files.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    files.truncate(MAX_FILES);
    let mut files: Vec<FileId> = files.into_iter().map(|(file, _)| file).collect();
    files.sort_unstable();
    files
}

fn is_documentation(view: &View, file: FileId) -> bool {
    let path = view.path(file).to_lowercase();
    let name = path.rsplit('/').next().unwrap_or(&path);
    view.role(file) == Role::Docs && !CHANGE_LISTS.iter().any(|start| name.starts_with(start))
}

/// Returns the definitions of the names in backticks, such as `` `UV_CACHE_DIR` `` or `` `--cache-dir` ``.
fn definitions_in(view: &View, text: &str) -> Vec<Node> {
    let mut found: Vec<Node> = Vec::new();
    for code in text.split('`').skip(1).step_by(2) {
        let name = code.trim_start_matches(['-', '$']).replace('-', "_");
        let is_compound = name.contains('_') || name.contains(char::is_uppercase);
        let is_name = name.chars().all(|c| c.is_alphanumeric() || c == '_');
        if !is_compound || !is_name || found.len() >= MAX_NAMED {
            continue;
        }
        let symbols = view.symbols_named(&name);
        if symbols.len() <= MAX_SAME_NAMED {
            let new = symbols.into_iter().map(Node::Symbol).find(|node| !found.contains(node));
            found.extend(new);
        }
    }
    found
}
