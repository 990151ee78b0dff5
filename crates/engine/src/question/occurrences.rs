//! Searches the text of a repository for lines that satisfy a condition, with or without the index.

use std::cmp::Reverse;
use std::io::Read;
use std::path::Path;
use std::sync::Mutex;
use std::time::Instant;

use index::text::terms;
use index::{FileId, Role, View, WalkBounds, WalkEnd, visit_files};

use super::answer_name::last_part;
use crate::headline::{headline, is_balanced};
use crate::rank::evidence::needs_request;
use crate::source::Source;

/// The maximum number of files that are read. A name that occurs in more files does not identify anything.
const MAX_FILES: usize = 400;
const MAX_WALKED_FILES: usize = 200_000;
const MAX_BYTES: u64 = 1024 * 1024;
/// The number of matching lines after which further files are ignored.
const MAX_LINES: usize = 4_000;
const MAX_LINE_CHARS: usize = 200;
/// The maximum number of lines that are appended to the first line of a definition.
const MAX_SIGNATURE_LINES: usize = 24;

/// The files that are searched for the answer to a question.
#[derive(Clone, Copy)]
pub(super) struct Corpus<'a> {
    /// The index, or `None` if the files are searched without one.
    pub(super) view: Option<&'a View>,
    pub(super) source: &'a Source<'a>,
    pub(super) deadline: Instant,
}

/// A line that a search has found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Occurrence {
    pub(super) path: String,
    pub(super) file: Option<FileId>,
    pub(super) role: Role,
    /// The line number, counted from 1.
    pub(super) line: u32,
    /// The text of the line, trimmed and shortened.
    pub(super) text: String,
    /// The quality of the match. See [`Corpus::find`].
    pub(super) quality: u8,
    /// The definition that contains the line, if it was determined without the index.
    pub(super) within: Option<String>,
}

impl Occurrence {
    /// Returns the occurrence at line index `at`, which is counted from 0.
    fn at(path: &str, role: Role, at: usize, line: &str, quality: u8) -> Self {
        Self {
            path: path.to_owned(),
            file: None,
            role,
            line: u32::try_from(at + 1).unwrap_or(u32::MAX),
            text: shortened(line),
            quality,
            within: None,
        }
    }
}

#[derive(Default)]
pub(super) struct Occurrences {
    /// The lines, sorted by path and line.
    pub(super) found: Vec<Occurrence>,
    /// False if a limit or the deadline stopped the search.
    pub(super) is_complete: bool,
}

impl Corpus<'_> {
    /// Returns the lines that contain one of the `needles` and are accepted by `judge`. `judge` returns the quality of
    /// a match (100 is best), or `None` to reject the line. If there is an index, only the files that contain all words
    /// of one of the `keys` are searched; otherwise, `keys` is ignored.
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
        let mut files = Vec::new();
        let mut is_complete = true;
        for key in keys {
            let (with_key, are_all) = files_with(view, key, self.deadline);
            files.extend(with_key);
            is_complete &= are_all;
        }
        files.sort_unstable();
        files.dedup();
        files.retain(|file| !needs_request(view.role(*file)));
        files.sort_by_cached_key(|file| (place(view.role(*file)), *file));
        is_complete &= files.len() <= MAX_FILES;
        files.truncate(MAX_FILES);
        let occurrences = self.find_in(view, files, needles, judge);
        Occurrences { is_complete: occurrences.is_complete && is_complete, ..occurrences }
    }

    /// Returns the lines of the given files that contain one of the `needles` and are accepted by `judge`. `judge`
    /// returns the quality of a match, or `None` to reject the line.
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
            let role = view.role(file);
            for_each_line(&text, needles, judge, |at, line, quality| {
                occurrences.found.push(Occurrence {
                    file: Some(file),
                    ..Occurrence::at(path, role, at, line, quality)
                });
            });
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
                if needs_request(Role::of_path(&name)) {
                    return;
                }
                let Some(text) = self.read(path) else { return };
                let (mut here, role) = (Vec::new(), Role::of_path(&name));
                for_each_line(&text, needles, judge, |at, line, quality| {
                    here.push(Occurrence {
                        within: enclosing(&text, at),
                        ..Occurrence::at(&name, role, at, line, quality)
                    });
                });
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

    /// Returns at most the first [`MAX_BYTES`] bytes of a text file, or `None` if the file may not be read or is
    /// binary.
    pub(super) fn read(&self, path: &Path) -> Option<String> {
        if !(self.source.admits)(path) {
            return None;
        }
        let mut bytes = Vec::new();
        (self.source.open)(path).ok()?.take(MAX_BYTES).read_to_end(&mut bytes).ok()?;
        (!bytes.contains(&0)).then(|| String::from_utf8_lossy(&bytes).into_owned())
    }
}

/// Returns a line of a text, trimmed and shortened, or `None` if the text has no such line.
pub(super) fn line(text: &str, line: u32) -> Option<String> {
    text.lines().nth((line as usize).checked_sub(1)?).map(shortened)
}

/// Returns the first line of the definition that starts at `line`. If its parameters continue on the next lines, these
/// lines are joined to it.
pub(super) fn definition(text: &str, line: u32) -> Option<String> {
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

/// Calls `emit` with the index, text and match quality of each line that contains one of the `needles` and is accepted
/// by `judge`. Indices are counted from 0.
fn for_each_line<'t>(
    text: &'t str,
    needles: &[&str],
    judge: &dyn Fn(&str) -> Option<u8>,
    mut emit: impl FnMut(usize, &'t str, u8),
) {
    if !needles.iter().any(|needle| text.contains(needle)) {
        return;
    }
    for (at, line) in text.lines().enumerate() {
        if !needles.iter().any(|needle| line.contains(needle)) {
            continue;
        }
        if let Some(quality) = judge(line) {
            emit(at, line, quality);
        }
    }
}

fn shortened(line: &str) -> String {
    line.trim().chars().take(MAX_LINE_CHARS).collect()
}

/// Returns the name of the definition that contains the line with index `at`. This is the nearest definition above the
/// line that has a smaller indentation. Returns `None` if there is none.
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

/// Returns whether the last part of a name occurs in so few files that all of them can be searched.
#[must_use]
pub fn is_searched_everywhere(view: &View, name: &str) -> bool {
    let terms = terms(last_part(name)).into_iter();
    let frequencies = terms.map(|term| view.document_frequency(&term));
    frequencies.min().is_none_or(|n_files| n_files as usize <= MAX_FILES)
}

/// Returns the files that contain all terms of `key`, and whether these are all such files. If the rarest terms occur in
/// only a few files, the other terms are not checked. Not all files are returned if the deadline passed before the
/// first term, or if even the rarest term is very common.
fn files_with(view: &View, key: &str, deadline: Instant) -> (Vec<FileId>, bool) {
    let mut terms = terms(key);
    terms.sort_unstable();
    terms.dedup();
    terms.sort_by_key(|term| view.document_frequency(term));
    let mut files: Option<Vec<FileId>> = None;
    let are_all = terms.first().is_none_or(|rarest| !view.is_common(rarest));
    for term in &terms {
        if Instant::now() >= deadline {
            break;
        }
        files = Some(match files {
            // For a very common term, these are only the files in which the term is most prominent.
            None => view.best_postings(term).map(|posting| posting.file).collect(),
            // There are so few files left that all of them can be read.
            Some(files) if files.len() <= 16 => return (files, are_all),
            Some(mut files) => {
                files.sort_unstable();
                let postings = view.postings_in(term, &files);
                postings.into_iter().map(|posting| posting.file).collect()
            }
        });
    }
    let is_known = files.is_some() || terms.is_empty();
    (files.unwrap_or_default(), are_all && is_known)
}

/// Returns the sort key for files with this role. An answer lists files with a low key first. Source code has the
/// lowest key, and documentation, generated files and vendored files have the highest keys.
pub(crate) fn place(role: Role) -> u8 {
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

/// Returns at most `max` of `words`, rarest first. Words that do not occur in the index are left out. If there is no
/// index, returns only the longest word.
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
