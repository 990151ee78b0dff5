//! `ci_index_status`: reports the size, age and freshness of an index.

use index::{HistoryState, View};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexReport {
    pub files: u32,
    pub symbols: u32,
    pub edges: u32,
    pub terms: u32,
    pub commits: u32,
    pub history: HistoryState,
    /// The commit that was checked out when the index was built.
    pub head: Option<String>,
    /// The number of seconds since the index was built.
    pub age: u64,
    /// The size of the snapshot, in bytes.
    pub bytes: usize,
    /// The files that changed after the index was built and have been read again.
    pub changed: Vec<String>,
    pub added: Vec<String>,
    pub deleted: Vec<String>,
    /// The number of changed files that have not been read again.
    pub stale: u32,
    /// Whether all files have been compared with the index.
    pub checked: bool,
    /// Whether parts of the index cannot be read.
    pub damaged: bool,
    /// Messages about files that could not be indexed.
    pub problems: Vec<String>,
}

/// Describes the index of `view`. `now` is the current time in seconds since 1970.
#[must_use]
pub fn index_report(view: &View, now: i64) -> IndexReport {
    let (meta, freshness) = (view.meta(), view.freshness());
    IndexReport {
        files: meta.files,
        symbols: meta.symbols,
        edges: meta.edges,
        terms: meta.terms,
        commits: meta.commits,
        history: meta.history,
        head: meta.head.clone(),
        age: u64::try_from(now.saturating_sub(meta.built_at)).unwrap_or(0),
        bytes: view.size(),
        changed: freshness.changed.clone(),
        added: freshness.added.clone(),
        deleted: freshness.deleted.clone(),
        stale: freshness.left_out,
        checked: freshness.complete,
        damaged: view.damaged(),
        problems: meta.problems.clone(),
    }
}
