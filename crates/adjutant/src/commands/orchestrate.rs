//! `adjutant orchestrate`: runs the kernel for one request on standard input.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use clients::hook::WORKING_DIRECTORY;
use contract::{Briefing, ClientName, Limit, Limits, Request, RequestingClient};
use kernel::{Briefed, Host, brief_within_budget};
use policy::Overrides;
use process::Environment;
use toolcall::{Caller, ToolContext};

use crate::{edge, output, run_log};

pub(crate) fn run() -> ExitCode {
    let host = host(None);
    let environment = host.environment.clone();
    let briefed = match read_request() {
        Ok(request) => {
            let client = request.client.clone().unwrap_or_default();
            brief_within_budget(request, host)
                .unwrap_or_else(|missing| empty(client, missing.limit(), missing.exit()))
        }
        Err(reason) => {
            let exit = contract::ExitCode::Configuration;
            empty(ClientName::default(), Limit::Said(reason), exit)
        }
    };
    output::data(&serde_json::to_string(&briefed.briefing).unwrap_or_default());
    // The log is written after the output, so that the hook does not wait for it.
    run_log::add(&environment, &briefed);
    ExitCode::from(briefed.exit.number())
}

/// Returns an empty briefing with the reason why it is empty.
pub(crate) fn empty(name: ClientName, limit: Limit, exit: contract::ExitCode) -> Briefed {
    let mut limits = Limits::default();
    limits.add(limit);
    let client = RequestingClient { name, event: "cli".to_owned(), session_id: None };
    let briefing = Briefing::empty(client, String::new(), edge::now(), &limits);
    Briefed { exit, ..Briefed::without_request(briefing, limits) }
}

/// Collects everything that the kernel needs to know about its environment: environment variables, folders, clock and
/// random bytes. If `directory` is given, it is used as the working directory.
pub(crate) fn host(directory: Option<PathBuf>) -> Host {
    let environment = edge::environment();
    let working_directory = working_directory(&environment, directory);
    Host {
        refused_folders: edge::refused_folders(&environment),
        cache: edge::cache_directory(&environment),
        hooks: edge::hook_folders(&environment),
        ledger: edge::ledger(&environment),
        memory: edge::memory(&environment),
        environment,
        working_directory,
        started: Instant::now(),
        now: edge::now,
        clock: edge::clock(),
        entropy: edge::entropy(),
        program: edge::program_directory().map(|directory| directory.join("adjutant")),
        parser: edge::parser(),
        overrides: Overrides::default(),
    }
}

/// Returns `directory`, or the directory of the environment, or that of the process. It may not exist.
fn working_directory(environment: &Environment, directory: Option<PathBuf>) -> PathBuf {
    let named = || environment.text(WORKING_DIRECTORY).map(PathBuf::from);
    edge::directory_or_here(directory.or_else(named))
}

/// Returns the context for the hooks of a call that another program runs. If `directory` is given, it is used as the
/// working directory.
pub(crate) fn call_context(
    directory: Option<PathBuf>,
    caller: Caller,
) -> Result<ToolContext, String> {
    let environment = edge::environment();
    let lookup = |name: &str| environment.text(name).map(str::to_owned);
    let root = policy::resolve_root(&lookup, &working_directory(&environment, directory))
        .map_err(|error| format!("E_REPO_ROOT: {error}"))?;
    let (folders, ledger) = (edge::hook_folders(&environment), edge::ledger(&environment));
    ToolContext::open(&root.path, caller, &folders, ledger, environment, edge::now)
}

fn read_request() -> Result<Request, String> {
    let input = edge::read_stdin().map_err(|error| format!("stdin: {error}"))?;
    if input.trim_ascii().is_empty() {
        return Ok(Request::default());
    }
    serde_json::from_slice(&input).map_err(|error| format!("stdin is not a request: {error}"))
}
