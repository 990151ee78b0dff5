//! The kernel as a child process with a deadline.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use contract::{ExitCode, Limit, Request};
use process::{Bounds, End, Program};

use crate::answer::Answer;
use crate::{Edge, Format, Invocation};

const OTHER_KERNEL: &str = "CI_AUTO_TOOLS_ORCHESTRATOR_PATH";
const WALL_MS: &str = "CI_AUTO_TOOLS_BUDGET_WALL_MS";
const TIER_MAX: &str = "CI_AUTO_TOOLS_TIER_MAX";
const MODE: &str = "CI_AUTO_TOOLS_MODE";

/// What the kernel may use beyond its own budget: start, reading settings, printing.
const MARGIN: Duration = Duration::from_millis(1500);
/// Claude Code drops a hook after 30 seconds, with everything it printed.
const LONGEST_HOOK: Duration = Duration::from_secs(25);
const MAX_STDOUT: usize = 8 * 1024 * 1024;
const MAX_STDERR: usize = 64 * 1024;

/// Why there is no answer.
pub(crate) struct Failure {
    pub(crate) limit: Limit,
    pub(crate) exit: ExitCode,
}

pub(crate) fn ask(
    request: &Request,
    invocation: &Invocation,
    edge: &Edge,
) -> Result<Answer, Failure> {
    let program = program(request, invocation, edge).ok_or_else(|| {
        unavailable("no program beside adjutant-hook", ExitCode::KernelUnavailable)
    })?;
    let allowed = allowed_time(request, invocation, edge);
    let bounds = Bounds {
        deadline: Instant::now() + allowed,
        stdout_bytes: MAX_STDOUT,
        stderr_bytes: MAX_STDERR,
    };
    let finished = process::run(&program, &bounds).map_err(|error| {
        unavailable(&format!("{error}: {}", error.source), ExitCode::KernelUnavailable)
    })?;
    let code = match finished.end {
        End::Exited(code) => code,
        End::TimedOut => {
            let why = format!("no answer in {} ms", allowed.as_millis());
            return Err(unavailable(&why, ExitCode::BudgetExceeded));
        }
        End::Signalled(signal) => {
            return Err(unavailable(
                &format!("killed by signal {signal}"),
                ExitCode::KernelUnavailable,
            ));
        }
    };
    Answer::parse(&finished.stdout.bytes, code)
        .ok_or(Failure { limit: Limit::OrchestratorInvalid, exit: ExitCode::KernelOutputInvalid })
}

fn unavailable(why: &str, exit: ExitCode) -> Failure {
    let limit = Limit::Said(format!("{} ({why})", Limit::OrchestratorUnavailable));
    Failure { limit, exit }
}

fn program(request: &Request, invocation: &Invocation, edge: &Edge) -> Option<Program> {
    let mut environment = edge.environment.clone();
    if let Some(directory) = &request.cwd {
        environment = environment.with("WORKING_DIRECTORY", directory);
    }
    if invocation.analyze_intent {
        environment = environment.with(MODE, "plan");
    }
    let program = match edge.environment.text(OTHER_KERNEL) {
        Some(path) => Program::new(PathBuf::from(path), environment),
        None => {
            let path = edge.program_directory.as_ref()?.join("adjutant");
            Program::new(path, environment).argument("orchestrate")
        }
    };
    Some(program.stdin(serde_json::to_vec(request).unwrap_or_default()))
}

/// The kernel's own budget as far as the environment or a trusted configuration sets it (any other can only make it
/// smaller), plus a margin.
fn allowed_time(request: &Request, invocation: &Invocation, edge: &Edge) -> Duration {
    let number =
        |name: &str| edge.environment.text(name).and_then(|text| text.trim().parse::<u64>().ok());
    let usual = if number(TIER_MAX) == Some(2) { 10_000 } else { 5_000 };
    let trusted = || (edge.trusted_wall_ms)(request.cwd.as_deref());
    let wall_ms = number(WALL_MS).or_else(trusted).unwrap_or(usual);
    let allowed = Duration::from_millis(wall_ms).saturating_add(MARGIN);
    let allowed = match invocation.format {
        Format::Hook => allowed.min(LONGEST_HOOK),
        Format::Json | Format::Text => allowed,
    };
    allowed.saturating_mul(edge.environment.slowness())
}
