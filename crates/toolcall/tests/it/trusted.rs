//! A repository's hooks run only if the user trusted exactly this content (A54).

use policy::{Trust, TrustStore};
use serde_json::json;
use toolcall::{CallStatus, HookKind, find_hook_files};

use crate::stage::{Stage, action, counting, limits};

pub(crate) fn trust(stage: &Stage) {
    let folders = stage.folders();
    let mut store = TrustStore::in_folder(folders.configuration.as_deref());
    for found in find_hook_files(&folders, &stage.root, &HookKind::ALL) {
        if let Some(content) = &found.content {
            store.add(&found.path, content).unwrap();
        }
    }
}

fn project(stage: &Stage, command: &str) {
    let file = json!([{"hooks": [action(command)]}]).to_string();
    stage.write(&stage.root.join(".adjutant/hooks/beforeToolCall.json"), &file);
}

#[test]
fn a54_an_untrusted_hook_does_not_run_and_is_said() {
    let stage = Stage::new();
    project(&stage, &counting("before", "exit 2"));
    let outcome = stage.call();
    assert_eq!((outcome.record.status, stage.counts().0), (CallStatus::Ok, 0));
    assert_eq!(
        limits(&outcome),
        [
            "hooks of this repository did not run, nobody trusted them: `.adjutant/hooks/beforeToolCall.json` (`adjutant trust`)"
        ]
    );
}

#[test]
fn a54_a_trusted_hook_runs() {
    let stage = Stage::new();
    project(&stage, &counting("before", "exit 2"));
    trust(&stage);
    assert_eq!((stage.call().record.status, stage.counts().0), (CallStatus::Blocked, 1));
}

#[test]
fn a54_whoever_edits_a_trusted_hook_does_not_switch_it_off() {
    let stage = Stage::new();
    project(&stage, &counting("before", "exit 0"));
    trust(&stage);
    project(&stage, "exit 0");
    let outcome = stage.call();
    assert_eq!((outcome.record.status, stage.ran()), (CallStatus::Blocked, 0));
    assert!(limits(&outcome)[0].contains("changed since it was trusted"), "{:?}", limits(&outcome));
}

#[test]
fn a54_trust_covers_the_scripts_a_hook_names() {
    let stage = Stage::new();
    let script = stage.root.join("tools/check.sh");
    stage.write(&script, "exit 0\n");
    project(&stage, "sh tools/check.sh");
    trust(&stage);
    assert_eq!(stage.call().record.status, CallStatus::Ok);
    let context = stage.context();
    stage.write(&script, "touch \"$NOTES/stolen\"\n");
    assert_eq!(stage.call().record.status, CallStatus::Blocked);
    // Hooks that were read before the script changed must not run it either.
    let call = stage.tool_call("ci_search", json!({}));
    let outcome = toolcall::call(&stage.toolbox, &context, &call, stage.deadline());
    assert!(limits(&outcome)[0].contains("changed since it was trusted"), "{:?}", limits(&outcome));
    assert!(!stage.folders().home.unwrap().join("../notes/stolen").exists());
}

#[test]
fn a54_commands_that_reach_a_script_by_expansion_are_listed_as_uncovered() {
    let stage = Stage::new();
    stage.write(&stage.root.join("tools/check.sh"), "exit 0\n");
    let actions =
        ["sh tools/check.sh", "sh tools/*.sh", "npm run hook", "exit 0"].map(action).to_vec();
    let file = json!([{"hooks": actions}]).to_string();
    stage.write(&stage.root.join(".adjutant/hooks/beforeToolCall.json"), &file);
    let found = find_hook_files(&stage.folders(), &stage.root, &HookKind::ALL);
    let uncovered = found[0].uncovered(&stage.root);
    let commands: Vec<&str> = uncovered.iter().map(|one| one.command.as_str()).collect();
    assert_eq!(commands, ["sh tools/*.sh", "npm run hook"]);
}

#[test]
fn a54_the_users_own_hooks_need_no_trust() {
    let stage = Stage::new();
    stage.count_both();
    let found = find_hook_files(&stage.folders(), &stage.root, &HookKind::ALL);
    assert!(found.iter().all(|found| found.trust == Trust::Trusted));
    stage.call();
    assert_eq!(stage.counts(), (1, 1));
}

#[test]
fn b5_a_file_two_folders_lead_to_fires_once() {
    let mut stage = Stage::new();
    stage.root = stage.folders().home.unwrap();
    let file = json!([{"hooks": [action(&counting("before", "exit 0"))]}]).to_string();
    stage.write(&stage.root.join(".snow/hooks/beforeToolCall.json"), &file);
    stage.call();
    assert_eq!(stage.counts().0, 1);
}
