//! Runs one turn of a conversation: sends a user's prompt to `codex exec`, without a session record.
//!
//! This module sets no sandbox, approval or network options, so codex uses the user's defaults. The caller's arguments
//! can allow more.

use std::ops::ControlFlow;
use std::path::Path;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use policy::{Author, Bypass, Requested, Sandbox};
use process::{
    Bounds, End, Environment, OutputEvent, Program, StartError, StopCause, StopSwitch, TimeLimits,
};

use crate::agents::AgentEvent;
use crate::agents::codex::abilities::{Abilities, Dialect};
use crate::agents::codex::arguments::{CodexOptions, ENDLESS_RETRIES};
use crate::agents::codex::events::CodexEvent;
use crate::agents::codex::raw_orders::{self, RawArgumentError};
use crate::agents::codex::rollout;
use crate::classify::{Classification, Ending, classify};
use crate::progress::{Progress, progress};
use crate::stream::{OutputLine, OutputReader};
use crate::supervisor::kill_processes;
use crate::usage::Usage;

/// The time between SIGTERM and SIGKILL.
const GRACE_PERIOD: Duration = Duration::from_secs(3);
const HELP_TIMEOUT: Duration = Duration::from_secs(10);
const INTERRUPTED: u8 = 130;
/// The environment variable that every process of a turn inherits. It identifies processes that left codex's process
/// group.
const TURN_VARIABLE: &str = "ADJUTANT_TURN";
const KILL_TIMEOUT: Duration = Duration::from_millis(500);

/// The conversation that a prompt continues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Continuation<'a> {
    New,
    Thread(&'a str),
    /// The conversation that `codex exec resume --last` selects. Codex may select a sub-agent's thread, or start a new
    /// thread if none exists. [`TurnResult`] reports both cases.
    Last,
}

#[derive(Clone, Copy, Debug)]
pub struct TurnRequest<'a> {
    pub program: &'a Path,
    pub abilities: &'a Abilities,
    pub environment: &'a Environment,
    /// Arguments that are passed to `codex exec` unchanged, except that a second `--json` is removed.
    pub arguments: &'a [String],
    pub continuation: Continuation<'a>,
    pub prompt: &'a str,
    /// The time at which the turn starts.
    pub clock: SystemTime,
}

/// Output of codex during a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TurnOutput<'a> {
    /// A short line about what codex is doing.
    Progress(&'a str),
    /// A short line about a problem that does not stop codex.
    Warning(&'a str),
    /// Standard output of a version of codex that does not support JSON events.
    Stdout(&'a [u8]),
    /// Standard error of a version of codex that does not support JSON events.
    Stderr(&'a [u8]),
}

/// The reason why a turn was stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Interruption {
    Requested,
    /// With [`Continuation::Last`], codex selected a sub-agent's thread. The field is the id of the thread that started
    /// the sub-agent.
    SubAgentOf(String),
}

#[derive(Clone, Debug)]
pub struct TurnResult {
    pub end: End,
    pub interruption: Option<Interruption>,
    pub thread: Option<String>,
    /// Whether this turn started the thread.
    pub is_new_thread: bool,
    /// The answer, or `None` if the installed version of codex does not support JSON events. Such a version prints its
    /// answer directly.
    pub answer: Option<String>,
    pub classification: Classification,
    pub reason: String,
    pub usage: Option<Usage>,
    pub duration: Duration,
}

impl TurnResult {
    /// Returns codex's exit code. Returns 1 if codex exited with 0 without an answer, and 130 if the turn was
    /// interrupted.
    #[must_use]
    pub fn exit_code(&self) -> u8 {
        match self.end {
            _ if self.is_interrupted() => INTERRUPTED,
            End::Exited(0) if !self.is_success() => 1,
            End::Exited(code) => u8::try_from(code).unwrap_or(1),
            End::Signalled(signal) => u8::try_from(128 + signal).unwrap_or(1),
            End::TimedOut => 1,
        }
    }

    #[must_use]
    pub fn is_interrupted(&self) -> bool {
        self.interruption == Some(Interruption::Requested)
    }

    #[must_use]
    pub fn is_success(&self) -> bool {
        self.end == End::Exited(0) && self.classification.is_success()
    }
}

/// Returns the arguments of `codex`. The prompt is not an argument but is written to standard input, because an
/// argument is limited to 128 KiB and could be mistaken for a flag.
#[must_use]
pub fn turn_arguments(
    abilities: &Abilities,
    arguments: &[String],
    continuation: Continuation<'_>,
) -> Vec<String> {
    let mut words = vec!["exec"];
    if abilities.dialect() == Dialect::Events {
        words.push("--json");
        if abilities.has_feature(ENDLESS_RETRIES) && abilities.accepts("--disable") {
            words.extend(["--disable", ENDLESS_RETRIES]);
        }
    }
    // Codex refuses a repeated `--json`.
    let is_repeated = |word: &&str| *word == "--json" && words.contains(word);
    let others: Vec<&str> =
        arguments.iter().map(String::as_str).filter(|word| !is_repeated(word)).collect();
    words.extend(others);
    // `resume` comes after the flags of `exec`, because `resume` does not accept all of them.
    match continuation {
        Continuation::New => {}
        Continuation::Thread(thread) => words.extend(["resume", thread]),
        Continuation::Last => words.extend(["resume", "--last"]),
    }
    words.push("-");
    words.into_iter().map(str::to_owned).collect()
}

/// Returns true if these arguments give codex more than read access, or if their effect is not known. With more than read
/// access, codex also marks the repository as trusted in its configuration, so callers should warn the user.
#[must_use]
pub fn widens_sandbox(arguments: &[String]) -> bool {
    let options = CodexOptions { arguments: arguments.to_vec(), ..CodexOptions::default() };
    match raw_orders::judge(Requested::default(), &options, Author::Person) {
        // Most of the refused flags do not affect the sandbox, for example the flag for a different working directory.
        Err(RawArgumentError::Flag { flag, .. }) => flag == "--approve-for-me",
        // Arguments that cannot be parsed might widen the sandbox.
        Err(_) => true,
        Ok(judged) => {
            let Requested { sandbox, full_auto, bypass, .. } = judged.requested;
            let is_wide = sandbox.is_some_and(|sandbox| sandbox != Sandbox::ReadOnly);
            // A warning names a flag or a key whose effect on the sandbox is unknown.
            is_wide || full_auto || bypass == Bypass::Yes || !judged.warnings.is_empty()
        }
    }
}

/// Returns true if the program supports `codex exec resume --last`. If the version is unknown, runs the program with
/// `--help` to find out.
#[must_use]
pub fn can_resume_last(program: &Path, abilities: &Abilities, environment: &Environment) -> bool {
    if abilities.version.is_some() {
        return abilities.resumes_with("--last");
    }
    let program =
        Program::new(program, environment.clone()).arguments(["exec", "resume", "--help"]);
    let deadline = Instant::now() + HELP_TIMEOUT;
    let bounds = Bounds { deadline, stdout_bytes: 64 * 1024, stderr_bytes: 1024 };
    process::run(&program, &bounds).is_ok_and(|finished| {
        finished.end == End::Exited(0) && finished.stdout.text().contains("--last")
    })
}

/// Runs codex until it exits or `switch` requests a stop.
pub fn run_turn(
    request: &TurnRequest<'_>,
    switch: &StopSwitch,
    on_output: &mut dyn FnMut(TurnOutput<'_>),
) -> Result<TurnResult, StartError> {
    let since_epoch = request.clock.duration_since(UNIX_EPOCH).unwrap_or_default();
    let turn_id = format!("{}-{}", std::process::id(), since_epoch.as_nanos());
    let environment = request.environment.clone().with(TURN_VARIABLE, &turn_id);
    let program = Program::new(request.program, environment)
        .arguments(turn_arguments(request.abilities, request.arguments, request.continuation))
        .stdin(request.prompt);
    let limits = TimeLimits { wall: None, idle: None, grace: GRACE_PERIOD };
    let has_events = request.abilities.dialect() == Dialect::Events;
    let mut reader = OutputReader::default();
    let mut listener = Listener { request, on_output, parent_thread: None, last_message: None };
    let supervised = process::supervise(&program, limits, switch, drop, |output| {
        match output {
            OutputEvent::Stdout(bytes) if !has_events => {
                (listener.on_output)(TurnOutput::Stdout(bytes));
            }
            OutputEvent::Stderr(bytes) if !has_events => {
                (listener.on_output)(TurnOutput::Stderr(bytes));
                reader.read::<CodexEvent>(output, |_| ());
            }
            OutputEvent::Stdout(_) | OutputEvent::Stderr(_) | OutputEvent::Silence => {
                reader.read(output, |line| listener.line(line));
            }
        }
        if listener.parent_thread.is_some() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    })?;
    reader.finish(|line| listener.line(line));
    let interruption = match (listener.parent_thread, supervised.stopped) {
        (Some(parent), _) => Some(Interruption::SubAgentOf(parent)),
        (None, stopped) => stopped.map(|_| Interruption::Requested),
    };
    if interruption.is_some() {
        // Processes of the turn can outlive codex, because codex starts each of its commands in a separate process group.
        kill_processes(TURN_VARIABLE, &turn_id, KILL_TIMEOUT);
    }
    let OutputReader { account, text, .. } = reader;
    let verdict = classify(&Ending {
        agent: "Codex",
        end: supervised.end,
        stopped: interruption.as_ref().map(|_| StopCause::Requested),
        account: &account,
        has_events,
        last_message: account.last_message.as_deref(),
        text: &text,
        prompt: request.prompt,
        has_patch: false,
    });
    let is_new = |thread: &str| rollout::began_after(thread, request.clock);
    Ok(TurnResult {
        end: supervised.end,
        interruption,
        is_new_thread: account.thread_id.as_deref().is_some_and(is_new),
        thread: account.thread_id,
        answer: account.last_message,
        classification: verdict.classification,
        reason: verdict.reason,
        usage: account.usage,
        duration: supervised.duration,
    })
}

struct Listener<'a, 'o> {
    request: &'a TurnRequest<'a>,
    on_output: &'o mut dyn FnMut(TurnOutput<'_>),
    /// The thread that started the sub-agent, if codex selected a sub-agent's thread.
    parent_thread: Option<String>,
    /// The latest message of the model. It is the answer if no further output follows.
    last_message: Option<String>,
}

impl Listener<'_, '_> {
    fn line(&mut self, line: OutputLine<'_, CodexEvent>) {
        let OutputLine::Event { event, .. } = line else { return };
        if self.request.continuation == Continuation::Last
            && let Some(thread) = event.thread_id()
        {
            self.parent_thread = rollout::parent_of(thread, self.request.environment);
        }
        match progress(event) {
            None => {}
            Some(Progress::Line(line)) => self.show(TurnOutput::Progress(&line)),
            Some(Progress::Warning(line)) => self.show(TurnOutput::Warning(&line)),
            Some(Progress::Message(message)) => {
                if let Some(earlier) = self.last_message.replace(message) {
                    (self.on_output)(TurnOutput::Progress(&earlier));
                }
            }
        }
    }

    fn show(&mut self, output: TurnOutput<'_>) {
        if let Some(earlier) = self.last_message.take() {
            (self.on_output)(TurnOutput::Progress(&earlier));
        }
        (self.on_output)(output);
    }
}

#[cfg(test)]
mod tests;
