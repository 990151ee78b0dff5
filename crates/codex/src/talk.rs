//! One prompt of a person, handed to `codex exec` as that person would have done: no orders of ours, no record.
//!
//! Nothing is said about the sandbox: what codex does for this user by itself stays. Widening is the caller's flag.

use std::cell::RefCell;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use policy::{Author, Bypass, Requested, Sandbox};
use process::{
    Bounds, End, Environment, OutputEvent, Program, StartError, StopCause, StopSwitch, TimeLimits,
    Urgency,
};

use crate::abilities::{Abilities, Dialect};
use crate::arguments::{CodexOptions, ENDLESS_RETRIES};
use crate::classify::{Classification, Ending, classify};
use crate::orders_in::{self, RawArgumentError};
use crate::progress::{Progress, progress};
use crate::rollout;
use crate::stream::{Account, Lines, Said, Usage};

/// Between TERM and KILL.
const GRACE: Duration = Duration::from_secs(3);
const ANSWER_TIME: Duration = Duration::from_secs(10);
/// The end of what codex said beside its answer: enough to tell why it failed.
const TALK_KEPT: usize = 16 * 1024;
const INTERRUPTED: u8 = 130;
/// In the environment of everything one turn starts: what leaves codex's group can still be found.
const MARK: &str = "ADJUTANT_TURN";
const ROUNDS: u32 = 25;
const ROUND: Duration = Duration::from_millis(20);

/// Which conversation the prompt belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GoesOn<'a> {
    Nothing,
    Thread(&'a str),
    /// Whatever codex takes for the last one here. It may be a sub-agent's, and if there is none codex begins a new one
    /// without a word; both are found out.
    Last,
}

/// A prompt about to be sent.
#[derive(Clone, Copy, Debug)]
pub struct Ask<'a> {
    pub program: &'a Path,
    pub abilities: &'a Abilities,
    pub environment: &'a Environment,
    /// For `codex exec`, as they are.
    pub arguments: &'a [String],
    pub goes_on: GoesOn<'a>,
    pub prompt: &'a str,
    /// Now.
    pub clock: SystemTime,
}

/// What somebody who waits for the answer may want to see.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Told<'a> {
    /// A short line about what codex does.
    Progress(&'a str),
    /// A short line about what codex does not like.
    Warning(&'a str),
    /// A codex without events: its stdout as it comes.
    Stdout(&'a [u8]),
    /// The same of its stderr.
    Stderr(&'a [u8]),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CutShort {
    /// By our caller's wish.
    Interrupted,
    /// Codex took a sub-agent's thread for the last one. It belongs to this one.
    SubAgentOf(String),
}

/// How it went.
#[derive(Clone, Debug)]
pub struct Talked {
    pub end: End,
    /// Why it was ended before it was through.
    pub cut_short: Option<CutShort>,
    pub thread: Option<String>,
    /// The thread began with this prompt.
    pub is_new_thread: bool,
    /// None from a codex without events: it has printed its answer already.
    pub answer: Option<String>,
    pub classification: Classification,
    pub reason: String,
    pub usage: Option<Usage>,
    pub duration: Duration,
}

impl Talked {
    /// Codex's own; 1 if it ended with 0 and did not answer, 130 if it was interrupted.
    #[must_use]
    pub fn exit_code(&self) -> u8 {
        match self.end {
            _ if self.is_interrupted() => INTERRUPTED,
            End::Exited(0) if !self.is_good() => 1,
            End::Exited(code) => u8::try_from(code).unwrap_or(1),
            End::Signalled(signal) => u8::try_from(128 + signal).unwrap_or(1),
            End::TimedOut => 1,
        }
    }

    #[must_use]
    pub fn is_interrupted(&self) -> bool {
        self.cut_short == Some(CutShort::Interrupted)
    }

    #[must_use]
    pub fn is_good(&self) -> bool {
        self.end == End::Exited(0)
            && matches!(
                self.classification,
                Classification::Normal | Classification::Done | Classification::Continue
            )
    }
}

/// The words after `codex`. The prompt goes through stdin: an argument may not be longer than 128 KiB, nor look like a flag.
#[must_use]
pub fn talk_arguments(
    abilities: &Abilities,
    arguments: &[String],
    goes_on: GoesOn<'_>,
) -> Vec<String> {
    let mut words = vec!["exec"];
    if abilities.dialect() == Dialect::Events {
        words.push("--json");
        if abilities.has_feature(ENDLESS_RETRIES) && abilities.accepts("--disable") {
            words.extend(["--disable", ENDLESS_RETRIES]);
        }
    }
    // Said twice, codex refuses it.
    let is_said = |word: &&str| *word == "--json" && words.contains(word);
    let theirs: Vec<&str> =
        arguments.iter().map(String::as_str).filter(|word| !is_said(word)).collect();
    words.extend(theirs);
    match goes_on {
        GoesOn::Nothing => {}
        // Flags of `exec` stand before it: `resume` does not know all of them.
        GoesOn::Thread(thread) => words.extend(["resume", thread]),
        GoesOn::Last => words.extend(["resume", "--last"]),
    }
    words.push("-");
    words.into_iter().map(str::to_owned).collect()
}

/// Whether arguments let codex do more than read. Codex then writes the repository down as trusted.
#[must_use]
pub fn widens_sandbox(arguments: &[String]) -> bool {
    let options = CodexOptions { arguments: arguments.to_vec(), ..CodexOptions::default() };
    match orders_in::judge(Requested::default(), &options, Author::Person) {
        // Refused in unattended runs for other reasons than the sandbox, such as another working directory.
        Err(RawArgumentError::Flag { flag, .. }) => flag == "--approve-for-me",
        // What cannot be read cannot be called harmless.
        Err(_) => true,
        Ok(judged) => {
            let Requested { sandbox, full_auto, bypass, .. } = judged.requested;
            let is_wide = sandbox.is_some_and(|sandbox| sandbox != Sandbox::ReadOnly);
            is_wide || full_auto || bypass == Bypass::Yes
        }
    }
}

/// Whether `codex exec resume --last` is there. A program of unknown kind is asked.
#[must_use]
pub fn can_resume_last(program: &Path, abilities: &Abilities, environment: &Environment) -> bool {
    if abilities.version.is_some() {
        return abilities.resumes_with("--last");
    }
    let program =
        Program::new(program, environment.clone()).arguments(["exec", "resume", "--help"]);
    let bounds = Bounds {
        deadline: Instant::now() + ANSWER_TIME,
        stdout_bytes: 64 * 1024,
        stderr_bytes: 1024,
    };
    process::run(&program, &bounds).is_ok_and(|finished| {
        finished.end == End::Exited(0) && finished.stdout.text().contains("--last")
    })
}

/// Runs codex to its end, or until the switch is used.
pub fn talk(
    ask: &Ask<'_>,
    switch: &StopSwitch,
    told: &mut dyn FnMut(Told<'_>),
) -> Result<Talked, StartError> {
    let since_epoch = ask.clock.duration_since(UNIX_EPOCH).unwrap_or_default();
    let mark = format!("{}-{}", std::process::id(), since_epoch.as_nanos());
    let program = Program::new(ask.program, ask.environment.clone().with(MARK, &mark))
        .arguments(talk_arguments(ask.abilities, ask.arguments, ask.goes_on))
        .stdin(ask.prompt);
    let patience = TimeLimits { wall: None, idle: None, grace: GRACE };
    // Not the caller's: a run that went to the wrong thread is stopped without anybody having wished to stop.
    let inner = StopSwitch::default();
    let listener = RefCell::new(Listener::new(ask, told));
    let supervised = process::supervise(&program, patience, &inner, drop, |heard| {
        let mut listener = listener.borrow_mut();
        listener.heard(heard);
        if (switch.is_on() || listener.wrong_thread_of.is_some()) && !inner.is_on() {
            inner.stop();
        }
    })?;
    let mut listener = listener.into_inner();
    listener.finish();
    let Listener { account, talk, wrong_thread_of, .. } = listener;
    let cut_short = match (wrong_thread_of, supervised.stopped) {
        (Some(of), _) => Some(CutShort::SubAgentOf(of)),
        (None, stopped) => stopped.map(|_| CutShort::Interrupted),
    };
    if cut_short.is_some() {
        end_leftovers(&mark);
    }
    let has_events = ask.abilities.dialect() == Dialect::Events;
    let verdict = classify(&Ending {
        end: supervised.end,
        stopped: cut_short.as_ref().map(|_| StopCause::Asked),
        account: &account,
        has_events,
        last_message: account.last_message.as_deref(),
        talk: &talk,
        prompt: ask.prompt,
        has_patch: false,
    });
    let is_new_thread =
        account.thread_id.as_deref().is_some_and(|thread| rollout::began_after(thread, ask.clock));
    Ok(Talked {
        end: supervised.end,
        cut_short,
        is_new_thread,
        thread: account.thread_id,
        answer: account.last_message,
        classification: verdict.classification,
        reason: verdict.reason,
        usage: account.usage,
        duration: supervised.duration,
    })
}

/// Codex gives its commands a group of their own.
fn end_leftovers(mark: &str) {
    for _ in 0..ROUNDS {
        let leftovers = process::processes_with(MARK, mark);
        if leftovers.is_empty() {
            return;
        }
        for leftover in leftovers {
            leftover.signal(Urgency::Force);
        }
        thread::sleep(ROUND);
    }
}

struct Listener<'a, 't> {
    ask: &'a Ask<'a>,
    told: &'t mut dyn FnMut(Told<'_>),
    account: Account,
    stdout: Lines,
    stderr: Lines,
    talk: String,
    wrong_thread_of: Option<String>,
    /// What it said last: the answer, unless more follows.
    held: Option<String>,
}

impl<'a, 't> Listener<'a, 't> {
    fn new(ask: &'a Ask<'a>, told: &'t mut dyn FnMut(Told<'_>)) -> Self {
        Self {
            ask,
            told,
            account: Account::default(),
            stdout: Lines::default(),
            stderr: Lines::default(),
            talk: String::new(),
            wrong_thread_of: None,
            held: None,
        }
    }

    fn heard(&mut self, heard: OutputEvent<'_>) {
        let has_events = self.ask.abilities.dialect() == Dialect::Events;
        match heard {
            OutputEvent::Stdout(bytes) if has_events => {
                for said in self.stdout.push(bytes) {
                    self.said(said);
                }
            }
            OutputEvent::Stdout(bytes) => (self.told)(Told::Stdout(bytes)),
            OutputEvent::Stderr(bytes) => {
                if !has_events {
                    (self.told)(Told::Stderr(bytes));
                }
                for said in self.stderr.push(bytes) {
                    self.aside(&said);
                }
            }
            OutputEvent::Silence => {}
        }
    }

    fn finish(&mut self) {
        if let Some(said) = std::mem::take(&mut self.stdout).finish() {
            self.said(said);
        }
        if let Some(said) = std::mem::take(&mut self.stderr).finish() {
            self.aside(&said);
        }
    }

    fn said(&mut self, said: Said) {
        let Said::Event(event) = said else { return self.aside(&said) };
        self.account.take(&event);
        match progress(&event) {
            None => {}
            Some(Progress::Thread(thread)) => self.check(&thread),
            Some(Progress::Line(line)) => self.show(Told::Progress(&line)),
            Some(Progress::Warning(line)) => self.show(Told::Warning(&line)),
            Some(Progress::Message(message)) => {
                if let Some(earlier) = self.held.replace(message) {
                    (self.told)(Told::Progress(&earlier));
                }
            }
        }
    }

    fn show(&mut self, told: Told<'_>) {
        if let Some(earlier) = self.held.take() {
            (self.told)(Told::Progress(&earlier));
        }
        (self.told)(told);
    }

    /// Only what codex chose by itself is looked at.
    fn check(&mut self, thread: &str) {
        if self.ask.goes_on == GoesOn::Last {
            self.wrong_thread_of = rollout::parent_of(thread, self.ask.environment);
        }
    }

    fn aside(&mut self, said: &Said) {
        match said {
            Said::Text(line) => self.talk.push_str(line),
            Said::Event(event) => self.talk.push_str(&event.to_string()),
        }
        self.talk.push('\n');
        if self.talk.len() > 2 * TALK_KEPT {
            let cut = self.talk.ceil_char_boundary(self.talk.len() - TALK_KEPT);
            self.talk.drain(..cut);
        }
    }
}

#[cfg(test)]
mod tests;
