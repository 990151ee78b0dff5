//! Creates a briefing within the time budget of its settings.

use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use contract::{ExitCode, Limit, Request};

use crate::brief::{Briefed, Host, brief, brief_and_announce};

/// The time that a briefing may take in addition to its budget, for reading the settings and merging the findings.
pub const MARGIN: Duration = Duration::from_millis(1500);

/// Why there is no briefing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoBriefing {
    Panicked,
    TimedOut(Duration),
}

impl NoBriefing {
    #[must_use]
    pub fn limit(self) -> Limit {
        match self {
            Self::Panicked => Limit::no_kernel("the kernel panicked"),
            Self::TimedOut(timeout) => Limit::no_answer(timeout),
        }
    }

    #[must_use]
    pub fn exit(self) -> ExitCode {
        match self {
            Self::Panicked => ExitCode::KernelUnavailable,
            Self::TimedOut(_) => ExitCode::BudgetExceeded,
        }
    }
}

enum Progress<T> {
    /// The settings have been read and contain this budget.
    Budget(Duration),
    Done(T),
}

/// Creates the briefing for a prompt on another thread, and waits for it until the budget and [`MARGIN`] have passed. If
/// it takes longer, the thread continues. If no thread can be started, the briefing is created on this thread.
pub fn brief_within_budget(request: Request, host: Host) -> Result<Briefed, NoBriefing> {
    let (started, slowness) = (host.started, host.environment.slowness());
    let inputs = Arc::new((request, host));
    let (sender, receiver) = mpsc::channel();
    let on_thread = Arc::clone(&inputs);
    let spawned = thread::Builder::new().spawn(move || {
        let (request, host) = &*on_thread;
        // Sending fails if the caller has stopped waiting.
        let announce = |budget| drop(sender.send(Progress::Budget(budget)));
        let briefed = brief_and_announce(request, host, &announce);
        drop(sender.send(Progress::Done(briefed)));
    });
    match spawned {
        Ok(_) => wait(&receiver, started, slowness),
        Err(_) => Ok(brief(&inputs.0, &inputs.1)),
    }
}

/// Waits for the result of a thread that started at `started`. The default budget applies until the thread announces its
/// budget.
fn wait<T>(
    progress: &Receiver<Progress<T>>,
    started: Instant,
    slowness: u32,
) -> Result<T, NoBriefing> {
    let allowed = |budget: Duration| budget.saturating_add(MARGIN).saturating_mul(slowness);
    let mut timeout = allowed(Duration::from_millis(policy::DEFAULT_WALL_MS));
    loop {
        match progress.recv_timeout(timeout.saturating_sub(started.elapsed())) {
            Ok(Progress::Budget(budget)) => timeout = allowed(budget),
            Ok(Progress::Done(done)) => return Ok(done),
            Err(RecvTimeoutError::Timeout) => return Err(NoBriefing::TimedOut(timeout)),
            Err(RecvTimeoutError::Disconnected) => return Err(NoBriefing::Panicked),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Waits for a thread that has sent these messages and then hangs.
    fn wait_for(messages: Vec<Progress<u8>>) -> Result<u8, NoBriefing> {
        let (sender, receiver) = mpsc::channel();
        messages.into_iter().for_each(|message| sender.send(message).unwrap());
        let hour_ago = Instant::now().checked_sub(Duration::from_secs(3600)).unwrap();
        wait(&receiver, hour_ago, 2)
    }

    #[test]
    fn a40_a_kernel_that_hangs_is_given_up_after_its_budget() {
        let budget = |seconds| Progress::Budget(Duration::from_secs(seconds));
        let timed_out = |ms| Err(NoBriefing::TimedOut(Duration::from_millis(ms)));
        assert_eq!(wait_for(vec![]), timed_out(13_000), "the default budget");
        assert_eq!(wait_for(vec![budget(1)]), timed_out(5_000));
        assert_eq!(wait_for(vec![budget(1), Progress::Done(7)]), Ok(7));
    }

    #[test]
    fn a40_a_kernel_that_panics_is_noticed() {
        let (sender, receiver) = mpsc::channel::<Progress<u8>>();
        drop(sender);
        assert_eq!(wait(&receiver, Instant::now(), 1), Err(NoBriefing::Panicked));
    }
}
