//! The published state of a session and the metadata of its runs. The state is computed from the session's events and its
//! running processes.
//!
//! `state.json` contains the state at the time of the last write, and the journal may have newer events. Reading a
//! state writes nothing.

use std::io;
use std::path::PathBuf;

use policy::{Approval, Requested, Sandbox};
use process::ProcessIdentity;
use serde::{Deserialize, Serialize};

use crate::agents::AgentKind;
use crate::journal::{self, Event, EventData, SessionEnd, SessionStart};
use crate::patch::PatchArtifact;
use crate::session::Session;
use crate::spec::EffectiveOrders;
use crate::usage::{TotalUse, Usage};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SessionStatus {
    #[default]
    Running,
    Completed,
    Failed,
    Stopped,
    /// The supervisor exited without recording the end of the session.
    Lost,
}

impl SessionStatus {
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

/// The published state of a session.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct SessionState {
    pub id: String,
    /// The process id of the supervisor.
    pub pid: Option<u32>,
    pub state: SessionStatus,
    pub exit_code: Option<i32>,
    pub classification: Option<String>,
    pub reason: Option<String>,
    pub tokens_used: Option<u64>,
    pub effective_sandbox: Option<Sandbox>,
    /// `enabled` or `restricted`.
    pub effective_network_access: Option<&'static str>,
    pub effective_approval_policy: Option<Approval>,
    pub sandbox_bypass: Option<u8>,
    /// The directories that codex can write to, in addition to `cwd`.
    pub effective_writable_roots: Vec<PathBuf>,
    /// The source of the five fields above. It is not serialised.
    #[serde(skip)]
    pub effective: Option<EffectiveOrders>,
    pub cwd: PathBuf,
    /// The canonical path of `cwd` when the session started. It is not serialised.
    #[serde(skip)]
    pub resolved_cwd: Option<PathBuf>,
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
    /// Codex's id for the conversation, which `resume` continues.
    pub thread_id: Option<String>,
    pub codex_version: Option<String>,
    pub agent: AgentKind,
    pub iteration: u32,
    /// The process id of codex, or `None` before codex starts and after the session ends.
    pub codex_pid: Option<u32>,
    pub stop_requested: bool,
    /// The usage of the session, updated whenever one of its processes exits. `None` until the first process has
    /// exited.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total_use: Option<TotalUse>,
    /// The reset time of the usage limit that ended the session or that the session is waiting for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit_resets_at: Option<String>,
    /// See [`crate::Continues::codex_home`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub codex_home: Option<PathBuf>,
    /// For a lost session, a sentence that names the last event and says whether codex is still running.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// The published description of a run, which is the content of `meta.json`. The first twelve keys keep this order; new
/// versions only append keys.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Meta {
    pub id: String,
    pub timestamp: String,
    pub tag: String,
    pub classification: String,
    pub control_flag: String,
    pub reason: String,
    pub tokens_used: Option<u64>,
    pub cwd: String,
    pub log_file: String,
    pub instructions_file: String,
    pub exit_code: i32,
    pub title: String,
    pub session: String,
    pub iteration: u32,
    pub last_message_file: String,
    pub requested: Requested,
    pub effective_sandbox: String,
    pub effective_approval_policy: String,
    pub effective_network_access: String,
    pub sandbox_bypass: u8,
    /// The directories that codex can write to, in addition to `cwd`.
    pub effective_writable_roots: Vec<PathBuf>,
    pub reasons: Vec<String>,
    pub codex_version: Option<String>,
    pub codex_exit_code: Option<i32>,
    pub signal: Option<i32>,
    pub thread_id: Option<String>,
    pub usage: Option<Usage>,
    pub duration_ms: u64,
    pub patch_artifact: Option<PatchArtifact>,
    /// Errors from writing the session's files, for example on a full disk.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub record_problems: Vec<String>,
    /// The usage of the whole session. `usage` contains the usage of its last process.
    pub total_use: TotalUse,
    /// The time at which the usage limit that ended the run is reset, such as `2026-01-02T03:04:05Z`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit_resets_at: Option<String>,
    /// See [`crate::Continues::codex_home`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub codex_home: Option<PathBuf>,
}

/// The state of a session, computed from its events.
#[derive(Clone, Debug, Default)]
pub(crate) struct SessionSummary {
    pub(crate) state: SessionState,
    pub(crate) supervisor: Option<ProcessIdentity>,
    pub(crate) codex: Option<ProcessIdentity>,
    pub(crate) grace_ms: Option<u64>,
    pub(crate) shares_process: bool,
    /// The reason in the first request that the session end after its current turn.
    pub(crate) last_turn: Option<String>,
    pub(crate) has_ended: bool,
    last_event: String,
}

impl SessionSummary {
    /// Reads the events of a session.
    pub(crate) fn read(session: &Session) -> io::Result<Self> {
        Ok(Self::from_events(&session.id, &journal::read_all(&session.events())?))
    }

    /// Computes the state from the events of this session. `events` can contain events of other sessions.
    pub(crate) fn from_events(id: &str, events: &[Event]) -> Self {
        let mut summary = Self::default();
        id.clone_into(&mut summary.state.id);
        let mut own = events.iter().filter(|event| event.session == id);
        own.clone().for_each(|event| summary.add(event));
        let last = own.next_back();
        summary.last_event = last.map(|event| event.data.name()).unwrap_or_default();
        summary
    }

    /// Returns the current state. A session is lost if its end is not recorded and its supervisor is not running.
    pub(crate) fn now(mut self) -> SessionState {
        let runs = |identity: &Option<ProcessIdentity>| {
            identity.as_ref().is_some_and(ProcessIdentity::is_running)
        };
        if self.has_ended || runs(&self.supervisor) {
            return self.state;
        }
        self.state.state = SessionStatus::Lost;
        let codex = match &self.codex {
            Some(codex) if codex.is_running() => {
                format!("codex (process {}) is still running: `stop` ends it", codex.pid)
            }
            Some(_) => "codex is not running".to_owned(),
            None => "codex was never started".to_owned(),
        };
        self.state.note = Some(format!(
            "the supervisor exited without recording the end of the session; the last event is `{}` at {}; {codex}",
            self.last_event, self.state.updated_at
        ));
        if !runs(&self.codex) {
            self.state.codex_pid = None;
        }
        self.state
    }

    fn add(&mut self, event: &Event) {
        match &event.data {
            EventData::Start(start) => self.start(event, start),
            EventData::SupervisorSpawned { supervisor } => self.supervise(supervisor),
            EventData::Supervised { supervisor, effective, codex_version, .. } => {
                self.supervise(supervisor);
                self.state.set_orders(effective);
                self.state.codex_version.clone_from(codex_version);
            }
            EventData::IterationStarted { iteration, codex, codex_home } => {
                if self.state.codex_home != *codex_home {
                    // A thread of the previous account cannot be continued with the new account.
                    self.state.thread_id = None;
                    self.state.codex_home.clone_from(codex_home);
                }
                self.state.iteration = *iteration;
                self.state.codex_pid = Some(codex.pid);
                self.state.limit_resets_at = None;
                self.codex = Some(codex.clone());
            }
            EventData::LimitWaitStarted { until } => {
                self.state.codex_pid = None;
                self.state.limit_resets_at = Some(until.clone());
            }
            EventData::CodexEvent(data) => {
                if data["type"] == "thread.started" {
                    self.state.thread_id = data["thread_id"].as_str().map(str::to_owned);
                }
            }
            EventData::StopRequested { .. } => self.state.stop_requested = true,
            EventData::OrchestrationCompleted(end) => self.end(end),
            EventData::IterationCompleted { total_use, .. } => {
                self.state.total_use = *total_use;
                let tokens = total_use.map(|used| used.tokens.total());
                self.state.tokens_used = tokens.filter(|tokens| *tokens > 0);
            }
            EventData::LastTurn { reason } => {
                self.last_turn.get_or_insert_with(|| reason.clone());
            }
            EventData::InstructionsUpdated { .. } => {}
        }
        self.state.updated_at.clone_from(&event.timestamp);
    }

    /// Resets the state to that of a session that has just started, and discards everything from earlier events.
    fn start(&mut self, event: &Event, start: &SessionStart) {
        let start = start.clone();
        self.has_ended = false;
        self.supervisor = start.starter;
        self.grace_ms = start.grace_ms;
        self.shares_process = start.shares_process;
        self.state = SessionState {
            id: event.session.clone(),
            created_at: event.timestamp.clone(),
            cwd: start.cwd,
            resolved_cwd: start.resolved_cwd,
            tag: start.tag,
            title: start.title,
            log_file: start.log_file,
            meta_glob: start.meta_glob,
            last_message_glob: start.last_message_glob,
            resumed_from: start.resumed_from,
            args: start.args,
            agent: start.agent,
            ..SessionState::default()
        };
    }

    fn supervise(&mut self, supervisor: &ProcessIdentity) {
        self.state.pid = Some(supervisor.pid);
        self.supervisor = Some(supervisor.clone());
    }

    fn end(&mut self, end: &SessionEnd) {
        self.has_ended = true;
        let state = &mut self.state;
        state.codex_pid = None;
        state.state = end.state;
        state.exit_code = end.exit_code;
        state.classification.clone_from(&end.classification);
        state.reason.clone_from(&end.reason);
        state.tokens_used = end.tokens_used;
        state.total_use = end.total_use;
        state.limit_resets_at.clone_from(&end.limit_resets_at);
        if let Some(thread) = &end.thread_id {
            state.thread_id = Some(thread.clone());
            state.codex_home.clone_from(&end.codex_home);
        }
    }
}

impl SessionState {
    fn set_orders(&mut self, effective: &EffectiveOrders) {
        let EffectiveOrders { orders, writable_roots } = effective;
        self.effective_sandbox = Some(orders.sandbox);
        self.effective_approval_policy = Some(orders.approval);
        self.effective_network_access = Some(orders.network.word());
        self.sandbox_bypass = Some(u8::from(bool::from(orders.bypass)));
        self.effective_writable_roots.clone_from(writable_roots);
        self.effective = Some(effective.clone());
    }
}

#[cfg(test)]
mod tests;
