//! Finds a client's program and reads its version.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clients::Client;
use disk::Links;
use process::{Bounds, End, Environment, Program};

use crate::failure::Failure;

/// The timeout for `--version`. A client needs a few seconds for a cold start.
const VERSION_TIMEOUT: Duration = Duration::from_secs(15);
/// The maximum number of folders above a program that are searched for its `package.json`.
const MAX_DEPTH: usize = 5;
const MAX_PACKAGE_BYTES: u64 = 1024 * 1024;

/// Returns the path of the client's program, or `None` if it is not on `PATH`.
pub(crate) fn find(client: &dyn Client, environment: &Environment) -> Option<PathBuf> {
    environment.find_program(client.names().program)
}

/// Returns the version of a client: the version of its npm package, or otherwise the first line that it prints for
/// `--version`. A client is started only if necessary, because some clients write files into the home folder when they
/// start.
pub(crate) fn read(
    client: &dyn Client,
    program: &Path,
    environment: &Environment,
) -> Option<String> {
    packaged(program, client.names().package).or_else(|| printed(program, environment))
}

/// Returns the version in the `package.json` of the npm package that contains the program. Returns `None` if the
/// program does not belong to `package`.
fn packaged(program: &Path, package: &str) -> Option<String> {
    let program = program.canonicalize().ok()?;
    program.ancestors().skip(1).take(MAX_DEPTH).find_map(|folder| {
        let bytes =
            disk::read(&folder.join("package.json"), Links::Follow, MAX_PACKAGE_BYTES).ok()?;
        let manifest: serde_json::Value = serde_json::from_slice(&bytes).ok()?;
        let is_package = manifest["name"] == package;
        is_package.then(|| manifest["version"].as_str().map(str::to_owned)).flatten()
    })
}

/// Returns the first line that a program prints for `--version`, on stdout or, as pi does, on stderr. Returns `None` if
/// the program fails. The program runs outside of any repository.
pub(crate) fn printed(program: &Path, environment: &Environment) -> Option<String> {
    let program = Program::new(program, environment.clone().with_absolute_path())
        .argument("--version")
        .directory("/");
    let deadline = Instant::now() + VERSION_TIMEOUT * environment.slowness();
    let bounds = Bounds { deadline, stdout_bytes: 4096, stderr_bytes: 4096 };
    let finished = process::run(&program, &bounds).ok()?;
    let texts = [finished.stdout.text(), finished.stderr.text()];
    let line = texts.iter().flat_map(|text| text.lines()).map(str::trim).find(|it| !it.is_empty());
    (finished.end == End::Exited(0)).then(|| line.unwrap_or_default().to_owned())
}

/// How a client's version compares with the oldest tested version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Known {
    Tested,
    /// Older than every tested version. Such a client may not support the hook.
    Older,
    /// The line that the client printed contains no version.
    Unreadable,
}

pub(crate) fn judge(client: &dyn Client, line: &str) -> Known {
    match (numbers(line), numbers(client.names().tested)) {
        (Some(version), Some(tested)) if version < tested => Known::Older,
        (Some(_), _) => Known::Tested,
        (None, _) => Known::Unreadable,
    }
}

/// Returns the first three numbers of the first word that looks like a version, such as `[2, 1, 0]` for `v2.1`. Returns
/// `None` if no word looks like a version.
fn numbers(line: &str) -> Option<[u64; 3]> {
    line.split_whitespace().find_map(|word| {
        let word = word.trim_start_matches('v').trim_end_matches('.');
        let mut parts = word.split(['.', '-', '+']);
        let mut next = || parts.next()?.parse::<u64>().ok();
        let (major, minor) = (next()?, next()?);
        Some([major, minor, next().unwrap_or_default()])
    })
}

/// Checks that the installed version of a client can be read and is not older than every tested version. A client that
/// is not on `PATH` is not checked.
pub(super) fn check(client: &dyn Client, environment: &Environment) -> Result<(), Failure> {
    let Some(program) = find(client, environment) else { return Ok(()) };
    let names = client.names();
    let line = read(client, &program, environment).unwrap_or_default();
    let text = match judge(client, &line) {
        Known::Tested => return Ok(()),
        Known::Older => format!(
            "`{}` is older than {} {}, the oldest version that was tested",
            line, names.title, names.tested
        ),
        Known::Unreadable => {
            format!("`{} --version` prints no version: `{line}`", program.display())
        }
    };
    Err(Failure::configuration(text).hint(format!(
        "nothing was changed; npm install -g {}, or add --any-version",
        names.package
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a60_versions_are_read_from_what_the_clients_print() {
        assert_eq!(numbers("2.1.325 (Claude Code)"), Some([2, 1, 325]));
        assert_eq!(numbers("codex-cli 0.166.0"), Some([0, 166, 0]));
        assert_eq!(numbers("GitHub Copilot CLI 1.0.102."), Some([1, 0, 102]));
        assert_eq!(numbers("v0.61.0-nightly.3"), Some([0, 61, 0]));
        assert_eq!(numbers("no version"), None);
    }
}
