//! Starts the hook for one run in the same way as a client, applies the fault while the hook runs, and waits for the
//! hook to end.

use std::fs;
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, ChildStdin, Stdio};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, Signal, kill_process, pidfd_open};

use super::fault::Fault;
use super::setup::Setup;

/// The time after which the hook counts as hanging. In a run with a fault, the hook waits at most 2.5 s for the kernel. In
/// a run without one, it waits up to 50 s, so that a busy machine causes no failure.
const HANG_TIMEOUT: Duration = Duration::from_secs(120);
/// The size of a small pipe buffer, in bytes. It is the minimum size on Linux and smaller than a briefing.
const SMALL_PIPE: usize = 4_096;

/// The result of one run.
pub(super) struct Ended {
    /// The exit code, or 128 plus the number of the signal that ended the hook.
    pub(super) code: i32,
    pub(super) stdout: Vec<u8>,
    pub(super) stderr: Vec<u8>,
    pub(super) is_hung: bool,
}

pub(super) fn launch(setup: &mut Setup) -> io::Result<Ended> {
    let (output, stdout) = stdout_of(setup)?;
    setup.command.stdin(Stdio::piped()).stdout(stdout).stderr(Stdio::piped());
    let started = Instant::now();
    let mut child = setup.command.spawn()?;
    // Drops the command's write end of the pipe, because the reader waits until all write ends are closed.
    setup.command.stdout(Stdio::null());
    let most_delay = if setup.fault == Fault::StdoutSlow { 300 } else { 0 };
    let delay = Duration::from_millis(setup.random.between(0, most_delay));
    let stdout = output.map(|output| read_all(fs::File::from(output), delay));
    let stderr = child.stderr.take().map(|stderr| read_all(stderr, Duration::ZERO));
    let stdin = child.stdin.take();
    let payload = setup.payload.clone();
    let is_kept_open = setup.fault == Fault::StdinOpen;
    let feeder = thread::spawn(move || feed(stdin, &payload, is_kept_open));
    if setup.fault == Fault::KernelKilled {
        kill_kernel(&child, Duration::from_micros(setup.random.between(0, 60_000)));
    }
    let is_hung = !ends_before(&child, started + HANG_TIMEOUT)?;
    if is_hung {
        child.kill()?;
    }
    let status = child.wait()?;
    // Waits for the thread that writes the payload, and closes the standard input that it may have kept open.
    drop(feeder.join());
    let code = status.code().unwrap_or(128 + status.signal().unwrap_or(0));
    let collect = |reader: Option<JoinHandle<Vec<u8>>>| {
        reader.and_then(|reader| reader.join().ok()).unwrap_or_default()
    };
    Ok(Ended { code, stdout: collect(stdout), stderr: collect(stderr), is_hung })
}

/// Creates the hook's standard output. Returns the read end of the pipe if this process reads the output, and the
/// handle to pass to the hook.
fn stdout_of(setup: &Setup) -> io::Result<(Option<OwnedFd>, Stdio)> {
    if setup.fault == Fault::StdoutFull {
        return Ok((None, fs::File::options().write(true).open("/dev/full")?.into()));
    }
    let (ours, theirs) = rustix::pipe::pipe_with(rustix::pipe::PipeFlags::CLOEXEC)?;
    if setup.fault == Fault::StdoutSlow {
        rustix::pipe::fcntl_setpipe_size(&theirs, SMALL_PIPE)?;
    }
    let ours = (setup.fault != Fault::StdoutClosed).then_some(ours);
    Ok((ours, theirs.into()))
}

/// Writes the payload. Returns the pipe if it must stay open. Write errors are ignored, because the hook may exit without
/// reading all input.
fn feed(stdin: Option<ChildStdin>, payload: &[u8], is_kept_open: bool) -> Option<ChildStdin> {
    let mut stdin = stdin?;
    drop(stdin.write_all(payload));
    is_kept_open.then_some(stdin)
}

fn read_all(mut stream: impl Read + Send + 'static, delay: Duration) -> JoinHandle<Vec<u8>> {
    thread::spawn(move || {
        thread::sleep(delay);
        let mut bytes = Vec::new();
        // After a read error, the bytes read so far are used as the output.
        drop(stream.read_to_end(&mut bytes));
        bytes
    })
}

fn ends_before(child: &Child, deadline: Instant) -> io::Result<bool> {
    let Some(pid) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) else {
        return Ok(true);
    };
    let process = pidfd_open(pid, PidfdFlags::empty())?;
    let left = deadline.saturating_duration_since(Instant::now());
    let timeout = Timespec {
        tv_sec: i64::try_from(left.as_secs()).unwrap_or(i64::MAX),
        tv_nsec: i64::from(left.subsec_nanos()),
    };
    let mut waited = [PollFd::from_borrowed_fd(process.as_fd(), PollFlags::IN)];
    Ok(poll(&mut waited, Some(&timeout))? > 0)
}

/// Waits until the hook has started its kernel process, waits for `delay`, and kills the kernel.
fn kill_kernel(hook: &Child, delay: Duration) {
    for _ in 0..400 {
        if let Some(kernel) = first_child(hook.id()) {
            thread::sleep(delay);
            // The kernel may have ended already; in that case this run has no fault.
            let _result = kill_process(kernel, Signal::KILL);
            return;
        }
        if fs::metadata(format!("/proc/{}/exe", hook.id())).is_err() {
            return;
        }
        thread::sleep(Duration::from_millis(2));
    }
}

fn first_child(parent: u32) -> Option<Pid> {
    let tasks = fs::read_dir(format!("/proc/{parent}/task")).ok()?;
    tasks.flatten().find_map(|task| {
        let children = fs::read_to_string(task.path().join("children")).ok()?;
        Pid::from_raw(children.split_whitespace().next()?.parse().ok()?)
    })
}
