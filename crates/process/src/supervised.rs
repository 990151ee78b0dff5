//! A child that may run for hours: its output is handed on as it comes, and it ends by itself, by a time-out of
//! ours, or because somebody asked. Whoever is asked to end gets TERM, a grace period, then KILL — with the whole group.

use std::io::{self, Read};
use std::os::fd::{AsFd, OwnedFd};
use std::process::Child;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal};

use crate::Program;
use crate::identity::Identity;
use crate::output::has_unread;
use crate::run::{self, End, Group, StartError};

/// How often time-outs and stop requests are looked at while the child is silent.
const TICK: Duration = Duration::from_millis(50);
/// Output in flight: a child that floods us waits for us, we do not pile it up.
const CHUNKS_IN_FLIGHT: usize = 64;
const CHUNK: usize = 16 * 1024;
/// How long a process that left the killed group on purpose, and still holds a pipe, may be silent.
const LAST_BYTES: Duration = Duration::from_millis(500);
/// How long what the child has left in its pipes is waited for. A busy machine may take a while to read and record it.
const LATE_READER: Duration = Duration::from_secs(20);
/// More than a child can have left behind: what is in flight, and two pipes as large as the system makes them.
const MAX_LEFT: usize = CHUNKS_IN_FLIGHT * CHUNK + 2 * (CHUNK + 1024 * 1024);

/// None is "no limit".
#[derive(Clone, Copy, Debug)]
pub struct TimeLimits {
    pub wall: Option<Duration>,
    /// Without a byte of output for so long, the child is taken to hang.
    pub idle: Option<Duration>,
    /// Between TERM and KILL.
    pub grace: Duration,
}

/// What the one who supervises is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutputEvent<'a> {
    Stdout(&'a [u8]),
    Stderr(&'a [u8]),
    /// Nothing came for a moment: a good time to write out what was held back.
    Silence,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopCause {
    Wall,
    Idle,
    Asked,
}

#[derive(Clone, Debug)]
pub struct Supervised {
    pub end: End,
    /// Why we ended it, if it was us.
    pub stopped: Option<StopCause>,
    /// It did not end on TERM.
    pub killed: bool,
    pub duration: Duration,
}

/// A wish to stop, shared between a signal handler or another thread and the supervision.
#[derive(Clone, Debug, Default)]
pub struct StopSwitch(Arc<AtomicU8>);

impl StopSwitch {
    /// The first time asks; from the second time on there is no grace.
    pub fn stop(&self) {
        let _before = self.0.fetch_update(Ordering::AcqRel, Ordering::Acquire, |times| {
            Some(times.saturating_add(1))
        });
    }

    #[must_use]
    pub fn is_on(&self) -> bool {
        self.0.load(Ordering::Acquire) > 0
    }

    fn is_urgent(&self) -> bool {
        self.0.load(Ordering::Acquire) > 1
    }
}

enum Message {
    Stdout(Vec<u8>),
    Stderr(Vec<u8>),
    StreamEnded(Stream),
    Exited,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stream {
    Stdout,
    Stderr,
}

/// The streams that have not ended, each with another hold of its pipe to see whether something waits in it.
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

/// Runs a program under supervision. `started` hears who it is before the first byte of output.
pub fn supervise(
    program: &Program,
    patience: TimeLimits,
    switch: &StopSwitch,
    started: impl FnOnce(Identity),
    mut heard: impl FnMut(OutputEvent<'_>),
) -> Result<Supervised, StartError> {
    let begun = Instant::now();
    let failed = |source| StartError { path: program.path.display().to_string(), source };
    let mut group = Group::spawn(program).map_err(failed)?;
    let child = &mut group.child;
    let (sender, messages) = mpsc::sync_channel(CHUNKS_IN_FLIGHT);
    let mut open = OpenStreams::of(child);
    read_in_background(child.stdout.take(), sender.clone(), Stream::Stdout).map_err(failed)?;
    read_in_background(child.stderr.take(), sender.clone(), Stream::Stderr).map_err(failed)?;
    run::feed_in_background(child, &program.stdin).map_err(failed)?;
    if let Some(pid) = Pid::from_raw(child.id().cast_signed()) {
        run::start_thread(move || {
            run::wait_without_reaping(pid);
            let _unheard = sender.send(Message::Exited);
        })
        .map_err(failed)?;
    }
    started(Identity::of(child.id()));

    let mut watch = Watch { begun, last_byte: begun, patience, stopping: None, killed: false };
    watch.until_exit(&messages, &mut open, (switch, &group), &mut heard);
    // Also when it ended by itself: nothing it started may outlive it.
    group.signal(Signal::KILL);
    drain(&messages, &mut open, &mut heard);
    let end = group.end().map_or(End::Signalled(0), End::of);
    let stopped = watch.stopping.map(|(cause, _)| cause);
    Ok(Supervised { end, stopped, killed: watch.killed, duration: begun.elapsed() })
}

struct Watch {
    begun: Instant,
    last_byte: Instant,
    patience: TimeLimits,
    /// Since when the child has been asked to end, and why.
    stopping: Option<(StopCause, Instant)>,
    killed: bool,
}

impl Watch {
    /// Streams may still be open when the child is gone.
    fn until_exit(
        &mut self,
        messages: &Receiver<Message>,
        open: &mut OpenStreams,
        (switch, group): (&StopSwitch, &Group),
        heard: &mut impl FnMut(OutputEvent<'_>),
    ) {
        loop {
            match messages.recv_timeout(TICK) {
                Ok(Message::Stdout(bytes)) => {
                    self.last_byte = Instant::now();
                    heard(OutputEvent::Stdout(&bytes));
                }
                Ok(Message::Stderr(bytes)) => {
                    self.last_byte = Instant::now();
                    heard(OutputEvent::Stderr(&bytes));
                }
                Ok(Message::StreamEnded(stream)) => open.close(stream),
                Ok(Message::Exited) | Err(RecvTimeoutError::Disconnected) => return,
                Err(RecvTimeoutError::Timeout) => heard(OutputEvent::Silence),
            }
            self.enforce(switch, group);
        }
    }

    fn enforce(&mut self, switch: &StopSwitch, group: &Group) {
        match self.stopping {
            None => {
                if let Some(cause) = self.reason_to_stop(switch) {
                    self.stopping = Some((cause, Instant::now()));
                    group.signal(Signal::TERM);
                }
            }
            Some((_, since)) => {
                let is_late = since.elapsed() >= self.patience.grace || switch.is_urgent();
                if is_late && !self.killed {
                    self.killed = true;
                    group.signal(Signal::KILL);
                }
            }
        }
    }

    fn reason_to_stop(&self, switch: &StopSwitch) -> Option<StopCause> {
        if switch.is_on() {
            return Some(StopCause::Asked);
        }
        if self.patience.wall.is_some_and(|wall| self.begun.elapsed() >= wall) {
            return Some(StopCause::Wall);
        }
        let is_idle = self.patience.idle.is_some_and(|idle| self.last_byte.elapsed() >= idle);
        is_idle.then_some(StopCause::Idle)
    }
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
                    let bytes = chunk[..n].to_vec();
                    let message = match stream {
                        Stream::Stdout => Message::Stdout(bytes),
                        Stream::Stderr => Message::Stderr(bytes),
                    };
                    if sender.send(message).is_err() {
                        return;
                    }
                }
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(_) => break,
            }
        }
        let _unheard = sender.send(Message::StreamEnded(stream));
    })
}

/// What was written before the end and not yet read. Only a process that left the group can keep this waiting, or a machine
/// that is so busy that our own readers are late: then there is still something in the pipes.
fn drain(
    messages: &Receiver<Message>,
    open: &mut OpenStreams,
    heard: &mut impl FnMut(OutputEvent<'_>),
) {
    let given_up = Instant::now() + LATE_READER;
    let mut n_bytes = 0;
    while !open.0.is_empty() && n_bytes < MAX_LEFT && Instant::now() < given_up {
        match messages.recv_timeout(LAST_BYTES) {
            Ok(Message::Stdout(bytes)) => {
                n_bytes += bytes.len();
                heard(OutputEvent::Stdout(&bytes));
            }
            Ok(Message::Stderr(bytes)) => {
                n_bytes += bytes.len();
                heard(OutputEvent::Stderr(&bytes));
            }
            Ok(Message::StreamEnded(stream)) => open.close(stream),
            Ok(Message::Exited) => {}
            Err(RecvTimeoutError::Timeout) if open.have_unread() => {}
            Err(_) => return,
        }
    }
}

#[cfg(test)]
mod tests;
