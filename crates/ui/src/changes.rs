//! The changes that a job or a task made, as a diff from git.

use std::path::Path;
use std::time::{Duration, Instant};

use disk::Links;
use process::{Bounds, End, Environment, Git};
use serde::Serialize;

use crate::work::shown;

const MAX_BYTES: usize = 512 * 1024;
const MAX_FILES: usize = 200;
/// The checked-out commit.
pub(crate) const HEAD: &str = "HEAD";
const TIMEOUT: Duration = Duration::from_secs(20);

/// The changes in a directory. Secrets in the diff are redacted.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Changes {
    directory: String,
    /// The commit that the work tree is compared with.
    base: String,
    text: String,
    /// Files that git does not track and does not ignore.
    untracked: Vec<String>,
    is_cut: bool,
}

/// Compares the work tree that contains `directory` with a commit.
pub(crate) fn in_directory(
    directory: &Path,
    base: &str,
    environment: &Environment,
) -> Result<Changes, String> {
    // The commit comes from the task store. Git would interpret a word that starts with `-` as an option.
    if base != HEAD && !base.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return Err(format!("`{base}` is not a commit"));
    }
    if !directory.is_dir() {
        return Err(format!("the directory `{}` no longer exists", directory.display()));
    }
    let git =
        Git::new(environment, directory).for_work_tree().map_err(|error| error.to_string())?;
    // The configuration of a submodule could name programs, so git does not enter it.
    let options = ["--no-color", "--no-ext-diff", "--no-textconv", "--ignore-submodules=all"];
    let arguments = [&["diff"], &options[..], &[base, "--"]].concat();
    let (diff, is_cut) = output(&git, &arguments)?;
    let (untracked, _) = output(&git, &["ls-files", "--others", "--exclude-standard", "-z"])?;
    let names = untracked.split(|byte| *byte == 0).filter(|name| !name.is_empty());
    let untracked: Vec<String> =
        names.take(MAX_FILES).map(|name| String::from_utf8_lossy(name).into_owned()).collect();
    Ok(Changes {
        directory: shown(directory),
        base: base.to_owned(),
        text: cleaned(&diff),
        untracked,
        is_cut,
    })
}

/// Reads the patch of a task whose worktree has been removed.
pub(crate) fn in_patch(path: &Path, base: &str) -> Result<Changes, String> {
    let bytes = disk::read_start(path, Links::Refuse, MAX_BYTES as u64 + 1)
        .map_err(|error| format!("cannot read `{}`: {error}", path.display()))?;
    Ok(Changes {
        directory: shown(path),
        base: base.to_owned(),
        text: cleaned(&bytes[..bytes.len().min(MAX_BYTES)]),
        untracked: Vec::new(),
        is_cut: bytes.len() > MAX_BYTES,
    })
}

fn cleaned(bytes: &[u8]) -> String {
    guard::redact(&String::from_utf8_lossy(bytes)).text.into_owned()
}

/// Runs git. Returns its output and whether the output was truncated.
fn output(git: &Git, arguments: &[&str]) -> Result<(Vec<u8>, bool), String> {
    let bounds =
        Bounds { deadline: Instant::now() + TIMEOUT, stdout_bytes: MAX_BYTES, stderr_bytes: 4096 };
    let finished =
        process::run(&git.command(arguments), &bounds).map_err(|error| error.to_string())?;
    if finished.end != End::Exited(0) {
        let said = String::from_utf8_lossy(&finished.stderr.bytes);
        let said = said.lines().next().unwrap_or("git failed").to_owned();
        return Err(guard::redact(&said).text.into_owned());
    }
    Ok((finished.stdout.bytes, finished.stdout.cut))
}
