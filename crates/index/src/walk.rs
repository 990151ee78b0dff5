//! Visits the files of a repository on several threads, as ripgrep would: ignore files are honoured, links
//! are not followed, `.git` is left out.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Instant;

use ignore::{WalkBuilder, WalkState};

#[derive(Clone, Copy, Debug)]
pub struct WalkBounds {
    pub deadline: Instant,
    pub max_files: usize,
}

/// Whether the walk saw everything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WalkEnd {
    Complete,
    OutOfTime,
    TooManyFiles,
}

/// Walking is mostly waiting for the disk; more threads than this gain nothing.
const MOST_THREADS: usize = 8;

/// Calls one visitor per thread for each regular file, with the path relative to the root. The order is not
/// defined. A directory that cannot be read is passed over.
pub fn visit_files<V>(root: &Path, bounds: WalkBounds, make_visitor: impl Fn() -> V) -> WalkEnd
where
    V: FnMut(&Path) + Send,
{
    let visited = AtomicUsize::new(0);
    let out_of_time = AtomicUsize::new(0);
    let threads = thread::available_parallelism().map_or(2, usize::from).min(MOST_THREADS);
    let walker = WalkBuilder::new(root)
        .hidden(false)
        .require_git(false)
        .threads(threads)
        .filter_entry(|entry| entry.file_name() != ".git")
        .build_parallel();
    walker.run(|| {
        let mut visitor = make_visitor();
        let (visited, out_of_time) = (&visited, &out_of_time);
        Box::new(move |entry| {
            if Instant::now() >= bounds.deadline {
                out_of_time.store(1, Ordering::Relaxed);
                return WalkState::Quit;
            }
            let Ok(entry) = entry else { return WalkState::Continue };
            if !entry.file_type().is_some_and(|kind| kind.is_file()) {
                return WalkState::Continue;
            }
            if visited.fetch_add(1, Ordering::Relaxed) >= bounds.max_files {
                return WalkState::Quit;
            }
            if let Ok(relative) = entry.path().strip_prefix(root) {
                visitor(relative);
            }
            WalkState::Continue
        })
    });
    match (out_of_time.into_inner(), visited.into_inner() > bounds.max_files) {
        (1.., _) => WalkEnd::OutOfTime,
        (0, true) => WalkEnd::TooManyFiles,
        (0, false) => WalkEnd::Complete,
    }
}

#[cfg(test)]
mod tests;
