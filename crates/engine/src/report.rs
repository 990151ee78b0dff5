//! `ci_index_status` where there is an index: what it holds, how old it is, what has changed since.

use index::{HistoryState, View};

/// An index in figures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexReport {
    pub files: u32,
    pub symbols: u32,
    pub edges: u32,
    pub terms: u32,
    pub commits: u32,
    pub history: HistoryState,
    /// The commit that was checked out when it was built.
    pub head: Option<String>,
    /// Seconds since it was built.
    pub age: u64,
    /// The snapshot's size.
    pub bytes: usize,
    /// Files that differ from it now and are answered as they are.
    pub changed: Vec<String>,
    pub added: Vec<String>,
    pub deleted: Vec<String>,
    /// Files that differ from it and are answered as they were.
    pub stale: u32,
    /// Whether the whole tree was looked at.
    pub checked: bool,
    /// Parts of it cannot be read; it should be built anew.
    pub damaged: bool,
    /// What could not be indexed, in words.
    pub problems: Vec<String>,
}

impl IndexReport {
    /// True when it is known to describe the tree as it is.
    #[must_use]
    pub fn is_fresh(&self) -> bool {
        let differs =
            !self.changed.is_empty() || !self.added.is_empty() || !self.deleted.is_empty();
        self.checked && !differs && self.stale == 0 && !self.damaged
    }
}

/// What there is to say of the index behind `view`; `now` is in seconds since 1970.
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
