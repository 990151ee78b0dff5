//! Public tests of the MCP server: the official inspector over stdio, and the conformance suite over HTTP (C4, C5).

#![expect(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod conformance;
mod fixtures;
mod inspector;

use testkit::{Launch, Repository};

const ADJUTANT: &str = env!("CARGO_BIN_EXE_adjutant");

/// A repository and a user's home folder.
struct Setup {
    repository: Repository,
    home: tempfile::TempDir,
}

fn setup() -> Setup {
    let repository = Repository::builder()
        .file("src/limits.rs", "pub fn enforce_retry_budget_zebra() -> bool {\n    true\n}\n")
        .commit("limits")
        .build();
    Setup { repository, home: tempfile::tempdir().unwrap() }
}

impl Setup {
    fn launch(&self, program: impl Into<std::path::PathBuf>) -> Launch {
        Launch::new(program, self.repository.path()).env("HOME", self.home.path())
    }
}
