//! Runs one hook in its own process group, with a deadline. The hook reads the call from standard input.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use contract::Arguments;
use policy::{Verified, VerifyError, WrittenCommand};
use process::{Bounds, End, Environment, Finished, Program, Urgency, processes_with};

use super::action::placeholder_variables;
use super::{HookAction, HookInput, Run, Scope};
use crate::start::{self, without_folders_of};

const MAX_STDOUT_BYTES: usize = 64 * 1024;
const MAX_STDERR_BYTES: usize = 16 * 1024;
/// The maximum length of a hook's message, in characters. A longer message is truncated.
const MAX_MESSAGE_CHARS: usize = 2000;
/// The maximum size of a value that is passed as an environment variable, in bytes. Linux limits a variable to 128 KiB, so a
/// longer value is available only on standard input.
const MAX_VARIABLE_BYTES: usize = 100 * 1024;

/// The environment variable that contains the nesting depth of hooks. If a hook calls a tool, the hooks of that call are
/// nested in it.
const DEPTH: &str = "ADJUTANT_HOOK_DEPTH";

/// The environment variable that marks all processes of a hook run, including those that leave the process group.
const MARK: &str = "ADJUTANT_HOOK_RUN";

/// The output of a hook, and how the hook ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct HookOutput {
    /// How the hook ended. `None` if the hook was not started.
    pub(super) end: Option<End>,
    pub(super) stdout: String,
    pub(super) stderr: String,
    /// The number of output bytes that were kept.
    pub(super) bytes: usize,
    pub(super) cut: bool,
    pub(super) duration: Duration,
}

impl HookOutput {
    pub(super) fn not_run(reason: impl Into<String>) -> Self {
        Self { stderr: reason.into(), ..Self::default() }
    }

    /// Returns the exit code, or -1 if the hook did not exit normally.
    pub(super) fn code(&self) -> i32 {
        match self.end {
            Some(End::Exited(code)) => code,
            Some(End::Signalled(_) | End::TimedOut) | None => -1,
        }
    }

    /// Returns the hook's message: standard error, or standard output if standard error is empty. If the hook was killed or
    /// printed nothing, the message starts with a description of how the hook ended.
    pub(super) fn message(&self) -> String {
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
        let said: String = said.unwrap_or_default().chars().take(MAX_MESSAGE_CHARS).collect();
        match (ended, said.is_empty()) {
            (Some(ended), true) => ended,
            (Some(ended), false) => format!("{ended}: {said}"),
            (None, _) => said,
        }
    }
}

/// The input of a hook run, apart from the action.
pub(super) struct RunInput<'a> {
    pub(super) environment: &'a Environment,
    pub(super) directory: PathBuf,
    /// The owner of the hook file.
    pub(super) scope: Scope,
    /// A function that verifies that the hook's scripts have not changed since the user trusted them. Called immediately
    /// before the hook starts, because an earlier hook may have changed them or may have run for a long time.
    pub(super) verify: &'a dyn Fn(WrittenCommand) -> Result<Verified, VerifyError>,
    pub(super) stdin: &'a HookInput,
    pub(super) arguments: &'a Arguments,
    pub(super) deadline: Instant,
}

pub(super) fn run(action: &HookAction, input: &RunInput<'_>) -> HookOutput {
    let started = Instant::now();
    let deadline = input.deadline.min(started + action.timeout);
    if deadline <= started {
        return HookOutput::not_run("no time was left to run it");
    }
    let Some(command) = action.run.command() else {
        return HookOutput::not_run("it is not a program");
    };
    let bounds =
        Bounds { deadline, stdout_bytes: MAX_STDOUT_BYTES, stderr_bytes: MAX_STDERR_BYTES };
    // Until the hook has ended, `verified` keeps the copy of its script.
    let verified = match process::without_starts(|| (input.verify)(command)) {
        Ok(verified) => verified,
        Err(error) => return HookOutput::not_run(error.to_string()),
    };
    let mark = mark();
    let program = program(action, &verified, input, &mark);
    let ended = process::run(&program, &bounds);
    if matches!(&ended, Ok(Finished { end: End::TimedOut, .. })) {
        // The process group has already been killed. This loop kills the processes that have left the group.
        for process in processes_with(MARK, &mark) {
            process.signal(Urgency::Force);
        }
    }
    match ended {
        Err(error) => HookOutput::not_run(error.to_string()),
        Ok(finished) => HookOutput {
            end: Some(finished.end),
            stdout: finished.stdout.text().trim().to_owned(),
            stderr: finished.stderr.text().trim().to_owned(),
            bytes: finished.stdout.bytes.len() + finished.stderr.bytes.len(),
            cut: finished.stdout.cut || finished.stderr.cut,
            duration: finished.duration,
        },
    }
}

/// Returns a string that is unique to each hook run.
fn mark() -> String {
    static SERIAL: AtomicU64 = AtomicU64::new(0);
    format!("{}-{}", std::process::id(), SERIAL.fetch_add(1, Ordering::Relaxed))
}

fn program(action: &HookAction, verified: &Verified, input: &RunInput<'_>, mark: &str) -> Program {
    let stdin = serde_json::to_string(input.stdin).unwrap_or_default();
    let mut environment = environment(action, input).with(MARK, mark);
    if let Run::Shell(command) = &action.run {
        for name in placeholder_variables(command) {
            environment = environment.with(name, variable(&stdin));
        }
    }
    start::program(verified, &input.directory, environment).stdin(stdin)
}

fn environment(action: &HookAction, input: &RunInput<'_>) -> Environment {
    let mut environment = input.environment.without_secrets();
    for name in &action.environment {
        if let Some(value) = input.environment.text(name) {
            environment = environment.with(name, value);
        }
    }
    let text = |key: &str| input.stdin.text(key);
    let environment = environment
        .with("ADJUTANT_HOOK_TYPE", variable(text("hookType")))
        .with("ADJUTANT_TOOL_NAME", variable(text("toolName")))
        .with("ADJUTANT_TOOL_ARGS_JSON", variable(&input.arguments.to_string()))
        .with("ADJUTANT_ROOT", input.directory.as_path())
        .with("PWD", input.directory.as_path())
        .with(DEPTH, (depth(input.environment) + 1).to_string())
        .with("SNOW_CWD", variable(text("cwd")))
        .with("SNOW_PLATFORM", variable(text("platform")))
        .with("SNOW_SESSION_ID", variable(text("sessionId")))
        .with("TRELLIS_CONTEXT_ID", variable(text("sessionId")));
    match input.scope {
        Scope::Global => environment,
        Scope::Project => without_folders_of(environment, &[&input.directory]),
    }
}

pub(crate) fn depth(environment: &Environment) -> u32 {
    environment.text(DEPTH).and_then(|text| text.parse().ok()).unwrap_or_default()
}

/// Returns the value for an environment variable. A value that is too long is replaced by an empty string, because
/// truncated JSON is not valid.
fn variable(text: &str) -> String {
    if text.len() > MAX_VARIABLE_BYTES { String::new() } else { text.replace('\0', "") }
}
