//! A worker: takes tasks, runs them in threads, renews their leases, and stores their results.
//!
//! The loop never waits long for the store. If the store cannot be reached, runs continue until their leases expire, and
//! results are kept on disk until they can be stored.

mod slots;

use std::path::PathBuf;
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use process::StopSwitch;
use runs::TotalUse;

use crate::claim::{Beat, Claimed, ClaimedTask, Lease};
use crate::finish::{RunReport, RunResult};
use crate::limits::DayLimitReached;
use crate::owner::Owner;
use crate::spool::Spool;
use crate::store::{StoreError, TaskStore};
use crate::task::{TaskId, WorkProduct};

use slots::{Message, Slots, StopReason};

/// The interval at which the worker looks for new tasks and for tasks of dead workers.
const SWEEP_INTERVAL: Duration = Duration::from_millis(500);
/// The minimum number of heartbeats during a lease.
const BEATS_PER_LEASE: u32 = 6;
/// The maximum time between two heartbeats. A heartbeat also finds out whether a task was cancelled.
const MAX_BEAT_INTERVAL: Duration = Duration::from_secs(2);

/// Runs the tasks that a worker takes. The caller of [`work`] implements this trait.
pub trait Runner: Sync {
    /// Stops everything that a dead worker may have left running for a task. It is called before another worker runs
    /// the task again.
    fn recover(&self, claim: &ClaimedTask) -> Recovered;

    /// Runs a task until it ends or `controls` stops it. Calls `progress` when the worktree is known, and whenever the
    /// run's usage has increased.
    fn run(
        &self,
        claim: &ClaimedTask,
        controls: &RunControls,
        progress: &dyn Fn(Progress),
    ) -> RunReport;
}

/// Lets a worker end a run before the task is done.
#[derive(Clone, Default)]
pub struct RunControls {
    /// Stops the run at once.
    pub stop: StopSwitch,
    last_turn: Arc<OnceLock<String>>,
    listener: Arc<Mutex<Option<Listener>>>,
}

/// Called when a run must end.
type Listener = Box<dyn Fn() + Send>;

impl RunControls {
    /// Ends the run after its current turn. The run is then classified as over budget, for the given reason.
    pub(crate) fn end_after_turn(&self, reason: &str) {
        // Only the first reason counts.
        drop(self.last_turn.set(reason.to_owned()));
        self.tell();
    }

    /// Stops the run at once.
    pub(crate) fn stop_now(&self) {
        self.stop.stop();
        self.tell();
    }

    /// Calls `listener` now, and whenever the run must end.
    pub fn listen(&self, listener: impl Fn() + Send + 'static) {
        *self.listener() = Some(Box::new(listener));
        self.tell();
    }

    fn tell(&self) {
        if let Some(listener) = self.listener().as_ref() {
            listener();
        }
    }

    fn listener(&self) -> MutexGuard<'_, Option<Listener>> {
        self.listener.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns why the run must end after its current turn, or `None` if it may continue.
    #[must_use]
    pub fn last_turn_reason(&self) -> Option<&str> {
        self.last_turn.get().map(String::as_str)
    }
}

/// What a run reports before it ends.
#[derive(Clone, Debug)]
pub enum Progress {
    Started(WorkProduct),
    Used(TotalUse),
}

/// The result of [`Runner::recover`].
#[derive(Debug)]
pub enum Recovered {
    /// The run had ended normally, but its result was not stored.
    Report(Box<RunReport>),
    /// No process of the previous attempt is running.
    Ended,
    /// The previous attempt cannot be stopped, so the task must not run again yet.
    StillRunning(String),
}

#[derive(Clone, Debug)]
pub struct WorkOptions {
    /// The number of tasks that run at the same time.
    pub slots: usize,
    pub lease: Duration,
    /// Whether the worker exits when no remaining task can start without user action.
    pub is_until_empty: bool,
    /// The repositories whose tasks are taken. If the list is empty, all tasks are taken.
    pub repositories: Vec<PathBuf>,
    /// The folder for results that are not stored yet.
    pub spool: PathBuf,
}

/// An event that a worker reports to its log.
#[derive(Debug)]
pub enum WorkEvent<'a> {
    Started(&'a ClaimedTask),
    Ended { task: &'a TaskId, report: &'a RunReport },
    LeaseLost(&'a TaskId),
    Released(&'a TaskId),
    Unreachable(&'a str),
    Reachable,
    DayLimit { until: i64 },
}

/// Runs tasks until a stop is requested or, if `is_until_empty` is set, until the queue is empty. On a stop, running tasks
/// are stopped and put back into the queue.
///
/// # Errors
/// Fails if the store rejects a statement. Results that are not stored remain on disk.
pub fn work(
    store: &mut TaskStore,
    owner: &Owner,
    runner: &dyn Runner,
    options: &WorkOptions,
    stop: &StopSwitch,
    log: &mut dyn FnMut(WorkEvent<'_>),
) -> Result<(), StoreError> {
    let spool =
        Spool::new(options.spool.clone(), store.location().to_string()).map_err(|error| {
            let location = options.spool.display().to_string();
            StoreError::Unavailable { location, reason: error.to_string() }
        })?;
    let (sender, receiver) = channel();
    std::thread::scope(|scope| {
        let slots = Slots::new(scope, runner, owner, spool.clone(), sender);
        let mut worker = Worker {
            store,
            owner,
            options,
            spool,
            slots,
            receiver,
            log,
            unstored: Vec::new(),
            last_sweep: None,
            last_beat: Instant::now(),
            is_unreachable: false,
            day_limit: None,
            is_day_check_due: false,
        };
        let worked = worker.run(stop);
        worker.slots.stop(StopReason::Shutdown, |_, _| true);
        worked
    })
}

struct Worker<'a, 'scope, 'env> {
    store: &'a mut TaskStore,
    owner: &'a Owner,
    options: &'a WorkOptions,
    spool: Spool,
    slots: Slots<'scope, 'env>,
    receiver: Receiver<Message>,
    log: &'a mut dyn FnMut(WorkEvent<'_>),
    /// Results that are not in the store yet. Each is also in the spool, unless the disk is full.
    unstored: Vec<(Lease, RunReport, Option<StopReason>)>,
    last_sweep: Option<Instant>,
    last_beat: Instant,
    is_unreachable: bool,
    day_limit: Option<i64>,
    /// Whether the day's usage may have increased since it was last compared with the daily caps.
    is_day_check_due: bool,
}

impl Worker<'_, '_, '_> {
    fn run(&mut self, stop: &StopSwitch) -> Result<(), StoreError> {
        loop {
            let is_stopping = stop.is_on();
            if is_stopping {
                self.slots.stop(StopReason::Shutdown, |_, _| true);
            }
            match self.step(is_stopping) {
                Ok(true) => return Ok(()),
                Ok(false) => self.set_reachable(None),
                Err(StoreError::Unavailable { reason, .. }) => {
                    self.set_reachable(Some(&reason));
                    if is_stopping && self.slots.is_empty() && self.receive(Duration::ZERO) == 0 {
                        return Ok(());
                    }
                }
                Err(error) => return Err(error),
            }
            // Another worker may already have taken the task of a lease that was not renewed in time.
            let lease = self.options.lease;
            self.slots.stop(StopReason::LeaseLost, |_, slot| slot.renewed.elapsed() >= lease);
            self.receive(SWEEP_INTERVAL);
        }
    }

    /// Performs all actions that are due. Returns true if the worker can exit.
    fn step(&mut self, is_stopping: bool) -> Result<bool, StoreError> {
        self.store_results()?;
        let interval = (self.options.lease / BEATS_PER_LEASE).min(MAX_BEAT_INTERVAL);
        if self.last_beat.elapsed() >= interval && !self.slots.is_empty() {
            self.beat()?;
            // Other workers may also have used tokens.
            self.is_day_check_due = true;
        }
        if self.is_day_check_due && !self.slots.is_empty() {
            if let Some(DayLimitReached { used, .. }) = self.store.day_limit()? {
                let reason =
                    format!("a limit of the day is reached: {used} (adjutant queue limits)");
                self.slots.end_after_turn(&reason);
            }
            self.is_day_check_due = false;
        }
        if is_stopping {
            return Ok(self.slots.is_empty() && self.unstored.is_empty());
        }
        if self.last_sweep.is_none_or(|last| last.elapsed() >= SWEEP_INTERVAL) {
            self.last_sweep = Some(Instant::now());
            self.store_abandoned()?;
            self.store.release_dead(self.owner, &self.slots.leases())?;
        }
        self.fill()?;
        let is_idle = self.slots.is_empty() && self.unstored.is_empty();
        Ok(self.options.is_until_empty && is_idle && !self.store.has_work()?)
    }

    /// Waits for messages from the running tasks. Returns the number of runs that ended.
    fn receive(&mut self, timeout: Duration) -> usize {
        let mut n_ended = 0;
        let mut next = self.receiver.recv_timeout(timeout).ok();
        while let Some(message) = next {
            match message {
                Message::Progress(lease, progress) => {
                    // If a write fails, `finish` writes the same values later.
                    match progress {
                        Progress::Started(product) => {
                            drop(self.store.record_worktree(&lease, &product));
                        }
                        Progress::Used(usage) => {
                            drop(self.store.record_use(&lease, usage));
                            self.is_day_check_due = true;
                        }
                    }
                }
                Message::Ended(lease, report) => {
                    let reason = self.slots.remove(&lease);
                    self.unstored.push((lease, *report, reason));
                    n_ended += 1;
                }
            }
            next = self.receiver.try_recv().ok();
        }
        n_ended
    }

    fn store_results(&mut self) -> Result<(), StoreError> {
        while let Some((lease, report, reason)) = self.unstored.last() {
            let is_unfinished = report.result == RunResult::Cancelled;
            match reason {
                Some(StopReason::LeaseLost) if is_unfinished => {
                    (self.log)(WorkEvent::LeaseLost(&lease.task));
                }
                Some(StopReason::Shutdown) if is_unfinished => {
                    self.store.release(lease, report.thread.as_deref(), report.usage)?;
                    (self.log)(WorkEvent::Released(&lease.task));
                }
                _ if self.store.finish(lease, report)? => {
                    (self.log)(WorkEvent::Ended { task: &lease.task, report });
                }
                _ => (self.log)(WorkEvent::LeaseLost(&lease.task)),
            }
            self.spool.remove(lease);
            self.unstored.pop();
        }
        Ok(())
    }

    /// Stores the results of workers that ended before they could store them. A run that was stopped although nobody
    /// cancelled its task was stopped by the shutdown of its worker, so its task is put back into the queue.
    fn store_abandoned(&mut self) -> Result<(), StoreError> {
        for (lease, report) in self.spool.abandoned(self.owner) {
            let is_shutdown = report.result == RunResult::Cancelled
                && self.store.heartbeat(std::slice::from_ref(&lease), self.lease_ms())?
                    == [Beat::Held];
            if is_shutdown {
                self.store.release(&lease, report.thread.as_deref(), report.usage)?;
                (self.log)(WorkEvent::Released(&lease.task));
            } else if self.store.finish(&lease, &report)? {
                (self.log)(WorkEvent::Ended { task: &lease.task, report: &report });
            }
            self.spool.remove(&lease);
        }
        Ok(())
    }

    fn beat(&mut self) -> Result<(), StoreError> {
        let leases = self.slots.leases();
        let asked = Instant::now();
        let beats = self.store.heartbeat(&leases, self.lease_ms())?;
        self.last_beat = asked;
        for (lease, beat) in leases.iter().zip(beats) {
            let reason = match beat {
                Beat::Held => {
                    self.slots.renew(lease, asked);
                    continue;
                }
                Beat::CancelRequested => StopReason::Cancel,
                Beat::Lost => StopReason::LeaseLost,
            };
            self.slots.stop(reason, |held, _| held == lease);
        }
        Ok(())
    }

    /// Takes tasks until all slots are in use or no task can start.
    fn fill(&mut self) -> Result<(), StoreError> {
        while self.slots.len() < self.options.slots {
            let asked = Instant::now();
            let claimed =
                self.store.claim(self.owner, self.lease_ms(), &self.options.repositories)?;
            let limit = match &claimed {
                Claimed::DayLimit { until } => Some(*until),
                Claimed::Task(_) | Claimed::Nothing => None,
            };
            if let Some(until) = limit.filter(|_| self.day_limit != limit) {
                (self.log)(WorkEvent::DayLimit { until });
            }
            self.day_limit = limit;
            let Claimed::Task(claim) = claimed else { return Ok(()) };
            let task = &claim.task.id;
            if self.slots.leases().iter().any(|lease| lease.task == *task) {
                // This worker lost the lease, but its own run of the task has not ended yet.
                self.slots.stop(StopReason::LeaseLost, |lease, _| lease.task == *task);
                self.store.release(&claim.lease, None, TotalUse::default())?;
                return Ok(());
            }
            (self.log)(WorkEvent::Started(&claim));
            self.slots.start(*claim, asked);
        }
        Ok(())
    }

    fn lease_ms(&self) -> i64 {
        i64::try_from(self.options.lease.as_millis()).unwrap_or(i64::MAX)
    }

    fn set_reachable(&mut self, problem: Option<&str>) {
        match problem {
            Some(reason) if !self.is_unreachable => (self.log)(WorkEvent::Unreachable(reason)),
            None if self.is_unreachable => (self.log)(WorkEvent::Reachable),
            _ => {}
        }
        self.is_unreachable = problem.is_some();
    }
}
