//! `events.jsonl`: what happened, one line each, only ever appended to. Everything else a session says about itself
//! can be made from it again.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::files;
use crate::redaction::Redaction;
use crate::run_host::RunHost;
use crate::session::Session;

/// Events of codex itself beyond this are counted and not kept.
const MAX_CODEX_BYTES: u64 = 4 * 1024 * 1024;
const LONGEST_TEXT: usize = 2_000;
const TAIL: u64 = 64 * 1024;

/// The names of our own events.
pub(crate) mod names {
    pub(crate) const START: &str = "start";
    pub(crate) const SPAWNED: &str = "supervisor_spawned";
    pub(crate) const SUPERVISED: &str = "supervised";
    pub(crate) const INSTRUCTIONS: &str = "instructions_updated";
    pub(crate) const ITERATION_STARTED: &str = "iteration_started";
    pub(crate) const ITERATION_COMPLETED: &str = "iteration_completed";
    pub(crate) const CODEX: &str = "codex_event";
    pub(crate) const STOP: &str = "stop_requested";
    pub(crate) const COMPLETED: &str = "orchestration_completed";
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Event {
    pub event: String,
    pub timestamp: String,
    #[serde(rename = "orchestrationId")]
    pub session: String,
    pub seq: u64,
    pub data: Value,
}

/// The writing end. Several processes may write to one journal: a supervisor, and whoever stops it.
pub(crate) struct Journal<'a> {
    file: io::Result<File>,
    session: String,
    host: &'a RunHost,
    redaction: Redaction,
    n_codex_bytes: u64,
    pub(crate) n_dropped: u64,
}

impl<'a> Journal<'a> {
    pub(crate) fn open(
        path: &Path,
        session: &str,
        host: &'a RunHost,
        redaction: &Redaction,
    ) -> Self {
        Self {
            file: files::appended(path),
            session: session.to_owned(),
            host,
            redaction: redaction.clone(),
            n_codex_bytes: 0,
            n_dropped: 0,
        }
    }

    /// An event of ours: on the disk when this returns. `facts` are what this program reads back, and are written as they
    /// are; `words` are text of the run, and are redacted.
    pub(crate) fn append(&mut self, event: &str, facts: Value, words: Value) -> io::Result<()> {
        let mut data = words;
        if let (Value::Object(words), Value::Object(facts)) = (&mut data, facts) {
            // Not the names of the fields: they are ours, and are read back.
            words.values_mut().for_each(|value| self.redaction.value(value));
            words.extend(facts);
        }
        self.write(event, data)?;
        if let Ok(file) = &self.file {
            file.sync_data()?;
        }
        Ok(())
    }

    /// An event of codex, shortened. A journal that cannot be written to must not end the run.
    pub(crate) fn codex(&mut self, event: &Value) {
        if self.n_codex_bytes > MAX_CODEX_BYTES {
            self.n_dropped += 1;
            return;
        }
        let mut data = event.clone();
        shorten(&mut data);
        self.redaction.value(&mut data);
        if let Some(thread) = thread_id(event) {
            // The name by which a later run continues this conversation.
            data = serde_json::json!({ "type": "thread.started", "thread_id": thread });
        }
        self.n_codex_bytes += data.to_string().len() as u64;
        if self.write(names::CODEX, data).is_err() {
            self.n_dropped += 1;
        }
    }

    fn write(&mut self, event: &str, data: Value) -> io::Result<()> {
        let file = match &mut self.file {
            Ok(file) => file,
            Err(error) => return Err(io::Error::new(error.kind(), error.to_string())),
        };
        file.lock()?;
        let written = last_line(file).and_then(|(seq, is_broken)| {
            let event = Event {
                event: event.to_owned(),
                timestamp: self.host.timestamp(),
                session: self.session.clone(),
                seq: seq + 1,
                data,
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

/// The number of the last event, and whether its line was never ended: a writer died there.
fn last_line(file: &mut File) -> io::Result<(u64, bool)> {
    let length = file.seek(SeekFrom::End(0))?;
    file.seek(SeekFrom::Start(length.saturating_sub(TAIL)))?;
    let mut tail = Vec::new();
    file.take(TAIL).read_to_end(&mut tail)?;
    let is_broken = tail.last().is_some_and(|byte| *byte != b'\n');
    let events = tail.split(|byte| *byte == b'\n').rev();
    let seq =
        events.filter_map(|line| serde_json::from_slice::<Event>(line).ok()).map(|event| event.seq);
    Ok((seq.max().unwrap_or(0), is_broken))
}

/// Everything that can be read; a line cut off by a crash is passed over. Sessions that were given the same folder or
/// the same log file write into one journal.
pub(crate) fn read_all(path: &Path) -> io::Result<Vec<Event>> {
    let bytes = files::read(path, u64::MAX)?;
    let lines = bytes.split(|byte| *byte == b'\n');
    Ok(lines.filter_map(|line| serde_json::from_slice(line).ok()).collect())
}

/// The events of one session, whoever else writes into the same journal.
pub(crate) fn read(session: &Session) -> io::Result<Vec<Event>> {
    let mut events = read_all(&session.events())?;
    events.retain(|event| event.session == session.id);
    Ok(events)
}

/// Codex's name for the conversation that begins with this event, if it is made like one and cannot be a secret.
fn thread_id(event: &Value) -> Option<&str> {
    let id = event["thread_id"].as_str().filter(|_| event["type"] == "thread.started")?;
    let is_uuid = id.len() == 36 && id.chars().all(|c| c.is_ascii_hexdigit() || c == '-');
    is_uuid.then_some(id)
}

fn shorten(value: &mut Value) {
    match value {
        Value::String(text) => {
            if let Some((at, _)) = text.char_indices().nth(LONGEST_TEXT) {
                text.truncate(at);
                text.push('…');
            }
        }
        Value::Array(items) => items.iter_mut().for_each(shorten),
        Value::Object(fields) => fields.values_mut().for_each(shorten),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

#[cfg(test)]
mod tests;
