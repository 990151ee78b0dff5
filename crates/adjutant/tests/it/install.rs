//! `adjutant install` and `adjutant uninstall` for all clients: selection of clients, errors, and restored files (A60).

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use clients::CLIENTS;
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

/// Settings that a user may have. They contain comments if the client accepts them.
fn user_settings(word: &str) -> Vec<(&'static str, &'static str)> {
    match word {
        "claude-code" => vec![(".claude/settings.json", "{\n\t\"model\" : \"opus\"\n}")],
        "codex" => vec![(".codex/config.toml", "# mine\nmodel = 'x' # why\n")],
        "gemini" => vec![(".gemini/settings.json", "{ // mine\n  \"ui\":{\"theme\":\"x\"} }\n")],
        "qwen" => vec![(".qwen/settings.json", "{\"mcpServers\":{\"x\":{\"command\":\"y\"}}}")],
        "kimi" => vec![(
            ".kimi-code/config.toml",
            "# mine\n[[hooks]]\nevent = \"Stop\"\ncommand = \"x\"\n",
        )],
        "copilot" => vec![(".copilot/mcp-config.json", "{\"mcpServers\":{}}\n")],
        "opencode" => {
            vec![(".config/opencode/opencode.jsonc", "{\n  // mine\n  \"model\": \"a/b\",\n}\n")]
        }
        _ => vec![(".pi/agent/settings.json", "{}")],
    }
}

#[test]
fn a60_every_client_is_installed_and_uninstalled_without_a_trace() {
    for client in CLIENTS {
        let names = client.names();
        for with_settings in [false, true] {
            let setup = Setup::new(&[]);
            let settings = if with_settings { user_settings(names.word) } else { Vec::new() };
            for (name, text) in settings {
                fs::create_dir_all(setup.home(name).parent().unwrap()).unwrap();
                fs::write(setup.home(name), text).unwrap();
            }
            let before = setup.files();
            let mut install = vec!["install", names.word, "--tool-hooks", "--trust"];
            install.extend((names.word != "pi").then_some("--mcp"));
            let told = setup.run(&install).expect_success();
            assert!(told.stderr.contains(&format!("next: {}", names.example)), "{told:#?}");
            let installed = setup.files();
            assert_ne!(installed, before, "{}", names.word);
            let again = setup.run(&install).expect_success().stdout;
            assert!(again.lines().all(|line| line.starts_with("keep")), "{again}");
            assert_eq!(setup.files(), installed, "{}", names.word);
            setup.run(&["uninstall", names.word]).expect_success();
            assert_eq!(setup.files(), before, "{}", names.word);
        }
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

/// The tests may run as root, who can write everywhere except on a read-only file system.
#[test]
fn a60_a_home_that_cannot_be_written_is_an_error() {
    let setup = Setup::new(&[]);
    for client in CLIENTS {
        let variable = client.home_variable();
        let word = client.names().word;
        let refused = setup.launch(ADJUTANT, &["install", word]).env(variable, "/proc/1").run();
        assert_eq!(refused.exit_code, Some(20), "{refused:#?}");
        assert!(refused.stderr.contains("/proc/1"), "{refused:#?}");
        assert!(refused.stderr.contains("nothing was changed"), "{refused:#?}");
        assert!(setup.files().is_empty());
    }
}

#[test]
fn a60_a_moved_home_is_used_and_a_wrong_one_is_refused() {
    let setup = Setup::new(&[]);
    let moved = setup.folder.path().join("moved");
    fs::create_dir(&moved).unwrap();
    fs::write(moved.join("file"), "").unwrap();
    for client in CLIENTS {
        let (word, variable) = (client.names().word, client.home_variable());
        let with = |arguments: &[&str], home: &Path| {
            setup.launch(ADJUTANT, arguments).env(variable, home).run()
        };
        for wrong in [Path::new("relative"), &moved.join("file")] {
            let refused = with(&["install", word], wrong);
            assert_eq!(refused.exit_code, Some(20), "{refused:#?}");
            assert!(refused.stderr.contains(variable), "{refused:#?}");
        }
        setup.run(&["install", word]).expect_success();
        // The installation is in the default home, but the variable names another home.
        let refused = with(&["uninstall", word], &moved);
        assert_eq!(refused.exit_code, Some(20), "{refused:#?}");
        assert!(refused.stderr.contains(&format!("unset {variable}")), "{refused:#?}");
        let told = with(&["install", word], &moved).expect_success();
        assert!(told.stderr.contains(&format!("{variable} is set")), "{told:#?}");
        with(&["uninstall", word], &moved).expect_success();
        setup.run(&["uninstall", word]).expect_success();
        assert!(setup.files().is_empty(), "{:#?}", setup.files());
        assert_eq!(fs::read_dir(&moved).unwrap().count(), 1, "{word}");
    }
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
