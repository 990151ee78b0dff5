//! Scans all files once: counts the query terms in each file and finds the best line of each file.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Instant;

use grep_matcher::Matcher;
use grep_regex::{RegexMatcher, RegexMatcherBuilder};
use grep_searcher::{BinaryDetection, Searcher, SearcherBuilder, Sink, SinkMatch};
use index::text::{FIELDS, Field, for_each_token};
use index::{Language, Role, WalkBounds, WalkEnd, visit_files};
use rustc_hash::FxHashMap;

use crate::query::Query;
use crate::rank::evidence::{can_be_copy, copied_terms, is_evidence};
use crate::rank::terms::{Scope, Term};
use crate::source::Source;

use super::rank_scan::is_same_file;

const MAX_FILES: usize = 200_000;
/// The maximum size of a file whose content is searched. Larger files usually contain data.
const MAX_BYTES: u64 = 1024 * 1024;
const MAX_LINES_PER_FILE: usize = 400;
/// The maximum number of bytes that are read from a line.
const MAX_LINE_BYTES: usize = 400;
/// Lines with more bytes than this are typical of minified code.
const LONG_LINE_BYTES: usize = 1_000;
/// The average number of bytes per term in source code. Used to estimate field lengths, because the scan does not
/// tokenize whole files.
const BYTES_PER_TERM: u64 = 8;

pub(super) struct Scan {
    /// The files that contain a term in their content or path, sorted by path.
    pub(super) files: Vec<ScannedFile>,
    pub(super) n_files: usize,
    /// The averages of [`ScannedFile::lengths`].
    pub(super) average_lengths: [f32; FIELDS],
    pub(super) end: WalkEnd,
}

#[derive(Default)]
pub(super) struct ScannedFile {
    pub(super) path: String,
    /// For each term, the number of occurrences in the path, in the names of definitions, and in all lines.
    pub(super) counts: Vec<[u32; FIELDS]>,
    /// The estimated number of terms in each field.
    pub(super) lengths: [u32; FIELDS],
    /// The line number of the best line, counted from 1.
    pub(super) line: u64,
    pub(super) text: String,
    pub(super) defines: Option<String>,
    /// The total weight of the terms in the best line.
    pub(super) line_score: f32,
    /// Whether most of the lines that contain a term are very long, as in minified code.
    has_long_lines: bool,
}

/// Scans the files that may be shown for `prompt`. `terms` are the terms of `prompt` that are counted.
pub(super) fn scan_files(
    source: &Source<'_>,
    prompt: &Query,
    terms: &[Term<'_>],
    deadline: Instant,
) -> Scan {
    let query = ScanTerms::new(terms);
    let found: Mutex<BTreeMap<String, ScannedFile>> = Mutex::new(BTreeMap::new());
    let (n_files, n_bytes) = (AtomicUsize::new(0), AtomicU64::new(0));
    let bounds = WalkBounds { deadline, max_files: MAX_FILES };
    let end = visit_files(source.root, bounds, || {
        let mut searcher = SearcherBuilder::new()
            .binary_detection(BinaryDetection::quit(0))
            .line_number(true)
            .build();
        let (query, found, n_files, n_bytes) = (&query, &found, &n_files, &n_bytes);
        move |path: &Path| {
            if !(source.admits)(path) || !can_be_shown(prompt, path) {
                return;
            }
            n_files.fetch_add(1, Ordering::Relaxed);
            let Some((file, bytes)) = scan_file(source, path, query, &mut searcher) else { return };
            n_bytes.fetch_add(bytes, Ordering::Relaxed);
            let has_term = file.counts.iter().flatten().any(|count| *count > 0);
            if has_term
                && !is_minified(prompt, &file)
                && let Ok(mut found) = found.lock()
            {
                found.insert(file.path.clone(), file);
            }
        }
    });
    let copied = copied_terms(prompt, terms);
    let files = found.into_inner().unwrap_or_default().into_values();
    let files: Vec<ScannedFile> = files.filter(|file| !is_copy(prompt, file, &copied)).collect();
    let n_files = n_files.into_inner();
    let path_terms: u32 = files.iter().map(|file| file.lengths[Field::Path.slot()]).sum();
    let mut average_lengths = [0.0; FIELDS];
    average_lengths[Field::Path.slot()] = path_terms as f32 / files.len().max(1) as f32;
    average_lengths[Field::Body.slot()] =
        (n_bytes.into_inner() / BYTES_PER_TERM) as f32 / n_files.max(1) as f32;
    Scan { files, n_files, average_lengths, end }
}

/// Returns whether a file with this path may be shown for `prompt`.
fn can_be_shown(prompt: &Query, path: &Path) -> bool {
    let path = path.to_string_lossy();
    let role = Role::of_path(&path);
    is_evidence(prompt, &path, role, is_named(prompt, &path))
}

/// Returns whether the lines of a file look minified and `prompt` does not ask for the file.
fn is_minified(prompt: &Query, file: &ScannedFile) -> bool {
    file.has_long_lines
        && Language::of_path(&file.path).is_some()
        && !is_evidence(prompt, &file.path, Role::Minified, is_named(prompt, &file.path))
}

/// Returns whether a document seems to be a copy of `prompt`: it contains all terms whose indices are in `copied`, and
/// `prompt` does not contain its path.
fn is_copy(prompt: &Query, file: &ScannedFile, copied: &[usize]) -> bool {
    let has_term = |at: &usize| file.counts[*at].iter().any(|count| *count > 0);
    !copied.is_empty()
        && copied.iter().all(has_term)
        && can_be_copy(Role::of_path(&file.path))
        && !is_named(prompt, &file.path)
}

fn is_named(prompt: &Query, path: &str) -> bool {
    let mentioned = prompt.paths.iter().map(|mention| &mention.text);
    let in_trace = prompt.frames.iter().map(|frame| &frame.path);
    mentioned.chain(in_trace).any(|text| is_same_file(path, text))
}

/// The query terms and a matcher that finds lines that contain any of them.
struct ScanTerms<'a> {
    terms: &'a [Term<'a>],
    positions: FxHashMap<&'a str, usize>,
    matcher: Option<RegexMatcher>,
}

impl<'a> ScanTerms<'a> {
    fn new(terms: &'a [Term<'a>]) -> Self {
        // A stem is a prefix of its words, except that a `y` at the end of the stem may be `ie` in a word.
        let literals: Vec<&str> =
            terms.iter().map(|term| term.text.strip_suffix('y').unwrap_or(term.text)).collect();
        let mut builder = RegexMatcherBuilder::new();
        let matcher = builder.case_insensitive(true).fixed_strings(true).build_many(&literals);
        let positions = terms.iter().enumerate().map(|(at, term)| (term.text, at)).collect();
        Self { terms, positions, matcher: matcher.ok() }
    }

    /// Calls `emit` with the index of each term that `text` contains. Returns the number of tokens in `text`.
    fn for_each_match(&self, text: &str, mut emit: impl FnMut(usize)) -> u32 {
        let mut n_tokens = 0;
        for_each_token(text, |token| {
            n_tokens += 1;
            if let Some(at) = self.positions.get(token.term) {
                emit(*at);
            }
        });
        n_tokens
    }
}

/// Scans one file. Returns the result and the size of the file in bytes, or `None` if the file cannot be opened.
fn scan_file(
    source: &Source<'_>,
    path: &Path,
    query: &ScanTerms<'_>,
    searcher: &mut Searcher,
) -> Option<(ScannedFile, u64)> {
    let matcher = query.matcher.as_ref()?;
    let file = (source.open)(path).ok()?;
    let bytes = file.metadata().ok()?.len();
    let mut scanned = ScannedFile {
        path: path.to_string_lossy().into_owned(),
        counts: vec![[0; FIELDS]; query.terms.len()],
        line: 1,
        ..ScannedFile::default()
    };
    if matcher.is_match(scanned.path.as_bytes()).unwrap_or(false) {
        let counts = &mut scanned.counts;
        scanned.lengths[Field::Path.slot()] =
            query.for_each_match(&scanned.path, |at| counts[at][Field::Path.slot()] += 1);
    }
    scanned.lengths[Field::Body.slot()] = u32::try_from(bytes / BYTES_PER_TERM).unwrap_or(u32::MAX);
    let mut sink = LineSink { query, n_lines: 0, n_long: 0, found: Vec::new(), file: scanned };
    if bytes <= MAX_BYTES {
        // If reading fails or the file is binary, the lines read so far are kept. The file may grow during the scan,
        // so the number of bytes is limited here too.
        let _partial = searcher.search_reader(matcher, file.take(MAX_BYTES), &mut sink);
    }
    sink.file.has_long_lines = sink.n_long * 2 > sink.n_lines;
    Some((sink.file, bytes))
}

struct LineSink<'a> {
    query: &'a ScanTerms<'a>,
    n_lines: usize,
    /// The number of matching lines that are longer than [`LONG_LINE_BYTES`].
    n_long: usize,
    /// The indices of the terms in the current line. Kept as a field to reuse the allocation.
    found: Vec<usize>,
    file: ScannedFile,
}

impl Sink for LineSink<'_> {
    type Error = std::io::Error;

    fn matched(&mut self, _: &Searcher, matched: &SinkMatch<'_>) -> Result<bool, Self::Error> {
        const EXACT_DEFINITION: f32 = 3.0;
        const PARTIAL_DEFINITION: f32 = 0.5;
        let bytes = matched.bytes();
        let line = String::from_utf8_lossy(&bytes[..bytes.len().min(MAX_LINE_BYTES)]);
        let (query, file, found) = (self.query, &mut self.file, &mut self.found);
        let weight = |at: usize| query.terms[at].weight(Scope::Whole);
        found.clear();
        query.for_each_match(&line, |at| {
            file.counts[at][Field::Body.slot()] += 1;
            found.push(at);
        });
        found.sort_unstable();
        found.dedup();
        let mut score: f32 = found.iter().map(|at| weight(*at)).sum();
        let mut defines = None;
        if let Some(name) = defined_name(&line) {
            query.for_each_match(name, |at| {
                file.counts[at][Field::Name.slot()] += 1;
                let is_exact = name.eq_ignore_ascii_case(query.terms[at].written);
                score += weight(at) * if is_exact { EXACT_DEFINITION } else { PARTIAL_DEFINITION };
                defines = Some(name);
            });
        }
        if score > file.line_score {
            file.line_score = score;
            file.line = matched.line_number().unwrap_or(1);
            line.trim().clone_into(&mut file.text);
            file.defines = defines.map(str::to_owned);
        }
        self.n_lines += 1;
        self.n_long += usize::from(bytes.len() > LONG_LINE_BYTES);
        Ok(self.n_lines < MAX_LINES_PER_FILE)
    }
}

#[rustfmt::skip]
const DEFINING_WORDS: &[&str] = &[
    "fn", "def", "class", "struct", "enum", "trait", "interface", "func", "function", "type", "impl", "const", "static", "let",
    "var", "module", "mod", "namespace", "macro_rules!", "object", "protocol", "record", "fun", "sub", "#define",
];

/// Returns the name that a line seems to define, in any language. Returns `None` if the line contains no keyword such
/// as `fn` or `class`, or no name after it.
pub(crate) fn defined_name(line: &str) -> Option<&str> {
    let mut words = line.split_whitespace();
    words.by_ref().take(6).find(|word| DEFINING_WORDS.contains(word))?;
    let name = words.next()?;
    // In Go, the receiver is between the keyword and the name.
    let name = if name.starts_with('(') { line.split(')').nth(1)?.trim_start() } else { name };
    let end =
        name.find(|c: char| !c.is_alphanumeric() && c != '_' && c != '$').unwrap_or(name.len());
    (end > 0).then(|| &name[..end])
}
