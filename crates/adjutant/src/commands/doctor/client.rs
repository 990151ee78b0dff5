//! Checks one client: its program, the prompt hook, the hooks around tool calls, the MCP server, and settings that refer
//! to the `adjutant-hook` of another installation.

use std::path::{Path, PathBuf};

use clients::{Check, CheckState, Client};
use contract::ClientName;
use disk::Links;
use process::Environment;
use serde_json::json;

use super::codex;
use crate::commands::install::version::{self, Known};
use crate::commands::install::{Place, obstacle};
use crate::edge;

const HOOK: &str = "adjutant-hook";
const MAX_SETTINGS_BYTES: u64 = 4 * 1024 * 1024;

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
            check if check.state == CheckState::Good => {
                check_named_programs(client, place, environment).unwrap_or(check)
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

/// Checks the programs that the user's settings for a client refer to. Returns `None` if each of them is the
/// `adjutant-hook` of this installation or has the same version.
fn check_named_programs(
    client: &dyn Client,
    place: &Place,
    environment: &Environment,
) -> Option<Check> {
    let files = place.files(client);
    let named = files.iter().flat_map(|file| {
        let text = disk::read_text(file, Links::Follow, MAX_SETTINGS_BYTES).unwrap_or_default();
        let paths = named_programs(&text);
        paths.into_iter().map(move |path| (file, path))
    });
    let own = edge::program_directory().map(|folder| folder.join(HOOK));
    named.into_iter().find_map(|(file, path)| {
        let is_own =
            || path.canonicalize().ok() == own.as_ref().and_then(|own| own.canonicalize().ok());
        if path.is_file() && is_own() {
            None
        } else {
            program_problem(client, file, &path, environment)
        }
    })
}

fn program_problem(
    client: &dyn Client,
    file: &Path,
    path: &Path,
    environment: &Environment,
) -> Option<Check> {
    let name = format!("{} hook", client.names().title);
    let (file, shown) = (file.display(), path.display());
    let fix = format!("adjutant install {}", client.names().word);
    if !path.is_file() {
        let text = format!("{file} names `{shown}`, which does not exist");
        return Some(Check::bad(&name, text, fix));
    }
    let expected = format!("{HOOK} {}", crate::VERSION);
    let found = version::printed(path, environment)?;
    let text = format!("{file} names `{shown}`, which is {found}; this is {}", crate::VERSION);
    (found != expected).then(|| Check::lacking(&name, text, fix))
}

/// Returns the absolute paths in a settings file or a script that end in `adjutant-hook`. A path starts after a
/// quotation mark or, if it is not quoted, after a space or `=`.
fn named_programs(text: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for (at, _) in text.match_indices(HOOK) {
        let before = &text[..at];
        let line = &before[before.rfind('\n').map_or(0, |newline| newline + 1)..];
        // `//` starts a comment in the scripts of some clients.
        let is_path = |start: &&str| start.starts_with('/') && !start.starts_with("//");
        let quoted = &line[line.rfind(['\'', '"']).map_or(0, |quote| quote + 1)..];
        let unquoted = &line[line.rfind([' ', '=', '\'', '"']).map_or(0, |blank| blank + 1)..];
        let start = [quoted, unquoted].into_iter().find(is_path);
        let path = start.map(|start| PathBuf::from(format!("{start}{HOOK}")));
        found.extend(path.filter(|path| !found.contains(path)));
    }
    found
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::named_programs;

    #[test]
    fn programs_are_found_in_scripts_and_settings() {
        let check = |text: &str, expected: &[&str]| {
            let expected: Vec<&Path> = expected.iter().map(Path::new).collect();
            assert_eq!(named_programs(text), expected, "{text}");
        };
        let script = "for program in '/a b/adjutant-hook' \"$(command -v adjutant-hook)\"; do";
        check(script, &["/a b/adjutant-hook"]);
        let json = r#"{"command": "'/x/adjutant-hook' --client codex"}"#;
        check(json, &["/x/adjutant-hook"]);
        check(
            "command = \"/x/adjutant-hook\"\ncommand: /y/adjutant-hook -a",
            &["/x/adjutant-hook", "/y/adjutant-hook"],
        );
        check("adjutant-hook --client auto", &[]);
        check("// Starts adjutant-hook.", &[]);
    }
}
