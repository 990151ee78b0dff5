//! Tests that a repository's hooks run only if the user trusts their exact content (A54).

use policy::{Trust, TrustStore};
use serde_json::{Value, json};
use toolcall::{CallStatus, HookKind, find_hook_files};

use crate::fixture::{Fixture, action, counting, limits};

pub(crate) fn trust(fixture: &Fixture) {
    let folders = fixture.folders();
    let mut store = TrustStore::in_folder(folders.configuration.as_deref());
    for found in find_hook_files(&folders, &fixture.root, &HookKind::ALL) {
        if let Some(content) = &found.content {
            store.add(&found.path, content).unwrap();
        }
    }
}

fn project(fixture: &Fixture, command: &str) {
    project_actions(fixture, &[action(command)]);
}

pub(crate) fn program(words: &[&str]) -> Value {
    json!({"argv": words, "enabled": true, "timeout": 60000, "env": ["PATH"]})
}

pub(crate) fn project_actions(fixture: &Fixture, actions: &[Value]) {
    let file = json!([{"hooks": actions}]).to_string();
    fixture.write(&fixture.root.join(".adjutant/hooks/beforeToolCall.json"), &file);
}

#[test]
fn a54_an_untrusted_hook_does_not_run_and_a_limit_names_it() {
    let fixture = Fixture::new();
    project(&fixture, &counting("before", "exit 2"));
    let outcome = fixture.call();
    assert_eq!((outcome.record.status, fixture.counts().0), (CallStatus::Ok, 0));
    assert_eq!(
        limits(&outcome),
        [
            "hooks of this repository did not run, because they are not trusted: `.adjutant/hooks/beforeToolCall.json` (`adjutant trust`)"
        ]
    );
}

#[test]
fn a54_a_trusted_hook_runs() {
    let fixture = Fixture::new();
    project(&fixture, &counting("before", "exit 2"));
    trust(&fixture);
    assert_eq!((fixture.call().record.status, fixture.counts().0), (CallStatus::Blocked, 1));
}

#[test]
fn a54_a_changed_hook_file_blocks_calls() {
    let fixture = Fixture::new();
    project(&fixture, &counting("before", "exit 0"));
    trust(&fixture);
    project(&fixture, "exit 0");
    let outcome = fixture.call();
    assert_eq!((outcome.record.status, fixture.ran()), (CallStatus::Blocked, 0));
    assert!(limits(&outcome)[0].contains("changed since it was trusted"), "{:?}", limits(&outcome));
}

#[test]
fn a54_trust_covers_the_scripts_a_hook_names() {
    let fixture = Fixture::new();
    let script = fixture.root.join("tools/check.sh");
    fixture.write(&script, "exit 0\n");
    project(&fixture, "sh tools/check.sh");
    trust(&fixture);
    assert_eq!(fixture.call().record.status, CallStatus::Ok);
    let context = fixture.context();
    fixture.write(&script, "touch \"$NOTES/stolen\"\n");
    assert_eq!(fixture.call().record.status, CallStatus::Blocked);
    // Hooks that were read before the script changed must not run the changed script.
    let call = fixture.tool_call("ci_search", json!({}));
    let outcome = toolcall::call(&fixture.toolbox, &context, &call, fixture.deadline());
    assert!(limits(&outcome)[0].contains("changed since it was trusted"), "{:?}", limits(&outcome));
    assert!(!fixture.folders().home.unwrap().join("../notes/stolen").exists());
}

#[test]
fn a54_a_script_that_changes_while_an_earlier_hook_runs_does_not_run() {
    let fixture = Fixture::new();
    let change = "echo 'touch \"$NOTES/stolen\"' > tools/second.sh\n";
    fixture.write(&fixture.root.join("tools/first.sh"), change);
    fixture.write(&fixture.root.join("tools/second.sh"), "exit 0\n");
    let actions = ["sh tools/first.sh", "sh tools/second.sh"].map(action);
    project_actions(&fixture, &actions);
    trust(&fixture);
    let outcome = fixture.call();
    assert_eq!(outcome.record.status, CallStatus::Blocked);
    assert!(limits(&outcome)[0].contains("changed since it was trusted"), "{:?}", limits(&outcome));
    assert!(!fixture.folders().home.unwrap().join("../notes/stolen").exists());
}

/// The interpreter swaps the script after it was verified and before it is read, as another process could.
#[test]
fn a54_a_script_that_is_swapped_when_it_starts_does_not_run() {
    let mut fixture = Fixture::new();
    let bin = fixture.folders().home.unwrap().join("bin");
    let swap = "#!/bin/sh\necho 'touch \"$NOTES/stolen\"' > tools/check.sh\nexec /bin/sh \"$@\"\n";
    testkit::write_executable(&bin.join("dash"), swap);
    fixture.environment =
        fixture.environment.clone().with("PATH", format!("{}:/usr/bin:/bin", bin.display()));
    for hook in [action("dash tools/check.sh"), program(&["dash", "tools/check.sh"])] {
        let script =
            ". \"$(dirname \"$0\")/library.sh\"; note \"$ADJUTANT_SCRIPT\"; note \"$PWD\"\n";
        fixture.write(&fixture.root.join("tools/check.sh"), script);
        let library = "note() { echo \"$1\" >> \"$NOTES/ran\"; }\n";
        fixture.write(&fixture.root.join("tools/library.sh"), library);
        project_actions(&fixture, &[hook]);
        trust(&fixture);
        let outcome = fixture.call();
        assert_eq!(outcome.record.status, CallStatus::Ok, "{:?}", limits(&outcome));
        assert!(!fixture.folders().home.unwrap().join("../notes/stolen").exists());
        assert_eq!(fixture.call().record.status, CallStatus::Blocked, "the script was swapped");
    }
    let root = fixture.root.display();
    assert_eq!(fixture.note("ran"), format!("{root}/tools/check.sh\n{root}\n").repeat(2));
    let copies = fixture.folders().copies.unwrap();
    assert_eq!(std::fs::read_dir(copies).unwrap().count(), 0, "a copy was left");
}

#[test]
fn a54_a_program_of_a_repository_runs_from_a_copy() {
    let fixture = Fixture::new();
    let scripts = [("with-interpreter", "#!/bin/sh\n"), ("without-interpreter", "")];
    for (name, first_line) in scripts {
        let text = format!("{first_line}echo \"$0\" >> \"$NOTES/ran\"\n");
        testkit::write_executable(&fixture.root.join("tools").join(name), &text);
    }
    let hooks = [
        program(&["tools/with-interpreter"]),
        action("tools/with-interpreter"),
        action("tools/without-interpreter"),
    ];
    project_actions(&fixture, &hooks);
    trust(&fixture);
    let outcome = fixture.call();
    assert_eq!(outcome.record.status, CallStatus::Ok, "{:?}", limits(&outcome));
    let copies = fixture.folders().copies.unwrap();
    let ran = fixture.note("ran");
    assert_eq!(ran.lines().count(), 3, "{ran}");
    assert!(ran.lines().all(|line| std::path::Path::new(line).starts_with(&copies)), "{ran}");
}

#[test]
fn a54_trust_covers_the_script_that_runs_after_a_placeholder_is_replaced() {
    let fixture = Fixture::new();
    let script = fixture.root.join("tools/${TOOLSRESULT}.sh");
    fixture.write(&fixture.root.join("tools/$TOOLSRESULT$.sh"), "exit 0\n");
    fixture.write(&script, "touch \"$NOTES/ran\"\n");
    project(&fixture, "sh 'tools/$TOOLSRESULT$.sh'");
    trust(&fixture);
    assert_eq!(fixture.call().record.status, CallStatus::Ok);
    assert!(fixture.folders().home.unwrap().join("../notes/ran").exists());
    fixture.write(&script, "exit 0\n");
    let outcome = fixture.call();
    assert!(limits(&outcome)[0].contains("changed since it was trusted"), "{:?}", limits(&outcome));
}

#[test]
fn a54_commands_that_reach_a_script_by_expansion_are_listed_as_uncovered() {
    let fixture = Fixture::new();
    fixture.write(&fixture.root.join("tools/check.sh"), "exit 0\n");
    let commands = ["sh tools/check.sh", "sh tools/*.sh", "npm run hook", "exit 0"];
    project_actions(&fixture, &commands.map(action));
    let found = find_hook_files(&fixture.folders(), &fixture.root, &HookKind::ALL);
    let uncovered = found[0].uncovered(&fixture.root);
    let commands: Vec<&str> = uncovered.iter().map(|one| one.command.as_str()).collect();
    assert_eq!(commands, ["sh tools/*.sh", "npm run hook"]);
}

#[test]
fn a54_the_users_own_hooks_need_no_trust() {
    let fixture = Fixture::new();
    fixture.count_both();
    let found = find_hook_files(&fixture.folders(), &fixture.root, &HookKind::ALL);
    assert!(found.iter().all(|found| found.trust == Trust::Trusted));
    fixture.call();
    assert_eq!(fixture.counts(), (1, 1));
}

#[test]
fn b5_a_hook_file_in_two_folders_runs_once() {
    let mut fixture = Fixture::new();
    fixture.root = fixture.folders().home.unwrap();
    let file = json!([{"hooks": [action(&counting("before", "exit 0"))]}]).to_string();
    fixture.write(&fixture.root.join(".snow/hooks/beforeToolCall.json"), &file);
    fixture.call();
    assert_eq!(fixture.counts().0, 1);
}
