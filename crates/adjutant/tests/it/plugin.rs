use std::fs;
use std::path::Path;

use serde_json::Value;
use testkit::{Finished, Launch};

use crate::fixture::HOOK;

/// The launcher outside of its checkout, with its own home folder and without adjutant on `PATH`.
struct Launcher {
    folder: tempfile::TempDir,
}

impl Launcher {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../plugin/hooks/launch.sh");
        let text = fs::read_to_string(script).unwrap();
        testkit::write_executable(&folder.path().join("hooks/launch.sh"), &text);
        Self { folder }
    }

    fn ask(&self, event: &str, path: &str) -> Finished {
        let payload = format!(r#"{{"hook_event_name":"{event}","turn_id":"1","prompt":"hello"}}"#);
        Launch::new(self.folder.path().join("hooks/launch.sh"), self.folder.path())
            .env("HOME", self.folder.path())
            .env("PATH", path)
            .input(payload)
            .run()
            .expect_success()
    }
}

/// Both clients treat empty output as no answer. The script starts no other program, because `PATH` is empty.
#[test]
fn a40_without_the_program_a_hook_is_silent() {
    let launcher = Launcher::new();
    for event in ["UserPromptSubmit", "PreToolUse", "PostToolUse"] {
        let said = launcher.ask(event, "");
        assert_eq!((said.stdout.as_str(), said.stderr.as_str()), ("", ""), "{event}");
    }
}

/// An empty answer allows a call, so it is correct only if the user has no hooks.
#[test]
fn b5_without_the_program_a_call_is_refused_if_the_user_has_hooks() {
    let launcher = Launcher::new();
    assert_eq!(launcher.ask("PreToolUse", "/usr/bin:/bin").stdout, "");
    let hooks = launcher.folder.path().join(".config/adjutant/hooks");
    fs::create_dir_all(&hooks).unwrap();
    fs::write(hooks.join("beforeToolCall.json"), "{}").unwrap();
    let said = launcher.ask("PreToolUse", "/usr/bin:/bin").stdout;
    let said: Value = serde_json::from_str(&said).unwrap();
    assert_eq!(said["hookSpecificOutput"]["permissionDecision"], "deny");
    assert_eq!(launcher.ask("PostToolUse", "/usr/bin:/bin").stdout, "");
}

#[test]
fn a54_a_program_in_the_repository_is_not_used_as_adjutant() {
    let launcher = Launcher::new();
    let trap = launcher.folder.path().join("adjutant-hook");
    testkit::write_executable(&trap, "#!/bin/sh\n: > \"$HOME/trapped\"\n");
    launcher.ask("UserPromptSubmit", ".:/usr/bin:/bin");
    assert!(!launcher.folder.path().join("trapped").exists());
}

#[test]
fn a7_the_launcher_finds_the_program_on_the_path_and_detects_the_client() {
    let launcher = Launcher::new();
    let programs = Path::new(HOOK).parent().unwrap().display().to_string();
    let said = launcher.ask("UserPromptSubmit", &format!("{programs}:/usr/bin:/bin")).stdout;
    // The payload contains a turn id, so the client is Codex, for which an empty answer is an empty object.
    assert_eq!(said.trim(), "{}");
}

/// A released plugin contains the program. A program on `PATH` may have another version.
#[test]
fn a7_the_launcher_prefers_the_program_in_the_plugin() {
    let launcher = Launcher::new();
    let script = |name: &str| format!("#!/bin/sh\nprintf '%s' '{name}'\n");
    let folder = launcher.folder.path();
    testkit::write_executable(&folder.join("path/adjutant-hook"), &script("on PATH"));
    let path = format!("{}:/usr/bin:/bin", folder.join("path").display());
    assert_eq!(launcher.ask("UserPromptSubmit", &path).stdout, "on PATH");
    testkit::write_executable(&folder.join("bin/adjutant-hook"), &script("in the plugin"));
    assert_eq!(launcher.ask("UserPromptSubmit", &path).stdout, "in the plugin");
}
