//! Start, feed, read, wait, and end the whole group.

use std::io::{self, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

use crate::output::Reading;
use crate::{Output, Program, Stdin};

/// How long a process that left the killed group on purpose, and still holds the pipe, may be silent.
const LAST_BYTES: Duration = Duration::from_millis(200);
/// How long a busy machine may take to read what the child has left in its pipes.
const LATE_READER: Duration = Duration::from_secs(1);
/// How long a program that somebody is writing to is tried again.
const BUSY: Duration = Duration::from_millis(500);

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
    /// Killed by us, with its group.
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

#[derive(Clone, Debug)]
pub struct Finished {
    pub end: End,
    pub stdout: Output,
    pub stderr: Output,
    pub duration: Duration,
}

#[derive(Debug, thiserror::Error)]
#[error("cannot start `{path}`")]
pub struct StartError {
    pub path: String,
    #[source]
    pub source: io::Error,
}

/// Runs a program to its end or to the deadline, whichever comes first.
pub fn run(program: &Program, bounds: &Bounds) -> Result<Finished, StartError> {
    let started = Instant::now();
    let failed = |source| StartError { path: program.path.display().to_string(), source };
    let mut group = Group::spawn(program).map_err(failed)?;
    let child = &mut group.child;
    let read = |stream| Reading::start(stream, bounds.stdout_bytes);
    let stdout = child.stdout.take().map(read).transpose().map_err(failed)?;
    let read = |stream| Reading::start(stream, bounds.stderr_bytes);
    let stderr = child.stderr.take().map(read).transpose().map_err(failed)?;
    feed_in_background(child, &program.stdin).map_err(failed)?;

    let in_time = exits_before(child, bounds.deadline).map_err(failed)?;
    let status = group.end();
    let end = match status {
        _ if !in_time => End::TimedOut,
        Ok(status) => End::of(status),
        Err(_) => End::Signalled(0),
    };
    let given_up = Instant::now() + LATE_READER;
    let said = |reading: Option<Reading>| {
        reading.map(|reading| reading.last_bytes(LAST_BYTES, given_up)).unwrap_or_default()
    };
    Ok(Finished { end, stdout: said(stdout), stderr: said(stderr), duration: started.elapsed() })
}

/// A child that leads a process group. The whole group is killed and the child is reaped when this is dropped: on every
/// way out, also by an error or a panic.
pub(crate) struct Group {
    pub(crate) child: Child,
    is_reaped: bool,
}

impl Group {
    pub(crate) fn spawn(program: &Program) -> io::Result<Self> {
        spawn(program).map(Self::of)
    }

    pub(crate) fn of(child: Child) -> Self {
        Self { child, is_reaped: false }
    }

    pub(crate) fn signal(&self, signal: Signal) {
        if let Some(group) = Pid::from_raw(self.child.id().cast_signed()) {
            // The group is gone when every member has been reaped; there is nothing to signal then.
            let _gone = kill_process_group(group, signal);
        }
    }

    /// Kills what is left of the group and reaps the child.
    pub(crate) fn end(&mut self) -> io::Result<ExitStatus> {
        // The id of a reaped child may already belong to another process.
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

/// A thread that is not waited for. An error if the system has none to give, where [`thread::spawn`] would panic.
pub(crate) fn start_thread(work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    thread::Builder::new().spawn(work).map(drop)
}

fn spawn(program: &Program) -> io::Result<Child> {
    let mut command = command(program);
    command.process_group(0);
    let stdin = match program.stdin {
        Stdin::Empty => Stdio::null(),
        Stdin::Bytes(_) => Stdio::piped(),
    };
    command.stdin(stdin).stdout(Stdio::piped()).stderr(Stdio::piped());
    start(&mut command)
}

/// A program that is being replaced this very moment is busy, and a moment later it is not.
pub(crate) fn start(command: &mut Command) -> io::Result<Child> {
    start_within(command, BUSY)
}

fn start_within(command: &mut Command, patience: Duration) -> io::Result<Child> {
    let given_up = Instant::now() + patience;
    loop {
        match command.spawn() {
            Err(error)
                if error.kind() == io::ErrorKind::ExecutableFileBusy
                    && Instant::now() < given_up =>
            {
                thread::sleep(BUSY / 100);
            }
            ended => return ended,
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "this is the one place that starts programs")]
pub(crate) fn command(program: &Program) -> Command {
    let mut command = Command::new(&program.path);
    command.args(&program.arguments).env_clear().envs(program.environment.variables());
    if let Some(directory) = &program.directory {
        command.current_dir(directory);
    }
    command
}

/// A child may exit without reading its input; that is its business, so a broken pipe is no failure.
pub(crate) fn feed_in_background(child: &mut Child, stdin: &Stdin) -> io::Result<()> {
    if let (Some(mut pipe), Stdin::Bytes(bytes)) = (child.stdin.take(), stdin) {
        let bytes = bytes.clone();
        start_thread(move || drop(pipe.write_all(&bytes)))?;
    }
    Ok(())
}

/// Waits without reaping: as long as the child is a zombie its process group id cannot be given to another.
fn exits_before(child: &Child, deadline: Instant) -> io::Result<bool> {
    let Some(pid) = Pid::from_raw(child.id().cast_signed()) else { return Ok(false) };
    let (sender, receiver) = mpsc::channel();
    start_thread(move || {
        wait_without_reaping(pid);
        let _unheard = sender.send(());
    })?;
    Ok(receiver.recv_timeout(deadline.saturating_duration_since(Instant::now())).is_ok())
}

pub(crate) fn wait_without_reaping(pid: Pid) {
    while waitid(WaitId::Pid(pid), WaitIdOptions::EXITED | WaitIdOptions::NOWAIT)
        .is_err_and(|error| error == rustix::io::Errno::INTR)
    {}
}

#[cfg(test)]
mod tests;
