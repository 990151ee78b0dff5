//! How much is done at once: questions wait for their turn, runs of codex are refused beyond a number.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use codex::{Filter, Sessions, Status};

use crate::options::ServerOptions;
use crate::problem::Problem;

/// Questions read the same index with the same two or four cores.
pub(crate) const MAX_QUESTIONS: usize = 4;

#[derive(Default)]
pub(crate) struct RunSlots {
    /// Runs of this server that were let in and are not over.
    here: AtomicUsize,
    /// Whoever starts a job counts first; two must not count at once.
    starting: Mutex<()>,
}

/// A run in progress; gives its place back when it is dropped.
pub(crate) struct RunSlot(Arc<RunSlots>);

impl RunSlots {
    /// A place for a run in this process.
    pub(crate) fn take(self: &Arc<Self>, host: &ServerOptions) -> Result<RunSlot, Problem> {
        let _turn = self.turn();
        self.has_room(host)?;
        self.here.fetch_add(1, Ordering::AcqRel);
        Ok(RunSlot(Arc::clone(self)))
    }

    /// Held while a job is started: until it is written down, nobody else counts.
    pub(crate) fn for_job(&self, host: &ServerOptions) -> Result<MutexGuard<'_, ()>, Problem> {
        let turn = self.turn();
        self.has_room(host)?;
        Ok(turn)
    }

    /// Runs of this server that go on.
    pub(crate) fn n_here(&self) -> usize {
        self.here.load(Ordering::Acquire)
    }

    fn turn(&self) -> MutexGuard<'_, ()> {
        self.starting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn has_room(&self, host: &ServerOptions) -> Result<(), Problem> {
        let filter = Filter {
            states: vec![Status::Running],
            directory: Some(host.root.clone()),
            ..Filter::default()
        };
        let written = Sessions::at(&host.codex.sessions).list(&filter).len();
        let running = written.max(self.n_here());
        if running < host.max_runs {
            return Ok(());
        }
        let message = format!("{running} runs of codex go on, and {} may", host.max_runs);
        Err(Problem::new("TOO_MANY_RUNS", message)
            .hint("wait for one (`codex.list`, `codex.status`) or end one with `codex.stop`"))
    }
}

impl Drop for RunSlot {
    fn drop(&mut self) {
        self.0.here.fetch_sub(1, Ordering::AcqRel);
    }
}
