//! A session from its first line to its last: codex is started, listened to, ended if it must be, started again if
//! the task is not done, and everything that happens is written down.

mod iteration;
mod record;

use std::time::{Duration, Instant};

use process::{Environment, Identity, StopSwitch, Urgency, processes_with};
use serde_json::{Value, json};

use crate::classify::{Classification, ControlFlag};
use crate::journal::names;
use crate::lifecycle::Lifecycle;
use crate::meta::{Meta, usage_json};
use crate::ready::Ready;
use crate::run_host::RunHost;
use crate::session::Session;
use crate::spec::{OrderWords, Spec};
use crate::state::{Status, identity_json};
use crate::watchdog;

use iteration::{Ended, Turn, run_once};
use record::Record;

/// Every process of a session carries it: whoever leaves the process group is still found.
pub(crate) const MARK: &str = "ADJUTANT_SESSION";
/// The briefing is in the instructions already.
const BRIEFED: &str = "ADJUTANT_BRIEFED";
/// Exit code of a run that a before hook forbade.
const BLOCKED: i32 = 40;
const GO_ON: &str = "Go on with the task until it is done.";

/// How a session ended.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// What the process that ran it should end with.
    pub exit_code: i32,
    pub meta: Meta,
    pub session: Session,
}

/// What is needed to run one session.
pub(crate) struct Run<'a> {
    pub(crate) spec: &'a Spec,
    pub(crate) ready: &'a Ready,
    pub(crate) session: &'a Session,
    pub(crate) host: &'a RunHost,
    pub(crate) switch: &'a StopSwitch,
    pub(crate) lifecycle: &'a dyn Lifecycle,
}

/// Runs a session to its end. `said` hears each line of the log that codex caused, redacted.
pub(crate) fn run(run: &Run<'_>, said: &mut dyn FnMut(&str)) -> Outcome {
    let mut record = Record::open(run);
    // Held until the end is written down: whatever happens to us before that, somebody ends codex.
    let tether = watchdog::start(run);
    record.event(
        names::SUPERVISED,
        json!({
            "supervisor": identity_json(&Identity::of_this_process()),
            "watchdog": tether.as_ref().map(|tether| tether.identity.pid),
            "effective": run.ready.effective_words(),
            "codex_version": run.ready.abilities.version,
        }),
        json!({ "reasons": reasons(run.ready), "codex": run.ready.program }),
    );
    record.heading();
    record.instructions(1, &run.spec.instructions.text);
    record.project();
    let (exit_code, meta) = if run.spec.is_dry_run {
        let reason = "Dry run: codex was not started";
        settled(run, &mut record, Classification::Normal, reason, 0)
    } else {
        let mut ended = None;
        let blocked = run.lifecycle.call(&arguments(run), &mut || {
            let (exit_code, meta) = repeat(run, &mut record, said);
            let published = serde_json::to_value(&meta).unwrap_or_default();
            ended = Some((exit_code, meta));
            published
        });
        ended.unwrap_or_else(|| {
            let why = blocked.err().unwrap_or_default();
            let reason = format!("A hook blocked the run: {why}");
            settled(run, &mut record, Classification::BlockedByHook, &reason, BLOCKED)
        })
    };
    let meta = record.finish(meta, exit_code);
    drop(tether);
    Outcome { exit_code, meta, session: run.session.clone() }
}

/// What hooks are told about the call. Only the guard's rules are applied to the text in it: with a pattern of its own, a
/// caller could hide from a hook what the hook has to judge.
fn arguments(run: &Run<'_>) -> Value {
    let clean = |text: &str| run.ready.redaction.guarded(text);
    json!({
        "session": run.session.id,
        "prompt": clean(&run.spec.instructions.text),
        "title": clean(&run.spec.instructions.title),
        "cwd": run.spec.directory,
        "tag": run.spec.tag,
        "requested": OrderWords::from(run.ready.orders.requested),
        "effective": run.ready.effective_words(),
        "model": run.spec.codex.model.as_deref().map(clean),
    })
}

fn reasons(ready: &Ready) -> Vec<String> {
    let reasons = ready.orders.reasons.iter().map(ToString::to_string);
    reasons.chain(ready.notes.iter().cloned()).collect()
}

/// A session in which codex was not started.
fn settled(
    run: &Run<'_>,
    record: &mut Record<'_>,
    classification: Classification,
    reason: &str,
    exit_code: i32,
) -> (i32, Meta) {
    record.log.line("----- Begin Codex Output -----");
    let line = run.ready.command_line(None, &run.session.last_message(1)).unwrap_or_default();
    record.invocation(&line);
    record.log.line(&format!("[adjutant] {reason}"));
    record.log.line("----- End Codex Output -----");
    let mut meta = record.blank_meta(1);
    classification.word().clone_into(&mut meta.classification);
    meta.reason = run.ready.redaction.text(reason);
    meta.exit_code = exit_code;
    record.meta(1, &meta);
    (exit_code, meta)
}

/// Runs codex until the task is done, the runs are used up, or something else ends it.
fn repeat(run: &Run<'_>, record: &mut Record<'_>, said: &mut dyn FnMut(&str)) -> (i32, Meta) {
    let Spec { repeat, instructions, continues, directory, .. } = run.spec;
    let completion = &run.ready.completion;
    let mut thread = continues.as_ref().map(|earlier| earlier.thread.clone());
    let mut text = instructions.text.clone();
    let mut overflows_left = repeat.overflow_retries;
    let mut iteration = 0;
    let mut tokens = None;
    let begun = Instant::now();
    loop {
        iteration += 1;
        if iteration > 1 {
            record.instructions(iteration, &text);
        }
        let before = completion.before(directory);
        let turn = Turn { iteration, text: &text, thread: thread.as_deref(), begun };
        let ended = run_once(run, record, &turn, said);
        end_leftovers(&run.session.id);
        tokens = sum(tokens, ended.account.usage.map(crate::stream::Usage::total));
        let (exit_code, mut meta) = describe(run, record, iteration, &ended);
        meta.tokens_used = tokens;
        let message = ended.last_message.clone().unwrap_or_default();
        let next = next_step(run, record, iteration, &ended, exit_code, overflows_left, || {
            completion.missing(directory, &before, &message)
        });
        if let Next::Missing(what) = &next {
            meta.reason = format!("Not done after {iteration} runs: {what}");
            Classification::Continue.word().clone_into(&mut meta.classification);
        }
        if let Next::NotCommitted(why) = &next {
            meta.reason = run.ready.redaction.text(&format!("{}; {why}", meta.reason));
        }
        record.meta(iteration, &meta);
        record.event(
            names::ITERATION_COMPLETED,
            json!({ "iteration": iteration, "exit_code": exit_code, "classification": meta.classification }),
            json!({}),
        );
        match next {
            Next::End | Next::NotCommitted(_) | Next::Missing(_) => return (exit_code, meta),
            Next::Afresh => {
                overflows_left -= 1;
                thread = None;
                text.clone_from(&instructions.text);
            }
            Next::Again(missing) => {
                let known = ended.account.thread_id.clone().or_else(|| thread.clone());
                thread =
                    known.filter(|_| repeat.carries_context && run.ready.abilities.can_resume());
                text = again(&instructions.text, &missing, thread.is_some());
            }
        }
        record.log.line(&format!("--- Iteration {} ---", iteration + 1));
        let in_time = run.spec.patience.left(begun).is_none_or(|left| !left.is_zero());
        if !in_time {
            record.log.line("[repeat] the time-out leaves no time for another run");
        }
        record.log.flush();
        if !in_time || !pause(run.switch, repeat.sleep_seconds) {
            return (exit_code, meta);
        }
    }
}

enum Next {
    End,
    /// Done, but the commit that was asked for was not made.
    NotCommitted(String),
    /// The runs are used up, and the conditions do not hold.
    Missing(String),
    /// The context was too long: from the beginning, in a new thread.
    Afresh,
    Again(String),
}

fn next_step(
    run: &Run<'_>,
    record: &mut Record<'_>,
    iteration: u32,
    ended: &Ended,
    exit_code: i32,
    overflows_left: u32,
    missing: impl FnOnce() -> Option<String>,
) -> Next {
    let repeat = &run.spec.repeat;
    if run.switch.is_on() || ended.supervised.stopped.is_some() {
        return Next::End;
    }
    if ended.verdict.classification == Classification::ContextOverflow && overflows_left > 0 {
        record.log.line("[repeat] the context was too long: once more, in a new thread");
        return Next::Afresh;
    }
    if exit_code != 0 {
        return Next::End;
    }
    let has_conditions =
        repeat.until.is_some() || repeat.gates.commit || !repeat.gates.change_in.is_empty();
    let is_done = ended.verdict.control == Some(ControlFlag::Done);
    let missing = if has_conditions {
        missing()
    } else {
        (repeat.max_runs > 1 && !is_done).then(|| "the last message does not say DONE".to_owned())
    };
    let Some(missing) = missing else {
        let Some(committed) = run.ready.completion.commit(&run.spec.directory) else {
            return Next::End;
        };
        let (Ok(said) | Err(said)) = &committed;
        record.log.line(&format!("[commit] {said}"));
        return committed.map_or_else(Next::NotCommitted, |_| Next::End);
    };
    record.log.line(&format!("[repeat] run {iteration} of {}: {missing}", repeat.max_runs));
    if iteration < repeat.max_runs {
        Next::Again(missing)
    } else if has_conditions {
        Next::Missing(missing)
    } else {
        Next::End
    }
}

fn again(instructions: &str, missing: &str, carries_context: bool) -> String {
    let note = format!("{GO_ON} Last time: {missing}.");
    if carries_context {
        return note;
    }
    format!(
        "{instructions}\n<instructions-section type=\"policy-note\">\n{note}\n</instructions-section>\n"
    )
}

/// False if somebody asked to stop meanwhile.
fn pause(switch: &StopSwitch, seconds: u64) -> bool {
    // Longer than there will be time is until somebody stops it.
    let until = Instant::now().checked_add(Duration::from_secs(seconds));
    while until.is_none_or(|until| Instant::now() < until) && !switch.is_on() {
        std::thread::sleep(Duration::from_millis(50));
    }
    !switch.is_on()
}

fn sum(before: Option<u64>, more: Option<u64>) -> Option<u64> {
    match (before, more) {
        (None, None) => None,
        (before, more) => Some(before.unwrap_or(0).saturating_add(more.unwrap_or(0))),
    }
}

/// Whoever left the process group of codex did not leave its environment.
pub(crate) fn end_leftovers(session: &str) -> usize {
    let leftovers = processes_with(MARK, session);
    leftovers.iter().filter(|process| process.signal(Urgency::Force)).count()
}

pub(crate) fn codex_environment(run: &Run<'_>) -> Environment {
    let environment = run.host.environment.clone().with(MARK, &run.session.id);
    if run.spec.is_briefed { environment.with(BRIEFED, "1") } else { environment }
}

/// One run in its published form.
fn describe(run: &Run<'_>, record: &mut Record<'_>, iteration: u32, ended: &Ended) -> (i32, Meta) {
    let redaction = &run.ready.redaction;
    let exit_code = ended.exit_code();
    let mut meta = record.blank_meta(iteration);
    ended.verdict.classification.word().clone_into(&mut meta.classification);
    meta.reason = redaction.text(&ended.verdict.reason);
    meta.control_flag = match ended.verdict.control {
        Some(ControlFlag::Done) => "DONE".to_owned(),
        Some(ControlFlag::Continue) => "CONTINUE".to_owned(),
        None => String::new(),
    };
    meta.exit_code = exit_code;
    meta.codex_exit_code = ended.codex_exit_code();
    meta.signal = ended.signal();
    meta.thread_id.clone_from(&ended.account.thread_id);
    meta.usage = ended.account.usage.map(usage_json);
    meta.duration_ms = u64::try_from(ended.supervised.duration.as_millis()).unwrap_or(u64::MAX);
    meta.patch_artifact = ended.patch.clone();
    if let Some(message) = &ended.last_message {
        record.last_message(iteration, message);
    }
    record.log.line("----- End Codex Output -----");
    (exit_code, meta)
}

/// From the exit code and the classification to the word for the whole session.
pub(crate) fn status(meta: &Meta) -> Status {
    if meta.classification == Classification::UserCancelled.word() {
        Status::Stopped
    } else if meta.exit_code == 0 {
        Status::Completed
    } else {
        Status::Failed
    }
}
