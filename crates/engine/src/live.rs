//! Search without an index: one pass over the files with ripgrep's own crates, then a ranking.

mod rank;
mod scan;
mod terms;

use std::path::Path;
use std::time::Instant;

use index::WalkEnd;

use crate::snippet::{Snippet, snippet};
use crate::{Source, ToQuote};
pub(crate) use terms::is_stop_word;
pub use terms::{Term, terms};

/// Hits that take the place of those that may not be quoted.
const SPARE: usize = 8;

#[derive(Clone, Copy, Debug)]
pub struct LiveOptions {
    pub limit: usize,
    pub max_snippets: usize,
    pub max_snippet_lines: usize,
    pub deadline: Instant,
}

#[derive(Clone, Debug, PartialEq)]
pub struct LiveAnswer {
    /// Best first.
    pub hits: Vec<Hit>,
    pub n_files: usize,
    pub end: WalkEnd,
}

/// One file that answers the query.
#[derive(Clone, Debug, PartialEq)]
pub struct Hit {
    pub path: String,
    /// The line that answers best, counted from 1.
    pub line: u64,
    pub text: String,
    /// The name that line defines, if it looks like a definition of a searched name.
    pub defines: Option<String>,
    /// Which of the searched words the file has.
    pub matched: Vec<String>,
    /// From 0 to 1.
    pub confidence: f64,
    pub snippet: Option<Snippet>,
}

/// No terms, no hits.
#[must_use]
pub fn live_search(source: &Source<'_>, terms: &[Term], options: &LiveOptions) -> LiveAnswer {
    if terms.is_empty() {
        return LiveAnswer { hits: Vec::new(), n_files: 0, end: WalkEnd::Complete };
    }
    let scan = scan::scan(source, terms, options.deadline);
    // What a file holds is looked at only if it is about to be quoted: the search itself must stay quick.
    let mut hits = rank::rank(&scan, terms, options.limit + SPARE);
    hits.retain_mut(|hit| match (source.to_quote)(Path::new(&hit.path)) {
        ToQuote::Text(_) => true,
        ToQuote::Path => {
            hit.text.clear();
            hit.defines = None;
            true
        }
        ToQuote::Nothing => false,
    });
    hits.truncate(options.limit);
    for hit in hits.iter_mut().take(options.max_snippets) {
        if Instant::now() >= options.deadline {
            break;
        }
        // What follows a definition says more than what precedes it.
        let first = hit.line.saturating_sub(3);
        hit.snippet = snippet(source, &hit.path, first, options.max_snippet_lines);
    }
    LiveAnswer { hits, n_files: scan.n_files, end: scan.end }
}

#[cfg(test)]
mod tests;
