//! Hooks on the command line (`adjutant hooks`, `trust`, `tool`) and in a briefing (B1–B7, A54).

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use testkit::Finished;

use crate::fixture::{ADJUTANT, Fixture, HOOK, fixture};

/// A repository and a user's home folder.
pub(crate) struct Home {
    pub(crate) fixture: Fixture,
    folder: tempfile::TempDir,
}

pub(crate) fn home() -> Home {
    let folder = tempfile::tempdir().unwrap();
    let fixture = fixture().env("HOME", folder.path()).env("NOTES", folder.path());
    Home { fixture, folder }
}

pub(crate) fn rules(command: &str) -> String {
    json!([{"matcher": "*", "hooks": [{"type": "command", "command": command, "enabled": true, "timeout": 60000}]}])
        .to_string()
}

fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

impl Home {
    pub(crate) fn user_hook(&self, kind: &str, command: &str) {
        self.hook_file(kind, &rules(command));
    }

    pub(crate) fn hook_file(&self, kind: &str, text: &str) {
        let path = self.folder.path().join(format!(".config/adjutant/hooks/{kind}.json"));
        write(&path, text);
    }

    pub(crate) fn count_both(&self) {
        self.user_hook("beforeToolCall", "echo \"$ADJUTANT_TOOL_NAME\" >> \"$NOTES/before\"");
        self.user_hook("afterToolCall", "echo \"$ADJUTANT_TOOL_NAME\" >> \"$NOTES/after\"");
    }

    fn project_file(&self) -> PathBuf {
        self.fixture.repository.join(".adjutant/hooks/beforeToolCall.json")
    }

    pub(crate) fn note(&self, name: &str) -> String {
        fs::read_to_string(self.folder.path().join(name)).unwrap_or_default()
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Finished {
        self.fixture.launch(ADJUTANT).arguments(arguments).run()
    }

    #[track_caller]
    pub(crate) fn brief(&self, prompt: &str) -> (Value, i32) {
        let payload = json!({ "prompt": prompt }).to_string();
        let launch = self.fixture.launch(HOOK).arguments(["--format", "json"]);
        let finished = launch.input(payload).run();
        let briefing = serde_json::from_str(&finished.stdout)
            .unwrap_or_else(|error| panic!("{error}: {finished:#?}"));
        (briefing, finished.exit_code.unwrap_or(-1))
    }

    #[track_caller]
    pub(crate) fn json(&self, arguments: &[&str]) -> Value {
        let finished = self.run(arguments);
        serde_json::from_str(&finished.stdout)
            .unwrap_or_else(|error| panic!("{error}: {finished:#?}"))
    }
}

#[test]
fn b5_every_tool_of_a_briefing_fires_hooks_once_before_and_once_after() {
    let home = home();
    home.count_both();
    let (briefing, _) = home.brief("where is enforce_retry_budget_zebra used?");
    let mut called: Vec<&str> = briefing["tool_results"]
        .as_array()
        .unwrap()
        .iter()
        .map(|result| result["tool"].as_str().unwrap())
        .collect();
    called.sort_unstable();
    assert!(!called.is_empty());
    for moment in ["before", "after"] {
        let text = fs::read_to_string(home.folder.path().join(moment)).unwrap_or_default();
        let mut fired: Vec<&str> = text.lines().collect();
        fired.sort_unstable();
        assert_eq!(fired, called, "{moment}");
    }
}

#[test]
fn b1_tool_call_runs_the_whole_lifecycle() {
    let home = home();
    home.count_both();
    let arguments = r#"sure: {"query": "enforce_retry_budget_zebra", "limit": 99}"#;
    let called = home.json(&["tool", "call", "ci_search", "--args", arguments]);
    assert_eq!(called["result"]["status"], "ok", "{called}");
    assert_eq!(called["limits"][0], "ci_search: limit clamped to 10");
    assert_eq!(
        called["record"]["arguments"],
        json!({"query": "enforce_retry_budget_zebra", "limit": 10})
    );
    assert_eq!(called["record"]["hooks"].as_array().unwrap().len(), 2);
    assert_eq!(
        (home.note("before").as_str(), home.note("after").as_str()),
        ("ci_search\n", "ci_search\n")
    );
}

#[test]
fn b1_tool_call_reports_its_outcome() {
    let home = home();
    home.user_hook("beforeToolCall", "exit 2");
    let finished = home.run(&["tool", "call", "ci_search", "--args", r#"{"query": "x"}"#]);
    assert_eq!(finished.exit_code, Some(40), "{finished:#?}");
    let called: Value = serde_json::from_str(&finished.stdout).unwrap();
    assert_eq!(
        (&called["record"]["status"], &called["result"]["status"]),
        (&json!("blocked"), &json!("skipped"))
    );
    assert_eq!(home.run(&["tool", "call", "rm"]).exit_code, Some(1));
    assert_eq!(home.run(&["tool", "call", "ci_search", "--args", "[1]"]).exit_code, Some(2));
    assert!(home.run(&["tool", "list"]).expect_success().stdout.contains("limit (1 to 10)"));
}

#[test]
fn a54_a_repository_hook_runs_when_trusted_and_blocks_calls_when_changed() {
    let home = home();
    let script = home.fixture.repository.join("tools/check.sh");
    write(&script, "echo x >> \"$NOTES/before\"\n");
    write(&home.project_file(), &rules("sh tools/check.sh"));
    let call = ["tool", "call", "ci_search", "--args", r#"{"query": "x"}"#];
    let first = home.json(&call);
    assert!(first["limits"][0].as_str().unwrap().contains("they are not trusted"), "{first}");
    assert_eq!(home.note("before"), "");

    let refused = home.run(&["trust"]);
    assert_eq!(refused.exit_code, Some(2), "{refused:#?}");
    assert!(refused.stderr.contains("runs `sh tools/check.sh`"), "{refused:#?}");
    assert!(refused.stderr.contains("with tools/check.sh"), "{refused:#?}");
    let trusted = home.run(&["trust", "--yes"]).expect_success();
    assert_eq!(trusted.stdout, "trusted .adjutant/hooks/beforeToolCall.json\n");
    assert_eq!(home.json(&call)["result"]["status"], "ok");
    assert_eq!(home.note("before"), "x\n");

    write(&script, "true\n");
    let changed = home.json(&call);
    assert!(
        changed["limits"][0].as_str().unwrap().contains("changed since it was trusted"),
        "{changed}"
    );
    home.run(&["hooks", "trust", "--yes"]).expect_success();
    assert_eq!(home.json(&call)["result"]["status"], "ok");
    home.run(&["trust", "--withdraw"]).expect_success();
    assert!(home.json(&call)["limits"][0].as_str().unwrap().contains("they are not trusted"));
}

#[test]
fn b6_hooks_are_listed_and_matched_without_firing() {
    let home = home();
    home.count_both();
    write(&home.project_file(), &rules("true"));
    write(&home.folder.path().join(".snow/hooks/onStop.json"), &rules("say done"));
    write(&home.fixture.repository.join(".snow/hooks/afterToolCall.json"), "{");
    let listed = home.run(&["hooks", "list"]).expect_success().stdout;
    for words in ["untrusted", "unreadable", "not run here", "global", "project", "seed"] {
        assert!(listed.contains(words), "{words}: {listed}");
    }
    let matched =
        home.json(&["hooks", "match", "Bash", "--args", r#"{"command": "ls"}"#, "--json"]);
    let states: Vec<&str> = matched["hooks"]
        .as_array()
        .unwrap()
        .iter()
        .map(|hook| hook["state"].as_str().unwrap())
        .collect();
    assert_eq!(states, ["fires", "untrusted", "fires"]);
    assert_eq!(matched["problems"].as_array().unwrap().len(), 1);
    assert_eq!((home.note("before"), home.note("after")), (String::new(), String::new()));
}

#[test]
fn b6_hooks_can_be_tested_without_the_tool() {
    let home = home();
    home.count_both();
    let tried = home.json(&["hooks", "test", "Bash", "--args", r#"{"command": "touch planted"}"#]);
    assert_eq!(
        (&tried["before"]["verdict"], &tried["after"]["hooks"][0]["exit"]),
        (&json!("go"), &json!(0))
    );
    assert_eq!((home.note("before").as_str(), home.note("after").as_str()), ("Bash\n", "Bash\n"));
    assert!(!home.fixture.repository.join("planted").exists());
    home.user_hook("beforeToolCall", "echo no; exit 2");
    let tried = home.run(&["hooks", "test", "Bash"]);
    assert_eq!(tried.exit_code, Some(40), "{tried:#?}");
    assert!(tried.stdout.contains("\"verdict\": \"block\""), "{tried:#?}");
}
