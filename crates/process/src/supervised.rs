//! A child that may run for hours: its output is handed on as it comes, and it ends by itself, by a time-out of
//! ours, or because somebody asked. Whoever is asked to end gets TERM, a grace period, then KILL — with the whole group.

use std::io::Read;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process_group};

use crate::Program;
use crate::identity::Identity;
use crate::run::{self, End, StartError};

/// How often time-outs and stop requests are looked at while the child is silent.
const TICK: Duration = Duration::from_millis(50);
/// Output in flight: a child that floods us waits for us, we do not pile it up.
const CHUNKS_IN_FLIGHT: usize = 64;
const CHUNK: usize = 16 * 1024;
/// How long to wait for the last bytes of a child whose group has been killed.
const LAST_BYTES: Duration = Duration::from_millis(500);

/// None is "no limit".
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    pub wall: Option<Duration>,
    /// Without a byte of output for so long, the child is taken to hang.
    pub idle: Option<Duration>,
    /// Between TERM and KILL.
    pub grace: Duration,
}

/// What the one who supervises is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heard<'a> {
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
    StreamEnded,
    Exited,
}

/// Runs a program under supervision. `started` hears who it is before the first byte of output.
pub fn supervise(
    program: &Program,
    patience: Patience,
    switch: &StopSwitch,
    started: impl FnOnce(Identity),
    mut heard: impl FnMut(Heard<'_>),
) -> Result<Supervised, StartError> {
    let begun = Instant::now();
    let mut child = run::spawn(program)
        .map_err(|source| StartError { path: program.path.display().to_string(), source })?;
    let group = Pid::from_raw(child.id().cast_signed());
    let (sender, messages) = mpsc::sync_channel(CHUNKS_IN_FLIGHT);
    read_in_background(child.stdout.take(), sender.clone(), Message::Stdout);
    read_in_background(child.stderr.take(), sender.clone(), Message::Stderr);
    run::feed_in_background(&mut child, &program.stdin);
    if let Some(pid) = group {
        thread::spawn(move || {
            run::wait_without_reaping(pid);
            sender.send(Message::Exited)
        });
    }
    started(Identity::of(child.id()));

    let mut watch = Watch { begun, last_byte: begun, patience, stopping: None, killed: false };
    let open_streams = watch.until_exit(&messages, switch, group, &mut heard);
    // Also when it ended by itself: nothing it started may outlive it.
    signal(group, Signal::KILL);
    drain(&messages, open_streams, &mut heard);
    let end = child.wait().map_or(End::Signalled(0), End::of);
    let stopped = watch.stopping.map(|(cause, _)| cause);
    Ok(Supervised { end, stopped, killed: watch.killed, duration: begun.elapsed() })
}

struct Watch {
    begun: Instant,
    last_byte: Instant,
    patience: Patience,
    /// Since when the child has been asked to end, and why.
    stopping: Option<(StopCause, Instant)>,
    killed: bool,
}

impl Watch {
    /// How many output streams are still open when the child is gone.
    fn until_exit(
        &mut self,
        messages: &Receiver<Message>,
        switch: &StopSwitch,
        group: Option<Pid>,
        heard: &mut impl FnMut(Heard<'_>),
    ) -> usize {
        let mut open_streams = 2;
        loop {
            match messages.recv_timeout(TICK) {
                Ok(Message::Stdout(bytes)) => {
                    self.last_byte = Instant::now();
                    heard(Heard::Stdout(&bytes));
                }
                Ok(Message::Stderr(bytes)) => {
                    self.last_byte = Instant::now();
                    heard(Heard::Stderr(&bytes));
                }
                Ok(Message::StreamEnded) => open_streams -= 1,
                Ok(Message::Exited) | Err(RecvTimeoutError::Disconnected) => return open_streams,
                Err(RecvTimeoutError::Timeout) => heard(Heard::Silence),
            }
            self.enforce(switch, group);
        }
    }

    fn enforce(&mut self, switch: &StopSwitch, group: Option<Pid>) {
        match self.stopping {
            None => {
                if let Some(cause) = self.reason_to_stop(switch) {
                    self.stopping = Some((cause, Instant::now()));
                    signal(group, Signal::TERM);
                }
            }
            Some((_, since)) => {
                let is_late = since.elapsed() >= self.patience.grace || switch.is_urgent();
                if is_late && !self.killed {
                    self.killed = true;
                    signal(group, Signal::KILL);
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
    stream: Option<impl Read + Send + 'static>,
    sender: SyncSender<Message>,
    wrap: fn(Vec<u8>) -> Message,
) {
    let Some(mut stream) = stream else { return };
    thread::spawn(move || {
        let mut chunk = [0; CHUNK];
        loop {
            match stream.read(&mut chunk) {
                Ok(0) => break,
                Ok(n) => {
                    if sender.send(wrap(chunk[..n].to_vec())).is_err() {
                        return;
                    }
                }
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(_) => break,
            }
        }
        let _unheard = sender.send(Message::StreamEnded);
    });
}

/// What was written before the end and not yet read. Only a process that left the group can keep this waiting.
fn drain(messages: &Receiver<Message>, mut open_streams: usize, heard: &mut impl FnMut(Heard<'_>)) {
    let deadline = Instant::now() + LAST_BYTES;
    while open_streams > 0 {
        match messages.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            Ok(Message::Stdout(bytes)) => heard(Heard::Stdout(&bytes)),
            Ok(Message::Stderr(bytes)) => heard(Heard::Stderr(&bytes)),
            Ok(Message::StreamEnded) => open_streams -= 1,
            Ok(Message::Exited) => {}
            Err(_) => return,
        }
    }
}

fn signal(group: Option<Pid>, signal: Signal) {
    if let Some(group) = group {
        // A group whose members are all gone needs no signal.
        let _gone = kill_process_group(group, signal);
    }
}

#[cfg(test)]
mod tests;
