//! Runs one codex process and classifies how it ended.

use std::cell::RefCell;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Duration;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use process::{End, Environment, OutputEvent, Program, StartError, StopCause, Supervised};

use super::record::Record;
use super::repetition::Repetition;
use super::{Run, codex_environment, with_home};
use crate::agents::claude::events::ClaudeEvent;
use crate::agents::codex::events::CodexEvent;
use crate::agents::codex::rollout;
use crate::agents::{Agent, AgentEvent};
use crate::checks::ProcessStart;
use crate::classify::{Classification, Ending, Verdict, classify};
use crate::files;
use crate::journal::EventData;
use crate::patch::{NoPatch, Patch, PatchArtifact, PatchTarget, repository_around};
use crate::stream::{Account, OutputLine, OutputReader};
use crate::usage::Usage;
use crate::usage_limit::{ResetTime, UsageLimit, reset_time};

const MAX_LAST_MESSAGE_BYTES: u64 = 16 * 1024 * 1024;
/// The exit code of a run that exceeded a time limit, as in `timeout(1)`.
const TIMED_OUT: i32 = 124;
const TERMINATED: i32 = 143;
const NOT_STARTED: i32 = 126;

pub(super) struct Ended {
    pub(super) supervised: Supervised,
    pub(super) account: Account,
    pub(super) last_message: Option<String>,
    pub(super) verdict: Verdict,
    pub(super) patch: Option<PatchArtifact>,
    /// A message that names the daily cap, if a daily cap ended the process before its task was done.
    pub(super) day_cap: Option<String>,
    /// Set if the account has reached a usage limit.
    pub(super) limit: Option<UsageLimit>,
}

impl Ended {
    /// Returns the exit code of the run. It differs from codex's exit code if codex was stopped, or if codex exited
    /// with 0 without completing its task.
    pub(super) fn exit_code(&self) -> i32 {
        match (self.supervised.stopped, self.supervised.end) {
            (Some(StopCause::Wall | StopCause::Idle), _) | (_, End::TimedOut) => TIMED_OUT,
            (Some(StopCause::Requested), _) => TERMINATED,
            (None, End::Signalled(signal)) => 128 + signal,
            (None, End::Exited(0)) if !self.verdict.classification.is_success() => 1,
            (None, End::Exited(code)) => code,
        }
    }
}

pub(super) fn run_once(
    run: &Run<'_>,
    record: &mut Record<'_>,
    session: &Repetition<'_>,
    on_line: &mut dyn FnMut(&str),
) -> Ended {
    let Repetition { iteration, text, accounts, used, .. } = session;
    let (thread, home) = (session.thread.as_deref(), accounts.home());
    // A version of codex without JSON events writes its last message to this file. The folder is deleted when this
    // function returns, because the message is not redacted.
    let private = tempfile::tempdir();
    let last_file =
        private.as_ref().map(|folder| folder.path().join("last.txt")).unwrap_or_default();
    let heading = if *iteration == 1 {
        "----- Begin Codex Output -----".to_owned()
    } else {
        format!("----- Begin Codex Output (iteration {iteration}) -----")
    };
    record.log.line(&heading);
    let start = ProcessStart { thread, profile: accounts.profile(), used: *used };
    let command_line = match run.checked.command_line(run.spec, &start, &last_file) {
        Ok(command_line) => command_line,
        Err(error) => return not_started(run, &error.to_string()),
    };
    record.invocation(&command_line);
    if let Err(error) = run.checked.check_directories() {
        return not_started(run, &error.to_string());
    }
    let program = Program::new(&run.checked.program, codex_environment(run, home))
        .arguments(command_line.words())
        .directory(run.checked.directory.path_for_child())
        .stdin(text.as_str());
    let output = match run.checked.agent {
        Agent::Codex(_) => {
            let environment = with_home(&run.host.environment, run.spec.agent, home);
            let before = thread.and_then(|thread| rollout::usage_of(thread, &environment));
            let output = run_program::<CodexEvent>(run, record, session, &program, on_line);
            output.map(|mut output| {
                output.account.usage = usage_since(&environment, &output.account, before);
                output
            })
        }
        Agent::Claude(_) => run_program::<ClaudeEvent>(run, record, session, &program, on_line),
    };
    match output {
        Ok(output) => ended(run, record, output, session, &last_file),
        Err(error) => not_started(run, &error.to_string()),
    }
}

/// Returns the usage of one codex process. In a resumed thread, codex 0.166 reports the usage of the whole thread, so
/// the usage `before` this process is subtracted.
fn usage_since(
    environment: &Environment,
    account: &Account,
    before: Option<Usage>,
) -> Option<Usage> {
    let reported = account.usage?;
    let thread = account.thread_id.as_deref();
    let of_thread = thread.and_then(|thread| rollout::usage_of(thread, environment));
    match before {
        Some(before) if of_thread == Some(reported) => Some(reported.minus(before)),
        Some(_) | None => Some(reported),
    }
}

/// The output of a process, and how the process ended.
struct ProcessOutput {
    supervised: Supervised,
    account: Account,
    /// The last part of the plain-text output.
    text: String,
    day_cap: Option<String>,
}

/// Runs the process and reads its events. Stops the process when it exceeds a cap.
fn run_program<E: AgentEvent>(
    run: &Run<'_>,
    record: &mut Record<'_>,
    session: &Repetition<'_>,
    program: &Program,
    on_line: &mut dyn FnMut(&str),
) -> Result<ProcessOutput, StartError> {
    let mut reader = OutputReader::default();
    let (mut is_over_budget, mut day_cap) = (false, None);
    // A `RefCell` is needed because two callbacks write to the record.
    let shared = RefCell::new(&mut *record);
    let supervised = process::supervise(
        program,
        run.spec.limits.time_limits(session.begun),
        run.switch,
        |codex| {
            let mut record = shared.borrow_mut();
            record.event(EventData::IterationStarted {
                iteration: session.iteration,
                codex,
                codex_home: session.accounts.home().map(Path::to_owned),
            });
            record.write_state();
            record.log.flush();
        },
        |output| {
            let mut record = shared.borrow_mut();
            reader.read::<E>(output, |line| record_line(&mut record, line, on_line));
            if output == OutputEvent::Silence {
                record.log.flush();
            }
            if E::HAS_INNER_TURNS {
                let mut total = session.used;
                total.add(reader.account.total_use(&run.spec.budget));
                let budget = &run.spec.budget;
                day_cap = budget.of_day.used_up_today(&total);
                is_over_budget = day_cap.is_some() || budget.exceeded(&total).is_some();
            }
            if is_over_budget { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        },
    );
    reader.finish::<E>(|line| record_line(record, line, on_line));
    let OutputReader { account, text, .. } = reader;
    let mut supervised = supervised?;
    if is_over_budget {
        // The process was stopped because of the cap, not by a caller.
        supervised.stopped = None;
    }
    Ok(ProcessOutput { supervised, account, text, day_cap })
}

/// Stores the patch and classifies how a codex process ended.
fn ended(
    run: &Run<'_>,
    record: &mut Record<'_>,
    output: ProcessOutput,
    session: &Repetition<'_>,
    last_file: &Path,
) -> Ended {
    let ProcessOutput { mut supervised, account, text, day_cap } = output;
    if supervised.stopped.is_none() && record.stop_was_requested() {
        supervised.stopped = Some(StopCause::Requested);
    }
    let last_message = account.last_message.clone().or_else(|| message_in(last_file));
    let patch = patch(run, record, last_message.as_deref());
    let mut verdict = classify(&Ending {
        agent: run.checked.agent.name(),
        end: supervised.end,
        stopped: supervised.stopped,
        account: &account,
        has_events: run.checked.agent.has_events(),
        last_message: last_message.as_deref(),
        text: &text,
        prompt: &session.text,
        has_patch: matches!(patch, Ok(Some(_))),
    });
    if let Err(problem) = &patch {
        record.log.line(&format!("[patch] nothing was written: {problem}"));
        if verdict.classification.is_success() {
            verdict.classification = Classification::Error;
            verdict.reason = format!("No patch was written: {problem}");
        }
    }
    let limit = verdict
        .limit_message
        .as_deref()
        .map(|message| usage_limit(run, session.accounts.home(), &account, message));
    let patch = patch.unwrap_or_default();
    Ended { supervised, account, last_message, verdict, patch, day_cap, limit }
}

/// Determines when a usage limit is reset. The time in codex's message has no seconds. The exact time is taken from
/// codex's record of the thread, if it is there.
fn usage_limit(run: &Run<'_>, home: Option<&Path>, account: &Account, message: &str) -> UsageLimit {
    if let Some(time) = account.limit_resets_at {
        return UsageLimit { resets_at: Some(time.into()) };
    }
    let now = Timestamp::try_from((run.host.clock)()).unwrap_or(Timestamp::UNIX_EPOCH);
    let stated = reset_time(message, now, &TimeZone::system());
    let thread = account.thread_id.as_deref();
    let environment = with_home(&run.host.environment, run.spec.agent, home);
    let windows = thread.map(|thread| rollout::limits_of(thread, &environment));
    let windows = windows.unwrap_or_default();
    let exact = match stated {
        Some(stated) => {
            windows.iter().map(|window| window.resets_at).find(|at| stated.includes(*at))
        }
        None => windows.iter().filter(|it| it.is_used_up()).map(|it| it.resets_at).max(),
    };
    let resets_at = exact.or(stated.map(ResetTime::end));
    UsageLimit { resets_at: resets_at.map(Into::into) }
}

fn record_line<E: AgentEvent>(
    record: &mut Record<'_>,
    line: OutputLine<'_, E>,
    on_line: &mut dyn FnMut(&str),
) {
    match line {
        OutputLine::Text(text) => record.log.line(text),
        OutputLine::Event { event, json } => {
            match event.thread_id() {
                Some(thread) => {
                    record.journal.append_thread(thread);
                    record.write_state();
                }
                None => record.journal.append_codex(json),
            }
            if let Some(line) = event.log_line() {
                on_line(&record.clean(&line));
                record.log.line(&line);
            }
        }
    }
}

/// Reads codex's last message from a file. A sandboxed command could replace the file with a FIFO, so reading must not
/// block.
fn message_in(file: &Path) -> Option<String> {
    let bytes = files::read(file, MAX_LAST_MESSAGE_BYTES).ok()?;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    (!text.trim().is_empty()).then_some(text)
}

fn not_started(run: &Run<'_>, reason: &str) -> Ended {
    Ended {
        supervised: Supervised {
            end: End::Exited(NOT_STARTED),
            stopped: None,
            killed: false,
            duration: Duration::ZERO,
        },
        account: Account::default(),
        last_message: None,
        verdict: Verdict {
            classification: Classification::Error,
            reason: format!("{} could not be started: {reason}", run.checked.agent.name()),
            control: None,
            limit_message: None,
        },
        patch: None,
        day_cap: None,
        limit: None,
    }
}

/// In patch mode, extracts the patch from the answer, checks it and stores it. Returns `None` outside patch mode or if
/// the answer has no patch, and an error if the patch is malformed or cannot be stored.
fn patch(
    run: &Run<'_>,
    record: &mut Record<'_>,
    message: Option<&str>,
) -> Result<Option<PatchArtifact>, String> {
    let (Some(options), Some(message)) = (&run.spec.patch, message) else { return Ok(None) };
    let patch = match Patch::in_message(message) {
        Ok(patch) => patch,
        Err(NoPatch::Absent) => return Ok(None),
        Err(NoPatch::Malformed(malformed)) => return Err(malformed.to_string()),
    };
    for line in patch.text.lines().take(options.preview_lines) {
        record.log.line(&format!("[patch] {line}"));
    }
    if !options.keeps_artifact {
        return Ok(Some(PatchArtifact::NOT_KEPT));
    }
    // The patch is redacted like all other output. If a secret was removed, the patch may no longer apply.
    let clean = patch
        .redacted(|text| record.clean(text))
        .ok_or("after redaction, the patch is not well formed")?;
    let applies = clean.applies(&run.spec.directory, &run.host.environment);
    let path = match &options.output {
        Some(path) => {
            let repository = repository_around(&run.spec.directory);
            let target = PatchTarget::resolve(path, &repository);
            target
                .and_then(|target| target.write(&clean.text))
                .map_err(|error| error.to_string())?;
            path.clone()
        }
        None => {
            let path = run.session.patch();
            record.file(&path, clean.text.as_bytes());
            path
        }
    };
    Ok(Some(clean.artifact(path, applies)))
}
