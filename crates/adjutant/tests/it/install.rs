//! `adjutant install` and `adjutant uninstall` for all clients: selection of clients, errors, and restored files (A60).

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use testkit::{Finished, Launch, write_executable};

use crate::fixture::{ADJUTANT, Fixture, fixture};

/// A home folder, and scripts that print the version of a client.
struct Setup {
    fixture: Fixture,
    folder: tempfile::TempDir,
}

impl Setup {
    /// Creates scripts with these names and puts them on `PATH`.
    fn new(programs: &[&str]) -> Self {
        let setup = Self { fixture: fixture(), folder: tempfile::tempdir().unwrap() };
        fs::create_dir(setup.home("")).unwrap();
        for name in programs {
            setup.program(name, "99.1.0");
        }
        setup
    }

    fn program(&self, name: &str, version: &str) {
        let path = self.folder.path().join("bin").join(name);
        write_executable(&path, &format!("#!/bin/sh\necho '{version}'\n"));
    }

    fn home(&self, name: &str) -> PathBuf {
        self.folder.path().join("home").join(name)
    }

    fn launch(&self, program: &str, arguments: &[&str]) -> Launch {
        let bin = self.folder.path().join("bin");
        let launch =
            self.fixture.launch(program).env("PATH", format!("{}:/usr/bin:/bin", bin.display()));
        launch.env("HOME", self.home("")).arguments(arguments)
    }

    fn run(&self, arguments: &[&str]) -> Finished {
        self.launch(ADJUTANT, arguments).run()
    }

    /// Returns all files and folders of the home, except Adjutant's own state.
    fn files(&self) -> BTreeMap<PathBuf, Option<Vec<u8>>> {
        let mut files = BTreeMap::new();
        let mut folders = vec![self.home("")];
        while let Some(folder) = folders.pop() {
            for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
                if path.ends_with(".local") {
                    continue;
                }
                files.insert(path.clone(), fs::read(&path).ok());
                if path.is_dir() {
                    folders.push(path);
                }
            }
        }
        files
    }
}

#[test]
fn a60_a_dry_run_shows_a_diff_that_patch_accepts() {
    let setup = Setup::new(&[]);
    let file = setup.home(".gemini/settings.json");
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(&file, "{\n  \"ui\": {}\n}\n").unwrap();
    let before = setup.files();
    let shown = setup.run(&["install", "gemini", "--dry-run"]).expect_success().stdout;
    assert_eq!(setup.files(), before);
    assert!(shown.contains("--- ") && shown.contains("\n+    \"BeforeAgent\": ["), "{shown}");
    let patch: String = shown.lines().skip(1).map(|line| format!("{line}\n")).collect();
    let patched = Launch::new("patch", file.parent().unwrap()).argument("settings.json");
    patched.input(patch).run().expect_success();
    let kept = setup.run(&["install", "gemini"]).expect_success().stdout;
    assert!(kept.starts_with("keep"), "{kept}");
}

#[test]
fn a60_without_a_name_and_a_terminal_the_clients_are_listed() {
    let setup = Setup::new(&["gemini", "claude"]);
    for arguments in [&["install"][..], &["install", "all"]] {
        let refused = setup.run(arguments);
        assert_eq!(refused.exit_code, Some(2), "{refused:#?}");
        assert!(refused.stdout.contains("adjutant install claude-code"), "{refused:#?}");
        assert!(refused.stdout.contains("adjutant install gemini"), "{refused:#?}");
        assert!(!refused.stdout.contains("codex"), "{refused:#?}");
        assert!(refused.stderr.contains("adjutant install all --yes"), "{refused:#?}");
    }
    assert!(setup.files().is_empty());
    let none = Setup::new(&[]).run(&["install"]);
    assert_eq!(none.exit_code, Some(20), "{none:#?}");
    assert!(none.stderr.contains("no client is on PATH"), "{none:#?}");
}

#[test]
fn a60_on_a_terminal_the_user_chooses() {
    let setup = Setup::new(&["gemini", "claude", "kimi"]);
    let mut terminal = setup.launch(ADJUTANT, &["install"]).on_terminal();
    terminal.expect("Install into which clients?");
    terminal.enter("2 3");
    assert_eq!(terminal.exit_code(), Some(0));
    assert!(setup.home(".gemini/settings.json").exists());
    assert!(setup.home(".kimi-code/config.toml").exists());
    assert!(!setup.home(".claude").exists());
    let mut terminal = setup.launch(ADJUTANT, &["install"]).on_terminal();
    terminal.expect("Install into which clients?");
    terminal.enter("9");
    assert_eq!(terminal.exit_code(), Some(2));
}

#[test]
fn a60_all_clients_are_installed_or_none() {
    let setup = Setup::new(&["claude", "gemini", "pi"]);
    let broken = setup.home(".gemini/settings.json");
    fs::create_dir_all(broken.parent().unwrap()).unwrap();
    fs::write(&broken, "{\n  oops\n}").unwrap();
    let before = setup.files();
    let refused = setup.run(&["install", "all", "--yes"]);
    assert_eq!(refused.exit_code, Some(20), "{refused:#?}");
    assert!(refused.stderr.contains("settings.json`: 2:3"), "{refused:#?}");
    assert!(refused.stderr.contains("nothing was changed"), "{refused:#?}");
    assert_eq!(setup.files(), before);
    fs::remove_file(&broken).unwrap();
    let told = setup.run(&["install", "all", "--yes", "--mcp"]).expect_success();
    assert_eq!(told.stderr.matches("next: ").count(), 3, "{told:#?}");
    assert!(told.stderr.contains("pi: the MCP server is not registered"), "{told:#?}");
    setup.run(&["uninstall", "all"]).expect_success();
    assert_eq!(setup.files().keys().collect::<Vec<_>>(), [&setup.home(".gemini")]);
}

#[test]
fn a60_an_unknown_version_is_refused_unless_the_user_insists() {
    let setup = Setup::new(&[]);
    for (version, words) in [("0.1.0", "is older than Gemini CLI 0.61.0"), ("soon", "no version")] {
        setup.program("gemini", version);
        let refused = setup.run(&["install", "gemini"]);
        assert_eq!(refused.exit_code, Some(20), "{refused:#?}");
        assert!(refused.stderr.contains(words), "{refused:#?}");
        assert!(refused.stderr.contains("--any-version"), "{refused:#?}");
        assert!(setup.files().is_empty());
    }
    setup.run(&["install", "gemini", "--any-version"]).expect_success();
}

#[test]
fn a60_a_program_that_is_missing_is_an_error_at_once() {
    let setup = Setup::new(&[]);
    let lonely = setup.folder.path().join("lonely");
    fs::create_dir(&lonely).unwrap();
    fs::copy(ADJUTANT, lonely.join("adjutant")).unwrap();
    let program = lonely.join("adjutant");
    let refused = setup.launch(program.to_str().unwrap(), &["install", "gemini"]).run();
    assert_eq!(refused.exit_code, Some(20), "{refused:#?}");
    assert!(refused.stderr.contains("adjutant-hook` does not exist"), "{refused:#?}");
    assert!(setup.files().is_empty());
}

#[test]
fn a60_the_server_is_not_registered_twice_if_the_plugin_has_it() {
    let setup = Setup::new(&["claude", "codex"]);
    let plugins = [
        (".claude/settings.json", r#"{"enabledPlugins":{"adjutant@adjutant":true}}"#),
        (".codex/config.toml", "[plugins.\"adjutant@adjutant\"]\nenabled = true\n"),
    ];
    for (name, text) in plugins {
        fs::create_dir_all(setup.home(name).parent().unwrap()).unwrap();
        fs::write(setup.home(name), text).unwrap();
    }
    for word in ["claude-code", "codex"] {
        let told = setup.run(&["install", word, "--mcp"]).expect_success();
        assert!(told.stderr.contains("the plugin `adjutant` already registers it"), "{told:#?}");
    }
    assert!(!setup.home(".claude.json").exists());
    let configuration = fs::read_to_string(setup.home(".codex/config.toml")).unwrap();
    assert!(!configuration.contains("mcp_servers"), "{configuration}");
    let doctor = setup.run(&["doctor"]).stdout;
    assert!(doctor.contains("ok    Claude Code MCP: in the plugin `adjutant`"), "{doctor}");
}

/// The settings of the other clients are tested in `crates/clients`.
#[test]
fn a60_an_installation_is_repeated_and_removed_without_a_trace() {
    let setup = Setup::new(&[]);
    let file = setup.home(".codex/config.toml");
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(&file, "# mine\nmodel = 'x' # why\n").unwrap();
    let before = setup.files();
    let install = ["install", "codex", "--tool-hooks", "--trust", "--mcp", "--skill"];
    let told = setup.run(&install).expect_success();
    assert!(told.stderr.contains("next: codex"), "{told:#?}");
    let installed = setup.files();
    let text = fs::read_to_string(&file).unwrap();
    assert!(text.contains("trusted_hash") && text.contains("mcp_servers"), "{text}");
    let hooks = fs::read_to_string(setup.home(".codex/hooks.json")).unwrap();
    assert!(hooks.contains("PreToolUse"), "{hooks}");
    let skill = fs::read_to_string(setup.home(".codex/skills/adjutant-explore/SKILL.md")).unwrap();
    assert!(skill.contains("adjutant' explore"), "{skill}");
    let again = setup.run(&install).expect_success().stdout;
    assert!(again.lines().all(|line| line.starts_with("keep")), "{again}");
    assert_eq!(setup.files(), installed);
    setup.run(&["uninstall", "codex"]).expect_success();
    assert_eq!(setup.files(), before);
    fs::create_dir(setup.home(".claude")).unwrap();
    fs::write(setup.home(".claude/settings.json"), "{\n  // mine\n}").unwrap();
    let told = setup.run(&["install", "claude-code"]).expect_success().stderr;
    assert!(told.contains("Claude Code ignores"), "{told}");
}

/// The tests may run as root, who can write everywhere except on a read-only file system.
#[test]
fn a60_a_moved_home_is_used_and_one_that_cannot_be_written_is_refused() {
    let setup = Setup::new(&[]);
    let moved = setup.folder.path().join("moved");
    let with = |arguments: &[&str], home: &Path| {
        setup.launch(ADJUTANT, arguments).env("GEMINI_CLI_HOME", home).run()
    };
    for (wrong, said) in [("relative", "GEMINI_CLI_HOME"), ("/proc/1", "nothing was changed")] {
        let refused = with(&["install", "gemini"], Path::new(wrong));
        assert_eq!(refused.exit_code, Some(20), "{refused:#?}");
        assert!(refused.stderr.contains(said) && refused.stderr.contains(wrong), "{refused:#?}");
    }
    setup.run(&["install", "gemini"]).expect_success();
    // The installation is in the default home, but the variable names another home.
    let refused = with(&["uninstall", "gemini"], &moved);
    assert_eq!(refused.exit_code, Some(20), "{refused:#?}");
    assert!(refused.stderr.contains("unset GEMINI_CLI_HOME"), "{refused:#?}");
    let told = with(&["install", "gemini"], &moved).expect_success();
    assert!(told.stderr.contains("GEMINI_CLI_HOME is set"), "{told:#?}");
    with(&["uninstall", "gemini"], &moved).expect_success();
    setup.run(&["uninstall", "gemini"]).expect_success();
    assert!(setup.files().is_empty() && !moved.exists(), "{:#?}", setup.files());
}

#[test]
fn a60_doctor_knows_the_skill() {
    let setup = Setup::new(&["claude"]);
    setup.run(&["install", "claude-code"]).expect_success();
    let has_skill = || setup.run(&["doctor"]).stdout.contains("ok    Claude Code skill: in ");
    assert!(!has_skill());
    setup.run(&["install", "claude-code", "--skill"]).expect_success();
    assert!(has_skill());
    let refused = setup.run(&["install", "claude-code", "--skill", "--scope", "project"]);
    assert_eq!(refused.exit_code, Some(2), "{refused:#?}");
}
