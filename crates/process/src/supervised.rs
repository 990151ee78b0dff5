//! Runs a program that may take hours, forwards its output as it arrives, and enforces time limits and stop requests.
//!
//! To stop the program, the supervisor sends SIGTERM to the program's process group, waits for the grace period, and sends
//! SIGKILL.

use std::io::{self, Read};
use std::ops::ControlFlow;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::process::Child;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, poll};
use rustix::process::{Pid, Signal};

use crate::Program;
use crate::identity::ProcessIdentity;
use crate::run::{self, End, Group, StartError};

/// The time without output after which [`OutputEvent::Silence`] is reported.
const SILENCE: Duration = Duration::from_millis(50);
/// The maximum number of output chunks that wait to be processed. When it is reached, the reader threads stop reading, and
/// the child blocks as soon as its pipes are full.
const MAX_PENDING_CHUNKS: usize = 64;
const CHUNK: usize = 16 * 1024;
const DRAIN_TIMES: DrainTimes =
    DrainTimes { silence: Duration::from_millis(500), total: Duration::from_secs(20) };
/// The maximum number of bytes to read after the child has exited. This is the most output that can still be unread: the
/// pending chunks and, for each of the two pipes, one chunk and a full pipe buffer (at most 1 MiB).
const MAX_REMAINING: usize = MAX_PENDING_CHUNKS * CHUNK + 2 * (CHUNK + 1024 * 1024);

/// The time limits of a supervised program. A value of `None` means that there is no limit.
#[derive(Clone, Copy, Debug)]
pub struct TimeLimits {
    pub wall: Option<Duration>,
    /// The time without output after which the program is stopped.
    pub idle: Option<Duration>,
    /// The time between SIGTERM and SIGKILL.
    pub grace: Duration,
}

/// Time limits for reading the remaining output after the child has ended.
#[derive(Clone, Copy)]
pub(crate) struct DrainTimes {
    /// If there is no output for this time, reading ends. A process outside the killed group may keep a pipe open.
    pub(crate) silence: Duration,
    /// The maximum time for processing the remaining output.
    pub(crate) total: Duration,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutputEvent<'a> {
    Stdout(&'a [u8]),
    Stderr(&'a [u8]),
    /// No output arrived for 50 ms. This event is not reported again before the next output.
    Silence,
}

/// Why the supervisor stopped a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopCause {
    Wall,
    Idle,
    /// A [`StopSwitch`] or the output callback requested the stop.
    Requested,
}

#[derive(Clone, Debug)]
pub struct Supervised {
    pub end: End,
    /// Why the program was stopped, or `None` if it exited by itself.
    pub stopped: Option<StopCause>,
    /// Whether the supervisor sent SIGKILL because the grace period ended or a second stop was requested.
    pub killed: bool,
    pub duration: Duration,
}

/// A switch with which other threads request that a supervised program be stopped. Clones share their state.
#[derive(Clone, Debug, Default)]
pub struct StopSwitch(Arc<Requests>);

#[derive(Debug, Default)]
struct Requests {
    state: Mutex<RequestState>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct RequestState {
    count: usize,
    /// The supervisors that wait for output and must be woken by a request.
    supervisors: Vec<Weak<SyncSender<Message>>>,
}

impl StopSwitch {
    /// Requests a stop. A second request ends the grace period immediately.
    pub fn stop(&self) {
        let mut state = self.state();
        state.count = state.count.saturating_add(1);
        for supervisor in state.supervisors.iter().filter_map(Weak::upgrade) {
            // If the channel is full, the supervisor checks the switch after the next message.
            let _full = supervisor.try_send(Message::StopRequested);
        }
        self.0.changed.notify_all();
    }

    #[must_use]
    pub fn is_on(&self) -> bool {
        self.state().count > 0
    }

    /// Blocks until a stop is requested or `timeout` has passed. Returns whether a stop was requested.
    #[must_use]
    pub fn wait(&self, timeout: Duration) -> bool {
        let is_off = |state: &mut RequestState| state.count == 0;
        let waited = self.0.changed.wait_timeout_while(self.state(), timeout, is_off);
        waited.unwrap_or_else(PoisonError::into_inner).0.count > 0
    }

    fn is_urgent(&self) -> bool {
        self.state().count > 1
    }

    fn wake(&self, supervisor: &Arc<SyncSender<Message>>) {
        let mut state = self.state();
        state.supervisors.retain(|known| known.strong_count() > 0);
        state.supervisors.push(Arc::downgrade(supervisor));
    }

    fn state(&self) -> MutexGuard<'_, RequestState> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[derive(Debug)]
enum Message {
    Output(Stream, Vec<u8>),
    StreamEnded(Stream),
    StopRequested,
    Exited,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stream {
    Stdout,
    Stderr,
}

impl Stream {
    fn event(self, bytes: &[u8]) -> OutputEvent<'_> {
        match self {
            Self::Stdout => OutputEvent::Stdout(bytes),
            Self::Stderr => OutputEvent::Stderr(bytes),
        }
    }
}

/// The streams that have not ended. Each has a duplicate handle of its pipe, which is used to check for unread output.
struct OpenStreams(Vec<(Stream, Option<OwnedFd>)>);

impl OpenStreams {
    fn of(child: &Child) -> Self {
        let stdout = child.stdout.as_ref().map(|pipe| (Stream::Stdout, pipe.as_fd()));
        let stderr = child.stderr.as_ref().map(|pipe| (Stream::Stderr, pipe.as_fd()));
        let open = [stdout, stderr].into_iter().flatten();
        Self(open.map(|(stream, pipe)| (stream, pipe.try_clone_to_owned().ok())).collect())
    }

    fn close(&mut self, ended: Stream) {
        self.0.retain(|(stream, _)| *stream != ended);
    }

    fn have_unread(&self) -> bool {
        self.0.iter().filter_map(|(_, pipe)| pipe.as_ref()).any(|pipe| has_unread(pipe.as_fd()))
    }
}

/// Runs a program until it ends or is stopped, and then kills its process group.
///
/// `started` is called before the first output. `on_output` stops the program by returning [`ControlFlow::Break`].
pub fn supervise(
    program: &Program,
    limits: TimeLimits,
    switch: &StopSwitch,
    started: impl FnOnce(ProcessIdentity),
    on_output: impl FnMut(OutputEvent<'_>) -> ControlFlow<()>,
) -> Result<Supervised, StartError> {
    let started = |pid| started(ProcessIdentity::of(pid));
    supervise_within(program, limits, switch, DRAIN_TIMES, started, on_output)
}

/// Does the same as [`supervise`], but with the given drain times. `started` receives the process id.
pub(crate) fn supervise_within(
    program: &Program,
    limits: TimeLimits,
    switch: &StopSwitch,
    drain_times: DrainTimes,
    started: impl FnOnce(u32),
    mut on_output: impl FnMut(OutputEvent<'_>) -> ControlFlow<()>,
) -> Result<Supervised, StartError> {
    let begun = Instant::now();
    let failed = |source| StartError::new(program, source);
    let mut group = Group::spawn(program)?;
    let child = &mut group.child;
    let (sender, messages) = mpsc::sync_channel(MAX_PENDING_CHUNKS);
    let mut open = OpenStreams::of(child);
    read_in_background(child.stdout.take(), sender.clone(), Stream::Stdout).map_err(failed)?;
    read_in_background(child.stderr.take(), sender.clone(), Stream::Stderr).map_err(failed)?;
    run::feed_in_background(child, program.stdin.as_ref()).map_err(failed)?;
    if let Some(pid) = Pid::from_raw(child.id().cast_signed()) {
        let sender = sender.clone();
        run::start_thread(move || {
            run::wait_without_reaping(pid);
            let _receiver_dropped = sender.send(Message::Exited);
        })
        .map_err(failed)?;
    }
    let waker = Arc::new(sender);
    switch.wake(&waker);
    started(child.id());

    let mut watch = Watch { begun, last_output: begun, limits, stopping: None, killed: false };
    watch.until_exit(&messages, &mut open, (switch, &group), &mut on_output);
    drop(waker);
    // Processes that the program started must not outlive the program, even if it ended by itself.
    group.signal(Signal::KILL);
    drain(&messages, &mut open, drain_times, &mut on_output);
    let end = group.end().map_or(End::Signalled(0), End::of);
    let stopped = watch.stopping.map(|(cause, _)| cause);
    Ok(Supervised { end, stopped, killed: watch.killed, duration: begun.elapsed() })
}

struct Watch {
    begun: Instant,
    last_output: Instant,
    limits: TimeLimits,
    /// The cause of the stop and the time at which SIGTERM was sent; `None` if the program is not being stopped.
    stopping: Option<(StopCause, Instant)>,
    killed: bool,
}

impl Watch {
    /// Processes messages until the program exits. The program's output streams may still be open then.
    fn until_exit(
        &mut self,
        messages: &Receiver<Message>,
        open: &mut OpenStreams,
        (switch, group): (&StopSwitch, &Group),
        on_output: &mut impl FnMut(OutputEvent<'_>) -> ControlFlow<()>,
    ) {
        let mut is_silence_reported = false;
        loop {
            self.enforce(switch, group);
            let silence = (!is_silence_reported).then_some(SILENCE);
            let timeout = [silence, self.next_deadline()].into_iter().flatten().min();
            let message = match timeout {
                Some(timeout) => messages.recv_timeout(timeout),
                None => messages.recv().map_err(|_| RecvTimeoutError::Disconnected),
            };
            let flow = match message {
                Ok(Message::Output(stream, bytes)) => {
                    self.last_output = Instant::now();
                    is_silence_reported = false;
                    on_output(stream.event(&bytes))
                }
                Ok(Message::StreamEnded(stream)) => {
                    open.close(stream);
                    ControlFlow::Continue(())
                }
                Ok(Message::Exited) | Err(RecvTimeoutError::Disconnected) => return,
                Err(RecvTimeoutError::Timeout) if !is_silence_reported => {
                    is_silence_reported = true;
                    on_output(OutputEvent::Silence)
                }
                Ok(Message::StopRequested) | Err(RecvTimeoutError::Timeout) => {
                    ControlFlow::Continue(())
                }
            };
            if flow.is_break() && self.stopping.is_none() {
                self.stop(StopCause::Requested, group);
            }
        }
    }

    /// Returns the time until the next time limit is reached, or `None` if there is no time limit.
    fn next_deadline(&self) -> Option<Duration> {
        let TimeLimits { wall, idle, grace } = self.limits;
        match self.stopping {
            None => {
                let wall = wall.map(|wall| wall.saturating_sub(self.begun.elapsed()));
                let idle = idle.map(|idle| idle.saturating_sub(self.last_output.elapsed()));
                [wall, idle].into_iter().flatten().min()
            }
            Some((_, since)) => (!self.killed).then(|| grace.saturating_sub(since.elapsed())),
        }
    }

    fn enforce(&mut self, switch: &StopSwitch, group: &Group) {
        match self.stopping {
            None => {
                if let Some(cause) = self.reason_to_stop(switch) {
                    self.stop(cause, group);
                }
            }
            Some((_, since)) => {
                let is_late = since.elapsed() >= self.limits.grace || switch.is_urgent();
                if is_late && !self.killed {
                    self.killed = true;
                    group.signal(Signal::KILL);
                }
            }
        }
    }

    fn stop(&mut self, cause: StopCause, group: &Group) {
        self.stopping = Some((cause, Instant::now()));
        group.signal(Signal::TERM);
    }

    fn reason_to_stop(&self, switch: &StopSwitch) -> Option<StopCause> {
        if switch.is_on() {
            return Some(StopCause::Requested);
        }
        if self.limits.wall.is_some_and(|wall| self.begun.elapsed() >= wall) {
            return Some(StopCause::Wall);
        }
        let is_idle = self.limits.idle.is_some_and(|idle| self.last_output.elapsed() >= idle);
        is_idle.then_some(StopCause::Idle)
    }
}

/// Returns true if a read from the stream would not block, because there are unread bytes or the stream has ended. Also
/// returns true if `poll` fails.
fn has_unread(stream: BorrowedFd<'_>) -> bool {
    let mut streams = [PollFd::from_borrowed_fd(stream, PollFlags::IN)];
    let now = rustix::event::Timespec { tv_sec: 0, tv_nsec: 0 };
    poll(&mut streams, Some(&now)) != Ok(0)
}

fn read_in_background(
    pipe: Option<impl Read + Send + 'static>,
    sender: SyncSender<Message>,
    stream: Stream,
) -> io::Result<()> {
    let Some(mut pipe) = pipe else { return Ok(()) };
    run::start_thread(move || {
        let mut chunk = [0; CHUNK];
        loop {
            match pipe.read(&mut chunk) {
                Ok(0) => break,
                Ok(n) => {
                    if sender.send(Message::Output(stream, chunk[..n].to_vec())).is_err() {
                        return;
                    }
                }
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(_) => break,
            }
        }
        let _receiver_dropped = sender.send(Message::StreamEnded(stream));
    })
}

/// Processes the output that the program wrote before it ended and that has not been read yet.
///
/// A process that left the group can keep a pipe open. Its output is read until none arrives for `times.silence`. On a busy
/// machine the reader threads may be late, so the function keeps waiting while the pipes contain unread bytes.
fn drain(
    messages: &Receiver<Message>,
    open: &mut OpenStreams,
    times: DrainTimes,
    on_output: &mut impl FnMut(OutputEvent<'_>) -> ControlFlow<()>,
) {
    let deadline = Instant::now() + times.total;
    let mut n_bytes = 0;
    while !open.0.is_empty() && n_bytes < MAX_REMAINING && Instant::now() < deadline {
        match messages.recv_timeout(times.silence) {
            Ok(Message::Output(stream, bytes)) => {
                n_bytes += bytes.len();
                // The program has ended, so a request to stop it has no effect.
                let _flow = on_output(stream.event(&bytes));
            }
            Ok(Message::StreamEnded(stream)) => open.close(stream),
            Ok(Message::Exited | Message::StopRequested) => {}
            Err(RecvTimeoutError::Timeout) if open.have_unread() => {}
            Err(_) => return,
        }
    }
}

#[cfg(test)]
mod tests;
