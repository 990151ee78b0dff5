//! Runs codex until the task is done, and decides after each process whether and how the session continues.

use std::collections::VecDeque;
use std::time::{Duration, Instant, SystemTime};

use super::iteration::{Ended, IterationInput, run_once};
use super::record::Record;
use super::{Run, describe, end_leftovers};
use crate::agents::AgentKind;
use crate::classify::{Classification, ControlFlag};
use crate::journal::EventData;
use crate::meta::Meta;
use crate::run_host::rfc3339;
use crate::spec::{RESUME_PROMPT, Spec};
use crate::usage::{Budget, TotalUse, Usage};
use crate::usage_limit::{OnUsageLimit, UsageLimit};

const CONTINUE_PROMPT: &str = "Continue the task until it is done.";
/// The exit code of a run that a cap on tokens, turns or cost ended.
const OVER_BUDGET: i32 = 60;
/// The exit code of a run that ended at a usage limit and can continue later, as `EX_TEMPFAIL` in `sysexits.h`.
const WAITING: i32 = 75;
/// The exit code of a run that was stopped while it waited.
const TERMINATED: i32 = 143;
/// The maximum time between two reads of the clock. The clock may be set, or advance while the machine is suspended.
const CLOCK_INTERVAL: Duration = Duration::from_secs(10);

/// The state of a session between two processes.
struct Repetition {
    iteration: u32,
    thread: Option<String>,
    /// The profile of codex's configuration, if it differs from the profile of the run.
    profile: Option<String>,
    profiles_left: VecDeque<String>,
    text: String,
    overflows_left: u32,
    tokens: Option<u64>,
    used: TotalUse,
    /// The start of the first process. It is moved forward by the time that the session waited for a usage limit, because
    /// that time does not count toward the limit on wall time.
    begun: Instant,
    waited: Duration,
    n_waits: u32,
}

/// The step that follows a process.
enum Next {
    End,
    /// The task is done, but the requested commit failed.
    NotCommitted(String),
    /// `max_runs` is reached, but this condition is still not met.
    Missing(String),
    /// This cap ends the session.
    OverBudget(String),
    /// The account has reached a usage limit, and the session does not wait for its reset.
    Waiting,
    /// The account has reached a usage limit. The session continues at this time.
    AfterReset(SystemTime),
    /// The account has reached a usage limit. The session continues with the next profile.
    OtherProfile,
    /// The context was too long, so the task starts again in a new thread.
    NewThread,
    /// The task runs again, because this condition is not met.
    Again(String),
}

/// Runs codex until the task is done, `max_runs` or a cap is reached, or a run fails or is stopped.
pub(super) fn repeat(
    run: &Run<'_>,
    record: &mut Record<'_>,
    on_line: &mut dyn FnMut(&str),
) -> (i32, Meta) {
    let Spec { directory, .. } = run.spec;
    let completion = &run.checked.completion;
    let mut session = Repetition::new(run.spec);
    loop {
        session.iteration += 1;
        if session.iteration > 1 {
            record.instructions(session.iteration, &session.text);
        }
        let before = completion.before(directory);
        let input = IterationInput {
            iteration: session.iteration,
            text: &session.text,
            thread: session.thread.as_deref(),
            profile: session.profile.as_deref(),
            used: session.used,
            begun: session.begun,
        };
        let ended = run_once(run, record, &input, on_line);
        end_leftovers(&run.session.id);
        session.count(run.spec, &ended);
        let (exit_code, mut meta) = describe(run, record, session.iteration, &ended);
        meta.tokens_used = session.tokens;
        meta.total_use = session.used;
        let message = ended.last_message.clone().unwrap_or_default();
        let next = session.next_step(run, record, &ended, exit_code, || {
            completion.missing(directory, &before, &message)
        });
        next.describe(run, session.iteration, &mut meta);
        record.meta(session.iteration, &meta);
        record.event(EventData::IterationCompleted {
            iteration: session.iteration,
            exit_code: meta.exit_code,
            classification: meta.classification.clone(),
        });
        if !session.prepare(run, &next, &ended) {
            return (meta.exit_code, meta);
        }
        if let Next::AfterReset(until) = next
            && session.wait_for_reset(run, record, until)
        {
            Classification::UserCancelled.word().clone_into(&mut meta.classification);
            "Stopped on request while waiting for a usage limit".clone_into(&mut meta.reason);
            meta.exit_code = TERMINATED;
            record.meta(session.iteration, &meta);
            return (meta.exit_code, meta);
        }
        if !session.may_go_on(run, record) {
            return (meta.exit_code, meta);
        }
    }
}

impl Repetition {
    fn new(spec: &Spec) -> Self {
        Self {
            iteration: 0,
            thread: spec.continues.as_ref().map(|earlier| earlier.thread.clone()),
            profile: None,
            profiles_left: match spec.agent {
                AgentKind::Codex => spec.next_profiles.iter().cloned().collect(),
                AgentKind::Claude => VecDeque::new(),
            },
            text: spec.instructions.text.clone(),
            overflows_left: spec.repeat.overflow_retries,
            tokens: None,
            used: TotalUse::default(),
            begun: Instant::now(),
            waited: Duration::ZERO,
            n_waits: 0,
        }
    }

    fn count(&mut self, spec: &Spec, ended: &Ended) {
        let account = &ended.account;
        if let Some(usage) = account.usage.map(Usage::total) {
            self.tokens = Some(self.tokens.unwrap_or(0).saturating_add(usage));
        }
        self.used.add(account.total_use(&spec.budget));
    }

    fn next_step(
        &self,
        run: &Run<'_>,
        record: &mut Record<'_>,
        ended: &Ended,
        exit_code: i32,
        missing: impl FnOnce() -> Option<String>,
    ) -> Next {
        let budget = &run.spec.budget;
        if run.switch.is_on() || ended.supervised.stopped.is_some() {
            return Next::End;
        }
        let next = match (self.cap(budget, ended), &ended.limit) {
            (Some(cap), _) => Next::OverBudget(cap),
            (None, Some(limit)) => self.at_usage_limit(run, limit),
            (None, None) if self.may_retry_overflow(ended) => Next::NewThread,
            (None, None) if exit_code != 0 => Next::End,
            (None, None) => self.unless_done(run, record, ended, missing),
        };
        let continues = matches!(
            next,
            Next::NewThread | Next::Again(_) | Next::AfterReset(_) | Next::OtherProfile
        );
        let next = match budget.used_up(&self.used).filter(|_| continues) {
            Some(cap) => Next::OverBudget(cap),
            None => next,
        };
        match &next {
            Next::OverBudget(cap) => record.log.line(&format!("[budget] {cap}")),
            Next::NewThread => {
                record
                    .log
                    .line("[repeat] the context was too long: starting again in a new thread");
            }
            Next::OtherProfile => {
                record
                    .log
                    .line("[limit] the account has reached a usage limit: trying the next profile");
            }
            Next::End
            | Next::NotCommitted(_)
            | Next::Missing(_)
            | Next::Waiting
            | Next::AfterReset(_)
            | Next::Again(_) => {}
        }
        next
    }

    /// Returns a sentence about the cap that stopped the process or that the process exceeded.
    fn cap(&self, budget: &Budget, ended: &Ended) -> Option<String> {
        budget.exceeded(&self.used).or_else(|| ended.account.cap.map(str::to_owned))
    }

    fn may_retry_overflow(&self, ended: &Ended) -> bool {
        ended.verdict.classification == Classification::ContextOverflow && self.overflows_left > 0
    }

    fn at_usage_limit(&self, run: &Run<'_>, limit: &UsageLimit) -> Next {
        if run.spec.on_usage_limit == OnUsageLimit::Fail {
            return Next::End;
        }
        if !self.profiles_left.is_empty() {
            return Next::OtherProfile;
        }
        let now = (run.host.clock)();
        let until = limit.retry_at(now, self.n_waits);
        let wait = until.duration_since(now).unwrap_or_default();
        if wait <= run.spec.on_usage_limit.time_left(self.waited) && !wait.is_zero() {
            Next::AfterReset(until)
        } else {
            Next::Waiting
        }
    }

    /// Decides the next step after a process that ended without a failure.
    fn unless_done(
        &self,
        run: &Run<'_>,
        record: &mut Record<'_>,
        ended: &Ended,
        missing: impl FnOnce() -> Option<String>,
    ) -> Next {
        let repeat = &run.spec.repeat;
        let has_conditions =
            repeat.until.is_some() || repeat.gates.commit || !repeat.gates.change_in.is_empty();
        let is_done = ended.verdict.control == Some(ControlFlag::Done);
        let missing = if has_conditions {
            missing()
        } else {
            let is_missing = repeat.max_runs > 1 && !is_done;
            is_missing.then(|| "the last message does not say DONE".to_owned())
        };
        let Some(missing) = missing else {
            let Some(committed) = run.checked.completion.commit(&run.spec.directory) else {
                return Next::End;
            };
            let (Ok(said) | Err(said)) = &committed;
            record.log.line(&format!("[commit] {said}"));
            return committed.map_or_else(Next::NotCommitted, |_| Next::End);
        };
        let Self { iteration, .. } = self;
        record.log.line(&format!("[repeat] run {iteration} of {}: {missing}", repeat.max_runs));
        if *iteration < repeat.max_runs {
            Next::Again(missing)
        } else if has_conditions {
            Next::Missing(missing)
        } else {
            Next::End
        }
    }

    /// Prepares the next process. Returns false if the session ends.
    fn prepare(&mut self, run: &Run<'_>, next: &Next, ended: &Ended) -> bool {
        let instructions = &run.spec.instructions.text;
        let known = ended.account.thread_id.clone().or_else(|| self.thread.clone());
        let known = known.filter(|_| run.checked.agent.can_resume());
        match next {
            Next::End
            | Next::NotCommitted(_)
            | Next::Missing(_)
            | Next::OverBudget(_)
            | Next::Waiting => return false,
            Next::NewThread => {
                self.overflows_left -= 1;
                self.thread = None;
                self.text.clone_from(instructions);
            }
            Next::AfterReset(_) | Next::OtherProfile => {
                if let Next::OtherProfile = next {
                    self.profile = self.profiles_left.pop_front();
                }
                // Codex stores the prompt in the thread before it sends a request to the model, so the prompt is not sent
                // again.
                self.thread = known;
                if self.thread.is_some() {
                    RESUME_PROMPT.clone_into(&mut self.text);
                }
            }
            Next::Again(missing) => {
                self.thread = known.filter(|_| run.spec.repeat.carries_context);
                self.text = next_instructions(instructions, missing, self.thread.is_some());
            }
        }
        true
    }

    /// Waits until a usage limit is reset. Returns true if a stop was requested.
    fn wait_for_reset(
        &mut self,
        run: &Run<'_>,
        record: &mut Record<'_>,
        until: SystemTime,
    ) -> bool {
        let since = Instant::now();
        let shown = rfc3339(until);
        record.log.line(&format!("[limit] waiting until {shown} for a usage limit to be reset"));
        record.log.flush();
        record.event(EventData::LimitWaitStarted { until: shown });
        record.write_state();
        let is_stopped = loop {
            let left = until.duration_since((run.host.clock)()).unwrap_or_default();
            if left.is_zero() {
                break false;
            }
            if run.switch.wait(left.min(CLOCK_INTERVAL)) {
                break true;
            }
        };
        let waited = since.elapsed();
        self.n_waits += 1;
        self.waited += waited;
        self.begun += waited;
        is_stopped
    }

    /// Pauses before the next process. Returns false if the session ends instead.
    fn may_go_on(&self, run: &Run<'_>, record: &mut Record<'_>) -> bool {
        record.log.line(&format!("--- Iteration {} ---", self.iteration + 1));
        let has_time = run.spec.limits.remaining(self.begun).is_none_or(|left| !left.is_zero());
        if !has_time {
            record.log.line("[repeat] the wall limit leaves no time for another run");
        }
        record.log.flush();
        has_time && !run.switch.wait(Duration::from_secs(run.spec.repeat.sleep_seconds))
    }
}

impl Next {
    /// Completes the metadata of the process that this step follows.
    fn describe(&self, run: &Run<'_>, iteration: u32, meta: &mut Meta) {
        let (classification, exit_code, reason) = match self {
            Self::Missing(what) => (
                Classification::Continue,
                meta.exit_code,
                format!("Not done after {iteration} runs: {what}"),
            ),
            Self::OverBudget(cap) => {
                (Classification::Budget, OVER_BUDGET, format!("A cap ended the run: {cap}"))
            }
            Self::Waiting | Self::AfterReset(_) => {
                (Classification::Waiting, WAITING, meta.reason.clone())
            }
            Self::NotCommitted(why) => {
                meta.reason = run.checked.redaction.text(&format!("{}; {why}", meta.reason));
                return;
            }
            Self::End | Self::NewThread | Self::OtherProfile | Self::Again(_) => return,
        };
        classification.word().clone_into(&mut meta.classification);
        meta.exit_code = exit_code;
        meta.reason = reason;
    }
}

fn next_instructions(instructions: &str, missing: &str, carries_context: bool) -> String {
    let note = format!("{CONTINUE_PROMPT} Last time: {missing}.");
    if carries_context {
        return note;
    }
    format!(
        "{instructions}\n<instructions-section type=\"policy-note\">\n{note}\n</instructions-section>\n"
    )
}
