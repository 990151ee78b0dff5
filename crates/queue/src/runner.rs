//! Runs a task from the queue as an unattended run under `adjutant job supervise`.

mod report;

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::ChildStdout;
use std::sync::mpsc;
use std::time::Duration;

use policy::Author;
use process::{Environment, ProcessIdentity, Urgency};
use runs::{
    CONTINUE_PROMPT, Continues, Cost, Instructions, LogPlace, OnUsageLimit, Origin, RunError,
    RunHost, RunPlace, RunWish, SessionId, Sessions, Spec, Started, TotalUse,
};

use crate::claim::{ClaimedTask, Previous};
use crate::finish::{RunReport, RunResult};
use crate::owner::{Owner, WORKER_VARIABLE, end_processes};
use crate::task::{Task, WorkProduct};
use crate::worker::{Progress, Recovered, RunControls, Runner};
use crate::worktree::{WorktreeError, Worktrees};

use report::report_of;

/// The time that the processes of a dead worker get to exit. It is longer than codex's default grace period between
/// SIGTERM and SIGKILL.
pub const GRACE_OF_DEAD_WORKERS: Duration = Duration::from_secs(15);
const AUTHOR_NAME: &str = "Adjutant";
const AUTHOR_EMAIL: &str = "adjutant@localhost";

/// Runs tasks with the agents that are installed on this machine.
#[derive(Debug)]
pub struct AgentRunner {
    host: RunHost,
    owner: Owner,
    worktrees: Worktrees,
}

/// What the thread that waits for a run learns.
enum News {
    /// The usage of the session has increased.
    Used(TotalUse),
    /// The worker changed the controls of the run.
    Control,
    /// The supervisor has exited.
    Ended,
}

impl AgentRunner {
    /// `host` is the worker's own, without the variables that agents must not see.
    #[must_use]
    pub fn new(mut host: RunHost, owner: &Owner, mut worktrees: Worktrees) -> Self {
        host.environment = host.environment.with(WORKER_VARIABLE, owner.worker.as_str());
        worktrees.environment = authored(&host.environment);
        Self { host, owner: owner.clone(), worktrees }
    }

    fn sessions(&self) -> Sessions {
        Sessions::at(&self.host.sessions)
    }

    /// Returns the directory in which a task runs, and the worktree and branch of the task, if it has them.
    fn workplace(&self, claim: &ClaimedTask) -> Result<(PathBuf, WorkProduct), WorktreeError> {
        let task = &claim.task;
        if !task.request.has_worktree {
            return Ok((task.request.directory.clone(), WorkProduct::default()));
        }
        let (repository, id) = (&task.repository, &task.id);
        let product = match task.resume_session {
            Some(_) => self.reopen(claim)?,
            None => self.worktrees.create(repository, id, &claim.start())?,
        };
        let inside = task.request.directory.strip_prefix(repository).unwrap_or(Path::new(""));
        Ok((self.worktrees.path(id).join(inside), product))
    }

    fn reopen(&self, claim: &ClaimedTask) -> Result<WorkProduct, WorktreeError> {
        let Task { repository, id, product, .. } = &claim.task;
        self.worktrees.reopen(repository, id, product.base.as_deref(), &claim.start())
    }

    fn spec(&self, claim: &ClaimedTask, directory: &Path) -> Result<Spec, RunError> {
        let task = &claim.task;
        let run = &task.request.run;
        let place = RunPlace { directory, here: &task.request.here, confined_to: None };
        let wish = |continues| RunWish { origin: Origin::Job, author: Author::Person, continues };
        let continues = self.continues(task);
        let is_continued = continues.is_some();
        let mut spec = run.describe(place, wish(continues), &self.host)?;
        if is_continued {
            // If the run has to start a new conversation, in another account or because the context is too long, it
            // needs the whole task.
            let task = run.without_briefing().describe(place, wish(None), &self.host)?;
            spec.new_thread_text = Some(task.instructions.text);
            spec.instructions = Instructions::message(CONTINUE_PROMPT);
        }
        spec.budget = spec.budget.after(&task.usage);
        spec.budget.of_day = claim.day_left;
        spec.on_usage_limit = OnUsageLimit::Defer;
        spec.log.place = LogPlace::Session(task.id.session(claim.lease.generation));
        Ok(spec)
    }

    /// Returns the conversation that the task continues. Returns `None` if the task starts from the beginning, because
    /// it has no earlier conversation or the record of the conversation was deleted.
    fn continues(&self, task: &Task) -> Option<Continues> {
        let session = SessionId::new(task.resume_session.as_deref()?).ok()?;
        self.sessions().continues(&session).ok().map(|(continues, _)| continues)
    }

    /// Returns the session of an earlier attempt if its run completed but its result was not stored. Otherwise returns
    /// `None`.
    fn completed(&self, previous: &Previous) -> Option<SessionId> {
        let session = SessionId::new(previous.session.as_deref()?).ok()?;
        let state = self.sessions().status(&session).ok()?.state;
        (state == runs::SessionStatus::Completed).then_some(session)
    }

    /// Stops what an earlier attempt left running on this machine. Processes on another machine are stopped there. Returns
    /// the name of the worker if processes that it left behind do not end.
    fn still_running<'a>(&self, previous: &'a Previous) -> Option<&'a str> {
        let owner = previous.owner.as_ref().filter(|owner| self.owner.is_on_machine_of(owner))?;
        if self.owner.knows_death_of(owner) {
            let has_ended = end_processes(&owner.worker, GRACE_OF_DEAD_WORKERS);
            return (!has_ended).then_some(owner.worker.as_str());
        }
        // The worker has lost only this lease and may be running other tasks.
        if let Some(Ok(session)) = previous.session.as_deref().map(SessionId::new) {
            // This fails if the attempt has not started a session.
            drop(self.sessions().stop(&session, false, &self.host));
        }
        None
    }

    /// Waits until the supervisor has exited, which closes the pipe. Meanwhile, reports the session's usage to `progress`, and
    /// stops the session if `controls` request it.
    fn wait(
        &self,
        (started, pipe): (Started, ChildStdout),
        session: &SessionId,
        controls: &RunControls,
        progress: &dyn Fn(Progress),
    ) {
        let (sender, receiver) = mpsc::channel();
        let control = sender.clone();
        // The receiver is dropped when the run has ended.
        controls.listen(move || drop(control.send(News::Control)));
        std::thread::spawn(move || {
            let lines = BufReader::new(pipe).lines().map_while(Result::ok);
            let used = lines.filter_map(|line| serde_json::from_str(&line).ok());
            used.for_each(|used| drop(sender.send(News::Used(used))));
            drop(sender.send(News::Ended));
        });
        let supervisor = ProcessIdentity::of(started.supervisor);
        let mut is_last_turn = false;
        for news in receiver {
            match news {
                News::Ended => return,
                News::Used(used) => progress(Progress::Used(used)),
                News::Control if controls.stop.is_on() => {
                    // This fails if the folder of the session was deleted or made writable for others.
                    if self.sessions().stop(session, false, &self.host).is_err() {
                        supervisor.signal(Urgency::Ask);
                    }
                    return;
                }
                News::Control => {
                    if let Some(reason) = controls.last_turn_reason().filter(|_| !is_last_turn) {
                        is_last_turn = true;
                        if self.sessions().end_after_turn(session, reason, &self.host).is_err() {
                            supervisor.signal(Urgency::Ask);
                        }
                    }
                }
            }
        }
    }

    /// Reports how a session ended, and collects the changes in the worktree.
    fn conclude(
        &self,
        claim: &ClaimedTask,
        session: &SessionId,
        product: WorkProduct,
    ) -> RunReport {
        let mut report = report_of(&self.sessions(), session, &self.host);
        report.product = WorkProduct { summary: report.product.summary.take(), ..product };
        let is_over = matches!(
            report.result,
            RunResult::Finished | RunResult::Failed { .. } | RunResult::Budget
        );
        if !is_over || report.product.worktree.is_none() {
            return report;
        }
        if let Err(problem) = self.collect(claim, &mut report) {
            report.reason = format!("{}; {problem}", report.reason);
            if report.result == RunResult::Finished {
                let class = "not-committed".to_owned();
                report.result = RunResult::Failed { class, can_retry: false };
            }
        }
        report
    }

    /// Commits the changes in the worktree and writes the patch.
    fn collect(&self, claim: &ClaimedTask, report: &mut RunReport) -> Result<(), String> {
        let task = &claim.task;
        let folder = self.worktrees.path(&task.id);
        if !folder.is_dir() {
            return Err(format!("the worktree `{}` was deleted", folder.display()));
        }
        let session = report.session.as_deref().unwrap_or_default();
        let message = format!("{}\n\nTask: {}\nSession: {session}\n", task.title, task.id);
        let committed = runs::commit_all(&self.worktrees.environment, &folder, &message)
            .map_err(|problem| format!("the changes were not committed: {problem}"))?;
        if let Some(left_out) = committed.left_out {
            // The end of a long summary can be cut.
            let summary = report.product.summary.take().unwrap_or_default();
            report.product.summary = Some(format!("{left_out}\n\n{summary}").trim_end().to_owned());
        }
        let product = report.product.clone();
        let collected = self.worktrees.collect(&task.repository, &task.id, product);
        report.product = collected.map_err(|problem| problem.to_string())?;
        Ok(())
    }
}

impl Runner for AgentRunner {
    fn recover(&self, claim: &ClaimedTask) -> Recovered {
        if let Some(worker) =
            claim.previous.iter().find_map(|previous| self.still_running(previous))
        {
            return Recovered::StillRunning(format!(
                "processes of the dead worker {worker} are still running"
            ));
        }
        let Some(session) = claim.previous.iter().find_map(|previous| self.completed(previous))
        else {
            return Recovered::Ended;
        };
        let product = match claim.task.request.has_worktree {
            true => self.reopen(claim).unwrap_or_default(),
            false => WorkProduct::default(),
        };
        Recovered::Report(Box::new(self.conclude(claim, &session, product)))
    }

    fn run(
        &self,
        claim: &ClaimedTask,
        controls: &RunControls,
        progress: &dyn Fn(Progress),
    ) -> RunReport {
        let (directory, product) = match self.workplace(claim) {
            Ok(workplace) => workplace,
            Err(error) => return not_prepared(&error),
        };
        if product.worktree.is_some() {
            progress(Progress::Started(product.clone()));
        }
        let spec = self.spec(claim, &directory);
        if let Some(reason) = spec.as_ref().ok().and_then(no_turn_left) {
            let report = RunReport::not_started(RunResult::Budget, reason);
            return RunReport { product, ..report };
        }
        let running = spec.and_then(|spec| runs::start_followed(&spec, &self.host));
        let running = match running {
            Ok(running) => running,
            Err(error) => {
                let report = RunReport::failed("config_error", false, error.to_string());
                return RunReport { product, ..report };
            }
        };
        let session = match SessionId::new(&running.0.session.id) {
            Ok(session) => session,
            Err(error) => return RunReport::failed("error", false, error.to_string()),
        };
        self.wait(running, &session, controls, progress);
        self.conclude(claim, &session, product)
    }
}

/// Returns an environment in which Adjutant is the author of commits.
fn authored(environment: &Environment) -> Environment {
    ["AUTHOR", "COMMITTER"].iter().fold(environment.clone(), |environment, role| {
        environment
            .with(&format!("GIT_{role}_NAME"), AUTHOR_NAME)
            .with(&format!("GIT_{role}_EMAIL"), AUTHOR_EMAIL)
    })
}

/// Returns the reason why a task's caps do not allow another turn, or `None` if they allow one.
fn no_turn_left(spec: &Spec) -> Option<String> {
    spec.budget.used_up(&TotalUse { cost: Some(Cost::default()), ..TotalUse::default() })
}

fn not_prepared(error: &WorktreeError) -> RunReport {
    let (class, can_retry) = match error {
        WorktreeError::NoRepository { .. } | WorktreeError::NoCommits(_) => {
            ("no-repository", false)
        }
        WorktreeError::TooMuchIncluded { .. } => ("worktree-include", false),
        WorktreeError::DiskFull { .. } => ("disk-full", true),
        WorktreeError::Conflict(_) => ("merge-conflict", false),
        WorktreeError::MissingResult { .. } => ("missing-result", false),
        WorktreeError::Io { .. } | WorktreeError::Git(_) => ("worktree", true),
    };
    RunReport::failed(class, can_retry, error.to_string())
}
