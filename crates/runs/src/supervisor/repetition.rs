//! Runs codex until the task is done, and decides after each process whether and how the session continues.

use std::path::Path;
use std::time::{Duration, Instant, SystemTime};

use super::accounts::{AccountIndex, Accounts};
use super::iteration::{Ended, run_once};
use super::record::Record;
use super::{Run, describe, end_leftovers};
use crate::classify::{Classification, ControlFlag};
use crate::journal::EventData;
use crate::run_host::rfc3339;
use crate::spec::CONTINUE_PROMPT;
use crate::state::Meta;
use crate::usage::{SessionBudget, TotalUse, Usage};
use crate::usage_limit::OnUsageLimit;

/// A note for a conversation that continues another account's task. The conversation does not contain the earlier work.
const OTHER_ACCOUNT_NOTE: &str = "Another conversation worked on this task until a usage limit interrupted it. Its changes are in the working directory: look at them first, and do only what is missing.";
/// The exit code of a run that was ended by a cap on tokens, turns or cost.
const OVER_BUDGET: i32 = 60;
/// The exit code of a run that ended at a usage limit and can continue later. It has the value of `EX_TEMPFAIL` in
/// `sysexits.h`.
const WAITING: i32 = 75;
/// The exit code of a run that was stopped while it was waiting for a usage limit to be reset.
const TERMINATED: i32 = 143;
/// The maximum time between two reads of the clock while the session waits. A longer interval would notice too late
/// that the clock was changed or that the machine was suspended.
const CLOCK_INTERVAL: Duration = Duration::from_secs(10);

/// The state of a session, with the input of its next process.
pub(super) struct Repetition<'a> {
    run: &'a Run<'a>,
    pub(super) iteration: u32,
    pub(super) thread: Option<String>,
    pub(super) accounts: Accounts,
    pub(super) text: String,
    overflows_left: u32,
    tokens: Option<u64>,
    /// The usage of the processes that have ended.
    pub(super) used: TotalUse,
    /// The start of the first process. The limit on wall time applies to all processes together. It is moved forward by the
    /// time that the session waited for usage limits to be reset, because that time does not count toward the limit.
    pub(super) begun: Instant,
    waited: Duration,
    n_waits: u32,
}

/// What the session does after one of its codex processes has exited.
enum Next {
    End,
    /// The task is done, but the requested commit failed.
    NotCommitted(String),
    /// `max_runs` has been reached, but this condition is still not met.
    Missing(String),
    /// This cap ends the session.
    OverBudget(String),
    /// All accounts have reached a usage limit, and the session does not wait. It can continue with this account, whose
    /// limit is reset first.
    Waiting(AccountIndex),
    /// All accounts have reached a usage limit. The session continues with this account at this time.
    AfterReset(AccountIndex, SystemTime),
    /// The current account has reached a usage limit. The session continues with this other account.
    OtherAccount(AccountIndex),
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
) -> Meta {
    let (directory, completion) = (&run.spec.directory, &run.checked.completion);
    let mut session = Repetition::new(run);
    loop {
        session.iteration += 1;
        if session.iteration > 1 {
            record.instructions(session.iteration, &session.text);
        }
        let head_before = completion.head(directory, completion.deadline());
        let ended = run_once(run, record, &session, on_line);
        end_leftovers(&run.session.id);
        session.count(&ended);
        let mut meta = describe(record, session.iteration, &ended);
        meta.tokens_used = session.tokens;
        meta.total_use = session.used;
        meta.codex_home = session.accounts.home().map(Path::to_owned);
        let next = session.next_step(record, &ended, head_before.as_deref());
        next.describe(run, session.iteration, &mut meta);
        let can_continue = session.prepare(&next, &ended);
        if let Next::Waiting(account) | Next::AfterReset(account, _) = next {
            // The account whose limit is reset first may not be the account that the last process used.
            meta.limit_resets_at = session.accounts.resets_at(account).map(rfc3339);
        }
        if let (Next::Waiting(_), Some(thread)) = (&next, session.accounts.thread()) {
            meta.thread_id = Some(thread.to_owned());
            meta.codex_home = session.accounts.home().map(Path::to_owned);
        }
        record.meta(session.iteration, &meta);
        record.event(EventData::IterationCompleted {
            iteration: session.iteration,
            exit_code: meta.exit_code,
            classification: meta.classification.clone(),
            total_use: Some(session.used),
        });
        record.write_state();
        if !can_continue {
            return meta;
        }
        if let Next::AfterReset(_, until) = next
            && session.wait_for_reset(record, until)
        {
            Classification::UserCancelled.word().clone_into(&mut meta.classification);
            "Stopped on request while waiting for a usage limit".clone_into(&mut meta.reason);
            meta.exit_code = TERMINATED;
            record.meta(session.iteration, &meta);
            return meta;
        }
        if !session.may_go_on(record) {
            return meta;
        }
    }
}

impl<'a> Repetition<'a> {
    fn new(run: &'a Run<'a>) -> Self {
        let spec = run.spec;
        Self {
            run,
            iteration: 0,
            thread: spec.continues.as_ref().map(|earlier| earlier.thread.clone()),
            accounts: Accounts::new(spec),
            text: spec.instructions.text.clone(),
            overflows_left: spec.repeat.overflow_retries,
            tokens: None,
            used: TotalUse::default(),
            begun: Instant::now(),
            waited: Duration::ZERO,
            n_waits: 0,
        }
    }

    fn count(&mut self, ended: &Ended) {
        let account = &ended.account;
        self.accounts.set_limit(ended.limit, (self.run.host.clock)(), self.n_waits);
        if let Some(usage) = account.usage.map(Usage::total) {
            self.tokens = Some(self.tokens.unwrap_or(0).saturating_add(usage));
        }
        self.used.add(account.total_use(&self.run.spec.budget));
    }

    fn next_step(&self, record: &mut Record<'_>, ended: &Ended, head_before: Option<&str>) -> Next {
        let budget = &self.run.spec.budget;
        if self.run.switch.is_on() || ended.supervised.stopped.is_some() {
            return Next::End;
        }
        let next = match (self.cap(budget, ended), &ended.limit) {
            (Some(cap), _) => Next::OverBudget(cap),
            (None, Some(_)) => self.at_usage_limit(),
            (None, None) if self.may_retry_overflow(ended) => Next::NewThread,
            (None, None) if ended.exit_code() != 0 => Next::End,
            (None, None) => self.unless_done(record, ended, head_before),
        };
        let continues = matches!(
            next,
            Next::NewThread | Next::Again(_) | Next::AfterReset(..) | Next::OtherAccount(_)
        );
        let cap = || budget.used_up(&self.used).or_else(|| record.last_turn_reason());
        let next = match continues.then(cap).flatten() {
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
            Next::OtherAccount(account) => {
                let account = self.accounts.describe(*account);
                let line =
                    format!("[limit] the account has reached a usage limit: trying {account}");
                record.log.line(&line);
            }
            Next::End
            | Next::NotCommitted(_)
            | Next::Missing(_)
            | Next::Waiting(_)
            | Next::AfterReset(..)
            | Next::Again(_) => {}
        }
        next
    }

    /// Returns a message that names the cap that the session has exceeded or that ended the process, or `None` if there
    /// is no such cap.
    fn cap(&self, budget: &SessionBudget, ended: &Ended) -> Option<String> {
        let exceeded = budget.exceeded(&self.used);
        exceeded.or_else(|| ended.day_cap.clone().or(ended.account.cap.map(str::to_owned)))
    }

    fn may_retry_overflow(&self, ended: &Ended) -> bool {
        ended.verdict.classification == Classification::ContextOverflow && self.overflows_left > 0
    }

    fn at_usage_limit(&self) -> Next {
        if self.run.spec.on_usage_limit == OnUsageLimit::Fail {
            return Next::End;
        }
        let now = (self.run.host.clock)();
        if let Some(account) = self.accounts.next(now) {
            return Next::OtherAccount(account);
        }
        let (account, until) = self.accounts.first_reset(now);
        let wait = until.duration_since(now).unwrap_or_default();
        if wait <= self.run.spec.on_usage_limit.time_left(self.waited) {
            Next::AfterReset(account, until)
        } else {
            Next::Waiting(account)
        }
    }

    /// Decides the next step after a process that ended without a failure.
    fn unless_done(
        &self,
        record: &mut Record<'_>,
        ended: &Ended,
        head_before: Option<&str>,
    ) -> Next {
        let repeat = &self.run.spec.repeat;
        let has_conditions = repeat.until.is_some()
            || repeat.conditions.commit
            || !repeat.conditions.change_in.is_empty();
        let is_done = ended.verdict.control == Some(ControlFlag::Done);
        let completion = &self.run.checked.completion;
        let deadline = completion.deadline();
        let missing = if has_conditions {
            let replaced = self.run.checked.directory.check().err();
            replaced.map(|error| error.to_string()).or_else(|| {
                let message = ended.last_message.as_deref().unwrap_or_default();
                completion.missing(&self.run.spec.directory, head_before, message, deadline)
            })
        } else {
            let is_missing = repeat.max_runs > 1 && !is_done;
            is_missing.then(|| "the last message does not say DONE".to_owned())
        };
        let Some(missing) = missing else {
            let committed = completion.commit(&self.run.checked.directory, self.run.spec, deadline);
            let Some(committed) = committed else { return Next::End };
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
    fn prepare(&mut self, next: &Next, ended: &Ended) -> bool {
        let spec = self.run.spec;
        let instructions = &spec.instructions.text;
        let known = ended.account.thread_id.clone().or_else(|| self.thread.clone());
        let known = known.filter(|_| self.run.checked.agent.can_resume());
        self.accounts.set_thread(known.clone());
        match next {
            Next::Waiting(account) => {
                self.accounts.select(*account);
                return false;
            }
            Next::End | Next::NotCommitted(_) | Next::Missing(_) | Next::OverBudget(_) => {
                return false;
            }
            Next::NewThread => {
                self.overflows_left -= 1;
                self.thread = None;
                self.text.clone_from(spec.new_thread_text.as_ref().unwrap_or(instructions));
            }
            Next::AfterReset(account, _) | Next::OtherAccount(account) => {
                self.continue_with(*account);
            }
            Next::Again(missing) => {
                self.thread = known.filter(|_| spec.repeat.carries_context);
                self.text = next_instructions(instructions, missing, self.thread.is_some());
            }
        }
        true
    }

    /// Selects an account, and sets the thread and the prompt with which the session continues.
    fn continue_with(&mut self, account: AccountIndex) {
        let is_other_home = self.accounts.select(account);
        self.thread = self.accounts.thread().map(str::to_owned);
        match (&self.thread, is_other_home) {
            // Codex stores the prompt in the thread before it sends a request to the model, so the prompt is not sent
            // again.
            (Some(_), false) => CONTINUE_PROMPT.clone_into(&mut self.text),
            (Some(_), true) => self.text = format!("{CONTINUE_PROMPT} {OTHER_ACCOUNT_NOTE}"),
            (None, false) => {}
            (None, true) => {
                let spec = self.run.spec;
                let task = spec.new_thread_text.as_ref().unwrap_or(&spec.instructions.text);
                self.text = with_note(task, OTHER_ACCOUNT_NOTE);
            }
        }
    }

    /// Waits until a usage limit is reset. Returns true if a stop was requested.
    fn wait_for_reset(&mut self, record: &mut Record<'_>, until: SystemTime) -> bool {
        let since = Instant::now();
        let shown = rfc3339(until);
        record.log.line(&format!("[limit] waiting until {shown} for a usage limit to be reset"));
        record.log.flush();
        record.event(EventData::LimitWaitStarted { until: shown });
        record.write_state();
        let is_stopped = loop {
            let left = until.duration_since((self.run.host.clock)()).unwrap_or_default();
            if left.is_zero() {
                break false;
            }
            if self.run.switch.wait(left.min(CLOCK_INTERVAL)) {
                break true;
            }
        };
        let waited = since.elapsed();
        self.n_waits += 1;
        self.waited += waited;
        self.begun += waited;
        self.accounts.forget_tries();
        is_stopped
    }

    /// Pauses before the next process. Returns false if no wall time is left or a stop is requested.
    fn may_go_on(&self, record: &mut Record<'_>) -> bool {
        record.log.line(&format!("--- Iteration {} ---", self.iteration + 1));
        let has_time =
            self.run.spec.limits.remaining(self.begun).is_none_or(|left| !left.is_zero());
        if !has_time {
            record.log.line("[repeat] the wall limit leaves no time for another run");
        }
        record.log.flush();
        has_time && !self.run.switch.wait(Duration::from_secs(self.run.spec.repeat.sleep_seconds))
    }
}

impl Next {
    /// Updates the metadata of the process that has just ended, if this step changes its classification, exit code or
    /// reason.
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
            Self::Waiting(_) | Self::AfterReset(..) => {
                (Classification::Waiting, WAITING, meta.reason.clone())
            }
            Self::NotCommitted(why) => {
                meta.reason = run.checked.redaction.text(&format!("{}; {why}", meta.reason));
                return;
            }
            Self::End | Self::NewThread | Self::OtherAccount(_) | Self::Again(_) => return,
        };
        classification.word().clone_into(&mut meta.classification);
        meta.exit_code = exit_code;
        meta.reason = reason;
    }
}

fn next_instructions(instructions: &str, missing: &str, carries_context: bool) -> String {
    let note = format!("{CONTINUE_PROMPT} Last time: {missing}.");
    if carries_context { note } else { with_note(instructions, &note) }
}

fn with_note(instructions: &str, note: &str) -> String {
    format!(
        "{instructions}\n<instructions-section type=\"policy-note\">\n{note}\n</instructions-section>\n"
    )
}
