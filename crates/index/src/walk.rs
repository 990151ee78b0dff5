//! Visits the files of a repository on several threads. Like ripgrep, the walk applies ignore files and does not
//! follow symbolic links. It includes hidden files, but not `.git`.

mod parallel;
mod rules;

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Instant;

use ignore::WalkBuilder;

use crate::threads;
use rules::IgnoreRules;

#[derive(Clone, Copy, Debug)]
pub struct WalkBounds {
    pub deadline: Instant,
    /// The maximum number of files to visit.
    pub max_files: usize,
}

/// How a walk ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WalkEnd {
    Complete,
    OutOfTime,
    TooManyFiles,
}

/// The maximum number of threads. The disk limits the speed of a walk, so more threads would not make it faster.
const MAX_THREADS: usize = 8;

/// Calls a visitor with the path of each regular file, relative to the root. Each thread has its own visitor. The order
/// of the files is unspecified. Directories that cannot be read are skipped.
pub fn visit_files<V>(root: &Path, bounds: WalkBounds, make_visitor: impl Fn() -> V) -> WalkEnd
where
    V: FnMut(&Path) + Send,
{
    walk_files(root, bounds, make_visitor).end
}

/// The result of a walk.
pub(crate) struct Walked {
    pub(crate) end: WalkEnd,
    /// The number of ignore files that were not applied completely.
    pub(crate) n_refused_ignore_files: u32,
}

/// Like [`visit_files`], but also counts the ignore files that were not applied completely.
pub(crate) fn walk_files<V>(root: &Path, bounds: WalkBounds, make_visitor: impl Fn() -> V) -> Walked
where
    V: FnMut(&Path) + Send,
{
    let visited = AtomicUsize::new(0);
    let filter = EntryFilter::new(root, bounds.deadline);
    let visitors: Vec<V> =
        (0..threads::available().min(MAX_THREADS)).map(|_| make_visitor()).collect();
    let visit = |visitor: &mut V, path: &Path| {
        if filter.is_out_of_time() || visited.fetch_add(1, Ordering::Relaxed) >= bounds.max_files {
            return ControlFlow::Break(());
        }
        if let Ok(relative) = path.strip_prefix(root) {
            visitor(relative);
        }
        ControlFlow::Continue(())
    };
    parallel::walk(root, visitors, &|path, is_folder| filter.admits(path, is_folder), &visit);
    let end = match (filter.out_of_time.load(Ordering::Relaxed), visited.into_inner()) {
        (true, _) => WalkEnd::OutOfTime,
        (false, visited) if visited > bounds.max_files => WalkEnd::TooManyFiles,
        (false, _) => WalkEnd::Complete,
    };
    Walked { end, n_refused_ignore_files: filter.rules.n_refused() }
}

/// The `.ignore` files of a tree.
pub(crate) struct DotIgnore<'a> {
    root: &'a Path,
    rules: IgnoreRules,
}

impl<'a> DotIgnore<'a> {
    pub(crate) fn new(root: &'a Path) -> Self {
        Self { root, rules: IgnoreRules::new(root) }
    }

    /// Returns whether a `.ignore` file matches the file at `path` or one of the folders that contain it. The path is
    /// relative to the root.
    pub(crate) fn leaves_out(&self, path: &Path) -> bool {
        let mut entries = path.ancestors().filter(|entry| !entry.as_os_str().is_empty());
        entries
            .any(|entry| self.rules.leave_out_by_dot_ignore(&self.root.join(entry), entry != path))
    }
}

/// Lists individual folders of a tree. Each ignore file is read only once.
pub(crate) struct FolderLister {
    root: PathBuf,
    filter: Arc<EntryFilter>,
}

impl FolderLister {
    pub(crate) fn new(root: &Path, deadline: Instant) -> Self {
        Self { root: root.to_owned(), filter: Arc::new(EntryFilter::new(root, deadline)) }
    }

    /// Calls `visit` with the paths of `folder` and of the entries below it, relative to the root. Subfolders for
    /// which `descends` returns false are left out, with their entries. Runs on the current thread. Stops at the
    /// deadline, or when `visit` returns false.
    pub(crate) fn list(
        &self,
        folder: &Path,
        descends: impl Fn(&Path) -> bool + Send + Sync + 'static,
        mut visit: impl FnMut(&Path) -> bool,
    ) {
        let (base, filter) = (self.root.clone(), Arc::clone(&self.filter));
        let walker = WalkBuilder::new(self.root.join(folder))
            .standard_filters(false)
            .filter_entry(move |entry| {
                let is_folder = entry.file_type().is_some_and(|kind| kind.is_dir());
                let is_admitted = || entry.path().strip_prefix(&base).is_ok_and(&descends);
                entry.depth() == 0
                    || filter.admits(entry.path(), is_folder) && (!is_folder || is_admitted())
            })
            .build();
        for entry in walker.flatten() {
            if Instant::now() >= self.filter.deadline {
                return;
            }
            if let Ok(relative) = entry.path().strip_prefix(&self.root)
                && !visit(relative)
            {
                return;
            }
        }
    }
}

/// Decides which entries below the root are visited.
struct EntryFilter {
    rules: IgnoreRules,
    deadline: Instant,
    out_of_time: AtomicBool,
}

impl EntryFilter {
    fn new(root: &Path, deadline: Instant) -> Self {
        Self { rules: IgnoreRules::new(root), deadline, out_of_time: AtomicBool::new(false) }
    }

    fn admits(&self, path: &Path, is_folder: bool) -> bool {
        path.file_name().is_none_or(|name| name != ".git")
            && !self.is_out_of_time()
            && !self.rules.leave_out(path, is_folder)
    }

    fn is_out_of_time(&self) -> bool {
        let is_late = Instant::now() >= self.deadline;
        if is_late {
            self.out_of_time.store(true, Ordering::Relaxed);
        }
        is_late
    }
}

#[cfg(test)]
mod tests;
