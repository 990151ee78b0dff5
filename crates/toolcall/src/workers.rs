//! Runs built-in tools on a pool of threads. An idle thread waits for the next call, because creating a thread takes
//! longer than the rest of a call. A thread that is blocked in the file system cannot be stopped, so the caller
//! continues at the deadline and the thread remains. The number of such threads is limited.

use std::io;
use std::panic::{self, AssertUnwindSafe};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError, mpsc};
use std::thread;
use std::time::Duration;

type Job = Box<dyn FnOnce() + Send>;

/// The time after which an idle thread ends.
const IDLE_TIMEOUT: Duration = Duration::from_secs(10);
/// The maximum number of idle threads. Additional threads end when their job ends.
const MAX_IDLE: usize = 8;

/// The maximum number of jobs that run at the same time. Without this limit, jobs that never return would accumulate
/// in a server that runs for days.
const MAX_JOBS: usize = 64;

static JOBS: AtomicUsize = AtomicUsize::new(0);
static IDLE: Mutex<Vec<mpsc::Sender<Job>>> = Mutex::new(Vec::new());

/// Runs a job on another thread. A panic ends only the job, not the thread.
///
/// # Errors
/// Returns an error and does not run the job if no thread can be created, or if [`MAX_JOBS`] jobs are still running.
pub(crate) fn start(job: impl FnOnce() + Send + 'static) -> io::Result<()> {
    let counted = Counted::new(&JOBS)?;
    let mut job: Job = Box::new(move || {
        let _counted = counted;
        job();
    });
    while let Some(worker) = idle().pop() {
        match worker.send(job) {
            Ok(()) => return Ok(()),
            // The thread has ended because no job arrived before its timeout.
            Err(mpsc::SendError(refused)) => job = refused,
        }
    }
    thread::Builder::new().spawn(move || work(job)).map(drop)
}

/// A guard that counts a job as running until it is dropped.
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
        job = match receiver.recv_timeout(IDLE_TIMEOUT) {
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
