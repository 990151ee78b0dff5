//! The operations that the page offers. Each one calls the same function as the corresponding command.

use queue::{StoreError, TaskId, TaskState};
use runs::{Origin, RunRequest, SessionId};
use serde::Serialize;

use crate::work::Work;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Operation {
    /// `adjutant job stop`
    Stop(SessionId),
    /// `adjutant job resume`
    Continue(SessionId),
    /// `adjutant queue cancel`
    Cancel(TaskId),
    /// `adjutant queue retry`
    Retry(TaskId),
    /// `adjutant queue retry --resume` for a task that needs an approval
    Approve(TaskId),
}

#[derive(Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Done {
    /// The job that the operation started.
    job: Option<String>,
}

impl Operation {
    /// Carries out the operation. An error is the reason why it failed.
    pub(crate) fn run(&self, work: &Work) -> Result<Done, String> {
        match self {
            Self::Stop(id) => {
                let stopped = work.sessions.stop(id, false, &work.host);
                stopped.map(|_| Done { job: None }).map_err(|error| error.to_string())
            }
            Self::Continue(id) => continue_job(work, id).map(|job| Done { job: Some(job) }),
            Self::Cancel(id) => change(work, id, |store| store.cancel(id).map(drop)),
            Self::Retry(id) => change(work, id, |store| match store.task(id)?.state {
                TaskState::Queued | TaskState::Waiting => store.make_due(id),
                TaskState::Running
                | TaskState::NeedsApproval
                | TaskState::Finished
                | TaskState::Failed
                | TaskState::Budget
                | TaskState::Cancelled => store.retry(id, false),
            }),
            Self::Approve(id) => change(work, id, |store| {
                let task = store.task(id)?;
                if task.state != TaskState::NeedsApproval {
                    return Err(StoreError::WrongState { id: id.clone(), state: task.state });
                }
                store.retry(id, task.thread.is_some() && task.session.is_some())
            }),
        }
    }
}

/// Continues the conversation of an ended job in a new job, and returns its id.
fn continue_job(work: &Work, id: &SessionId) -> Result<String, String> {
    let earlier = work.sessions.continues(id).map_err(|error| error.to_string())?;
    let mut request = RunRequest::default();
    // The page shows the sandbox of the job that the user continues.
    request.keep_sandbox(earlier.1.effective_sandbox);
    let here = earlier.1.cwd.clone();
    let spec = request.describe_for_user(Origin::Job, Some(earlier), &here, &work.host);
    let started = spec.and_then(|spec| runs::start(&spec, &work.host));
    started.map(|started| started.session.id).map_err(|error| error.to_string())
}

fn change(
    work: &Work,
    id: &TaskId,
    body: impl FnOnce(&mut queue::TaskStore) -> Result<(), StoreError>,
) -> Result<Done, String> {
    let changed = work.with_store(body);
    let changed = changed.unwrap_or_else(|| Err(StoreError::UnknownTask(id.clone())));
    changed.map(|()| Done { job: None }).map_err(|error| error.to_string())
}
