//! `adjutant verify` with each real client. The checks pass with the hook and fail without it (A7, A8, A40).
//!
//! The tests of a client are in a module named `real_` and the name of the client, so that `cargo test real_gemini` runs one
//! client.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use testkit::{Finished, Launch, TEST_TIMEOUT, client_program};

/// A user with one client on `PATH` and an empty home.
struct User {
    home: tempfile::TempDir,
    word: &'static str,
}

impl User {
    fn new(word: &'static str) -> Self {
        Self { home: tempfile::tempdir().expect("a home"), word }
    }

    /// Runs `adjutant verify` with variables that name the user's own settings, which must not be used.
    fn verify(&self, flags: &[&str]) -> Finished {
        let client = clients::CLIENTS.into_iter().find(|it| it.names().word == self.word);
        let client = client.expect("a client of the table");
        let (program, node) = client_program(self.word, client.names().program);
        let folder = program.parent().expect("an installed program is in a folder");
        let own = self.home.path().join("own");
        Launch::new(env!("CARGO_BIN_EXE_adjutant"), self.home.path())
            .first_on_path(folder)
            .first_on_path(&node)
            .env("HOME", self.home.path())
            .env("XDG_CONFIG_HOME", &own)
            .env("XDG_CACHE_HOME", &own)
            .env("XDG_DATA_HOME", &own)
            .env(client.names().home_variable, &own)
            .env("CI_AUTO_TOOLS", "off")
            .env("ADJUTANT_TEST_SLOWNESS", "8")
            .arguments(["verify", self.word])
            .arguments(flags)
            // The checks run the client three times.
            .limit(TEST_TIMEOUT * 3)
            .run()
    }

    fn files(&self) -> BTreeSet<PathBuf> {
        let entries = fs::read_dir(self.home.path()).expect("the home").flatten();
        entries.map(|entry| entry.path()).collect()
    }
}

fn check_passes(word: &'static str) {
    let user = User::new(word);
    let finished = user.verify(&[]);
    assert_eq!(finished.exit_code, Some(0), "{finished:#?}");
    let row = finished.stdout.lines().nth(1).unwrap_or_default();
    assert_eq!(row.matches("ok").count(), 3, "{finished:#?}");
    assert!(!finished.stdout.contains("FAILED"), "{finished:#?}");
    assert_eq!(user.files(), BTreeSet::new(), "a file of the user was created");
}

fn check_fails_without_hook(word: &'static str) {
    let finished = User::new(word).verify(&["--json", "--without-hook"]);
    assert_eq!(finished.exit_code, Some(1), "{finished:#?}");
    let report: Value = serde_json::from_str(&finished.stdout).expect("JSON");
    let checks = report["clients"][0]["checks"].as_array().expect("checks");
    let passed: Vec<&str> =
        checks.iter().filter(|it| it["ok"] == true).filter_map(|it| it["check"].as_str()).collect();
    // Without a hook, the broken kernel is not started.
    assert_eq!((report["ok"].as_bool(), passed), (Some(false), vec!["broken-kernel"]), "{report}");
    assert_eq!(checks[0]["problem"], "the first request contains no briefing");
}

#[test]
fn a7_a_named_client_that_is_missing_is_an_error() {
    let home = tempfile::tempdir().expect("a home");
    let verify = |word: &str| {
        Launch::new(env!("CARGO_BIN_EXE_adjutant"), Path::new("/"))
            .env("PATH", home.path())
            .env("HOME", home.path())
            .arguments(["verify", word])
            .run()
    };
    let named = verify("kimi");
    assert_eq!(named.exit_code, Some(1), "{named:#?}");
    assert!(named.stdout.contains("Kimi Code is not on PATH; to install it: npm install -g "));
    let all = verify("all");
    assert_eq!(all.exit_code, Some(20), "{all:#?}");
    assert!(all.stderr.contains("no client is on PATH"), "{all:#?}");
}

#[test]
fn a7_an_interrupted_check_ends_the_client_and_deletes_its_home() {
    let temporary = tempfile::tempdir().expect("a folder");
    let (program, node) = client_program("codex", "codex");
    let mut running = Launch::new(env!("CARGO_BIN_EXE_adjutant"), temporary.path())
        .first_on_path(program.parent().expect("an installed program is in a folder"))
        .first_on_path(&node)
        .env("HOME", temporary.path())
        .env("TMPDIR", temporary.path())
        .arguments(["verify", "codex"])
        .start_piped();
    let n_homes = || fs::read_dir(temporary.path()).expect("the folder").flatten().count();
    testkit::eventually("a home was created", || n_homes() == 1);
    running.terminate();
    let exit_code = running.exit_code(TEST_TIMEOUT);
    assert_eq!((exit_code, n_homes()), (Some(130), 0), "{}", running.stderr());
}

every_client! {{
    a7_a40_verify_passes => check_passes,
    a7_verify_fails_without_the_hook => check_fails_without_hook,
}}
