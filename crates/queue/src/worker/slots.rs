//! The runs of a worker, each in its own thread.

use std::collections::HashMap;
use std::sync::mpsc::Sender;
use std::thread::Scope;
use std::time::Instant;

use super::{Progress, Recovered, RunControls, Runner};
use crate::claim::{ClaimedTask, Lease};
use crate::finish::{RunReport, RunResult};
use crate::owner::Owner;
use crate::spool::Spool;
use crate::task::OnLost;

/// The maximum number of workers that may die while they run the same task. After that, the task fails, because it may
/// be the cause of the deaths.
const MAX_LOSSES: i64 = 20;
/// The failure class of a task whose worker died.
const WORKER_LOST: &str = "worker-lost";

/// Why a run was stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StopReason {
    Cancel,
    Shutdown,
    LeaseLost,
}

pub(super) enum Message {
    Progress(Lease, Progress),
    Ended(Lease, Box<RunReport>),
}

pub(super) struct Slot {
    controls: RunControls,
    reason: Option<StopReason>,
    pub(super) renewed: Instant,
}

pub(super) struct Slots<'scope, 'env> {
    scope: &'scope Scope<'scope, 'env>,
    runner: &'env dyn Runner,
    owner: &'env Owner,
    spool: Spool,
    sender: Sender<Message>,
    running: HashMap<Lease, Slot>,
}

impl<'scope, 'env> Slots<'scope, 'env> {
    pub(super) fn new(
        scope: &'scope Scope<'scope, 'env>,
        runner: &'env dyn Runner,
        owner: &'env Owner,
        spool: Spool,
        sender: Sender<Message>,
    ) -> Self {
        Self { scope, runner, owner, spool, sender, running: HashMap::new() }
    }

    pub(super) fn start(&mut self, claim: ClaimedTask, renewed: Instant) {
        let slot = Slot { controls: RunControls::default(), reason: None, renewed };
        let controls = slot.controls.clone();
        self.running.insert(claim.lease.clone(), slot);
        let (runner, owner, spool) = (self.runner, self.owner, self.spool.clone());
        let sender = self.sender.clone();
        self.scope.spawn(move || {
            let progress = |progress| {
                drop(sender.send(Message::Progress(claim.lease.clone(), progress)));
            };
            let report = run(runner, &claim, &controls, &progress);
            // If the disk is full, the result exists only in memory until it is stored.
            drop(spool.put(owner, &claim.lease, &report));
            drop(sender.send(Message::Ended(claim.lease, Box::new(report))));
        });
    }

    pub(super) fn len(&self) -> usize {
        self.running.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.running.is_empty()
    }

    pub(super) fn leases(&self) -> Vec<Lease> {
        self.running.keys().cloned().collect()
    }

    /// Removes an ended run. Returns the reason why it was stopped, or `None` if it ended by itself.
    pub(super) fn remove(&mut self, lease: &Lease) -> Option<StopReason> {
        self.running.remove(lease).and_then(|slot| slot.reason)
    }

    pub(super) fn renew(&mut self, lease: &Lease, at: Instant) {
        if let Some(slot) = self.running.get_mut(lease) {
            slot.renewed = at;
        }
    }

    /// Stops the runs that `is_selected` returns true for, unless they are already being stopped. A second stop request
    /// would cut the agent's grace period short.
    pub(super) fn stop(&mut self, reason: StopReason, is_selected: impl Fn(&Lease, &Slot) -> bool) {
        for (lease, slot) in &mut self.running {
            if slot.reason.is_none() && is_selected(lease, slot) {
                slot.reason = Some(reason);
                slot.controls.stop_now();
            }
        }
    }

    /// Ends all runs after their current turn. They are then classified as over budget.
    pub(super) fn end_after_turn(&self, reason: &str) {
        self.running.values().for_each(|slot| slot.controls.end_after_turn(reason));
    }
}

fn run(
    runner: &dyn Runner,
    claim: &ClaimedTask,
    controls: &RunControls,
    progress: &dyn Fn(Progress),
) -> RunReport {
    if !claim.previous.is_empty() {
        match runner.recover(claim) {
            Recovered::Report(report) => return *report,
            Recovered::StillRunning(reason) => {
                return RunReport::failed(WORKER_LOST, true, reason);
            }
            Recovered::Ended => {}
        }
        if claim.task.on_lost == OnLost::Fail || claim.task.losses > MAX_LOSSES {
            let losses = claim.task.losses;
            let reason = format!("{losses} workers died while running the task");
            return RunReport::failed(WORKER_LOST, false, reason);
        }
    }
    if claim.task.is_cancel_requested || controls.stop.is_on() {
        return RunReport::not_started(RunResult::Cancelled, "cancelled before it started");
    }
    runner.run(claim, controls, progress)
}
