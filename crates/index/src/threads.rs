//! Work on a thread of its own, or on this one where the system has no thread to give: `spawn` would panic there.

use std::thread::{Builder, Scope, ScopedJoinHandle};

pub(crate) enum Started<'scope, T> {
    OnThread(ScopedJoinHandle<'scope, T>),
    Here(T),
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
    /// `None` if the work panicked on its thread.
    pub(crate) fn join(self) -> Option<T> {
        match self {
            Self::OnThread(thread) => thread.join().ok(),
            Self::Here(result) => Some(result),
        }
    }
}
