//! Runs a session: starts codex, reads its output, enforces the time limits, repeats runs until the task is done, and
//! writes the session record.

mod accounts;
mod iteration;
mod record;
mod repetition;

use std::path::Path;
use std::time::{Duration, Instant};

use process::{End, Environment, ProcessIdentity, StopSwitch, Urgency, processes_with};

use crate::checks::{CheckedRun, ProcessStart};
use crate::classify::{Classification, ControlFlag, Verdict};
use crate::jobs::start_watchdog;
use crate::journal::EventData;
use crate::run_host::{RunCall, RunHooks, RunHost, rfc3339};
use crate::session::Session;
use crate::spec::Spec;
use crate::state::{Meta, SessionStatus};
use crate::usage::TotalUse;

pub(crate) use accounts::with_home;
use iteration::Ended;
use record::Record;
use repetition::repeat;

/// The environment variable that every process of a session inherits. It identifies processes that left codex's process
/// group.
pub(crate) const SESSION_VARIABLE: &str = "ADJUTANT_SESSION";
const KILL_INTERVAL: Duration = Duration::from_millis(20);
/// The exit code of a run that was blocked by a before hook.
const BLOCKED: i32 = 40;

/// The result of a session.
#[derive(Clone, Debug)]
pub struct RunOutcome {
    /// The exit code that the process running the session should return.
    pub exit_code: i32,
    pub meta: Meta,
    pub session: Session,
}

/// The inputs for running a session.
pub(crate) struct Run<'a> {
    pub(crate) spec: &'a Spec,
    pub(crate) checked: &'a CheckedRun,
    pub(crate) session: &'a Session,
    pub(crate) host: &'a RunHost,
    pub(crate) switch: &'a StopSwitch,
    pub(crate) hooks: &'a dyn RunHooks,
    /// Called with the usage of the session whenever it has increased.
    pub(crate) on_use: &'a dyn Fn(&TotalUse),
}

/// Runs a session to its end. Calls `on_line` with each redacted log line about codex's events.
pub(crate) fn run(run: &Run<'_>, on_line: &mut dyn FnMut(&str)) -> RunOutcome {
    let mut record = Record::open(run);
    // The tether keeps the watchdog's pipe open, and is dropped only after the end is recorded. If this process dies
    // before that, the watchdog stops codex.
    let tether = start_watchdog(run);
    record.event(EventData::Supervised {
        supervisor: ProcessIdentity::of_this_process(),
        watchdog: tether.as_ref().map(|tether| tether.identity.pid),
        effective: run.checked.effective(),
        codex_version: run.checked.agent.version().map(str::to_owned),
        reasons: run.checked.reasons(),
        codex: run.checked.program.display().to_string(),
    });
    record.heading();
    record.instructions(1, &run.spec.instructions.text);
    record.write_state();
    let meta = if run.spec.is_dry_run {
        let reason = "Dry run: codex was not started";
        not_run(run, &mut record, Classification::Normal, reason, 0)
    } else {
        let call = hook_call(run);
        match run.hooks.before(&call) {
            Ok(()) => {
                let meta = repeat(run, &mut record, on_line);
                run.hooks.after(&call, &meta);
                meta
            }
            Err(why) => {
                let reason = format!("A hook blocked the run: {why}");
                not_run(run, &mut record, Classification::BlockedByHook, &reason, BLOCKED)
            }
        }
    };
    let meta = record.finish(meta);
    drop(tether);
    RunOutcome { exit_code: meta.exit_code, meta, session: run.session.clone() }
}

fn hook_call<'a>(run: &Run<'a>) -> RunCall<'a> {
    let clean = |text: &str| run.checked.redaction.guarded(text);
    RunCall {
        session: &run.session.id,
        prompt: clean(&run.spec.instructions.text),
        title: clean(&run.spec.instructions.title),
        cwd: &run.spec.directory,
        tag: &run.spec.tag,
        requested: run.checked.orders.requested,
        effective: run.checked.effective(),
        model: run.spec.codex.model.as_deref().map(clean),
    }
}

/// Records a session in which codex was not started.
fn not_run(
    run: &Run<'_>,
    record: &mut Record<'_>,
    classification: Classification,
    reason: &str,
    exit_code: i32,
) -> Meta {
    record.log.line("----- Begin Codex Output -----");
    let start = ProcessStart { thread: None, profile: None, used: TotalUse::default() };
    let last = run.session.last_message(1);
    let line = run.checked.command_line(run.spec, &start, &last).unwrap_or_default();
    record.invocation(&line);
    record.log.line(&format!("[adjutant] {reason}"));
    record.log.line("----- End Codex Output -----");
    let meta = record.new_meta(1, classification, reason, exit_code);
    record.meta(1, &meta);
    meta
}

/// Kills all processes with this environment variable until none is left. Returns false if some are left after `timeout`.
pub fn kill_processes(variable: &str, value: &str, timeout: Duration) -> bool {
    let deadline = Instant::now() + timeout;
    loop {
        let processes = processes_with(variable, value);
        if processes.is_empty() {
            return true;
        }
        if Instant::now() >= deadline {
            return false;
        }
        for process in processes {
            process.signal(Urgency::Force);
        }
        std::thread::sleep(KILL_INTERVAL);
    }
}

/// Kills the processes of the session that are still running, including those that left codex's process group. Returns
/// the number of killed processes.
pub(crate) fn end_leftovers(session: &str) -> usize {
    let leftovers = processes_with(SESSION_VARIABLE, session);
    leftovers.iter().filter(|process| process.signal(Urgency::Force)).count()
}

/// Returns the environment of a codex process that uses the account in the folder `home`.
fn codex_environment(run: &Run<'_>, home: Option<&Path>) -> Environment {
    let environment = with_home(&run.host.environment, run.spec.agent, home);
    let environment = environment.with(SESSION_VARIABLE, &run.session.id);
    if run.spec.is_composed { environment.with(contract::BRIEFED, "1") } else { environment }
}

/// Returns the metadata of one run, and stores codex's last message.
fn describe(record: &mut Record<'_>, iteration: u32, ended: &Ended) -> Meta {
    let Verdict { classification, reason, control, .. } = &ended.verdict;
    let mut meta = record.new_meta(iteration, *classification, reason, ended.exit_code());
    meta.control_flag = match control {
        Some(ControlFlag::Done) => "DONE".to_owned(),
        Some(ControlFlag::Continue) => "CONTINUE".to_owned(),
        None => String::new(),
    };
    match ended.supervised.end {
        End::Exited(code) => meta.codex_exit_code = Some(code),
        End::Signalled(signal) => meta.signal = Some(signal),
        End::TimedOut => {}
    }
    meta.thread_id.clone_from(&ended.account.thread_id);
    meta.usage = ended.account.usage;
    meta.duration_ms = u64::try_from(ended.supervised.duration.as_millis()).unwrap_or(u64::MAX);
    meta.patch_artifact = ended.patch.clone();
    meta.limit_resets_at = ended.limit.and_then(|limit| limit.resets_at).map(rfc3339);
    if let Some(message) = &ended.last_message {
        record.last_message(iteration, message);
    }
    record.log.line("----- End Codex Output -----");
    meta
}

pub(crate) fn status(meta: &Meta) -> SessionStatus {
    if meta.classification == Classification::UserCancelled.word() {
        SessionStatus::Stopped
    } else if meta.exit_code == 0 {
        SessionStatus::Completed
    } else {
        SessionStatus::Failed
    }
}
