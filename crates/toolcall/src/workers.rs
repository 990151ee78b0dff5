//! Threads for built-in tools. One that is done waits a while for the next call: making a thread costs more than the
//! whole rest of a call. A tool that waits for the file system cannot be stopped: its caller goes on at the deadline without
//! the thread, and so many threads are left behind at most.

use std::io;
use std::panic::{self, AssertUnwindSafe};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError, mpsc};
use std::thread;
use std::time::Duration;

type Job = Box<dyn FnOnce() + Send>;

/// How long a thread waits for its next job.
const PATIENCE: Duration = Duration::from_secs(10);
/// More calls than this at once make threads that end with their job.
const MAX_IDLE: usize = 8;

/// More jobs than this do not run at once: in a server that lives for days, each may be one that never returns.
const MAX_JOBS: usize = 64;

static JOBS: AtomicUsize = AtomicUsize::new(0);
static IDLE: Mutex<Vec<mpsc::Sender<Job>>> = Mutex::new(Vec::new());

/// Runs a job on a thread of its own. What it panics with is dropped with it.
///
/// # Errors
/// If the system has no thread for it, or too many jobs have not come back; the job does not run.
pub(crate) fn start(job: impl FnOnce() + Send + 'static) -> io::Result<()> {
    let counted = Counted::new(&JOBS)?;
    let mut job: Job = Box::new(move || {
        let _counted = counted;
        job();
    });
    while let Some(worker) = idle().pop() {
        match worker.send(job) {
            Ok(()) => return Ok(()),
            // Its patience has just ended.
            Err(mpsc::SendError(refused)) => job = refused,
        }
    }
    thread::Builder::new().spawn(move || work(job)).map(drop)
}

/// A job that was started and has not returned.
struct Counted(&'static AtomicUsize);

impl Counted {
    fn new(counter: &'static AtomicUsize) -> io::Result<Self> {
        let counted = Self(counter);
        let n_before = counter.fetch_add(1, Ordering::Relaxed);
        if n_before < MAX_JOBS {
            return Ok(counted);
        }
        Err(io::Error::other(format!("{MAX_JOBS} calls have not returned from the file system")))
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

fn work(first: Job) {
    let mut job = first;
    loop {
        drop(panic::catch_unwind(AssertUnwindSafe(job)));
        let (sender, receiver) = mpsc::channel();
        {
            let mut idle = idle();
            if idle.len() >= MAX_IDLE {
                return;
            }
            idle.push(sender);
        }
        job = match receiver.recv_timeout(PATIENCE) {
            Ok(next) => next,
            Err(_) => return,
        };
    }
}

fn idle() -> std::sync::MutexGuard<'static, Vec<mpsc::Sender<Job>>> {
    IDLE.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests;
