//! The packages of `cargo xtask package`, installed in the same way as by a user: in a clean home, without Rust, without a
//! checkout, without the network, and with only a few programs on `PATH`.
//!
//! `cargo xtask package --check` builds the packages and runs these tests.

mod archive;
mod npm;

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use tempfile::TempDir;
use testkit::{ClientKind, Launch};

use crate::fixture::{Fixture, Hook};

const VERSION: &str = env!("CARGO_PKG_VERSION");
/// The programs that a user's system has.
const SYSTEM_PROGRAMS: [&str; 30] = [
    "bash",
    "cat",
    "chmod",
    "cp",
    "cut",
    "dirname",
    "env",
    "find",
    "git",
    "grep",
    "gzip",
    "head",
    "ln",
    "ls",
    "mkdir",
    "mktemp",
    "mv",
    "node",
    "npm",
    "npx",
    "readlink",
    "rm",
    "sed",
    "sh",
    "sha256sum",
    "sort",
    "tar",
    "true",
    "uname",
    "xz",
];

/// Returns the folder with the packages.
///
/// # Panics
/// If the environment variable for the folder is not set.
#[expect(clippy::disallowed_methods, reason = "the packages are built by another program")]
fn packages() -> PathBuf {
    let folder = std::env::var_os("ADJUTANT_TEST_PACKAGES");
    folder.expect("this test needs the packages: run `cargo xtask package --check`").into()
}

fn package(name: &str) -> PathBuf {
    let path = packages().join(name);
    assert!(path.is_file(), "`{}` is missing", path.display());
    path
}

fn archive_folder() -> String {
    format!("adjutant-{VERSION}-x86_64-unknown-linux-gnu")
}

/// A client in a clean home, whose `PATH` contains only [`SYSTEM_PROGRAMS`].
struct CleanHome {
    fixture: Fixture,
    programs: TempDir,
}

impl CleanHome {
    fn new(kind: ClientKind) -> Self {
        Self::with(Fixture::new(kind, Hook::Absent))
    }

    fn with(mut fixture: Fixture) -> Self {
        let programs = tempfile::tempdir().expect("a folder");
        let search = Launch::new("/bin/sh", programs.path());
        for name in SYSTEM_PROGRAMS {
            let command = format!("command -v {name}");
            let found = search.clone().arguments(["-c", &command]).run().expect_success().stdout;
            symlink(found.trim(), programs.path().join(name)).expect("link a program");
        }
        fixture.client = fixture.client.with_env("PATH", programs.path());
        Self { fixture, programs }
    }

    fn home(&self) -> &Path {
        self.fixture.client.home()
    }

    /// Starts a program in a clean environment, with no variables except `PATH`, `HOME` and the prefix of npm.
    fn launch(&self, program: impl Into<PathBuf>, directory: &Path) -> Launch {
        Launch::new(program, directory)
            .env("PATH", self.programs.path())
            .env("HOME", self.home())
            .env("npm_config_prefix", self.home().join("npm"))
    }

    fn system_program(&self, name: &str) -> PathBuf {
        self.programs.path().join(name)
    }
}

/// Checks that no program of a Rust toolchain or of this checkout can be found.
#[test]
#[ignore = "needs the packages of `cargo xtask package`"]
fn packages_are_tested_without_rust_and_without_adjutant() {
    let clean = CleanHome::new(ClientKind::ClaudeCode);
    let shell = clean.launch("/bin/sh", clean.home());
    for name in ["cargo", "rustc", "adjutant", "adjutant-hook"] {
        let found = shell.clone().arguments(["-c", &format!("command -v {name}")]).run();
        assert_eq!(found.stdout, "");
    }
    assert!(fs::read_dir(clean.home()).expect("a home").count() <= 1);
}
