//! Checks one client: its program, the prompt hook, and the MCP server.

use std::path::Path;
use std::time::{Duration, Instant};

use clients::{Check, Client, State};
use contract::ClientName;
use process::{Bounds, End, Environment, Program};
use serde_json::json;

use super::{codex, stale};
use crate::commands::install::{Place, obstacle};

/// Timeout for `--version`. A client needs a few seconds for a cold start.
const VERSION_TIMEOUT: Duration = Duration::from_secs(15);

/// Checks one client. `top` is the top of the repository, whose client settings apply too.
pub(super) fn check(
    client: &'static dyn Client,
    environment: &Environment,
    top: Option<&Path>,
) -> Vec<Check> {
    // Codex is also used for unattended runs, so its flags and its sandbox are checked too.
    let program = if client.names().published == ClientName::CodexCli {
        codex::check(client, environment)
    } else {
        check_version(client, environment).map(|check| vec![check])
    };
    let mut checks = match program {
        Ok(checks) => checks,
        Err(missing) => return vec![missing],
    };
    match Place::of_user(client, environment) {
        Ok(place) => {
            checks.push(check_hook(client, &place, top, environment));
            checks.push(client.check_server(&place.locations));
        }
        Err(failure) => {
            let name = format!("{} hook", client.names().title);
            checks.push(Check::lacking(&name, failure.message, "set HOME to your home folder"));
        }
    }
    checks
}

/// Checks the prompt hook. A dry run of the installation comes first, so that `doctor` does not suggest an installation
/// that would fail.
fn check_hook(
    client: &'static dyn Client,
    place: &Place,
    top: Option<&Path>,
    environment: &Environment,
) -> Check {
    match obstacle(client, place) {
        Some(problem) => {
            let name = format!("{} hook", client.names().title);
            Check::bad(&name, problem.to_string(), "repair the file, or move it away")
        }
        None => match client.check_hook(&place.locations, top) {
            check if check.state == State::Good => {
                stale::check(client, place, environment).unwrap_or(check)
            }
            check => check,
        },
    }
}

/// Returns the command that installs a client.
pub(super) fn installation(client: &dyn Client) -> String {
    format!("npm install -g {}, if you want it", client.names().package)
}

fn check_version(client: &dyn Client, environment: &Environment) -> Result<Check, Check> {
    let (title, program) = (client.names().title, client.names().program);
    match version(program, environment) {
        Some(version) => {
            let details = json!({ "version": version });
            Ok(Check::good(title, version).with(details))
        }
        None => {
            let text = format!("`{program}` is not on PATH");
            Err(Check::lacking(title, text, installation(client)))
        }
    }
}

/// Returns the first line that a program prints for `--version`. The program runs outside of any repository.
pub(super) fn version(program: &str, environment: &Environment) -> Option<String> {
    let program = Program::new(program, environment.clone().with_absolute_path())
        .argument("--version")
        .directory("/");
    let deadline = Instant::now() + VERSION_TIMEOUT;
    let bounds = Bounds { deadline, stdout_bytes: 4096, stderr_bytes: 4096 };
    let finished = process::run(&program, &bounds).ok()?;
    let line = finished.stdout.text().lines().next().unwrap_or_default().trim().to_owned();
    (finished.end == End::Exited(0)).then_some(line)
}
