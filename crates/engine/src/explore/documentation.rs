//! Finds the passage of the documentation that answers a question, and the definitions that the passage names.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use index::{FileId, Node, Passage, PassageId, Role, View};

use super::{Part, Shown};
use crate::location::Location;
use crate::query::{Query, QueryTerm};
use crate::source::{Snippet, read_lines};

/// The number of files whose passages are compared.
const MAX_FILES: usize = 8;
/// The maximum number of files that are read from the postings of a word.
const MAX_POSTINGS: usize = 2_000;
/// The number of passages in which the lines are compared.
const MAX_PASSAGES: usize = 6;
/// The minimum share of the words of a question, each weighted by its rarity, that the quoted lines contain.
const MIN_COVERAGE: f32 = 0.9;
/// The minimum number of words of a question. Fewer words occur together by chance.
const MIN_WORDS: usize = 2;
/// The number of lines that are quoted.
const WINDOW_LINES: usize = 8;
/// The weight of the words that occur in the path or in the heading of a section, compared with those in the lines.
const HEADING_WEIGHT: f32 = 0.25;
/// The maximum number of definitions that are shown because the passage names them.
const MAX_NAMED: usize = 3;
/// A name with more definitions than this identifies none of them.
const MAX_SAME_NAMED: usize = 2;
/// The starts of the names of files and folders that list the changes of every version.
const CHANGE_LISTS: [&str; 5] = ["changelog", "changes", "history", "news", "release"];

/// The words of a question with their weights.
struct Words<'a>(Vec<(&'a str, f32)>);

impl<'a> Words<'a> {
    fn new(view: &View, query: &'a Query) -> Self {
        let n_files = view.meta().files.max(1) as f32;
        let weight = |term: &QueryTerm| {
            (1.0 + n_files / (1.0 + view.document_frequency(&term.text) as f32)).ln()
        };
        Self(query.search_terms().map(|term| (term.text.as_str(), weight(term))).collect())
    }

    /// Returns the share of the words that `terms` contains.
    fn coverage(&self, terms: &BTreeSet<String>) -> f32 {
        let sum =
            |words: &mut dyn Iterator<Item = &(&str, f32)>| words.map(|word| word.1).sum::<f32>();
        let known = sum(&mut self.0.iter().filter(|(term, _)| terms.contains(*term)));
        known / sum(&mut self.0.iter()).max(f32::EPSILON)
    }
}

impl Shown<'_> {
    /// Quotes the lines of the documentation that contain the words of the question, and shows the definitions of the
    /// names in them.
    pub(super) fn documentation(&mut self) {
        let view = self.asking.view;
        let words = Words::new(view, &self.asking.prompt.query);
        if words.0.len() < MIN_WORDS {
            return;
        }
        let mut best: Option<(f32, FileId, Snippet)> = None;
        for passage in best_passages(view, &words) {
            let found = self.best_lines(&passage, &words);
            if let Some((score, lines)) = found
                && best.as_ref().is_none_or(|(known, ..)| score > *known)
            {
                best = Some((score, passage.file, lines));
            }
        }
        let Some((_, file, snippet)) = best else { return };
        let line = |at: Option<&(u64, String)>| at.and_then(|(line, _)| u32::try_from(*line).ok());
        let first = line(snippet.lines.first()).unwrap_or(1);
        let last = line(snippet.lines.last()).unwrap_or(first);
        let location = Location { lines: first..=last, ..Location::of(view, Node::File(file)) };
        let text: Vec<&str> = snippet.lines.iter().map(|(_, line)| line.as_str()).collect();
        let named = definitions_in(view, &text.join("\n"));
        let role = format!("named in `{}`", location.path);
        self.push(&location, "documentation".to_owned(), Some(snippet), Part::Related);
        for node in named {
            let location = Location::of(view, node);
            if !self.is_shown(&location) {
                self.push(&location, role.clone(), None, Part::Related);
            }
        }
    }

    /// Returns the consecutive lines of a passage that contain most of the words, with their score, or `None` if no lines
    /// contain enough of them.
    fn best_lines(&self, passage: &Passage, words: &Words<'_>) -> Option<(f32, Snippet)> {
        let path = self.asking.view.path(passage.file);
        let (start, n_lines) = (u64::from(*passage.lines.start()), passage.lines.clone().count());
        let lines = read_lines(self.asking.source, path, start, n_lines)?.lines;
        let terms_of = |text: &str| index::text::terms(text).into_iter().collect::<BTreeSet<_>>();
        let terms: Vec<BTreeSet<String>> = lines.iter().map(|(_, line)| terms_of(line)).collect();
        let mut heading = terms_of(path);
        let mut best: Option<(f32, usize)> = None;
        for (at, (_, line)) in lines.iter().enumerate() {
            if line.starts_with('#') {
                heading = terms_of(path);
                heading.extend(terms[at].iter().cloned());
            }
            let window = terms[at..].iter().take(WINDOW_LINES).flatten().cloned().collect();
            let coverage = words.coverage(&window);
            let score = coverage + HEADING_WEIGHT * words.coverage(&heading);
            let is_relevant = words.coverage(&terms[at]) > 0.0;
            let is_better = best.is_none_or(|(known, _)| score > known);
            if coverage >= MIN_COVERAGE && is_relevant && is_better {
                best = Some((score, at));
            }
        }
        let (score, at) = best?;
        let quoted = lines.into_iter().skip(at).take(WINDOW_LINES);
        let lines: Vec<_> = quoted.filter(|(_, line)| !line.trim().is_empty()).collect();
        Some((score, Snippet { lines }))
    }
}

/// Returns the passages of the documentation that contain most of the words.
fn best_passages(view: &View, words: &Words<'_>) -> Vec<Passage> {
    let files = best_files(view, &words.0);
    let ranges: Vec<Range<u32>> = files.into_iter().map(|file| view.passages_of(file)).collect();
    let mut scores: BTreeMap<PassageId, f32> = BTreeMap::new();
    for (term, weight) in &words.0 {
        view.for_each_passage_posting_in(term, &ranges, |posting| {
            *scores.entry(posting.passage).or_default() += weight;
        });
    }
    let mut scores: Vec<(PassageId, f32)> = scores.into_iter().collect();
    scores.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    scores.into_iter().take(MAX_PASSAGES).map(|(passage, _)| view.passage(passage)).collect()
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
    let is_change_list = |part: &str| CHANGE_LISTS.iter().any(|start| part.starts_with(start));
    view.role(file) == Role::Docs && !path.split('/').any(is_change_list)
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
