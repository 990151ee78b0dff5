//! Searches the text of a repository for the lines that satisfy a condition, with the index or without it.

use std::cmp::Reverse;
use std::io::Read;
use std::path::Path;
use std::sync::Mutex;
use std::time::Instant;

use index::text::terms;
use index::{FileId, Role, View, WalkBounds, WalkEnd, visit_files};

use crate::headline::{headline, is_balanced};
use crate::source::Source;

/// The maximum number of files that are read. A name that more files contain does not identify anything.
const MAX_FILES: usize = 400;
const MAX_WALKED_FILES: usize = 200_000;
const MAX_BYTES: u64 = 1024 * 1024;
/// The maximum number of lines that are stored. Further lines are only counted.
const MAX_LINES: usize = 4_000;
const MAX_LINE_CHARS: usize = 200;
/// The maximum number of lines that are joined to the first line of a definition.
const MAX_SIGNATURE_LINES: usize = 24;

/// The files that are searched for the answer to a question.
#[derive(Clone, Copy)]
pub(super) struct Corpus<'a> {
    /// The index, or `None` if the files are searched without one.
    pub(super) view: Option<&'a View>,
    pub(super) source: &'a Source<'a>,
    pub(super) deadline: Instant,
}

/// A line that satisfies a condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Occurrence {
    pub(super) path: String,
    pub(super) file: Option<FileId>,
    pub(super) role: Role,
    /// The number of the line, counted from 1.
    pub(super) line: u32,
    /// The line without white space at its ends, shortened.
    pub(super) text: String,
    /// The value that the condition returned.
    pub(super) quality: u8,
    /// The definition that contains the line, found without the index.
    pub(super) within: Option<String>,
}

#[derive(Default)]
pub(super) struct Occurrences {
    /// The lines, sorted by path and line.
    pub(super) found: Vec<Occurrence>,
    /// False if a limit or the deadline stopped the search.
    pub(super) is_complete: bool,
}

impl Corpus<'_> {
    /// Returns the lines for which `judge` returns a quality. Only files that contain all words of one of the `keys`
    /// and lines that contain one of the `needles` are read. Without an index, `keys` is ignored.
    pub(super) fn find(
        &self,
        keys: &[&str],
        needles: &[&str],
        judge: &(dyn Fn(&str) -> Option<u8> + Sync),
    ) -> Occurrences {
        let mut occurrences = match self.view {
            Some(view) => self.find_in_index(view, keys, needles, judge),
            None => self.find_in_files(needles, judge),
        };
        occurrences.found.sort_by(|a, b| (&a.path, a.line).cmp(&(&b.path, b.line)));
        occurrences
    }

    fn find_in_index(
        &self,
        view: &View,
        keys: &[&str],
        needles: &[&str],
        judge: &dyn Fn(&str) -> Option<u8>,
    ) -> Occurrences {
        let mut files: Vec<FileId> =
            keys.iter().flat_map(|key| files_with(view, key, self.deadline)).collect();
        files.sort_unstable();
        files.dedup();
        files.retain(|file| is_searched(view.role(*file)));
        files.sort_by_key(|file| (place(view.role(*file)), *file));
        let is_complete = files.len() <= MAX_FILES;
        files.truncate(MAX_FILES);
        let occurrences = self.find_in(view, files, needles, judge);
        Occurrences { is_complete: occurrences.is_complete && is_complete, ..occurrences }
    }

    /// Returns the lines of the given files that contain one of the `needles` and for which `judge` returns a quality.
    pub(super) fn find_in(
        &self,
        view: &View,
        files: Vec<FileId>,
        needles: &[&str],
        judge: &dyn Fn(&str) -> Option<u8>,
    ) -> Occurrences {
        let mut occurrences = Occurrences { is_complete: true, ..Occurrences::default() };
        for file in files {
            if Instant::now() >= self.deadline || occurrences.found.len() >= MAX_LINES {
                occurrences.is_complete = false;
                break;
            }
            let path = view.path(file);
            let Some(text) = self.read(Path::new(path)) else { continue };
            let add = |mut occurrence: Occurrence| {
                occurrence.file = Some(file);
                occurrence.role = view.role(file);
                occurrences.found.push(occurrence);
            };
            for_each_line(path, &text, needles, judge, add);
        }
        occurrences
    }

    fn find_in_files(
        &self,
        needles: &[&str],
        judge: &(dyn Fn(&str) -> Option<u8> + Sync),
    ) -> Occurrences {
        let found: Mutex<Vec<Occurrence>> = Mutex::new(Vec::new());
        let bounds = WalkBounds { deadline: self.deadline, max_files: MAX_WALKED_FILES };
        let end = visit_files(self.source.root, bounds, || {
            let found = &found;
            move |path: &Path| {
                let name = path.to_string_lossy();
                if !is_searched(Role::of_path(&name)) {
                    return;
                }
                let Some(text) = self.read(path) else { return };
                let mut here = Vec::new();
                for_each_line(&name, &text, needles, judge, |occurrence| here.push(occurrence));
                if let Ok(mut found) = found.lock()
                    && found.len() < MAX_LINES
                {
                    found.extend(here);
                }
            }
        });
        let found = found.into_inner().unwrap_or_default();
        let is_complete = end == WalkEnd::Complete && found.len() < MAX_LINES;
        Occurrences { found, is_complete }
    }

    /// Returns the text of a file that may be read, without the part after [`MAX_BYTES`].
    pub(super) fn read(&self, path: &Path) -> Option<String> {
        if !(self.source.admits)(path) {
            return None;
        }
        let mut bytes = Vec::new();
        (self.source.open)(path).ok()?.take(MAX_BYTES).read_to_end(&mut bytes).ok()?;
        (!bytes.contains(&0)).then(|| String::from_utf8_lossy(&bytes).into_owned())
    }

    /// Returns a line of a file without white space at its ends.
    pub(super) fn line(&self, path: &str, line: u32) -> Option<String> {
        let text = self.read(Path::new(path))?;
        text.lines().nth((line as usize).checked_sub(1)?).map(shortened)
    }

    /// Returns the definition that starts at a line. If its parameters continue on the next lines, they are joined to one
    /// line.
    pub(super) fn definition(&self, path: &str, line: u32) -> Option<String> {
        let text = self.read(Path::new(path))?;
        let mut lines = text.lines().skip((line as usize).checked_sub(1)?);
        let first = lines.next()?;
        if is_balanced(first) {
            return Some(shortened(first));
        }
        let mut signature = first.to_owned();
        for next in lines.take(MAX_SIGNATURE_LINES) {
            signature = format!("{signature} {}", next.trim());
            if is_balanced(&signature) {
                break;
            }
        }
        Some(headline(&signature, ""))
    }
}

fn for_each_line(
    path: &str,
    text: &str,
    needles: &[&str],
    judge: &dyn Fn(&str) -> Option<u8>,
    mut emit: impl FnMut(Occurrence),
) {
    if !needles.iter().any(|needle| text.contains(needle)) {
        return;
    }
    for (at, line) in text.lines().enumerate() {
        if !needles.iter().any(|needle| line.contains(needle)) {
            continue;
        }
        let Some(quality) = judge(line) else { continue };
        emit(Occurrence {
            path: path.to_owned(),
            file: None,
            role: Role::of_path(path),
            line: u32::try_from(at + 1).unwrap_or(u32::MAX),
            text: shortened(line),
            quality,
            within: enclosing(text, at),
        });
    }
}

fn shortened(line: &str) -> String {
    line.trim().chars().take(MAX_LINE_CHARS).collect()
}

/// Returns the name of the nearest definition above a line. The definition must be indented less than the line.
fn enclosing(text: &str, at: usize) -> Option<String> {
    const MAX_LINES_ABOVE: usize = 400;
    let indentation = |line: &str| line.len() - line.trim_start().len();
    let lines: Vec<&str> = text.lines().take(at + 1).collect();
    let mut limit = indentation(lines.get(at)?);
    for line in lines[..at].iter().rev().take(MAX_LINES_ABOVE) {
        if limit == 0 {
            return None;
        }
        if line.trim().is_empty() || indentation(line) >= limit {
            continue;
        }
        limit = indentation(line);
        if let Some(name) = crate::direct_search::defined_name(line) {
            return Some(name.to_owned());
        }
    }
    None
}

/// Returns the files that contain all terms of `key`.
fn files_with(view: &View, key: &str, deadline: Instant) -> Vec<FileId> {
    let mut terms = terms(key);
    terms.sort_unstable();
    terms.dedup();
    terms.sort_by_key(|term| view.document_frequency(term));
    let mut files: Option<Vec<FileId>> = None;
    for term in &terms {
        if Instant::now() >= deadline {
            break;
        }
        files = Some(match files {
            // If the rarest term is common, more files than can be read contain the key.
            None => view.best_postings(term).map(|posting| posting.file).collect(),
            Some(files) if files.is_empty() => return files,
            // The remaining files are few enough to be read.
            Some(files) if files.len() <= 16 => return files,
            Some(mut files) => {
                files.sort_unstable();
                let mut with_term = Vec::new();
                view.for_each_posting_in(term, &files, |posting| with_term.push(posting.file));
                with_term
            }
        });
    }
    files.unwrap_or_default()
}

fn is_searched(role: Role) -> bool {
    !matches!(role, Role::Minified | Role::Binary | Role::Lock | Role::Agent | Role::Output)
}

/// Returns the rank of a role in an answer: code first, documentation and copies last.
pub(super) fn place(role: Role) -> u8 {
    match role {
        Role::Source => 0,
        Role::Config | Role::Data => 1,
        Role::Example => 2,
        Role::Test => 3,
        Role::Docs => 4,
        Role::Generated
        | Role::Vendored
        | Role::Output
        | Role::Agent
        | Role::Minified
        | Role::Binary
        | Role::Lock => 5,
    }
}

/// Returns the rarest of `words`. They identify the files that may contain a string.
pub(super) fn rarest<'a>(view: Option<&View>, words: &[&'a str], max: usize) -> Vec<&'a str> {
    let mut words = words.to_vec();
    words.sort_unstable();
    words.dedup();
    let Some(view) = view else {
        words.sort_by_key(|word| Reverse(word.len()));
        words.truncate(1);
        return words;
    };
    let frequency = |word: &str| {
        terms(word).iter().map(|term| view.document_frequency(term)).min().unwrap_or(0)
    };
    words.retain(|word| frequency(word) > 0);
    words.sort_by_key(|word| frequency(word));
    words.truncate(max);
    words
}
