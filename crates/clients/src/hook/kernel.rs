//! Runs the kernel as a child process with a deadline.

use std::time::{Duration, Instant};

use contract::{ExitCode, Limit, Request};
use process::{Bounds, End, Program};

use super::{Answer, Format, HookHost};

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
pub struct Failure {
    pub limit: Limit,
    pub exit: ExitCode,
}

/// Runs the kernel for a request.
pub fn ask(request: &Request, format: Format, host: &HookHost) -> Result<Answer, Failure> {
    let program = program(host)
        .ok_or_else(|| unavailable("the folder of adjutant-hook is not known"))?
        .stdin(serde_json::to_vec(request).unwrap_or_default());
    let timeout = timeout(format, host);
    let bounds = Bounds {
        deadline: Instant::now() + timeout,
        stdout_bytes: MAX_STDOUT,
        stderr_bytes: MAX_STDERR,
    };
    let finished = process::run(&program, &bounds)
        .map_err(|error| unavailable(&format!("{error}: {}", error.source)))?;
    match finished.end {
        End::Exited(code) => Answer::parse(&finished.stdout.bytes, code).ok_or(Failure {
            limit: Limit::OrchestratorInvalid,
            exit: ExitCode::KernelOutputInvalid,
        }),
        End::TimedOut => {
            let limit = Limit::no_answer(timeout);
            Err(Failure { limit, exit: ExitCode::BudgetExceeded })
        }
        End::Signalled(signal) => Err(unavailable(&format!("killed by signal {signal}"))),
    }
}

fn unavailable(why: &str) -> Failure {
    Failure { limit: Limit::no_kernel(why), exit: ExitCode::KernelUnavailable }
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
