//! Records how often indexes are opened and built, so that a test can count it.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

static OPENINGS: Mutex<Vec<(PathBuf, Opening)>> = Mutex::new(Vec::new());

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Opening {
    /// The stored index was opened, and not compared with the repository.
    AsWritten,
    /// The stored index was opened and compared with the repository.
    Compared,
    Built,
}

pub(crate) fn record(root: &Path, opening: Opening) {
    OPENINGS.lock().unwrap_or_else(PoisonError::into_inner).push((root.to_owned(), opening));
}

/// Returns the openings of the index of one repository, and forgets them.
pub(crate) fn take(root: &Path) -> Vec<Opening> {
    let mut all = OPENINGS.lock().unwrap_or_else(PoisonError::into_inner);
    let (found, other) = all.drain(..).partition(|(of, _)| of == root);
    *all = other;
    let found: Vec<(PathBuf, Opening)> = found;
    found.into_iter().map(|(_, opening)| opening).collect()
}
