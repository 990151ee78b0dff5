//! The archive, the install script, and the plugin in the archive.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::json;
use testkit::{ClientKind, Finished, PassageRole, ScriptedAnswer};

use super::{CleanHome, VERSION, archive_folder, package};
use crate::fixture::{ANSWER, BOTH, PROMPT, briefings_in};
use crate::plugin::{install_plugin, scripted, trust};

fn archive() -> PathBuf {
    package(&format!("{}.tar.xz", archive_folder()))
}

fn run_script(clean: &CleanHome, arguments: &[&str]) -> Finished {
    clean.launch(package("install.sh"), clean.home()).arguments(arguments).run()
}

fn install(clean: &CleanHome, archive: &Path) -> Finished {
    run_script(clean, &["--archive", archive.to_str().expect("text")])
}

/// Unpacks the archive and returns its folder.
fn unpack(clean: &CleanHome) -> PathBuf {
    let tar = clean.launch(clean.system_program("tar"), clean.home());
    tar.argument("-xJf").argument(archive()).run().expect_success();
    clean.home().join(archive_folder())
}

#[test]
#[ignore = "needs the packages of `cargo xtask package`"]
fn packages_are_installed_and_upgraded_by_the_script() {
    let clean = CleanHome::new(ClientKind::ClaudeCode);
    let local = clean.home().join(".local");
    // The second run replaces the files of the first.
    for _ in 0..2 {
        let finished = install(&clean, &archive()).expect_success();
        assert!(finished.stdout.contains("\nnext: "), "{finished:#?}");
        let version = clean.launch(local.join("bin/adjutant"), clean.home()).argument("--version");
        assert!(version.run().expect_success().stdout.contains(VERSION));
    }
    // The plugin contains all programs.
    let names = |folder: &str| -> BTreeSet<OsString> {
        let entries = fs::read_dir(local.join(folder)).expect("a folder").flatten();
        entries.map(|entry| entry.file_name()).collect()
    };
    assert!(names("bin").len() >= 3);
    assert_eq!(names("bin"), names("share/adjutant/plugin/bin"));
    for file in [
        "share/man/man1/adjutant-brief.1",
        "share/bash-completion/completions/adjutant",
        "share/zsh/site-functions/_codex-auto",
        "share/adjutant/plugin/bin/adjutant-hook",
        "share/adjutant/.claude-plugin/marketplace.json",
    ] {
        assert!(local.join(file).is_file(), "{file}");
    }
    let is_left_over = |name: &OsString| name.to_string_lossy().contains("install");
    assert!(!names("share").iter().any(is_left_over));
    let adjutant = clean.launch(local.join("bin/adjutant"), clean.home());
    adjutant.arguments(["install", "claude-code"]).run().expect_success();
    clean.fixture.prompt(PROMPT).expect_evidence();
}

#[test]
#[ignore = "needs the packages of `cargo xtask package`"]
fn packages_with_a_wrong_checksum_are_not_installed() {
    let clean = CleanHome::new(ClientKind::ClaudeCode);
    let mut bytes = fs::read(archive()).expect("the archive");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    let damaged = clean.home().join("damaged.tar.xz");
    fs::write(&damaged, bytes).expect("write the archive");
    let finished = install(&clean, &damaged);
    assert_eq!(finished.exit_code, Some(1), "{finished:#?}");
    assert!(finished.stderr.contains("error: the checksum of"), "{}", finished.stderr);
    assert_eq!(fs::read_dir(clean.home().join(".local/bin")).expect("a folder").count(), 0);
    let missing = install(&clean, Path::new("no-such-file"));
    assert!(missing.stderr.contains("error: cannot read `no-such-file`"), "{}", missing.stderr);
    let unknown = run_script(&clean, &["--sudo"]);
    assert!(unknown.stderr.contains("error: unexpected argument `--sudo`"), "{}", unknown.stderr);
    // `PATH` contains neither curl nor wget.
    let download = run_script(&clean, &[]);
    assert!(download.stderr.contains("hint: download https://"), "{}", download.stderr);
    let help = run_script(&clean, &["--help"]).expect_success();
    assert!(help.stdout.contains("--prefix DIR"), "{}", help.stdout);
}

#[test]
#[ignore = "needs the packages of `cargo xtask package`"]
fn packages_have_the_listed_checksums() {
    let sums = package("SHA256SUMS");
    let folder = sums.parent().expect("a folder");
    let clean = CleanHome::new(ClientKind::ClaudeCode);
    let check = clean.launch(clean.system_program("sha256sum"), folder);
    let checked = check.arguments(["--strict", "-c", "SHA256SUMS"]).run().expect_success().stdout;
    assert_eq!(checked.lines().filter(|line| line.ends_with(": OK")).count(), 5, "{checked}");
}

/// The plugin of the archive briefs prompts although no program of Adjutant is on `PATH`.
#[test]
#[ignore = "needs the packages of `cargo xtask package`"]
fn packages_contain_a_plugin_that_needs_nothing_else() {
    for kind in BOTH {
        let clean = CleanHome::new(kind);
        install_plugin(&clean.fixture, &unpack(&clean));
        if kind == ClientKind::Codex {
            trust(&clean.fixture);
        }
        let finished = clean.fixture.client.prompt(clean.fixture.repository.path(), PROMPT);
        let requests = clean.fixture.model.main_requests();
        let told = requests.last().expect("the model was asked").model_text();
        assert_eq!(briefings_in(&told), 1, "{kind:?}: {told}\n{finished:#?}");
    }
}

#[test]
#[ignore = "needs the packages of `cargo xtask package`"]
fn packages_contain_a_server_that_answers_in_both_clients() {
    for (kind, tool) in [
        (ClientKind::ClaudeCode, "mcp__plugin_adjutant_adjutant__ci_search"),
        (ClientKind::Codex, "mcp__adjutant__ci_search"),
    ] {
        let call =
            ScriptedAnswer::tool_call(tool, json!({ "query": "enforce_retry_budget_zebra" }));
        let mut clean = CleanHome::with(scripted(kind, [call, ScriptedAnswer::text(ANSWER)]));
        install_plugin(&clean.fixture, &unpack(&clean));
        if kind == ClientKind::ClaudeCode {
            let client = clean.fixture.client.with_argument("--allowedTools").with_argument(tool);
            clean.fixture.client = client;
        }
        let repository = clean.fixture.repository.path();
        let finished = clean.fixture.client.prompt(repository, "please look it up");
        let requests = clean.fixture.model.main_requests();
        let told = requests.last().expect("the model was asked").text_as(PassageRole::Tool);
        assert!(told.contains("src/billing/limits.rs"), "{kind:?}: {told}\n{finished:#?}");
    }
}
