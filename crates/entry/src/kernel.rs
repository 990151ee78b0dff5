//! Runs the kernel as a child process with a deadline.

use std::time::{Duration, Instant};

use contract::{ExitCode, Limit, Request};
use process::{Bounds, End, Program};

use crate::answer::Answer;
use crate::request::WORKING_DIRECTORY;
use crate::{Format, HookHost, Invocation};

/// The time that is added to the kernel's budget for starting the kernel, reading settings and printing.
const MARGIN: Duration = Duration::from_millis(1500);
/// The maximum time to wait for the kernel in hook mode. It is shorter than the hook timeout of 15 seconds that
/// `adjutant install` sets. After that timeout, a client ignores the hook's output.
const MAX_HOOK_TIME: Duration = Duration::from_secs(14);
const MAX_STDOUT: usize = 8 * 1024 * 1024;
const MAX_STDERR: usize = 64 * 1024;

/// The `[Limits]` message and the exit code for a kernel that returned no valid output.
pub(crate) struct Failure {
    pub(crate) limit: Limit,
    pub(crate) exit: ExitCode,
}

pub(crate) fn ask(
    request: &Request,
    invocation: &Invocation,
    host: &HookHost,
) -> Result<Answer, Failure> {
    let program = program(request, host).ok_or_else(|| {
        unavailable("the folder of adjutant-hook is not known", ExitCode::KernelUnavailable)
    })?;
    let allowed = allowed_time(request, invocation, host);
    let bounds = Bounds {
        deadline: Instant::now() + allowed,
        stdout_bytes: MAX_STDOUT,
        stderr_bytes: MAX_STDERR,
    };
    let finished = process::run(&program, &bounds).map_err(|error| {
        unavailable(&format!("{error}: {}", error.source), ExitCode::KernelUnavailable)
    })?;
    match finished.end {
        End::Exited(code) => Answer::parse(finished.stdout.bytes, code).ok_or(Failure {
            limit: Limit::OrchestratorInvalid,
            exit: ExitCode::KernelOutputInvalid,
        }),
        End::TimedOut => {
            let why = format!("no answer in {} ms", allowed.as_millis());
            Err(unavailable(&why, ExitCode::BudgetExceeded))
        }
        End::Signalled(signal) => {
            let why = format!("killed by signal {signal}");
            Err(unavailable(&why, ExitCode::KernelUnavailable))
        }
    }
}

fn unavailable(why: &str, exit: ExitCode) -> Failure {
    let limit = Limit::Said(format!("{} ({why})", Limit::OrchestratorUnavailable));
    Failure { limit, exit }
}

fn program(request: &Request, host: &HookHost) -> Option<Program> {
    let mut environment = host.environment.clone();
    if let Some(directory) = &request.cwd {
        environment = environment.with(WORKING_DIRECTORY, directory);
    }
    let program = match &host.other_kernel {
        Some(path) => Program::new(path, environment),
        None => {
            let path = host.program_directory.as_ref()?.join("adjutant-hook");
            Program::new(path, environment).argument("orchestrate")
        }
    };
    Some(program.stdin(serde_json::to_vec(request).unwrap_or_default()))
}

fn allowed_time(request: &Request, invocation: &Invocation, host: &HookHost) -> Duration {
    let wall = Duration::from_millis((host.wall_ms)(request.cwd.as_deref()));
    let allowed = wall.saturating_add(MARGIN);
    let allowed = match invocation.format {
        Format::Hook => allowed.min(MAX_HOOK_TIME),
        Format::Json | Format::Text => allowed,
    };
    allowed.saturating_mul(host.environment.slowness())
}
