//! Runs a program until it ends or reaches its deadline, and kills its process group.

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{RwLock, TryLockError, TryLockResult};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

use crate::supervised::{DrainTimes, supervise_within};
use crate::{OutputEvent, Program, StopCause, StopSwitch, TimeLimits};

const DRAIN_TIMES: DrainTimes =
    DrainTimes { silence: Duration::from_millis(200), total: Duration::from_secs(1) };
/// The maximum time for which a start is retried if another process has the executable open for writing.
const BUSY_TIMEOUT: Duration = Duration::from_millis(500);
/// The number of bytes that can be written to an empty pipe without blocking, on every supported system.
const MIN_PIPE_CAPACITY: usize = 4096;

#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    pub deadline: Instant,
    pub stdout_bytes: usize,
    pub stderr_bytes: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    Exited(i32),
    Signalled(i32),
    /// The deadline passed and the process group was killed.
    TimedOut,
}

impl End {
    pub(crate) fn of(status: ExitStatus) -> Self {
        match (status.code(), status.signal()) {
            (Some(code), _) => Self::Exited(code),
            (None, signal) => Self::Signalled(signal.unwrap_or_default()),
        }
    }
}

/// The first bytes of an output stream.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Output {
    pub bytes: Vec<u8>,
    /// Whether output was dropped because the maximum size was reached.
    pub cut: bool,
}

impl Output {
    fn keep(&mut self, chunk: &[u8], cap: usize) {
        let room = cap.saturating_sub(self.bytes.len()).min(chunk.len());
        self.bytes.extend_from_slice(&chunk[..room]);
        self.cut |= room < chunk.len();
    }

    #[must_use]
    pub fn text(&self) -> std::borrow::Cow<'_, str> {
        String::from_utf8_lossy(&self.bytes)
    }
}

#[derive(Clone, Debug)]
pub struct Finished {
    pub end: End,
    pub stdout: Output,
    pub stderr: Output,
    pub duration: Duration,
}

#[derive(Debug, thiserror::Error)]
#[error("cannot start `{path}`: {cause}")]
pub struct StartError {
    pub path: String,
    pub cause: io::Error,
}

impl StartError {
    pub(crate) fn new(program: &Program, cause: io::Error) -> Self {
        Self { path: program.path.display().to_string(), cause }
    }
}

/// Runs a program until it ends or the deadline passes, and then kills its process group. Output that exceeds the bounds is
/// dropped.
pub fn run(program: &Program, bounds: &Bounds) -> Result<Finished, StartError> {
    run_until(program, bounds, &StopSwitch::default())
}

/// Does the same as [`run`], but also kills the process group when `switch` requests a stop.
pub fn run_until(
    program: &Program,
    bounds: &Bounds,
    switch: &StopSwitch,
) -> Result<Finished, StartError> {
    let (mut stdout, mut stderr) = (Output::default(), Output::default());
    let wall = bounds.deadline.saturating_duration_since(Instant::now());
    let limits = TimeLimits { wall: Some(wall), idle: None, grace: Duration::ZERO };
    let on_output = |event: OutputEvent<'_>| {
        match event {
            OutputEvent::Stdout(bytes) => stdout.keep(bytes, bounds.stdout_bytes),
            OutputEvent::Stderr(bytes) => stderr.keep(bytes, bounds.stderr_bytes),
            OutputEvent::Silence => {}
        }
        ControlFlow::Continue(())
    };
    let supervised = supervise_within(program, limits, switch, DRAIN_TIMES, drop, on_output)?;
    let end = match supervised.stopped {
        Some(StopCause::Wall | StopCause::Idle) => End::TimedOut,
        Some(StopCause::Requested) | None => supervised.end,
    };
    Ok(Finished { end, stdout, stderr, duration: supervised.duration })
}

/// A child that leads a process group. Dropping the value kills the group and reaps the child.
pub(crate) struct Group {
    pub(crate) child: Child,
    is_reaped: bool,
}

impl Group {
    pub(crate) fn spawn(program: &Program) -> Result<Self, StartError> {
        let stdin = if program.stdin.is_some() { Stdio::piped() } else { Stdio::null() };
        let child = start(program, [stdin, Stdio::piped(), Stdio::piped()])?;
        if let Some(bytes) = program.address_space {
            limit_address_space(&child, bytes);
        }
        Ok(Self::of(child))
    }

    pub(crate) fn of(child: Child) -> Self {
        Self { child, is_reaped: false }
    }

    pub(crate) fn signal(&self, signal: Signal) {
        if let Some(group) = Pid::from_raw(self.child.id().cast_signed()) {
            // This fails only if every process of the group has been reaped.
            let _reaped = kill_process_group(group, signal);
        }
    }

    /// Kills the remaining processes of the group and reaps the child.
    pub(crate) fn end(&mut self) -> io::Result<ExitStatus> {
        // After the child has been reaped, its process id may belong to another process and must not be signalled.
        if !self.is_reaped {
            self.signal(Signal::KILL);
            self.is_reaped = true;
        }
        self.child.wait()
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        drop(self.end());
    }
}

/// Starts a detached thread. Returns an error where [`thread::spawn`] would panic.
pub(crate) fn start_thread(work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    thread::Builder::new().spawn(work).map(drop)
}

/// Limits the address space of a child that has just been started. A lower limit that the child inherited is kept. If the
/// limit cannot be set, the child runs without it.
#[cfg(target_os = "linux")]
fn limit_address_space(child: &Child, bytes: u64) {
    use rustix::process::{Resource, Rlimit, getrlimit, prlimit};

    let inherited = getrlimit(Resource::As);
    let lower = |limit: Option<u64>| Some(limit.map_or(bytes, |limit| limit.min(bytes)));
    let limit = Rlimit { current: lower(inherited.current), maximum: lower(inherited.maximum) };
    // The child has not been reaped, so its process id cannot belong to another process.
    let pid = Pid::from_raw(child.id().cast_signed());
    let _failed = pid.map(|pid| prlimit(Some(pid), Resource::As, limit));
}

/// Does nothing: macOS accepts a limit of the address space but does not enforce it.
#[cfg(not(target_os = "linux"))]
fn limit_address_space(_child: &Child, _bytes: u64) {}

/// Starts a program as the leader of a process group, with these streams as its standard input, output and error. Retries
/// while the executable is open for writing, for example while it is being replaced.
pub(crate) fn start(program: &Program, streams: [Stdio; 3]) -> Result<Child, StartError> {
    let [stdin, stdout, stderr] = streams;
    let mut command = command(program);
    command.process_group(0).stdin(stdin).stdout(stdout).stderr(stderr);
    start_within(&mut command, BUSY_TIMEOUT).map_err(|source| StartError::new(program, source))
}

/// The maximum time that is waited for [`STARTS`]. A start that hangs, for example on a dead network mount, must not block
/// others. Without the lock, a program that was just written may fail to start.
const STARTS_TIMEOUT: Duration = Duration::from_secs(1);

/// Held for reading while a program is started, and for writing by [`without_starts`].
static STARTS: RwLock<()> = RwLock::new(());

/// Runs `work` while this process starts no program. A program that is written in the meantime can be started immediately
/// afterwards: a child has copies of all open files until it has replaced itself, and a file that is open for writing cannot be
/// started.
pub fn without_starts<T>(work: impl FnOnce() -> T) -> T {
    let _held = within(STARTS_TIMEOUT, || STARTS.try_write());
    work()
}

/// Returns the lock that `try_lock` acquires, or `None` if it is not acquired within `timeout`.
fn within<G>(timeout: Duration, try_lock: impl Fn() -> TryLockResult<G>) -> Option<G> {
    let deadline = Instant::now() + timeout;
    loop {
        match try_lock() {
            Ok(held) => return Some(held),
            Err(TryLockError::Poisoned(held)) => return Some(held.into_inner()),
            Err(TryLockError::WouldBlock) if Instant::now() < deadline => {
                thread::sleep(Duration::from_millis(1));
            }
            Err(TryLockError::WouldBlock) => return None,
        }
    }
}

fn start_within(command: &mut Command, timeout: Duration) -> io::Result<Child> {
    let deadline = Instant::now() + timeout;
    loop {
        let started = {
            let _held = within(STARTS_TIMEOUT, || STARTS.try_read());
            command.spawn()
        };
        match started {
            Err(error)
                if error.kind() == io::ErrorKind::ExecutableFileBusy
                    && Instant::now() < deadline =>
            {
                thread::sleep(BUSY_TIMEOUT / 100);
            }
            ended => return ended,
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "all programs are started here")]
pub(crate) fn command(program: &Program) -> Command {
    let mut command = Command::new(&program.path);
    command.args(&program.arguments).env_clear().envs(program.environment.variables());
    if let Some(directory) = &program.directory {
        command.current_dir(directory);
    }
    command
}

/// Writes the child's input without blocking the caller. It is not an error if the child exits without reading the input.
pub(crate) fn feed_in_background(child: &mut Child, stdin: Option<&Vec<u8>>) -> io::Result<()> {
    let Some((mut pipe, bytes)) = child.stdin.take().zip(stdin) else { return Ok(()) };
    if bytes.len() <= MIN_PIPE_CAPACITY {
        drop(pipe.write_all(bytes));
        return Ok(());
    }
    let bytes = bytes.clone();
    start_thread(move || drop(pipe.write_all(&bytes)))
}

/// Waits until the child exits, without reaping it. While the child is a zombie, its process group id cannot be reused.
pub(crate) fn wait_without_reaping(pid: Pid) {
    while waitid(WaitId::Pid(pid), WaitIdOptions::EXITED | WaitIdOptions::NOWAIT)
        .is_err_and(|error| error == rustix::io::Errno::INTR)
    {}
}

#[cfg(test)]
mod tests;
