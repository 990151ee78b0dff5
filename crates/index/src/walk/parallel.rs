//! Lists the folders of a tree on several threads.
//!
//! The parallel walker of the crate `ignore` panics if the system cannot create all of its threads, and the threads that
//! it has created then never end. Here, the current thread lists folders too, and each additional thread is optional.

use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, Builder};

/// Calls `visit` with each regular file below `root`, on as many threads as there are visitors, or on fewer if the
/// system cannot create them. Each thread has its own visitor. Entries for which `admits` returns false are left out,
/// with everything below them. The second argument of `admits` says whether the entry is a folder. Symbolic links are
/// not followed, and folders that cannot be read are skipped. If `visit` returns `Break`, the walk ends.
pub(super) fn walk<V: Send>(
    root: &Path,
    visitors: Vec<V>,
    admits: &(impl Fn(&Path, bool) -> bool + Sync),
    visit: &(impl Fn(&mut V, &Path) -> ControlFlow<()> + Sync),
) {
    let queue = Queue::new(root);
    let list_folders = |mut visitor: V| {
        while let Some(task) = queue.next() {
            if task.list(&mut visitor, admits, visit).is_break() {
                queue.stop();
            }
        }
    };
    let list_folders = &list_folders;
    thread::scope(|scope| {
        let mut visitors = visitors.into_iter();
        let first = visitors.next();
        for visitor in visitors {
            let thread = Builder::new().spawn_scoped(scope, move || list_folders(visitor));
            if thread.is_err() {
                break;
            }
        }
        if let Some(visitor) = first {
            list_folders(visitor);
        }
    });
}

/// The folders that have been found but not listed yet.
struct Queue {
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    folders: Vec<PathBuf>,
    /// The number of folders that are being listed. Each of them can add folders to the queue.
    n_listed: usize,
    is_stopped: bool,
}

impl Queue {
    fn new(root: &Path) -> Self {
        let state = State { folders: vec![root.to_owned()], n_listed: 0, is_stopped: false };
        Self { state: Mutex::new(state), changed: Condvar::new() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the next folder to list. Waits while the queue is empty and other threads can still add to it. Returns
    /// `None` if all folders have been listed or the walk was stopped.
    fn next(&self) -> Option<Task<'_>> {
        let mut state = self.state();
        loop {
            if state.is_stopped {
                return None;
            }
            if let Some(folder) = state.folders.pop() {
                state.n_listed += 1;
                return Some(Task { queue: self, folder });
            }
            if state.n_listed == 0 {
                return None;
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn add(&self, folder: PathBuf) {
        self.state().folders.push(folder);
        self.changed.notify_one();
    }

    fn stop(&self) {
        self.state().is_stopped = true;
        self.changed.notify_all();
    }
}

/// A folder that one thread lists. Dropping the value, also during a panic, tells the other threads that the folder
/// adds nothing more to the queue.
struct Task<'q> {
    queue: &'q Queue,
    folder: PathBuf,
}

impl Task<'_> {
    /// Visits the files of the folder, and adds its subfolders to the queue.
    fn list<V>(
        &self,
        visitor: &mut V,
        admits: &impl Fn(&Path, bool) -> bool,
        visit: &impl Fn(&mut V, &Path) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        for entry in fs::read_dir(&self.folder).into_iter().flatten().flatten() {
            let Ok(kind) = entry.file_type() else { continue };
            let path = entry.path();
            if !admits(&path, kind.is_dir()) {
                continue;
            }
            if kind.is_dir() {
                self.queue.add(path);
            } else if kind.is_file() {
                visit(visitor, &path)?;
            }
        }
        ControlFlow::Continue(())
    }
}

impl Drop for Task<'_> {
    fn drop(&mut self) {
        let mut state = self.queue.state();
        state.n_listed -= 1;
        if state.n_listed == 0 {
            self.queue.changed.notify_all();
        }
    }
}

#[cfg(test)]
mod tests;
