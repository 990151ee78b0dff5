//! `adjutant orchestrate`: runs the kernel for one request on standard input.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use contract::{Briefing, Client, Limit, Limits, Request};
use kernel::{Briefed, Host, brief};
use policy::Overrides;

use crate::{edge, output, run_log};

pub(crate) fn run() -> ExitCode {
    let host = host(None);
    let briefed = match read_request() {
        Ok(request) => brief(&request, &host),
        Err(reason) => {
            let mut limits = Limits::default();
            limits.add(Limit::Said(reason));
            let client = Client {
                name: contract::ClientName::default(),
                event: "cli".into(),
                session_id: None,
            };
            let briefing = Briefing::empty(client, String::new(), edge::now(), &limits);
            Briefed::without_request(briefing, limits)
        }
    };
    output::data(&serde_json::to_string(&briefed.briefing).unwrap_or_default());
    // The log is written after the output, so that the hook does not wait for it.
    run_log::add(&host.environment, &briefed);
    ExitCode::from(briefed.exit.number())
}

/// Collects everything that the kernel needs to know about its environment: environment variables, folders, clock and
/// random bytes. If `directory` is given, it is used as the working directory.
pub(crate) fn host(directory: Option<PathBuf>) -> Host {
    let environment = edge::environment();
    let named = environment.text(entry::WORKING_DIRECTORY).map(PathBuf::from);
    // If the working directory does not exist, the kernel reports it.
    let working_directory =
        directory.or(named).or_else(edge::working_directory).unwrap_or_else(|| PathBuf::from("."));
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

fn read_request() -> Result<Request, String> {
    let input = edge::read_stdin().map_err(|error| format!("stdin: {error}"))?;
    if input.trim_ascii().is_empty() {
        return Ok(Request::default());
    }
    serde_json::from_slice(&input).map_err(|error| format!("stdin is not a request: {error}"))
}
