//! The pass over the files: which file has which words, and on which lines they meet.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;
use std::sync::Mutex;
use std::time::Instant;

use grep_matcher::Matcher;
use grep_regex::{RegexMatcher, RegexMatcherBuilder};
use grep_searcher::{BinaryDetection, Searcher, SearcherBuilder, Sink, SinkMatch};
use index::{WalkBounds, WalkEnd, visit_files};

use super::rank::defined_name;
use super::terms::Term;
use crate::Source;

/// A repository with more files than this wants an index.
const MAX_FILES: usize = 200_000;
/// Larger files are data.
const MAX_BYTES: u64 = 1024 * 1024;
/// Matching lines looked at in one file.
const MAX_LINES: usize = 400;
/// A longer line is not code that a person wrote.
const LONGEST_LINE: usize = 400;

pub(super) struct Scan {
    pub(super) files: Vec<ScannedFile>,
    pub(super) n_files: usize,
    pub(super) end: WalkEnd,
}

pub(super) struct ScannedFile {
    pub(super) path: String,
    /// How many lines have each term, in the order of the query; a part of a longer word counts less.
    pub(super) counts: Vec<f64>,
    /// The best line so far.
    pub(super) line: u64,
    pub(super) text: String,
    pub(super) defines: Option<String>,
    line_score: f64,
}

pub(super) fn scan(source: &Source<'_>, terms: &[Term], deadline: Instant) -> Scan {
    let Some(matcher) = any_of(terms) else {
        return Scan { files: Vec::new(), n_files: 0, end: WalkEnd::Complete };
    };
    let found: Mutex<BTreeMap<String, ScannedFile>> = Mutex::new(BTreeMap::new());
    let n_files = std::sync::atomic::AtomicUsize::new(0);
    let bounds = WalkBounds { deadline, max_files: MAX_FILES };
    let end = visit_files(source.root, bounds, || {
        let mut searcher = SearcherBuilder::new()
            .binary_detection(BinaryDetection::quit(0))
            .line_number(true)
            .build();
        let (matcher, found, n_files) = (matcher.clone(), &found, &n_files);
        move |path: &Path| {
            if !(source.admits)(path) {
                return;
            }
            n_files.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            if let Some(file) = scan_file(source, path, &matcher, &mut searcher, terms)
                && let Ok(mut found) = found.lock()
            {
                found.insert(file.path.clone(), file);
            }
        }
    });
    let files = found.into_inner().unwrap_or_default().into_values().collect();
    Scan { files, n_files: n_files.into_inner(), end }
}

fn any_of(terms: &[Term]) -> Option<RegexMatcher> {
    let literals: Vec<&str> = terms.iter().map(|term| term.text.as_str()).collect();
    let mut builder = RegexMatcherBuilder::new();
    builder.case_insensitive(true).fixed_strings(true).build_many(&literals).ok()
}

fn scan_file(
    source: &Source<'_>,
    path: &Path,
    matcher: &RegexMatcher,
    searcher: &mut Searcher,
    terms: &[Term],
) -> Option<ScannedFile> {
    let name = path.to_string_lossy().into_owned();
    let file = (source.open)(path).ok()?;
    let mut sink = Lines { terms, n_lines: 0, file: ScannedFile::new(name, terms) };
    if file.metadata().is_ok_and(|metadata| metadata.len() <= MAX_BYTES) {
        // A file that vanishes or turns out to be binary gives what was read until then.
        // A file that grows is read as far as it might have been large.
        let _partial = searcher.search_reader(matcher, file.take(MAX_BYTES), &mut sink);
    }
    let in_path = matcher.is_match(sink.file.path.as_bytes()).unwrap_or(false);
    (sink.n_lines > 0 || in_path).then_some(sink.file)
}

impl ScannedFile {
    fn new(path: String, terms: &[Term]) -> Self {
        Self {
            path,
            counts: vec![0.0; terms.len()],
            line: 1,
            text: String::new(),
            defines: None,
            line_score: 0.0,
        }
    }
}

struct Lines<'a> {
    terms: &'a [Term],
    n_lines: usize,
    file: ScannedFile,
}

impl Sink for Lines<'_> {
    type Error = std::io::Error;

    fn matched(&mut self, _: &Searcher, matched: &SinkMatch<'_>) -> Result<bool, Self::Error> {
        let bytes = matched.bytes();
        let line = String::from_utf8_lossy(&bytes[..bytes.len().min(LONGEST_LINE)]);
        let lower = line.to_lowercase();
        let defined = defined_name(&line);
        let mut score = 0.0;
        let mut defines = None;
        for (term, count) in self.terms.iter().zip(&mut self.file.counts) {
            let standing = standing(&lower, &term.text);
            if standing > 0.0 {
                *count += standing;
                score += term.weight * standing;
                if let Some(name) = defined
                    && name.to_lowercase().contains(&term.text)
                {
                    let exact = name.eq_ignore_ascii_case(&term.text);
                    score += if exact { 3.0 } else { 0.5 } * term.weight;
                    defines = Some(name);
                }
            }
        }
        if score > self.file.line_score {
            self.file.line_score = score;
            self.file.line = matched.line_number().unwrap_or(1);
            self.file.text = line.trim().to_owned();
            self.file.defines = defines.map(str::to_owned);
        }
        self.n_lines += 1;
        Ok(self.n_lines < MAX_LINES)
    }
}

/// How much of a word of its own the term is in this line: `auth` says more in `auth()` than in `author`.
pub(super) fn standing(lower: &str, term: &str) -> f64 {
    let is_letter = |c: char| c.is_alphanumeric();
    let chinese = !term.is_ascii();
    let mut best = 0.0_f64;
    for (start, _) in lower.match_indices(term).take(8) {
        let before = lower[..start].chars().next_back().is_some_and(is_letter);
        let after = lower[start + term.len()..].chars().next().is_some_and(is_letter);
        best = best.max(match (before, after) {
            _ if chinese => 1.0,
            (false, false) => 1.0,
            (false, true) => 0.5,
            (true, _) => 0.25,
        });
    }
    best
}
