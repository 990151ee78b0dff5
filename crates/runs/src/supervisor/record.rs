//! Writes the files of a running session. Write errors, such as a full disk or a deleted folder, do not end the run.
//! They are listed in the metadata.

use std::fs;
use std::path::Path;

use policy::{Approval, Requested, Sandbox};

use super::{Run, status};
use crate::agents::CommandLine;
use crate::classify::Classification;
use crate::files;
use crate::journal::{EventData, Journal, SessionEnd};
use crate::log::JobLog;
use crate::spec::{Echo, EffectiveOrders};
use crate::state::{Meta, SessionSummary};
use crate::usage::TotalUse;

/// The size of the reserve file in bytes. The file is deleted when a write fails, so that the last event, the metadata
/// and the state still fit on a full disk.
const RESERVE: usize = 64 * 1024;

pub(super) struct Record<'a> {
    run: &'a Run<'a>,
    pub(super) journal: Journal<'a>,
    pub(super) log: JobLog,
    problems: Vec<String>,
    /// The usage that was reported last.
    reported: TotalUse,
}

impl<'a> Record<'a> {
    pub(super) fn open(run: &'a Run<'a>) -> Self {
        let redaction = &run.checked.redaction;
        let mut record = Self {
            run,
            journal: open_journal(run),
            log: JobLog::open(&run.session.log(), run.spec.log.max_bytes, redaction),
            problems: Vec::new(),
            reported: TotalUse::default(),
        };
        let reserve = files::replace(&run.session.reserve(), &[b'.'; RESERVE]);
        record.note("reserve", reserve);
        record
    }

    pub(super) fn clean(&self, text: &str) -> String {
        self.run.checked.redaction.text(text)
    }

    pub(super) fn event(&mut self, data: EventData) {
        if self.journal.append(data.clone()).is_ok() {
            return;
        }
        self.free_reserve();
        self.journal = open_journal(self.run);
        let second = self.journal.append(data);
        self.note("events.jsonl", second);
    }

    /// Returns true if another process has written a stop request to the journal.
    pub(super) fn stop_was_requested(&self) -> bool {
        SessionSummary::read(self.run.session).is_ok_and(|summary| summary.state.stop_requested)
    }

    /// If another process has requested that the session end after the current turn, returns the reason in that
    /// request.
    pub(super) fn last_turn_reason(&self) -> Option<String> {
        SessionSummary::read(self.run.session).ok()?.last_turn
    }

    /// Rewrites `state.json` from the events in the journal.
    pub(super) fn write_state(&mut self) {
        let session = self.run.session;
        let Ok(summary) = SessionSummary::read(session) else { return };
        let Ok(text) = serde_json::to_vec_pretty(&summary.state) else { return };
        self.file(&session.state(), &text);
        if let Some(used) = summary.state.total_use.filter(|used| *used != self.reported) {
            self.reported = used;
            (self.run.on_use)(&used);
        }
    }

    /// Replaces a file atomically. If that fails, deletes the reserve file and tries again.
    pub(super) fn file(&mut self, path: &Path, bytes: &[u8]) {
        let write = || {
            // The folder for patches is created on demand. If the session's own folder was deleted, it is not created
            // again.
            if path.parent().is_some_and(Path::is_symlink) {
                return Err(std::io::Error::other("the folder is a link"));
            }
            if let Some(folder) = path.parent().filter(|folder| !folder.exists())
                && folder.parent().is_some_and(Path::exists)
                && folder != self.run.session.folder()
            {
                files::create_folder(folder)?;
            }
            files::replace(path, bytes)
        };
        if write().is_ok() {
            return;
        }
        self.free_reserve();
        let second = write();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        self.note(&name, second);
    }

    pub(super) fn meta(&mut self, iteration: u32, meta: &Meta) {
        if let Ok(text) = serde_json::to_vec_pretty(meta) {
            self.file(&self.run.session.meta(iteration), &text);
        }
    }

    pub(super) fn last_message(&mut self, iteration: u32, message: &str) {
        let clean = self.clean(message);
        self.file(&self.run.session.last_message(iteration), clean.as_bytes());
    }

    pub(super) fn instructions(&mut self, iteration: u32, text: &str) {
        let clean = self.clean(text);
        let path = self.run.session.instructions(iteration);
        self.file(&path, clean.as_bytes());
        self.event(EventData::InstructionsUpdated { iteration, bytes: clean.len() });
        if iteration == 1 {
            self.echo(&clean);
        }
    }

    fn echo(&mut self, instructions: &str) {
        let max_lines = match self.run.spec.log.echo {
            Echo::Off => return,
            Echo::All => usize::MAX,
            Echo::Lines(max_lines) => max_lines,
        };
        self.log.line("----- Composed Instructions (Sources) -----");
        for source in &self.run.spec.instructions.sources {
            self.log.line(&format!("- {source}"));
        }
        for file in &self.run.spec.instructions.left_out {
            self.log.line(&format!("- left out: {file}"));
        }
        self.log.line("----- Begin Composed Instructions -----");
        for line in instructions.lines().take(max_lines) {
            self.log.line(line);
        }
        if instructions.lines().nth(max_lines).is_some() {
            self.log.line(&format!("----- [Truncated after {max_lines} lines] -----"));
        }
        self.log.line("----- End Composed Instructions -----");
    }

    pub(super) fn heading(&mut self) {
        let Run { spec, checked, session, .. } = self.run;
        let version = checked.agent.version().unwrap_or("of unknown version");
        let mut lines = vec![
            format!("===== Codex Run Start: {} =====", self.name()),
            format!("Script: adjutant  PWD: {}", spec.directory.display()),
            format!("Log: {}", session.log().display()),
            format!("Instructions: {}", session.instructions(1).display()),
            format!("Meta: {}", session.meta(1).display()),
            format!("Patch Mode: {}", if spec.patch.is_some() { "on" } else { "off" }),
            format!("{}: {} {version}", checked.agent.name(), checked.program.display()),
            requested_line(checked.orders.requested),
            format!("Effective: {}", checked.effective()),
        ];
        lines.extend(checked.reasons().iter().map(|reason| format!("[arg-normalize] {reason}")));
        if !checked.redaction.is_enabled() {
            lines.push("[redact] off: --no-redact".to_owned());
        }
        let lines: Vec<String> = lines.iter().map(|line| checked.redaction.text(line)).collect();
        self.log.heading(&lines);
    }

    pub(super) fn invocation(&mut self, command_line: &CommandLine) {
        let redaction = &self.run.checked.redaction;
        let typed = redaction.arguments(&self.run.spec.command_line);
        let global = redaction.arguments(&command_line.global);
        let exec = redaction.arguments(&command_line.exec);
        self.log.line("----- Invocation Args -----");
        for (heading, words) in [
            ("start.sh argv (raw):", typed),
            ("codex global args:", global),
            ("codex exec args:", exec),
        ] {
            self.log.line(heading);
            for word in words {
                self.log.line(&format!("  {word}"));
            }
        }
        self.log.line("----- End Invocation Args -----");
    }

    /// Returns the metadata of a run, without the details of codex's process.
    pub(super) fn new_meta(
        &self,
        iteration: u32,
        classification: Classification,
        reason: &str,
        exit_code: i32,
    ) -> Meta {
        let Run { spec, checked, session, .. } = self.run;
        let clean = |text: &str| checked.redaction.text(text);
        let path = |path: std::path::PathBuf| path.display().to_string();
        let EffectiveOrders { orders, writable_roots } = checked.effective();
        let suffix = if iteration > 1 { format!("-r{iteration}") } else { String::new() };
        Meta {
            id: format!("codex-{}{suffix}", self.name()),
            timestamp: session.timestamp.clone(),
            tag: spec.tag.clone(),
            classification: classification.word().to_owned(),
            reason: clean(reason),
            exit_code,
            cwd: spec.directory.display().to_string(),
            log_file: path(session.log()),
            instructions_file: path(session.instructions(iteration)),
            title: clean(&spec.instructions.title),
            session: session.id.clone(),
            iteration,
            last_message_file: path(session.last_message(iteration)),
            requested: checked.orders.requested,
            effective_sandbox: orders.sandbox.to_string(),
            effective_approval_policy: orders.approval.to_string(),
            effective_network_access: orders.network.word().to_owned(),
            sandbox_bypass: u8::from(bool::from(orders.bypass)),
            effective_writable_roots: writable_roots,
            reasons: checked.reasons(),
            codex_version: checked.agent.version().map(str::to_owned),
            ..Meta::default()
        }
    }

    /// Returns the part of the session id after the prefix. For example, the name in `cdx-20260102_030405-abc123` is
    /// `20260102_030405-abc123`.
    fn name(&self) -> &str {
        let id = &self.run.session.id;
        id.split_once('-').map_or(id, |(_, name)| name)
    }

    pub(super) fn finish(mut self, mut meta: Meta) -> Meta {
        self.log.line(&format!("Exit Code: {}", meta.exit_code));
        let end = format!("===== Codex Run End: {} =====", self.run.host.timestamp());
        self.log.line(&end);
        if self.log.failure.is_some() {
            self.free_reserve();
        }
        self.log.finish(&self.run.checked.redaction);
        if let Some(failure) = &self.log.failure {
            let n_lost = self.log.n_lost_bytes;
            self.problems.push(format!("job.log: {failure}, {n_lost} bytes are missing"));
        }
        self.aggregate(&meta);
        self.event(EventData::OrchestrationCompleted(SessionEnd {
            state: status(&meta),
            exit_code: Some(meta.exit_code),
            classification: Some(meta.classification.clone()),
            reason: Some(meta.reason.clone()),
            tokens_used: meta.tokens_used,
            thread_id: meta.thread_id.clone(),
            iterations: Some(meta.iteration),
            log_rotations: Some(self.log.n_rotations),
            codex_events_not_kept: Some(self.journal.n_dropped),
            total_use: Some(meta.total_use),
            limit_resets_at: meta.limit_resets_at.clone(),
            codex_home: meta.codex_home.clone(),
        }));
        self.write_state();
        if !self.problems.is_empty() {
            meta.record_problems.clone_from(&self.problems);
            self.meta(meta.iteration, &meta);
        }
        self.free_reserve();
        meta
    }

    fn aggregate(&mut self, meta: &Meta) {
        let Some(aggregate) = &self.run.spec.log.aggregate else { return };
        let session = self.run.session;
        let text = aggregate.text.clone().unwrap_or_else(|| session.aggregate("txt"));
        let jsonl = aggregate.jsonl.clone().unwrap_or_else(|| session.aggregate("jsonl"));
        let line = format!(
            "{} {} exit {} {} {}: {}\n",
            meta.timestamp, meta.id, meta.exit_code, meta.classification, meta.title, meta.reason
        );
        let json = serde_json::to_string(meta).unwrap_or_default();
        for (path, line) in [(text, line), (jsonl, format!("{json}\n"))] {
            let written = files::open_for_appending(&path)
                .and_then(|mut file| std::io::Write::write_all(&mut file, line.as_bytes()));
            self.note("aggregate", written);
        }
    }

    fn free_reserve(&self) {
        // Errors are ignored: the file or its folder may already have been deleted.
        drop(fs::remove_file(self.run.session.reserve()));
    }

    fn note(&mut self, what: &str, result: std::io::Result<()>) {
        if let Err(error) = result {
            let problem = format!("{what}: {error}");
            if !self.problems.contains(&problem) {
                self.problems.push(problem);
            }
        }
    }
}

fn requested_line(requested: Requested) -> String {
    let Requested { sandbox, approval, network, bypass, full_auto } = requested;
    let sandbox = sandbox.map_or("not set", Sandbox::word);
    let approval = approval.map_or("not set", Approval::word);
    let (network, bypass) = (bool::from(network), bool::from(bypass));
    format!(
        "Requested: approval {approval} · bypass {bypass} · full_auto {full_auto} · network {network} · sandbox {sandbox}"
    )
}

fn open_journal<'a>(run: &Run<'a>) -> Journal<'a> {
    Journal::open(run.session, run.host, &run.checked.redaction)
}
