//! One process of codex: started, listened to, ended, judged.

use std::cell::RefCell;
use std::path::Path;
use std::time::{Duration, Instant};

use process::{End, Identity, OutputEvent, Program, StopCause, Supervised};
use serde_json::{Value, json};

use super::record::Record;
use super::{Run, codex_environment};
use crate::classify::{Classification, Ending, Verdict, classify};
use crate::files;
use crate::journal::names;
use crate::patch::{NoPatch, Patch, PatchTarget, repository_around};
use crate::state::identity_json;
use crate::stream::{Account, Lines, Said, for_a_person};

/// The end of what codex said outside its events: enough to tell why it failed.
const TALK_KEPT: usize = 16 * 1024;
const MAX_LAST_MESSAGE_BYTES: u64 = 16 * 1024 * 1024;
/// As `timeout(1)` has it.
const TIMED_OUT: i32 = 124;
const TERMINATED: i32 = 143;
const NOT_STARTED: i32 = 126;

pub(super) struct Ended {
    pub(super) supervised: Supervised,
    pub(super) account: Account,
    pub(super) last_message: Option<String>,
    pub(super) verdict: Verdict,
    pub(super) patch: Option<Value>,
}

impl Ended {
    /// Codex's own, unless it was us who ended it, or it ended with 0 and did not do what it was for.
    pub(super) fn exit_code(&self) -> i32 {
        match (self.supervised.stopped, self.supervised.end) {
            (Some(StopCause::Wall | StopCause::Idle), _) | (_, End::TimedOut) => TIMED_OUT,
            (Some(StopCause::Asked), _) => TERMINATED,
            (None, End::Signalled(signal)) => 128 + signal,
            (None, End::Exited(0)) if !is_good(self.verdict.classification) => 1,
            (None, End::Exited(code)) => code,
        }
    }

    pub(super) fn codex_exit_code(&self) -> Option<i32> {
        match self.supervised.end {
            End::Exited(code) => Some(code),
            End::Signalled(_) | End::TimedOut => None,
        }
    }

    pub(super) fn signal(&self) -> Option<i32> {
        match self.supervised.end {
            End::Signalled(signal) => Some(signal),
            End::Exited(_) | End::TimedOut => None,
        }
    }
}

fn is_good(classification: Classification) -> bool {
    matches!(
        classification,
        Classification::Normal
            | Classification::Done
            | Classification::Continue
            | Classification::PatchOnly
    )
}

/// What listens while codex talks.
struct Listener<'a, 'r, 's> {
    record: &'a mut Record<'r>,
    said: &'s mut dyn FnMut(&str),
    account: Account,
    stdout: Lines,
    stderr: Lines,
    talk: String,
    iteration: u32,
}

/// One of the runs of a session.
pub(super) struct Turn<'a> {
    pub(super) iteration: u32,
    pub(super) text: &'a str,
    pub(super) thread: Option<&'a str>,
    /// When the first of them began: the time-out is for all of them together.
    pub(super) begun: Instant,
}

pub(super) fn run_once(
    run: &Run<'_>,
    record: &mut Record<'_>,
    turn: &Turn<'_>,
    said: &mut dyn FnMut(&str),
) -> Ended {
    let Turn { iteration, text, thread, begun } = *turn;
    // Only a codex without events writes into it, and only until it is read: what it writes is not redacted.
    let private = tempfile::tempdir();
    let last_file =
        private.as_ref().map(|folder| folder.path().join("last.txt")).unwrap_or_default();
    let heading = if iteration == 1 {
        "----- Begin Codex Output -----".to_owned()
    } else {
        format!("----- Begin Codex Output (iteration {iteration}) -----")
    };
    record.log.line(&heading);
    let command_line = match run.ready.command_line(thread, &last_file) {
        Ok(command_line) => command_line,
        Err(error) => return not_started(&error.to_string()),
    };
    record.invocation(&command_line);
    let program = Program::new(&run.ready.program, codex_environment(run))
        .arguments(command_line.words())
        .directory(&run.spec.directory)
        .stdin(text);
    let listener = RefCell::new(Listener {
        record,
        said,
        account: Account::default(),
        stdout: Lines::default(),
        stderr: Lines::default(),
        talk: String::new(),
        iteration,
    });
    let supervised = process::supervise(
        &program,
        run.spec.patience.patience(begun),
        run.switch,
        |identity| listener.borrow_mut().started(&identity),
        |heard| listener.borrow_mut().heard(heard),
    );
    let mut listener = listener.into_inner();
    listener.finish();
    let Listener { account, talk, record, .. } = listener;
    let supervised = match supervised {
        Ok(supervised) => supervised,
        Err(error) => return not_started(&format!("{error}: {}", error.source)),
    };
    let supervised = match supervised.stopped {
        None if record.stop_was_requested() => {
            Supervised { stopped: Some(StopCause::Asked), ..supervised }
        }
        _ => supervised,
    };
    let last_message = account.last_message.clone().or_else(|| message_in(&last_file));
    let patch = patch(run, record, last_message.as_deref());
    if let Err(problem) = &patch {
        record.log.line(&format!("[patch] nothing was written: {problem}"));
    }
    let has_patch = matches!(patch, Ok(Some(_)));
    let mut verdict = classify(&Ending {
        end: supervised.end,
        stopped: supervised.stopped,
        account: &account,
        has_events: run.ready.has_events(),
        last_message: last_message.as_deref(),
        talk: &talk,
        prompt: text,
        has_patch,
    });
    if let Err(problem) = &patch
        && is_good(verdict.classification)
    {
        verdict = without_patch(verdict, problem);
    }
    Ended { supervised, account, last_message, verdict, patch: patch.unwrap_or_default() }
}

/// Commands in the sandbox can write to temporary folders: a FIFO there must not make us wait.
fn message_in(file: &Path) -> Option<String> {
    let bytes = files::read(file, MAX_LAST_MESSAGE_BYTES).ok()?;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    (!text.trim().is_empty()).then_some(text)
}

fn not_started(reason: &str) -> Ended {
    Ended {
        supervised: Supervised {
            end: End::Exited(NOT_STARTED),
            stopped: None,
            killed: false,
            duration: Duration::ZERO,
        },
        account: Account::default(),
        last_message: None,
        verdict: Verdict {
            classification: Classification::Error,
            reason: format!("Codex could not be started: {reason}"),
            control: None,
        },
        patch: None,
    }
}

impl Listener<'_, '_, '_> {
    fn started(&mut self, identity: &Identity) {
        let data = json!({ "iteration": self.iteration, "codex": identity_json(identity) });
        self.record.event(names::ITERATION_STARTED, data, json!({}));
        self.record.project();
        self.record.log.flush();
    }

    fn heard(&mut self, heard: OutputEvent<'_>) {
        match heard {
            OutputEvent::Stdout(bytes) => {
                for said in self.stdout.push(bytes) {
                    self.out(said);
                }
            }
            OutputEvent::Stderr(bytes) => {
                for said in self.stderr.push(bytes) {
                    self.aside(&said);
                }
            }
            OutputEvent::Silence => self.record.log.flush(),
        }
    }

    fn finish(&mut self) {
        if let Some(said) = std::mem::take(&mut self.stdout).finish() {
            self.out(said);
        }
        if let Some(said) = std::mem::take(&mut self.stderr).finish() {
            self.aside(&said);
        }
    }

    fn out(&mut self, said: Said) {
        match said {
            Said::Text(line) => self.text(&line),
            Said::Event(event) => {
                let knew_thread = self.account.thread_id.is_some();
                self.account.take(&event);
                self.record.journal_codex(&event);
                if !knew_thread && self.account.thread_id.is_some() {
                    self.record.project();
                }
                if let Some(line) = for_a_person(&event) {
                    (self.said)(&self.record.clean(&line));
                    self.record.log.line(&line);
                }
            }
        }
    }

    fn aside(&mut self, said: &Said) {
        match said {
            Said::Text(line) => self.text(line),
            Said::Event(event) => self.text(&event.to_string()),
        }
    }

    fn text(&mut self, line: &str) {
        self.record.log.line(line);
        self.talk.push_str(line);
        self.talk.push('\n');
        if self.talk.len() > 2 * TALK_KEPT {
            let mut cut = self.talk.len() - TALK_KEPT;
            while !self.talk.is_char_boundary(cut) {
                cut += 1;
            }
            self.talk.drain(..cut);
        }
    }
}

/// In patch mode: takes the patch out of the answer, tries it and keeps it. None if there is none; an error says why there
/// is nothing that could be kept.
fn patch(
    run: &Run<'_>,
    record: &mut Record<'_>,
    message: Option<&str>,
) -> Result<Option<Value>, String> {
    let (Some(wanted), Some(message)) = (&run.spec.patch, message) else { return Ok(None) };
    let patch = match Patch::in_message(message) {
        Ok(patch) => patch,
        Err(NoPatch::Absent) => return Ok(None),
        Err(NoPatch::Malformed(malformed)) => return Err(malformed.to_string()),
    };
    for line in patch.text.lines().take(wanted.preview_lines) {
        record.log.line(&format!("[patch] {line}"));
    }
    if !wanted.keeps_artifact {
        return Ok(Some(Value::Bool(true)));
    }
    // Redacted like everything else; a patch that held a secret then no longer applies, and says so.
    let clean = patch
        .redacted(|text| record.clean(text))
        .ok_or("without its secrets it is not a well-formed patch any more")?;
    let applies = clean.applies(&run.spec.directory, &run.host.environment);
    let path = match &wanted.output {
        Some(path) => {
            let repository = repository_around(&run.spec.directory);
            let target = PatchTarget::resolve(path, &repository);
            target
                .and_then(|target| target.write(&clean.text))
                .map_err(|error| error.to_string())?;
            path.clone()
        }
        None => {
            let path = run.session.patch();
            record.file(&path, clean.text.as_bytes());
            path
        }
    };
    Ok(Some(clean.artifact(&path, applies)))
}

/// A run in patch mode that left no patch although it gave one did not do what it was for.
fn without_patch(verdict: Verdict, problem: &str) -> Verdict {
    let reason = format!("No patch was written: {problem}");
    Verdict { classification: Classification::Error, reason, ..verdict }
}
