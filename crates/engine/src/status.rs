//! `ci_index_status`: what an answer will be drawn from.

use crate::Source;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IndexState {
    /// There is no index; questions are answered by searching the files themselves.
    Absent,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexStatus {
    pub state: IndexState,
    pub has_git: bool,
}

#[must_use]
pub fn index_status(source: &Source<'_>) -> IndexStatus {
    IndexStatus { state: IndexState::Absent, has_git: source.root.join(".git").exists() }
}
