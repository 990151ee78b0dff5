//! Runs several tool calls concurrently, with one deadline for all of them.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Instant;

use crate::call::ToolCall;
use crate::lifecycle::{CallOutcome, Executor, ToolContext, run_lifecycle};
use crate::toolbox::Toolbox;

#[derive(Clone, Copy, Debug)]
pub struct BatchBounds {
    pub deadline: Instant,
    pub max_concurrency: usize,
}

/// Runs the lifecycle of one call and returns its outcome.
#[must_use]
pub fn call(
    toolbox: &Toolbox,
    context: &ToolContext,
    call: &ToolCall,
    deadline: Instant,
) -> CallOutcome {
    run_lifecycle(context, call, Executor::Toolbox(toolbox), deadline).outcome
}

/// Runs the lifecycles of all calls concurrently. Returns one outcome for each call, in the order of `calls`.
#[must_use]
pub fn call_all(
    toolbox: &Toolbox,
    context: &ToolContext,
    calls: &[ToolCall],
    bounds: BatchBounds,
) -> Vec<CallOutcome> {
    let next = AtomicUsize::new(0);
    let outcomes: Mutex<Vec<(usize, CallOutcome)>> = Mutex::new(Vec::with_capacity(calls.len()));
    let work = || {
        while let Some((index, call)) = take(&next, calls) {
            let outcome = self::call(toolbox, context, call, bounds.deadline);
            outcomes.lock().unwrap_or_else(PoisonError::into_inner).push((index, outcome));
        }
    };
    thread::scope(|scope| {
        let threads = 0..bounds.max_concurrency.clamp(1, calls.len().max(1));
        let started = threads.map(|_| thread::Builder::new().spawn_scoped(scope, work).is_ok());
        // If no thread can be started, the current thread makes the calls sequentially.
        if started.filter(|started| *started).count() == 0 {
            work();
        }
    });
    let mut outcomes = outcomes.into_inner().unwrap_or_else(PoisonError::into_inner);
    outcomes.sort_by_key(|(index, _)| *index);
    outcomes.into_iter().map(|(_, outcome)| outcome).collect()
}

fn take<'a>(next: &AtomicUsize, calls: &'a [ToolCall]) -> Option<(usize, &'a ToolCall)> {
    let index = next.fetch_add(1, Ordering::Relaxed);
    calls.get(index).map(|call| (index, call))
}

#[cfg(test)]
mod tests;
