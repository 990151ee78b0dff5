//! A60: a new user installs the hook, sends a prompt and uninstalls the hook. The settings are restored.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::fixture::{Fixture, Hook, PROMPT};
use testkit::{ClientKind, Finished};

fn adjutant(fixture: &Fixture, arguments: &[&str]) -> Finished {
    let program = Path::new(env!("CARGO_BIN_EXE_adjutant"));
    fixture.client.launch(program, fixture.repository.path()).arguments(arguments).run()
}

/// Returns the user's settings files with their bytes.
fn settings(home: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let names = [".claude", ".claude/hooks", ".claude.json", "hooks.json", "config.toml"];
    let mut settings = BTreeMap::new();
    for path in names.iter().map(|name| home.join(name)) {
        let inside = fs::read_dir(&path).into_iter().flatten().flatten().map(|entry| entry.path());
        // Skip files that the client maintains itself.
        let ours = inside.filter(|path| {
            path.to_string_lossy().contains("settings")
                || path.ends_with("context-inject-global.sh")
        });
        for file in ours.chain([path.clone()]).filter(|path| path.is_file()) {
            settings.insert(file.clone(), fs::read(&file).unwrap_or_default());
        }
    }
    settings
}

#[track_caller]
fn check(kind: ClientKind, client: &str, install: &[&str]) {
    let fixture = Fixture::new(kind, Hook::Absent);
    let before = settings(fixture.client.home());
    let arguments: Vec<&str> = ["install", client].iter().chain(install).copied().collect();
    adjutant(&fixture, &arguments).expect_success();
    let installed = settings(fixture.client.home());
    assert_ne!(installed, before);
    let again = adjutant(&fixture, &arguments).expect_success();
    assert!(!again.stdout.contains("change") && !again.stdout.contains("create"), "{again:#?}");
    assert_eq!(settings(fixture.client.home()), installed);
    let turn = fixture.prompt(PROMPT);
    turn.expect_answered(PROMPT);
    turn.expect_evidence();
    let doctor = adjutant(&fixture, &["doctor"]).expect_success().stdout;
    let is_green = |line: &&str| line.starts_with("ok  ") && line.contains(" hook: in ");
    assert_eq!(doctor.lines().filter(is_green).count(), 1, "{doctor}");
    let log = adjutant(&fixture, &["log"]).expect_success().stdout;
    assert!(log.contains(&PROMPT[..40]), "{log}");
    adjutant(&fixture, &["uninstall", client]).expect_success();
    let after = settings(fixture.client.home());
    // The client stores some data of its own. All other files are unchanged.
    for (path, bytes) in &before {
        if installed.get(path) != Some(bytes) || after.get(path) == Some(bytes) {
            let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
            assert_eq!(
                after.get(path).map(|bytes| text(bytes)),
                Some(text(bytes)),
                "{}",
                path.display()
            );
        }
    }
    let ours =
        after.keys().filter(|path| !before.contains_key(*path) && installed.contains_key(*path));
    assert_eq!(ours.count(), 0, "{after:?}");
}

#[test]
fn a60_install_and_uninstall_work_in_claude_code() {
    check(ClientKind::ClaudeCode, "claude-code", &[]);
}

#[test]
fn a60_install_and_uninstall_work_in_codex() {
    check(ClientKind::Codex, "codex", &["--trust"]);
}

/// Codex does not run an untrusted hook, and adjutant does not trust a hook on behalf of the user.
#[test]
fn a60_codex_does_not_run_an_untrusted_hook() {
    let fixture = Fixture::new(ClientKind::Codex, Hook::Absent);
    let told = adjutant(&fixture, &["install", "codex"]).expect_success();
    assert!(told.stderr.contains("--trust"), "{told:#?}");
    let turn = fixture.prompt(PROMPT);
    turn.expect_answered(PROMPT);
    turn.evidence().unwrap_err();
}

/// The client tells the model about the skill, and no longer does after `uninstall`.
#[test]
fn a60_the_model_learns_about_the_skill() {
    for (kind, client) in [(ClientKind::ClaudeCode, "claude-code"), (ClientKind::Codex, "codex")] {
        let fixture = Fixture::new(kind, Hook::Absent);
        let is_told = || {
            fixture.prompt(PROMPT);
            let last = fixture.model.main_requests().pop().expect("the model was asked");
            last.model_text().contains("adjutant-explore")
        };
        adjutant(&fixture, &["install", client, "--skill"]).expect_success();
        assert!(is_told(), "{client}");
        adjutant(&fixture, &["uninstall", client]).expect_success();
        assert!(!is_told(), "{client}");
    }
}
