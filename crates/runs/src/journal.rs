//! Writes and reads `events.jsonl`: the events of a session, one JSON object per line, append-only.
//!
//! `state.json` and the status of a session are computed from these events.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use process::ProcessIdentity;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::agents::AgentKind;
use crate::classify::Classification;
use crate::files;
use crate::redaction::Redaction;
use crate::run_host::RunHost;
use crate::session::Session;
use crate::spec::{EffectiveOrders, Origin};
use crate::state::SessionStatus;
use crate::usage::TotalUse;

/// The maximum total size of the codex events in the journal, in bytes. Later events are counted but not written.
const MAX_CODEX_BYTES: u64 = 4 * 1024 * 1024;
/// The maximum length of a string in a codex event, in characters. Longer strings are cut.
const MAX_CHARACTERS: usize = 2_000;
/// The number of bytes at the end of the file that are read to find the last event.
const TAIL: u64 = 64 * 1024;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Event {
    #[serde(flatten)]
    pub(crate) data: EventData,
    pub(crate) timestamp: String,
    #[serde(rename = "orchestrationId")]
    pub(crate) session: String,
    pub(crate) seq: u64,
}

/// The content of an event. Strings from the run are redacted when the event is written. Other fields are written
/// unchanged, because this program reads them back.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", content = "data", rename_all = "snake_case")]
pub(crate) enum EventData {
    Start(SessionStart),
    SupervisorSpawned {
        supervisor: ProcessIdentity,
    },
    Supervised {
        supervisor: ProcessIdentity,
        watchdog: Option<u32>,
        effective: EffectiveOrders,
        codex_version: Option<String>,
        reasons: Vec<String>,
        /// The path of the codex executable.
        codex: String,
    },
    InstructionsUpdated {
        iteration: u32,
        bytes: usize,
    },
    IterationStarted {
        iteration: u32,
        codex: ProcessIdentity,
        /// See [`crate::Continues::codex_home`].
        #[serde(default, skip_serializing_if = "Option::is_none")]
        codex_home: Option<PathBuf>,
    },
    IterationCompleted {
        iteration: u32,
        exit_code: i32,
        classification: String,
        /// The session's usage so far.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        total_use: Option<TotalUse>,
    },
    /// The session has started to wait for a usage limit to be reset.
    LimitWaitStarted {
        until: String,
    },
    /// An event that codex printed.
    CodexEvent(Value),
    StopRequested {
        pid: u32,
        forced: bool,
    },
    /// The session ends after its current turn and is classified as over budget.
    LastTurn {
        reason: String,
    },
    OrchestrationCompleted(SessionEnd),
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct SessionStart {
    pub(crate) origin: Option<Origin>,
    pub(crate) agent: AgentKind,
    pub(crate) cwd: PathBuf,
    /// The canonical path of `cwd`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) resolved_cwd: Option<PathBuf>,
    pub(crate) tag: String,
    pub(crate) log_file: PathBuf,
    pub(crate) meta_glob: PathBuf,
    pub(crate) last_message_glob: PathBuf,
    pub(crate) resumed_from: Option<String>,
    pub(crate) grace_ms: Option<u64>,
    pub(crate) shares_process: bool,
    /// The process that created the session.
    pub(crate) starter: Option<ProcessIdentity>,
    pub(crate) title: String,
    pub(crate) args: Vec<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SessionEnd {
    pub(crate) state: SessionStatus,
    pub(crate) exit_code: Option<i32>,
    pub(crate) classification: Option<String>,
    pub(crate) reason: Option<String>,
    pub(crate) tokens_used: Option<u64>,
    pub(crate) thread_id: Option<String>,
    pub(crate) iterations: Option<u32>,
    pub(crate) log_rotations: Option<u32>,
    pub(crate) codex_events_not_kept: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) total_use: Option<TotalUse>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) limit_resets_at: Option<String>,
    /// See [`crate::Continues::codex_home`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) codex_home: Option<PathBuf>,
}

impl SessionEnd {
    /// Creates the end record of a session for which only the state, exit code, classification and reason are known.
    pub(crate) fn new(
        state: SessionStatus,
        exit_code: Option<i32>,
        classification: Classification,
        reason: &str,
    ) -> Self {
        Self {
            state,
            exit_code,
            classification: Some(classification.word().to_owned()),
            reason: Some(reason.to_owned()),
            ..Self::default()
        }
    }
}

impl EventData {
    /// Returns the name of the event as it is written to the file, such as `supervised`.
    pub(crate) fn name(&self) -> String {
        json!(self)["event"].as_str().unwrap_or_default().to_owned()
    }

    fn redact(&mut self, redaction: &Redaction) {
        let clean = |text: &mut String| *text = redaction.text(text);
        match self {
            Self::Start(start) => {
                clean(&mut start.title);
                start.args.iter_mut().for_each(clean);
            }
            Self::Supervised { reasons, codex, .. } => {
                reasons.iter_mut().for_each(clean);
                clean(codex);
            }
            Self::OrchestrationCompleted(end) => end.reason.iter_mut().for_each(clean),
            Self::SupervisorSpawned { .. }
            | Self::InstructionsUpdated { .. }
            | Self::IterationStarted { .. }
            | Self::IterationCompleted { .. }
            | Self::LimitWaitStarted { .. }
            | Self::CodexEvent(_)
            | Self::StopRequested { .. }
            | Self::LastTurn { .. } => {}
        }
    }
}

/// Appends events to a journal. Several processes can write to the same journal, for example a supervisor and a process
/// that stops it.
pub(crate) struct Journal<'a> {
    file: io::Result<File>,
    session: String,
    host: &'a RunHost,
    redaction: Redaction,
    n_codex_bytes: u64,
    /// The number of codex events that were not written.
    pub(crate) n_dropped: u64,
}

impl<'a> Journal<'a> {
    /// Opens the journal of a session. If the file cannot be opened, the first write returns the error.
    pub(crate) fn open(session: &Session, host: &'a RunHost, redaction: &Redaction) -> Self {
        Self {
            file: files::open_for_appending(&session.events()),
            session: session.id.clone(),
            host,
            redaction: redaction.clone(),
            n_codex_bytes: 0,
            n_dropped: 0,
        }
    }

    /// Redacts one of this program's own events, writes it and syncs the file to disk.
    pub(crate) fn append(&mut self, mut data: EventData) -> io::Result<()> {
        data.redact(&self.redaction);
        self.write(data)?;
        if let Ok(file) = &self.file {
            file.sync_data()?;
        }
        Ok(())
    }

    /// Shortens, redacts and writes a codex event. If the event cannot be written, or if earlier events have already
    /// reached the maximum total size, only increments `n_dropped`.
    pub(crate) fn append_codex(&mut self, event: &str) {
        let data =
            serde_json::from_str(event).ok().filter(|_| self.n_codex_bytes <= MAX_CODEX_BYTES);
        let Some(mut data) = data else {
            self.n_dropped += 1;
            return;
        };
        self.redaction.json(&mut data, MAX_CHARACTERS);
        self.n_codex_bytes += data.to_string().len() as u64;
        if self.write(EventData::CodexEvent(data)).is_err() {
            self.n_dropped += 1;
        }
    }

    /// Writes the id of the thread. A later run needs the id to continue the conversation, so a UUID is not redacted.
    /// Any other string is redacted, because it could be a secret.
    pub(crate) fn append_thread(&mut self, thread: &str) {
        let is_uuid =
            thread.len() == 36 && thread.chars().all(|c| c.is_ascii_hexdigit() || c == '-');
        let thread = if is_uuid { thread.to_owned() } else { self.redaction.text(thread) };
        let data = json!({ "type": "thread.started", "thread_id": thread });
        if self.write(EventData::CodexEvent(data)).is_err() {
            self.n_dropped += 1;
        }
    }

    fn write(&mut self, data: EventData) -> io::Result<()> {
        let unopened = |error: &mut io::Error| io::Error::new(error.kind(), error.to_string());
        let file = self.file.as_mut().map_err(unopened)?;
        file.lock()?;
        let written = last_line(file).and_then(|(seq, is_broken)| {
            let event = Event {
                data,
                timestamp: self.host.timestamp(),
                session: self.session.clone(),
                seq: seq + 1,
            };
            let mut line = serde_json::to_vec(&event)?;
            line.push(b'\n');
            if is_broken {
                line.insert(0, b'\n');
            }
            file.write_all(&line)
        });
        file.unlock()?;
        written
    }
}

/// Returns the sequence number of the last event, and whether the last line is incomplete because its writer died.
fn last_line(file: &mut File) -> io::Result<(u64, bool)> {
    #[derive(Deserialize)]
    struct Number {
        seq: u64,
    }
    let tail = files::end_of(file, TAIL)?;
    let is_broken = tail.last().is_some_and(|byte| *byte != b'\n');
    let lines = tail.split(|byte| *byte == b'\n');
    let numbers = lines.filter_map(|line| serde_json::from_slice::<Number>(line).ok());
    Ok((numbers.map(|number| number.seq).max().unwrap_or(0), is_broken))
}

/// Reads all events in a file, and skips incomplete lines. The events can belong to several sessions, because sessions
/// with the same folder or log file share a journal.
pub(crate) fn read_all(path: &Path) -> io::Result<Vec<Event>> {
    let bytes = files::read(path, u64::MAX)?;
    let lines = bytes.split(|byte| *byte == b'\n');
    Ok(lines.filter_map(|line| serde_json::from_slice(line).ok()).collect())
}

#[cfg(test)]
mod tests;
