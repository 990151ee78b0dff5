//! Runs work on a new thread. If the system cannot create a thread, the work runs on the current thread.
//! `Scope::spawn` would panic instead.

use std::thread::{Builder, Scope, ScopedJoinHandle};

pub(crate) enum Started<'scope, T> {
    OnThread(ScopedJoinHandle<'scope, T>),
    Here(T),
}

/// Returns the number of threads that can run at the same time.
pub(crate) fn available() -> usize {
    std::thread::available_parallelism().map_or(2, usize::from)
}

pub(crate) fn start<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    work: impl FnOnce() -> T + Copy + Send + 'scope,
) -> Started<'scope, T> {
    match Builder::new().spawn_scoped(scope, work) {
        Ok(thread) => Started::OnThread(thread),
        Err(_) => Started::Here(work()),
    }
}

impl<T> Started<'_, T> {
    /// Waits for the result. Returns `None` if the thread panicked.
    pub(crate) fn join(self) -> Option<T> {
        match self {
            Self::OnThread(thread) => thread.join().ok(),
            Self::Here(result) => Some(result),
        }
    }
}
