use std::time::{Duration, Instant};

use contract::{ClientName, FileAction, SessionActivity};
use serde_json::{Value, json};

use crate::{Payload, activity_in, client};

/// The lines of one turn of Codex 0.166.0, without token counts.
const SESSION: &str = include_str!("session.jsonl");
const PATCHES: &str = include_str!("patches.jsonl");

fn payload(session: &str) -> Payload {
    Payload {
        prompt: Some("second prompt".to_owned()),
        cwd: Some("/home/me/proj".to_owned()),
        session_id: Some(session.to_owned()),
        ..Payload::default()
    }
}

fn read(session: &str, transcript: &str) -> Option<SessionActivity> {
    let deadline = Instant::now() + Duration::from_secs(60);
    let payload = payload(session);
    let directory = payload.cwd.as_deref();
    let client = client(&ClientName::CODEX_CLI);
    activity_in(client, &payload, directory, transcript.as_bytes(), deadline)
}

/// Reads a transcript that consists of these response items.
fn activity(items: &[Value]) -> SessionActivity {
    let line = |item: &Value| json!({"type": "response_item", "payload": item}).to_string();
    read("s", &items.iter().map(line).collect::<Vec<_>>().join("\n")).unwrap()
}

type Described<'a> = (&'a str, FileAction, Option<(u32, u32)>);

fn files(activity: &SessionActivity) -> Vec<Described<'_>> {
    activity.files.iter().map(|file| (file.path.as_str(), file.action, file.lines)).collect()
}

fn message(role: &str, text: &str) -> Value {
    json!({"type": "message", "role": role, "content": [{"type": "input_text", "text": text}]})
}

#[test]
fn a26_the_rollout_of_codex_is_read() {
    let found = read("01a1e337-11bc-7a50-960b-487269564482", SESSION).unwrap();
    assert_eq!((found.n_prompts, found.prompts.len()), (1, 1));
    assert_eq!(found.prompts, ["first prompt: please read main"]);
    assert_eq!(
        files(&found),
        [
            ("src/lib.rs", FileAction::Read, Some((1, 2))),
            ("src", FileAction::Listed, None),
            ("src/main.rs", FileAction::Read, None),
        ]
    );
    assert_eq!(found.files[0].at, Some(1_794_813_400));
    assert_eq!(found.failure.as_deref(), Some("FAILED at src/main.rs:2"));
    assert_eq!(read("another session", SESSION), None);
}

/// The first patch was refused, and the third did not apply.
#[test]
fn a26_only_applied_patches_count() {
    let found = read("01a1e338-6f60-7f00-9914-518d7fa75dc3", PATCHES).unwrap();
    assert_eq!(files(&found), [("src/lib.rs", FileAction::Edited, None)]);
    assert_eq!(found.failure, None);
}

#[test]
fn a26_a_patch_names_the_files_it_changes() {
    let patch = "*** Begin Patch\n*** Update File: src/a.rs\n@@\n-x\n+y\n*** Add File: src/b.rs\n+z\n*** Delete File: src/c.rs\n*** End Patch\n";
    let call =
        json!({"type": "custom_tool_call", "call_id": "1", "name": "apply_patch", "input": patch});
    let output = json!({"type": "custom_tool_call_output", "call_id": "1", "output": "Exit code: 0\nWall time: 0 seconds\nOutput:\nSuccess."});
    let expected =
        [("src/a.rs", FileAction::Edited, None), ("src/b.rs", FileAction::Created, None)];
    assert_eq!(files(&activity(&[call, output])), expected);
    let arguments = json!({"command": ["apply_patch", patch]}).to_string();
    let call =
        json!({"type": "function_call", "call_id": "1", "name": "shell", "arguments": arguments});
    assert_eq!(files(&activity(&[call])), expected);
}

#[test]
fn a26_commands_of_older_versions_are_read() {
    let arguments = json!({"command": ["bash", "-lc", "cat a.rs && cargo test"], "workdir": "/home/me/proj/sub"});
    let call = json!({"type": "function_call", "call_id": "1", "name": "shell", "arguments": arguments.to_string()});
    let output = json!({"output": "test failed\n", "metadata": {"exit_code": 101}}).to_string();
    let output = json!({"type": "function_call_output", "call_id": "1", "output": output});
    let found = activity(&[call, output]);
    assert_eq!(files(&found), [("sub/a.rs", FileAction::Read, None)]);
    assert_eq!(found.failure.as_deref(), Some("test failed"));
    let action = json!({"command": ["cat", "b c.rs"], "working_directory": "/home/me/proj"});
    let call = json!({"type": "local_shell_call", "call_id": "2", "action": action});
    assert_eq!(files(&activity(&[call])), [("b c.rs", FileAction::Read, None)]);
}

#[test]
fn a26_messages_that_codex_writes_are_not_prompts() {
    let found = activity(&[
        message("user", "<environment_context>\n</environment_context>"),
        message("user", "# AGENTS.md instructions for /home/me/proj"),
        message("user", "first"),
        message("developer", "context of a hook"),
        message("user", "<turn_aborted>\n</turn_aborted>"),
        message("assistant", "done"),
        message("user", "second prompt"),
    ]);
    assert_eq!(found.prompts, ["first"]);
}

/// The line that Codex 0.166.0 writes, with a shorter history.
#[test]
fn a33_the_time_of_the_last_compaction_is_read() {
    let compacted = json!({
        "timestamp": "2026-11-18T16:54:20.997Z", "ordinal": 20, "type": "compacted",
        "payload": {"message": "summary", "replacement_history": [message("user", "first")]},
    });
    let prompt = json!({"type": "response_item", "payload": message("user", "first")});
    let found = read("s", &format!("{prompt}\n{compacted}")).unwrap();
    assert_eq!(found.compacted_at, Some(1_795_020_860));
    assert_eq!(found.prompts, ["first"], "the new history is not read");
}

#[test]
fn a26_a_prompt_that_the_client_wrote_is_recognised() {
    let client = client(&ClientName::CODEX_CLI);
    assert!(client.has_written("<subagent_notification>done</subagent_notification>"));
    assert!(!client.has_written("what is a <subagent_notification>?"));
}
