//! Sets `ADJUTANT_BUILD_VERSION`, the version that the programs print: `0.2.0 (1234abcd5 2026-11-16)`.
//!
//! The commit and its date come from `ADJUTANT_BUILD_COMMIT` and `ADJUTANT_BUILD_DATE`, which a packager sets, or from git.
//! If neither is available, only the version is printed. A debug build does not read git, because this crate would then be
//! compiled again after every commit.

#![expect(clippy::disallowed_methods, reason = "a build script reads variables and starts git")]

use std::path::{Path, PathBuf};
use std::process::Command;

const COMMIT: &str = "ADJUTANT_BUILD_COMMIT";
const DATE: &str = "ADJUTANT_BUILD_DATE";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed={COMMIT}");
    println!("cargo::rerun-if-env-changed={DATE}");
    let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let package = variable("CARGO_PKG_VERSION").unwrap_or_default();
    let is_debug = variable("PROFILE").as_deref() == Some("debug");
    let build = match variable(COMMIT) {
        Some(commit) => Some(Build { commit, date: variable(DATE) }),
        None if is_debug => None,
        None => {
            variable("CARGO_MANIFEST_DIR").and_then(|folder| Build::from_git(Path::new(&folder)))
        }
    };
    let version = match build {
        Some(Build { commit, date: Some(date) }) => {
            format!("{package} ({} {date})", short(&commit))
        }
        Some(Build { commit, date: None }) => format!("{package} ({})", short(&commit)),
        None if is_debug => format!("{package} (debug build)"),
        None => package,
    };
    println!("cargo::rustc-env=ADJUTANT_BUILD_VERSION={version}");
}

/// The commit from which the programs are built.
struct Build {
    commit: String,
    date: Option<String>,
}

impl Build {
    /// Reads the commit of the checkout that contains the crate. Returns `None` outside of a checkout, and if the crate is
    /// a copy inside another repository.
    fn from_git(folder: &Path) -> Option<Self> {
        let top =
            PathBuf::from(git(folder, &["rev-parse", "--show-toplevel"])?).canonicalize().ok()?;
        let workspace = folder.join("../..").canonicalize().ok()?;
        if top != workspace {
            return None;
        }
        // git writes this file at every commit and every change of the branch.
        let log =
            git(folder, &["rev-parse", "--git-path", "logs/HEAD"]).map(|log| folder.join(log));
        // For a file that does not exist, Cargo would run the build script at every build.
        if let Some(log) = log.filter(|log| log.exists()) {
            println!("cargo::rerun-if-changed={}", log.display());
        }
        let commit = git(folder, &["rev-parse", "HEAD"])?;
        Some(Self { commit, date: git(folder, &["log", "-1", "--format=%cs"]) })
    }
}

fn git(folder: &Path, arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").arg("-C").arg(folder).args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?.trim().to_owned();
    (output.status.success() && !text.is_empty()).then_some(text)
}

/// Returns the first nine digits of a commit id, as in the version that rustc prints.
fn short(commit: &str) -> &str {
    commit.get(..9).unwrap_or(commit)
}
