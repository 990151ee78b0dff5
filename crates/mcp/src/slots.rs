//! Limits the number of concurrent calls. A tool call waits for a slot, but a codex run is refused if all slots are taken.
//!
//! The active runs are the written sessions that are running, because other servers of the user start runs in the same
//! repository too. A session is written only after codex was found and checked. Therefore a run is counted and its
//! session is written while a [`Turn`] is held, so that all other servers wait.

use std::cell::Cell;
use std::fs::{DirBuilder, File, TryLockError};
use std::io;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use runs::{Filter, Meta, RunCall, RunHooks, SessionStatus, Sessions};

use crate::problem::Problem;
use crate::server::ServerOptions;

/// The maximum number of concurrent tool calls. They share the CPU cores of the machine.
pub(crate) const MAX_TOOL_CALLS: usize = 4;

/// The file in the folder of the sessions that is locked while a run is started.
const LOCK_FILE: &str = ".starting.lock";
/// The maximum time to wait until another server has started its run. A codex that does not answer is stopped earlier.
const LOCK_TIMEOUT: Duration = Duration::from_secs(150);
const LOCK_INTERVAL: Duration = Duration::from_millis(20);

#[derive(Default)]
pub(crate) struct RunSlots {
    /// The number of codex runs in this process.
    here: AtomicUsize,
    /// Locked while this process starts a run.
    starting: Mutex<()>,
}

/// A run's slot, which is freed on drop.
pub(crate) struct RunSlot(Arc<RunSlots>);

/// The permission to start one run. While it is held, no other server that uses the same sessions starts a run. The caller
/// must keep it until the run's session is written.
pub(crate) struct Turn<'a> {
    _in_process: MutexGuard<'a, ()>,
    /// The system releases the lock when the file is closed, also if the process is killed.
    _lock: File,
}

/// Releases a [`Turn`] when the run's session is written. Runs no hooks.
pub(crate) struct ReleaseTurn<'a>(Cell<Option<Turn<'a>>>);

impl RunSlots {
    /// Takes a slot for a codex run in this process.
    pub(crate) fn take(self: &Arc<Self>, _turn: &Turn<'_>) -> RunSlot {
        self.here.fetch_add(1, Ordering::AcqRel);
        RunSlot(Arc::clone(self))
    }

    /// Waits until no other run is being started. Fails if the maximum number of runs is reached.
    pub(crate) fn turn(&self, host: &ServerOptions) -> Result<Turn<'_>, Problem> {
        let in_process = self.starting.lock().unwrap_or_else(PoisonError::into_inner);
        let lock = lock(&host.codex.sessions, LOCK_TIMEOUT).map_err(|error| {
            let place = host.codex.sessions.display();
            Problem::new("CLI_RUNTIME_ERROR", format!("cannot start a run in `{place}`: {error}"))
        })?;
        self.has_room(host)?;
        Ok(Turn { _in_process: in_process, _lock: lock })
    }

    /// Returns the number of codex runs in this process.
    pub(crate) fn n_here(&self) -> usize {
        self.here.load(Ordering::Acquire)
    }

    fn has_room(&self, host: &ServerOptions) -> Result<(), Problem> {
        let filter = Filter {
            states: vec![SessionStatus::Running],
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

impl<'a> ReleaseTurn<'a> {
    pub(crate) fn new(turn: Turn<'a>) -> Self {
        Self(Cell::new(Some(turn)))
    }
}

impl RunHooks for ReleaseTurn<'_> {
    fn before(&self, _call: &RunCall<'_>) -> Result<(), String> {
        drop(self.0.take());
        Ok(())
    }

    fn after(&self, _call: &RunCall<'_>, _meta: &Meta) {}
}

/// Locks the file [`LOCK_FILE`] in `folder`. Fails if another process holds the lock for longer than `timeout`.
fn lock(folder: &Path, timeout: Duration) -> io::Result<File> {
    DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    let path = folder.join(LOCK_FILE);
    // An existing file is opened without following links.
    let file = match File::options().write(true).create_new(true).mode(0o600).open(&path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            disk::open_file(&path, disk::Links::Refuse)?
        }
        created => created?,
    };
    let deadline = Instant::now() + timeout;
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(TryLockError::WouldBlock) if Instant::now() < deadline => {
                thread::sleep(LOCK_INTERVAL);
            }
            Err(TryLockError::WouldBlock) => {
                return Err(io::Error::other("another server is starting a run"));
            }
            Err(TryLockError::Error(error)) => return Err(error),
        }
    }
}

impl Drop for RunSlot {
    fn drop(&mut self) {
        self.0.here.fetch_sub(1, Ordering::AcqRel);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn c5_one_server_at_a_time_starts_a_run() {
        let folder = tempfile::tempdir().unwrap();
        let sessions = folder.path().join("sessions");
        let held = lock(&sessions, Duration::ZERO).unwrap();
        assert!(lock(&sessions, Duration::from_millis(50)).is_err());
        drop(held);
        lock(&sessions, Duration::ZERO).unwrap();
        std::fs::remove_file(sessions.join(LOCK_FILE)).unwrap();
        std::os::unix::fs::symlink("/dev/zero", sessions.join(LOCK_FILE)).unwrap();
        assert!(lock(&sessions, Duration::ZERO).is_err(), "a link is not followed");
    }
}
