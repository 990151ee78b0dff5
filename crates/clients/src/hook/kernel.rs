//! Runs the kernel as a child process with a deadline.

use std::time::{Duration, Instant};

use contract::{ExitCode, Limit, Request};
use process::{Bounds, End, Finished, Program};
use serde::Serialize;

use super::{Format, HookHost, KernelAnswer};

/// The maximum time to wait for the kernel in hook mode. The kernel ends by itself earlier, at the end of its budget, so
/// this time passes only if the kernel is stopped or broken. It is shorter than the hook timeout of 15 seconds that
/// `adjutant install` sets. After that timeout, a client ignores the hook's output.
const MAX_HOOK_TIME: Duration = Duration::from_secs(14);
/// The maximum time to wait for the kernel in the other modes, in which no client waits. The environment can set any
/// budget.
const MAX_COMMAND_TIME: Duration = Duration::from_secs(600);
const MAX_STDOUT: usize = 8 * 1024 * 1024;
const MAX_STDERR: usize = 64 * 1024;

/// The `[Limits]` message and the exit code for a kernel that returned no valid output.
pub struct KernelFailure {
    pub limit: Limit,
    pub exit: ExitCode,
}

/// Runs the kernel for a request.
pub fn ask(
    request: &Request,
    format: Format,
    host: &HookHost,
) -> Result<KernelAnswer, KernelFailure> {
    let program =
        program(host).ok_or_else(|| unavailable("the folder of adjutant-hook is not known"))?;
    let timeout = timeout(format, host);
    let finished =
        run(program, request, timeout, MAX_STDOUT).map_err(|error| unavailable(&error))?;
    match finished.end {
        End::Exited(code) => {
            KernelAnswer::parse(&finished.stdout.bytes, code).ok_or(KernelFailure {
                limit: Limit::OrchestratorInvalid,
                exit: ExitCode::KernelOutputInvalid,
            })
        }
        End::TimedOut => {
            let limit = Limit::no_answer(timeout);
            Err(KernelFailure { limit, exit: ExitCode::BudgetExceeded })
        }
        End::Signalled(signal) => Err(unavailable(&format!("killed by signal {signal}"))),
    }
}

/// Runs a program that reads `input` as JSON from standard input.
pub(super) fn run(
    program: Program,
    input: &impl Serialize,
    timeout: Duration,
    stdout_bytes: usize,
) -> Result<Finished, String> {
    let program = program.stdin(serde_json::to_vec(input).unwrap_or_default());
    let bounds =
        Bounds { deadline: Instant::now() + timeout, stdout_bytes, stderr_bytes: MAX_STDERR };
    process::run(&program, &bounds).map_err(|error| error.to_string())
}

fn unavailable(why: &str) -> KernelFailure {
    KernelFailure { limit: Limit::no_kernel(why), exit: ExitCode::KernelUnavailable }
}

fn program(host: &HookHost) -> Option<Program> {
    let environment = host.environment.clone();
    if let Some(other) = &host.other_kernel {
        return Some(Program::new(&other.path, environment));
    }
    let path = host.program_directory.as_ref()?.join("adjutant-hook");
    Some(Program::new(path, environment).argument("orchestrate"))
}

fn timeout(format: Format, host: &HookHost) -> Duration {
    let max = match format {
        Format::Hook => MAX_HOOK_TIME,
        Format::Json | Format::Text => MAX_COMMAND_TIME,
    };
    let timeout = host.other_kernel.as_ref().map_or(max, |other| other.timeout.min(max));
    timeout.saturating_mul(host.environment.slowness())
}
