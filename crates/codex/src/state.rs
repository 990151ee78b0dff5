//! What is known of a session: a fold over its events, and a look at whether its processes still run.
//!
//! `state.json` is this fold as of the last event its supervisor wrote. Looking never writes.

use std::path::PathBuf;

use process::Identity;
use serde::Serialize;
use serde_json::{Value, json};

use crate::journal::{Event, names};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    Running,
    Completed,
    Failed,
    Stopped,
    /// Its supervisor is gone and did not say how it ended.
    Lost,
}

impl Status {
    pub const ALL: [Self; 5] =
        [Self::Running, Self::Completed, Self::Failed, Self::Stopped, Self::Lost];

    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Completed => "completed",
            Self::Failed => "failed",
            Self::Stopped => "stopped",
            Self::Lost => "lost",
        }
    }

    #[must_use]
    pub fn named(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.word() == word)
    }
}

/// One session, as it is published.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SessionState {
    pub id: String,
    /// Of the supervisor.
    pub pid: Option<u32>,
    pub state: Status,
    pub exit_code: Option<i32>,
    pub classification: Option<String>,
    pub reason: Option<String>,
    pub tokens_used: Option<u64>,
    pub effective_sandbox: Option<String>,
    pub effective_network_access: Option<String>,
    pub effective_approval_policy: Option<String>,
    pub sandbox_bypass: Option<u8>,
    /// Directories that codex may write to beside `cwd`.
    pub effective_writable_roots: Vec<PathBuf>,
    pub cwd: PathBuf,
    pub created_at: String,
    pub updated_at: String,
    pub tag: String,
    pub log_file: PathBuf,
    pub meta_glob: PathBuf,
    pub last_message_glob: PathBuf,
    pub args: Vec<String>,
    pub title: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resumed_from: Option<String>,
    /// Codex's own name for the conversation; what `resume` goes on with.
    pub thread_id: Option<String>,
    pub codex_version: Option<String>,
    pub iteration: u32,
    /// The process of codex, as long as it may run.
    pub codex_pid: Option<u32>,
    pub stop_requested: bool,
    /// What else is known, if the session was lost.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// What the events say, and who has to be looked at.
#[derive(Clone, Debug)]
pub(crate) struct Known {
    pub(crate) state: SessionState,
    pub(crate) supervisor: Option<Identity>,
    pub(crate) codex: Option<Identity>,
    pub(crate) has_ended: bool,
    last_event: String,
}

impl Known {
    pub(crate) fn from_events(id: &str, events: &[Event]) -> Self {
        let mut known = Self {
            state: SessionState::empty(id),
            supervisor: None,
            codex: None,
            has_ended: false,
            last_event: String::new(),
        };
        events.iter().for_each(|event| known.take(event));
        known
    }

    /// With a look at the processes: what holds right now.
    pub(crate) fn now(mut self) -> SessionState {
        if self.has_ended {
            return self.state;
        }
        let runs =
            |identity: &Option<Identity>| identity.as_ref().is_some_and(Identity::is_running);
        if runs(&self.supervisor) {
            return self.state;
        }
        self.state.state = Status::Lost;
        let codex = match &self.codex {
            Some(codex) if codex.is_running() => {
                format!("codex (process {}) still runs: `stop` ends it", codex.pid)
            }
            Some(_) => "codex does not run any more".to_owned(),
            None => "codex was never started".to_owned(),
        };
        self.state.note = Some(format!(
            "the supervisor is gone without saying how it ended; its last word was `{}` at {}; {codex}",
            self.last_event, self.state.updated_at
        ));
        if !runs(&self.codex) {
            self.state.codex_pid = None;
        }
        self.state
    }

    fn take(&mut self, event: &Event) {
        let data = &event.data;
        let text = |name: &str| data[name].as_str().map(str::to_owned);
        let path = |name: &str| data[name].as_str().map(PathBuf::from).unwrap_or_default();
        self.last_event.clone_from(&event.event);
        let state = &mut self.state;
        state.updated_at.clone_from(&event.timestamp);
        match event.event.as_str() {
            // A log file that is named again begins anew.
            names::START => {
                self.has_ended = false;
                *state = SessionState::empty(&event.session);
                state.updated_at.clone_from(&event.timestamp);
                state.created_at.clone_from(&event.timestamp);
                state.cwd = path("cwd");
                state.tag = text("tag").unwrap_or_default();
                state.title = text("title").unwrap_or_default();
                state.log_file = path("log_file");
                state.meta_glob = path("meta_glob");
                state.last_message_glob = path("last_message_glob");
                state.resumed_from = text("resumed_from");
                let words = data["args"].as_array().into_iter().flatten();
                state.args = words.filter_map(|word| word.as_str().map(str::to_owned)).collect();
                self.supervisor = identity(&data["starter"]);
            }
            names::SPAWNED | names::SUPERVISED => {
                self.supervisor = identity(&data["supervisor"]);
                state.pid = self.supervisor.as_ref().map(|supervisor| supervisor.pid);
                if event.event == names::SUPERVISED {
                    state.orders(&data["effective"]);
                    state.codex_version = text("codex_version");
                }
            }
            names::ITERATION_STARTED => {
                state.iteration = number(&data["iteration"]);
                self.codex = identity(&data["codex"]);
                state.codex_pid = self.codex.as_ref().map(|codex| codex.pid);
            }
            names::CODEX if data["type"] == "thread.started" => {
                state.thread_id = text("thread_id");
            }
            names::STOP => state.stop_requested = true,
            names::COMPLETED => {
                self.has_ended = true;
                state.codex_pid = None;
                let word = data["state"].as_str().and_then(Status::named);
                state.state = word.unwrap_or(Status::Failed);
                state.exit_code =
                    data["exit_code"].as_i64().and_then(|code| i32::try_from(code).ok());
                state.classification = text("classification");
                state.reason = text("reason");
                state.tokens_used = data["tokens_used"].as_u64();
                state.thread_id = text("thread_id").or(state.thread_id.take());
            }
            _ => {}
        }
    }
}

impl SessionState {
    fn empty(id: &str) -> Self {
        Self {
            id: id.to_owned(),
            pid: None,
            state: Status::Running,
            exit_code: None,
            classification: None,
            reason: None,
            tokens_used: None,
            effective_sandbox: None,
            effective_network_access: None,
            effective_approval_policy: None,
            sandbox_bypass: None,
            effective_writable_roots: Vec::new(),
            cwd: PathBuf::new(),
            created_at: String::new(),
            updated_at: String::new(),
            tag: String::new(),
            log_file: PathBuf::new(),
            meta_glob: PathBuf::new(),
            last_message_glob: PathBuf::new(),
            args: Vec::new(),
            title: String::new(),
            resumed_from: None,
            thread_id: None,
            codex_version: None,
            iteration: 0,
            codex_pid: None,
            stop_requested: false,
            note: None,
        }
    }

    fn orders(&mut self, effective: &Value) {
        self.effective_sandbox = effective["sandbox"].as_str().map(str::to_owned);
        self.effective_approval_policy = effective["approval"].as_str().map(str::to_owned);
        let network = effective["network"].as_bool();
        self.effective_network_access =
            network.map(|is_open| if is_open { "enabled" } else { "restricted" }.to_owned());
        self.sandbox_bypass = effective["bypass"].as_bool().map(u8::from);
        let roots = effective["writable_roots"].as_array().into_iter().flatten();
        self.effective_writable_roots =
            roots.filter_map(Value::as_str).map(PathBuf::from).collect();
    }
}

fn number(value: &Value) -> u32 {
    value.as_u64().and_then(|number| u32::try_from(number).ok()).unwrap_or(0)
}

pub(crate) fn identity_json(identity: &Identity) -> Value {
    json!({ "pid": identity.pid, "start_ticks": identity.start_ticks, "boot_id": identity.boot_id })
}

fn identity(value: &Value) -> Option<Identity> {
    Some(Identity {
        pid: number(&value["pid"]),
        start_ticks: value["start_ticks"].as_u64()?,
        boot_id: value["boot_id"].as_str()?.to_owned(),
    })
}

#[cfg(test)]
mod tests;
