//! A task and its states.

use std::fmt;
use std::path::PathBuf;

use runs::{Caps, RunRequest, TotalUse};
use serde::{Deserialize, Serialize, Serializer};

use crate::columns;
use crate::deliver::Webhook;

const MAX_ID_BYTES: usize = 40;
/// The start of the id of every session that a task created.
pub const SESSION_PREFIX: &str = "queue-";

/// The id of a task. It can be used as a file name and in a branch name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String")]
pub struct TaskId(String);

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not the id of a task: an id looks like `t-1a2b3c4d`")]
pub struct InvalidTaskId(pub String);

impl TaskId {
    pub fn new(id: &str) -> Result<Self, InvalidTaskId> {
        let rest = id.strip_prefix("t-").unwrap_or_default();
        let is_valid = !rest.is_empty()
            && id.len() <= MAX_ID_BYTES
            && rest.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
        if is_valid { Ok(Self(id.to_owned())) } else { Err(InvalidTaskId(id.to_owned())) }
    }

    /// Creates an id from the letters and digits in `text`. Other characters are skipped.
    pub(crate) fn from_random(text: &str) -> Self {
        let kept = text.chars().filter(char::is_ascii_alphanumeric).take(10);
        Self(format!("t-{}", kept.collect::<String>().to_ascii_lowercase()))
    }

    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the name of the branch that receives the changes of the task.
    #[must_use]
    pub fn branch(&self) -> String {
        format!("adjutant/{}", self.0)
    }

    /// Returns the session id of an attempt. The id is fixed before the attempt starts, so that the next worker finds
    /// the session record even if this worker is killed.
    #[must_use]
    pub fn session(&self, generation: i64) -> String {
        format!("{SESSION_PREFIX}{}-{generation}", self.0)
    }
}

impl TryFrom<String> for TaskId {
    type Error = InvalidTaskId;

    fn try_from(id: String) -> Result<Self, InvalidTaskId> {
        Self::new(&id)
    }
}

impl fmt::Display for TaskId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The state of a task. The order is that of a report: states that need the user come first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum TaskState {
    Failed,
    /// The run exceeded a cap on tokens, turns or cost.
    Budget,
    /// The run needs an approval. A person decides; `retry` then continues the task.
    NeedsApproval,
    /// The task continues in the same thread at a stated time, for example when a usage limit is reset.
    Waiting,
    /// A worker holds the task.
    Running,
    /// Not started, or waiting for the next retry or for a predecessor.
    Queued,
    Finished,
    Cancelled,
}

impl TaskState {
    pub const ALL: [Self; 8] = [
        Self::Queued,
        Self::Running,
        Self::Waiting,
        Self::NeedsApproval,
        Self::Finished,
        Self::Failed,
        Self::Budget,
        Self::Cancelled,
    ];

    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Running => "running",
            Self::Waiting => "waiting",
            Self::NeedsApproval => "needs-approval",
            Self::Finished => "finished",
            Self::Failed => "failed",
            Self::Budget => "budget",
            Self::Cancelled => "cancelled",
        }
    }

    #[must_use]
    pub fn named(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.word() == word)
    }

    /// Returns whether the task has ended. No worker takes an ended task until `retry` puts it back into the queue.
    #[must_use]
    pub fn has_ended(self) -> bool {
        !matches!(self, Self::Queued | Self::Running | Self::Waiting)
    }

    /// Returns whether queued tasks fail if they depend on a task in this state.
    #[must_use]
    pub fn fails_successors(self) -> bool {
        matches!(self, Self::Failed | Self::Budget | Self::Cancelled)
    }
}

/// The run that a task describes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "StoredRequest")]
pub struct TaskRequest {
    #[serde(serialize_with = "only_given")]
    pub run: RunRequest,
    /// The caller's working directory. Relative file names in `run` are resolved against it.
    pub here: PathBuf,
    /// The directory in the repository in which the agent runs.
    pub directory: PathBuf,
    /// Whether the task gets its own git worktree.
    pub has_worktree: bool,
    /// Whether the task starts from `HEAD` even if its predecessors have branches.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_from_head: bool,
    /// A URL that receives the notices of this task, in addition to the receivers in the user's settings.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub webhook: Option<String>,
}

fn only_given<S: Serializer>(run: &RunRequest, serializer: S) -> Result<S::Ok, S::Error> {
    run.given().serialize(serializer)
}

/// A request as it is stored. Versions up to 0.2 stored `words`, the arguments of `adjutant run`, instead of `run`.
#[derive(Deserialize)]
struct StoredRequest {
    run: Option<RunRequest>,
    #[serde(default)]
    words: Vec<String>,
    here: PathBuf,
    directory: PathBuf,
    has_worktree: bool,
    #[serde(default)]
    is_from_head: bool,
    webhook: Option<String>,
}

impl TryFrom<StoredRequest> for TaskRequest {
    type Error = String;

    fn try_from(stored: StoredRequest) -> Result<Self, String> {
        let StoredRequest { run, words, here, directory, has_worktree, is_from_head, webhook } =
            stored;
        let run = run.map_or_else(|| RunRequest::from_words(&words), Ok)?;
        Ok(Self { run, here, directory, has_worktree, is_from_head, webhook })
    }
}

impl TaskRequest {
    /// Creates a request for a run in its own worktree. `directory` is both the working directory of the run and the directory
    /// against which relative file names are resolved.
    #[must_use]
    pub fn in_worktree(run: RunRequest, directory: PathBuf) -> Self {
        Self {
            run,
            here: directory.clone(),
            directory,
            has_worktree: true,
            is_from_head: false,
            webhook: None,
        }
    }
}

/// What happens to a task whose worker died.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OnLost {
    /// Another worker runs the task again.
    #[default]
    Again,
    /// The task fails with the class `worker-lost`.
    Fail,
}

impl OnLost {
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Again => "again",
            Self::Fail => "fail",
        }
    }

    #[must_use]
    pub fn named(word: &str) -> Option<Self> {
        [Self::Again, Self::Fail].into_iter().find(|policy| policy.word() == word)
    }
}

/// The number of files and lines that a task changed. The lines of binary files are not counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChangeCount {
    pub files: u64,
    pub added: u64,
    pub removed: u64,
}

impl ChangeCount {
    /// Counts the output of `git diff --numstat`.
    pub(crate) fn of_numstat(text: &str) -> Self {
        let mut count = Self::default();
        for line in text.lines() {
            let mut numbers = line.split('\t').map(|number| number.parse().unwrap_or(0));
            count.files += 1;
            count.added += numbers.next().unwrap_or(0);
            count.removed += numbers.next().unwrap_or(0);
        }
        count
    }
}

impl fmt::Display for ChangeCount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { files, added, removed } = self;
        let word = if *files == 1 { "file" } else { "files" };
        write!(f, "+{added} −{removed} in {files} {word}")
    }
}

/// The results of a task in its repository: a worktree, a branch, a patch.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkProduct {
    /// The folder of the worktree, on the worker's machine.
    pub worktree: Option<PathBuf>,
    pub branch: Option<String>,
    /// The commit at which the branch starts.
    pub base: Option<String>,
    /// The last commit of a finished task. Equal to `base` if the task changed nothing.
    #[serde(default)]
    pub head: Option<String>,
    /// The file that contains the changes as a patch.
    pub patch: Option<PathBuf>,
    /// The size of the changes.
    #[serde(default)]
    pub changes: Option<ChangeCount>,
    /// The last message of the agent, shortened.
    pub summary: Option<String>,
}

fn without_secrets<S: Serializer>(request: &TaskRequest, serializer: S) -> Result<S::Ok, S::Error> {
    let shown = |url: &String| Webhook::parse(url).map(|webhook| webhook.to_string()).ok();
    let webhook = request.webhook.as_ref().and_then(shown);
    TaskRequest { webhook, ..request.clone() }.serialize(serializer)
}

/// A task in the store. Times are milliseconds since 1970.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Task {
    pub id: TaskId,
    pub key: Option<String>,
    pub title: String,
    pub repository: PathBuf,
    /// Serialized without the path of the webhook, which often contains a secret.
    #[serde(serialize_with = "without_secrets")]
    pub request: TaskRequest,
    /// Tasks with a higher priority are taken first.
    pub priority: i64,
    /// The maximum number of the repository's tasks that may run at the same time, including this one.
    pub max_parallel: Option<i64>,
    pub max_retries: i64,
    /// The delay before the first retry, in milliseconds. It doubles with each retry.
    pub retry_delay_ms: i64,
    pub on_lost: OnLost,
    /// Caps on the task, across all its attempts. A run that exceeds a cap is stopped after the current turn.
    #[serde(serialize_with = "columns::write_caps")]
    pub limits: Caps,
    pub after: Vec<TaskId>,
    pub state: TaskState,
    /// The class of a failure, for example `rate_limited`, `predecessor` or `worker-lost`.
    pub class: Option<String>,
    pub reason: Option<String>,
    /// The time at which a waiting task continues.
    pub waiting_until: Option<i64>,
    /// The time before which a queued task is not taken again.
    pub not_before: i64,
    pub failures: i64,
    /// The number of times that a worker died while it ran the task.
    pub losses: i64,
    /// The number of the newest lease, which increases with each lease. A result is accepted only from the newest
    /// lease.
    pub generation: i64,
    pub worker: Option<String>,
    pub lease_until: Option<i64>,
    pub is_cancel_requested: bool,
    /// The id of the newest attempt's session.
    pub session: Option<String>,
    /// The agent's id for the conversation.
    pub thread: Option<String>,
    /// The id of the session whose conversation the next attempt continues.
    pub resume_session: Option<String>,
    pub product: WorkProduct,
    #[serde(serialize_with = "columns::write_usage")]
    pub usage: TotalUse,
    pub created_at: i64,
    pub started_at: Option<i64>,
    pub ended_at: Option<i64>,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The request of a task that version 0.2.0 stored.
    const OLD: &str = include_str!("../tests/fixtures/request-0.2.0.json");

    #[test]
    fn the_request_of_an_older_version_is_read() {
        let request: TaskRequest = serde_json::from_str(OLD).unwrap();
        let run = RunRequest {
            sandbox: Some(policy::Sandbox::WorkspaceWrite),
            max_tokens: Some(9000),
            timeout: "30m".parse().ok(),
            cwd: Some("/home/user/repository".into()),
            codex_arg: vec!["--search".to_owned()],
            ..RunRequest::task("fix parse_amount").without_briefing()
        };
        let expected = TaskRequest {
            here: "/home/user".into(),
            webhook: Some("https://example.org/hook".to_owned()),
            ..TaskRequest::in_worktree(run, "/home/user/repository".into())
        };
        assert_eq!(request, expected);
    }

    #[test]
    fn a_request_is_stored_as_a_run_and_read_again() {
        let request = TaskRequest::in_worktree(RunRequest::task("fix it"), "/repository".into());
        let stored = serde_json::to_value(&request).unwrap();
        let expected = serde_json::json!({
            "run": { "version": 1, "pieces": [{ "task": "fix it" }] },
            "here": "/repository", "directory": "/repository", "has_worktree": true,
        });
        assert_eq!(stored, expected);
        assert_eq!(serde_json::from_value::<TaskRequest>(stored).unwrap(), request);
    }
}
