//! A60: a newcomer installs, asks, and takes everything out again; the settings are as they were.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::stage::{Hook, PROMPT, Stage};
use testkit::{ClientKind, Finished};

fn adjutant(stage: &Stage, arguments: &[&str]) -> Finished {
    let program = Path::new(env!("CARGO_BIN_EXE_adjutant"));
    stage.client.launch(program, stage.repository.path()).arguments(arguments).run()
}

/// The files a person keeps settings in, with their bytes.
fn settings(home: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let names = [".claude", ".claude/hooks", ".claude.json", "hooks.json", "config.toml"];
    let mut settings = BTreeMap::new();
    for path in names.iter().map(|name| home.join(name)) {
        let inside = fs::read_dir(&path).into_iter().flatten().flatten().map(|entry| entry.path());
        // What a client keeps for itself is none of our business.
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
    let stage = Stage::new(kind, Hook::Absent);
    let before = settings(stage.client.home());
    let arguments: Vec<&str> = ["install", client].iter().chain(install).copied().collect();
    adjutant(&stage, &arguments).expect_success();
    let installed = settings(stage.client.home());
    assert_ne!(installed, before);
    let again = adjutant(&stage, &arguments).expect_success();
    assert!(!again.stdout.contains("change") && !again.stdout.contains("create"), "{again:#?}");
    assert_eq!(settings(stage.client.home()), installed);
    let turn = stage.prompt(PROMPT);
    turn.expect_answered(PROMPT);
    turn.expect_evidence();
    let doctor = adjutant(&stage, &["doctor"]).expect_success().stdout;
    let is_green = |line: &&str| line.starts_with("ok  ") && line.contains(" hook: in ");
    assert_eq!(doctor.lines().filter(is_green).count(), 1, "{doctor}");
    let log = adjutant(&stage, &["log"]).expect_success().stdout;
    assert!(log.contains(&PROMPT[..40]), "{log}");
    adjutant(&stage, &["uninstall", client]).expect_success();
    let after = settings(stage.client.home());
    // The client writes down for itself what it has seen; everything it left alone is as it was.
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
fn a60_claude_code_installed_asked_and_uninstalled() {
    check(ClientKind::ClaudeCode, "claude-code", &[]);
}

#[test]
fn a60_codex_installed_trusted_asked_and_uninstalled() {
    check(ClientKind::Codex, "codex", &["--trust"]);
}

/// Without the user's word Codex does not run it, and we do not give that word for the user.
#[test]
fn a60_codex_does_not_run_a_hook_nobody_trusted() {
    let stage = Stage::new(ClientKind::Codex, Hook::Absent);
    let told = adjutant(&stage, &["install", "codex"]).expect_success();
    assert!(told.stderr.contains("--trust"), "{told:#?}");
    let turn = stage.prompt(PROMPT);
    turn.expect_answered(PROMPT);
    turn.evidence().unwrap_err();
}
