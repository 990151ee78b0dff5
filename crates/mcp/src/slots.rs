//! Limits the number of concurrent calls. A tool call waits for a slot, but a codex run is refused if all slots are taken.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use codex::{Filter, Sessions, Status};

use crate::options::ServerOptions;
use crate::problem::Problem;

/// The maximum number of concurrent tool calls. They share the CPU cores of the machine.
pub(crate) const MAX_TOOL_CALLS: usize = 4;

#[derive(Default)]
pub(crate) struct RunSlots {
    /// The number of codex runs in this process.
    here: AtomicUsize,
    /// Locked while the runs are counted and a new run is started, so that two calls cannot both take the last
    /// slot.
    starting: Mutex<()>,
}

/// A run's slot, which is freed on drop.
pub(crate) struct RunSlot(Arc<RunSlots>);

impl RunSlots {
    /// Takes a slot for a codex run in this process. Fails if the maximum number of runs is reached.
    pub(crate) fn take(self: &Arc<Self>, host: &ServerOptions) -> Result<RunSlot, Problem> {
        let _turn = self.turn();
        self.has_room(host)?;
        self.here.fetch_add(1, Ordering::AcqRel);
        Ok(RunSlot(Arc::clone(self)))
    }

    /// Checks that a job may start. The caller must keep the returned guard until the job's session is written, because
    /// only written sessions are counted.
    pub(crate) fn for_job(&self, host: &ServerOptions) -> Result<MutexGuard<'_, ()>, Problem> {
        let turn = self.turn();
        self.has_room(host)?;
        Ok(turn)
    }

    /// Returns the number of codex runs in this process.
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
        let message =
            format!("{running} codex runs are active, and the maximum is {}", host.max_runs);
        Err(Problem::new("TOO_MANY_RUNS", message).hint(
            "wait until one ends (`codex.list`, `codex.status`), or stop one with `codex.stop`",
        ))
    }
}

impl Drop for RunSlot {
    fn drop(&mut self) {
        self.0.here.fetch_sub(1, Ordering::AcqRel);
    }
}
