//! Searches the files directly while there is no index. Scans all files once with ripgrep's crates and then applies
//! the ranking signals that do not need an index.

mod rank_scan;
mod scan_files;

use std::path::Path;
use std::time::Instant;

use index::WalkEnd;

pub(crate) use scan_files::defined_name;

use crate::query::{Query, QueryTerm, Section};
use crate::quote::quote;
use crate::rank::terms::weigh;
use crate::source::{MAX_LINE_CHARS, Snippet, Source, ToQuote};

/// The maximum number of terms that a scan searches for. The duration of a scan grows with the number of terms.
const MAX_TERMS: usize = 24;
/// The number of hits that are ranked in addition to the requested ones. They replace hits that may not be shown.
const SPARE_HITS: usize = 8;
/// The maximum number of hits with a snippet.
const MAX_SNIPPETS: usize = 3;
const MAX_SNIPPET_LINES: u32 = 20;

#[derive(Clone, Debug, PartialEq)]
pub struct DirectAnswer {
    /// The hits, best first.
    pub hits: Vec<DirectHit>,
    /// The number of files that were searched.
    pub n_files: usize,
    pub end: WalkEnd,
}

#[derive(Clone, Debug, PartialEq)]
pub struct DirectHit {
    pub path: String,
    /// The line number of the best line, counted from 1.
    pub line: u64,
    pub text: String,
    /// The name that the line defines, if the name contains a term of the query.
    pub defines: Option<String>,
    /// The words of the prompt that occur in the file or in its path.
    pub matched: Vec<String>,
    /// The estimated probability that the prompt is about this file, from 0 to 1.
    pub confidence: f64,
    pub snippet: Option<Snippet>,
}

/// Searches the files of `source`. Returns at most `limit` hits, and none if the query has no searchable terms.
#[must_use]
pub fn direct_search(
    source: &Source<'_>,
    query: &Query,
    limit: usize,
    deadline: Instant,
) -> DirectAnswer {
    // The document frequencies are not known yet, so all terms count as equally rare.
    let is_joined = |term: &QueryTerm| term.sections.in_section(Section::Joined) > 0.0;
    let searchable =
        query.terms.iter().filter(|term| QueryTerm::is_searchable(term) && !is_joined(term));
    let mut terms = weigh(searchable, 1, |_| 1);
    terms.truncate(MAX_TERMS);
    if terms.is_empty() {
        return DirectAnswer { hits: Vec::new(), n_files: 0, end: WalkEnd::Complete };
    }
    let scan = scan_files::scan_files(source, query, &terms, deadline);
    let mut hits = rank_scan::rank_scan(&scan, query, &terms, limit + SPARE_HITS);
    // Deciding what may be quoted requires reading the file, so only files that are about to be shown are checked.
    hits.retain_mut(|hit| match (source.to_quote)(Path::new(&hit.path)) {
        ToQuote::Text(text) => {
            let at = usize::try_from(hit.line.saturating_sub(1)).unwrap_or(usize::MAX);
            if !hit.text.is_empty() {
                let line = text.lines().nth(at).unwrap_or_default().trim();
                hit.text = line.chars().take(MAX_LINE_CHARS).collect();
            }
            true
        }
        ToQuote::Path => {
            hit.text.clear();
            hit.defines = None;
            true
        }
        ToQuote::Nothing => false,
    });
    hits.truncate(limit);
    for hit in hits.iter_mut().take(MAX_SNIPPETS) {
        if Instant::now() >= deadline {
            break;
        }
        // The snippet starts only a few lines before the hit, because the lines after a definition are more useful.
        let first = u32::try_from(hit.line).unwrap_or(u32::MAX).saturating_sub(3).max(1);
        let lines = first..=first.saturating_add(MAX_SNIPPET_LINES - 1);
        hit.snippet = quote(source, &hit.path, &[lines], query, MAX_SNIPPET_LINES as usize);
    }
    DirectAnswer { hits, n_files: scan.n_files, end: scan.end }
}

#[cfg(test)]
mod tests;
