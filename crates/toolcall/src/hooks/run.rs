//! Runs one hook: its own process group, the call on stdin, no secret it did not ask for, an end in time.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use process::{Bounds, End, Environment, Finished, Program, Urgency, processes_with};
use serde_json::{Map, Value};

use super::{Action, Run};

const STDOUT_BYTES: usize = 64 * 1024;
const STDERR_BYTES: usize = 16 * 1024;
/// So much of what a hook says is passed on.
const MAX_WORDS: usize = 2000;
/// An environment variable may hold 128 KiB; longer arguments are on stdin alone.
const MAX_VARIABLE: usize = 100 * 1024;

/// Placeholders of old that were pasted into the command. Here each becomes a variable the shell reads.
const PLACEHOLDERS: [&str; 3] = ["TOOLSRESULT", "STOPSESSION", "SUBAGENTRESULT"];

/// How many hooks deep we are: a hook may call a tool, whose hooks fire too.
pub(crate) const DEPTH: &str = "ADJUTANT_HOOK_DEPTH";

/// By this everything a hook started can be found again, also what left its process group.
const MARK: &str = "ADJUTANT_HOOK_RUN";

/// How a hook ended. Whatever happened, there is one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Ran {
    /// `None`: it could not be started.
    pub(super) end: Option<End>,
    pub(super) stdout: String,
    pub(super) stderr: String,
    /// How much it printed, as far as it was kept.
    pub(super) bytes: usize,
    pub(super) cut: bool,
    pub(super) duration: Duration,
}

impl Ran {
    pub(super) fn ended(end: Option<End>) -> Self {
        Self {
            end,
            stdout: String::new(),
            stderr: String::new(),
            bytes: 0,
            cut: false,
            duration: Duration::ZERO,
        }
    }

    pub(super) fn not_run(why: impl Into<String>) -> Self {
        Self { stderr: why.into(), ..Self::ended(None) }
    }

    /// The exit code; below zero for everything that is none.
    pub(super) fn code(&self) -> i32 {
        match self.end {
            Some(End::Exited(code)) => code,
            Some(End::Signalled(_) | End::TimedOut) | None => -1,
        }
    }

    /// What it had to say: stderr, else stdout, else how it ended.
    pub(super) fn words(&self) -> String {
        let said =
            [self.stderr.trim(), self.stdout.trim()].into_iter().find(|text| !text.is_empty());
        let ended = match self.end {
            Some(End::TimedOut) => {
                Some(format!("no answer in {} ms; killed", self.duration.as_millis()))
            }
            Some(End::Signalled(signal)) => Some(format!("killed by signal {signal}")),
            Some(End::Exited(code)) if said.is_none() => Some(format!("exit {code}")),
            Some(End::Exited(_)) | None => None,
        };
        let said: String = said.unwrap_or_default().chars().take(MAX_WORDS).collect();
        match (ended, said.is_empty()) {
            (Some(ended), true) => ended,
            (Some(ended), false) => format!("{ended}: {said}"),
            (None, _) => said,
        }
    }
}

/// What all hooks of one call share.
pub(super) struct Surroundings<'a> {
    pub(super) environment: &'a Environment,
    pub(super) directory: PathBuf,
    pub(super) stdin: &'a Map<String, Value>,
    pub(super) deadline: Instant,
}

pub(super) fn run(action: &Action, around: &Surroundings<'_>) -> Ran {
    let started = Instant::now();
    let deadline = around.deadline.min(started + action.timeout);
    if deadline <= started {
        return Ran::not_run("no time was left to run it");
    }
    let mark = mark();
    let Some(program) = program(action, around, &mark) else {
        return Ran::not_run("it is no program");
    };
    let bounds = Bounds { deadline, stdout_bytes: STDOUT_BYTES, stderr_bytes: STDERR_BYTES };
    let ended = process::run(&program, &bounds);
    if matches!(&ended, Ok(Finished { end: End::TimedOut, .. })) {
        // Its group is gone; this is for those who left the group.
        for straggler in processes_with(MARK, &mark) {
            straggler.signal(Urgency::Force);
        }
    }
    match ended {
        Err(error) => Ran::not_run(format!("{error}: {}", error.source)),
        Ok(finished) => Ran {
            end: Some(finished.end),
            stdout: finished.stdout.text().trim().to_owned(),
            stderr: finished.stderr.text().trim().to_owned(),
            bytes: finished.stdout.bytes.len() + finished.stderr.bytes.len(),
            cut: finished.stdout.cut || finished.stderr.cut,
            duration: finished.duration,
        },
    }
}

/// Something no other run of a hook has.
fn mark() -> String {
    static SERIAL: AtomicU64 = AtomicU64::new(0);
    format!("{}-{}", std::process::id(), SERIAL.fetch_add(1, Ordering::Relaxed))
}

fn program(action: &Action, around: &Surroundings<'_>, mark: &str) -> Option<Program> {
    let stdin = serde_json::to_string(around.stdin).unwrap_or_default();
    let mut environment = environment(action, around).with(MARK, mark);
    let program = match &action.run {
        Run::Text(_) => return None,
        Run::Program(words) => {
            let (path, arguments) = words.split_first()?;
            let path = if path.contains('/') { around.directory.join(path) } else { path.into() };
            Program::new(path, environment).arguments(arguments)
        }
        Run::Shell(command) => {
            let mut command = command.clone();
            for name in PLACEHOLDERS {
                let placeholder = format!("${name}$");
                if command.contains(&placeholder) {
                    command = command.replace(&placeholder, &format!("${{{name}}}"));
                    environment = environment.with(name, variable(&stdin));
                }
            }
            Program::new("/bin/sh", environment).argument("-c").argument(command)
        }
    };
    Some(program.directory(&around.directory).stdin(stdin))
}

fn environment(action: &Action, around: &Surroundings<'_>) -> Environment {
    let mut environment = around.environment.without_secrets();
    for name in &action.environment {
        if let Some(value) = around.environment.text(name) {
            environment = environment.with(name, value);
        }
    }
    let text = |key: &str| around.stdin.get(key).and_then(Value::as_str).unwrap_or_default();
    let arguments = around.stdin.get("args").map(Value::to_string).unwrap_or_default();
    environment
        .with("ADJUTANT_HOOK_TYPE", variable(text("hookType")))
        .with("ADJUTANT_TOOL_NAME", variable(text("toolName")))
        .with("ADJUTANT_TOOL_ARGS_JSON", variable(&arguments))
        .with("ADJUTANT_ROOT", around.directory.as_path())
        .with(DEPTH, (depth(around.environment) + 1).to_string())
        .with("SNOW_CWD", variable(text("cwd")))
        .with("SNOW_PLATFORM", variable(text("platform")))
        .with("SNOW_SESSION_ID", variable(text("sessionId")))
        .with("TRELLIS_CONTEXT_ID", variable(text("sessionId")))
}

pub(crate) fn depth(environment: &Environment) -> u32 {
    environment.text(DEPTH).and_then(|text| text.parse().ok()).unwrap_or_default()
}

/// Empty rather than cut: half a JSON text is worse than none.
fn variable(text: &str) -> String {
    if text.len() > MAX_VARIABLE { String::new() } else { text.replace('\0', "") }
}
