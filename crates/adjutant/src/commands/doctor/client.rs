//! Checks one client: its program, the prompt hook, the hooks around tool calls, and the MCP server.

use std::path::Path;

use clients::{Check, Client, State};
use contract::ClientName;
use process::Environment;
use serde_json::json;

use super::{codex, stale};
use crate::commands::install::version::{self, Known};
use crate::commands::install::{Place, obstacle};

/// Checks one client. `top` is the top folder of the repository, whose client settings also apply. If the client is
/// not installed, returns a single check as the error.
pub(super) fn check(
    client: &'static dyn Client,
    environment: &Environment,
    top: Option<&Path>,
) -> Result<Vec<Check>, Check> {
    // Codex is also used for unattended runs, so its flags and its sandbox are checked too.
    let mut checks = if client.names().published == ClientName::CODEX_CLI {
        codex::check(client, environment)?
    } else {
        vec![check_version(client, environment)?]
    };
    match Place::of_user(client, environment) {
        Ok(place) => {
            checks.push(check_hook(client, &place, top, environment));
            checks.extend(check_tool_hooks(client));
            checks.push(clients::check_server(client, &place.locations));
            checks.extend(clients::check_skill(client, &place.locations.folder));
        }
        Err(failure) => {
            let name = format!("{} hook", client.names().title);
            let fix = failure.hint.unwrap_or_else(|| "set HOME to your home folder".to_owned());
            checks.push(Check::lacking(&name, failure.message, fix));
        }
    }
    Ok(checks)
}

/// Checks the prompt hook. First tries the installation in a dry run, so that `doctor` does not suggest an installation
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
            Check::bad(&name, problem.to_string(), "repair the file or remove it")
        }
        None => match client.check_hook(&place.locations, top) {
            check if check.state == State::Good => {
                stale::check(client, place, environment).unwrap_or(check)
            }
            check => check,
        },
    }
}

/// Reports which effects of tool-call hooks this client does not support, such as asking the user. Returns `None` if it
/// supports all of them.
fn check_tool_hooks(client: &dyn Client) -> Option<Check> {
    let missing = client.names().tool_support.missing()?;
    let name = format!("{} tool hooks", client.names().title);
    Some(Check::good(&name, format!("the client does not support: {missing}")))
}

/// Returns a suggestion to install the client, with the command.
pub(super) fn installation(client: &dyn Client) -> String {
    format!("npm install -g {}, if you want it", client.names().package)
}

fn check_version(client: &dyn Client, environment: &Environment) -> Result<Check, Check> {
    let names = client.names();
    let found = version::find(client, environment);
    let Some(line) = found.and_then(|path| version::read(client, &path, environment)) else {
        let text = format!("`{}` is not on PATH", names.program);
        return Err(Check::lacking(names.title, text, installation(client)));
    };
    let update = format!("npm install -g {}", names.package);
    let details = json!({ "version": line, "tested": names.tested });
    let check = match version::judge(client, &line) {
        Known::Tested => Check::good(names.title, line),
        Known::Older => {
            let text = format!("{line}, older than {}, the oldest tested version", names.tested);
            Check::lacking(names.title, text, update)
        }
        Known::Unreadable => {
            let text = format!("`{} --version` prints no version: `{line}`", names.program);
            Check::lacking(names.title, text, update)
        }
    };
    Ok(check.with(details))
}
