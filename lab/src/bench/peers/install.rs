//! Installs the compared programs into the scratch folder, and copies the tree that they index.

use std::collections::HashSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::output::print_message;

/// The compared programs from npm and PyPI, with their versions.
const NPM: [&str; 1] = ["@colbymchenry/codegraph@1.6.1"];
const PYPI: [&str; 2] = ["ripgrep==14.1.0", "code-review-graph==2.3.9"];

#[expect(clippy::disallowed_methods, reason = "a bench starts the programs it measures")]
pub(super) fn install(scratch: &Path) -> Result<(), String> {
    let npm = scratch.join("npm");
    if !npm.join("node_modules/.bin/codegraph").exists() {
        print_message("installing peers from npm");
        fs::create_dir_all(&npm).map_err(|error| error.to_string())?;
        let flags = ["install", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix", "."];
        run(Command::new("npm").args(flags).args(NPM).current_dir(&npm))?;
    }
    let python = scratch.join("py");
    if !python.join("bin/code-review-graph").exists() {
        print_message("installing peers from PyPI");
        run(Command::new("python3").args(["-m", "venv"]).arg(&python))?;
        run(Command::new(python.join("bin/pip")).args(["install", "--quiet"]).args(PYPI))?;
    }
    Ok(())
}

/// Clones a repository to `copy` and returns the paths of its tracked files.
#[expect(clippy::disallowed_methods, reason = "a bench starts the programs it measures")]
pub(super) fn copy_tree(clone: &Path, copy: &Path) -> Result<HashSet<String>, String> {
    if copy.exists() {
        fs::remove_dir_all(copy).map_err(|error| error.to_string())?;
    }
    run(Command::new("git").args(["clone", "--quiet", "--no-hardlinks"]).arg(clone).arg(copy))?;
    let mut list = Command::new("git");
    let output = list.args(["ls-files", "-z"]).current_dir(copy).output();
    let output = output.map_err(|error| error.to_string())?;
    let names = String::from_utf8_lossy(&output.stdout);
    Ok(names.split('\0').filter(|name| !name.is_empty()).map(str::to_owned).collect())
}

fn run(command: &mut Command) -> Result<(), String> {
    let status = command.status().map_err(|error| format!("{command:?}: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("{command:?} failed: {status}")) }
}
