use std::time::{Duration, Instant};

use contract::{ClientName, FileAction, SessionActivity, TouchedFile};
use serde_json::{Value, json};

use crate::{Payload, activity_in, client};

/// The lines of two turns of Claude Code 2.1.325, without ids and costs.
const SESSION: &str = include_str!("session.jsonl");
const SESSION_ID: &str = "589918f3-815f-4508-b0ce-41d334a65d9b";

fn payload(prompt: &str) -> Payload {
    Payload {
        prompt: Some(prompt.to_owned()),
        cwd: Some("/home/me/proj".to_owned()),
        session_id: Some(SESSION_ID.to_owned()),
        ..Payload::default()
    }
}

fn read(payload: &Payload, transcript: &str) -> Option<SessionActivity> {
    let deadline = Instant::now() + Duration::from_secs(60);
    let directory = payload.cwd.as_deref();
    let client = client(&ClientName::CLAUDE_CODE);
    activity_in(client, payload, directory, transcript.as_bytes(), deadline)
}

/// Builds a transcript of lines that contain only the type and the message.
fn transcript(messages: &[(&str, Value)]) -> String {
    let line = |(role, content): &(&str, Value)| {
        json!({"type": role, "message": {"role": role, "content": content}}).to_string()
    };
    messages.iter().map(line).collect::<Vec<_>>().join("\n")
}

fn activity(messages: &[(&str, Value)]) -> SessionActivity {
    read(&payload("now"), &transcript(messages)).unwrap()
}

fn call(id: &str, name: &str, input: Value) -> (&'static str, Value) {
    ("assistant", json!([{"type": "tool_use", "id": id, "name": name, "input": input}]))
}

fn result(id: &str, content: &str, is_error: bool) -> (&'static str, Value) {
    let block =
        json!({"type": "tool_result", "tool_use_id": id, "content": content, "is_error": is_error});
    ("user", json!([block]))
}

fn paths(activity: &SessionActivity) -> Vec<(&str, FileAction)> {
    activity.files.iter().map(|file| (file.path.as_str(), file.action)).collect()
}

#[test]
fn a26_the_transcript_of_claude_code_is_read() {
    let found = read(&payload("second prompt"), SESSION).unwrap();
    let file = |path: &str, action, at: u64, lines| TouchedFile {
        path: path.to_owned(),
        action,
        prompts_ago: 0,
        at: Some(1_794_813_360 + at),
        lines,
    };
    let expected = SessionActivity {
        n_prompts: 1,
        prompts: vec!["first prompt: please read main".to_owned()],
        files: vec![
            file("src/main.rs", FileAction::Read, 4, None),
            file("src", FileAction::Listed, 5, None),
            file("src/main.rs", FileAction::Edited, 5, None),
            file("src/new.rs", FileAction::Created, 5, None),
            file("src/lib.rs", FileAction::Read, 5, None),
        ],
        failure: Some("pub fn a() {}\npub fn b() {}\nFAILED assertion at src/main.rs:2".to_owned()),
        compacted_at: None,
    };
    assert_eq!(found, expected);
}

#[test]
fn a26_a_minimal_transcript_is_read() {
    let found = activity(&[
        ("user", json!("fix the parser")),
        call("1", "Read", json!({"file_path": "src/parser.rs", "offset": 10, "limit": 5})),
        ("user", json!([{"type": "text", "text": "and the lexer"}])),
        call("2", "Edit", json!({"file_path": "/home/me/proj/src/lexer.rs"})),
        ("assistant", json!("done")),
    ]);
    assert_eq!(found.prompts, ["fix the parser", "and the lexer"]);
    let parser = &found.files[0];
    assert_eq!((parser.prompts_ago, parser.at, parser.lines), (1, None, Some((10, 14))));
    assert_eq!(found.files[1].prompts_ago, 0);
    assert_eq!(
        paths(&found),
        [("src/parser.rs", FileAction::Read), ("src/lexer.rs", FileAction::Edited)]
    );
}

#[test]
fn a26_only_texts_of_the_user_are_prompts() {
    let found = activity(&[
        ("user", json!("first")),
        ("user", json!("[Request interrupted by user for tool use]")),
        ("user", json!("<command-name>/model</command-name>\n<command-args>x</command-args>")),
        ("user", json!("<local-command-stdout>set</local-command-stdout>")),
        ("user", json!("<task-notification>\n<task-id>1</task-id>\n</task-notification>")),
        ("user", json!("<ide_opened_file>a.rs</ide_opened_file>second\n<system-reminder>x")),
        ("user", json!([{"type": "text", "text": "<system-reminder>no</system-reminder>"}])),
        ("user", json!([{"type": "image", "source": {}}, {"type": "text", "text": "third"}])),
        result("9", "output", false),
    ]);
    assert_eq!(found.prompts, ["first", "second", "third"]);
    assert_eq!(found.n_prompts, 3);
}

#[test]
fn a26_lines_that_are_not_of_the_conversation_are_ignored() {
    let line = |name: &str, value: Value| {
        let mut line = json!({"type": "user", "message": {"role": "user", "content": "no"}});
        line[name] = value;
        read(&payload("now"), &line.to_string())
    };
    assert_eq!(line("isMeta", json!(true)), None);
    assert_eq!(line("isCompactSummary", json!(true)), None);
    assert_eq!(line("isSidechain", json!(true)), None);
    assert_eq!(line("promptSource", json!("system")), None);
    assert_eq!(line("type", json!("api-request-blob")), None);
    assert_eq!(line("sessionId", json!("another session")), None);
    assert_eq!(line("isMeta", json!("a wrong type")).unwrap().prompts, ["no"]);
    assert_eq!(line("sessionId", json!(7)).unwrap().prompts, ["no"]);
}

#[test]
fn a26_a_sub_agent_touches_files_but_writes_no_prompt() {
    let mut line: Value =
        serde_json::from_str(&transcript(&[call("1", "Read", json!({"file_path": "src/a.rs"}))]))
            .unwrap();
    line["isSidechain"] = json!(true);
    let found = read(&payload("now"), &line.to_string()).unwrap();
    assert_eq!(paths(&found), [("src/a.rs", FileAction::Read)]);
}

#[test]
fn a26_the_current_prompt_is_not_an_earlier_one() {
    let messages = [("user", json!("first")), ("assistant", json!("ok")), ("user", json!("now"))];
    assert_eq!(activity(&messages).prompts, ["first"]);
    // If the same text was answered in an earlier turn, it is an earlier prompt.
    let messages = [("user", json!("now")), ("assistant", json!("ok"))];
    assert_eq!(activity(&messages).prompts, ["now"]);
    let line = json!({"type": "user", "promptId": "p2", "message": {"content": "expanded"}});
    let payload = Payload { prompt_id: Some("p2".to_owned()), ..payload("now") };
    assert_eq!(read(&payload, &line.to_string()), None);
}

#[test]
fn a26_a_refused_call_touches_no_file() {
    let edit = || call("1", "Edit", json!({"file_path": "src/a.rs"}));
    let prompt = || ("user", json!("first"));
    for text in ["<tool_use_error>File has not been read yet", "The user doesn't want to proceed"] {
        let found = activity(&[prompt(), edit(), result("1", text, true)]);
        assert_eq!(found.files, []);
        assert_eq!(found.failure, None);
    }
    let found = activity(&[prompt(), edit(), result("1", "updated", false)]);
    assert_eq!(found.files.len(), 1);
}

#[test]
fn a26_a_failure_ends_with_a_later_success() {
    let prompt = || ("user", json!("test it"));
    let failed = [
        call("1", "Bash", json!({"command": "make test"})),
        result("1", "Exit code 2\nboom", true),
    ];
    let passed = [call("2", "Bash", json!({"command": "make test"})), result("2", "ok", false)];
    let failure = |groups: &[&[(&str, Value)]]| activity(&groups.concat()).failure;
    let (prompt, boom) = ([prompt()], Some("boom".to_owned()));
    assert_eq!(failure(&[&prompt, &failed]), boom);
    assert_eq!(failure(&[&prompt, &failed, &prompt]), boom);
    assert_eq!(failure(&[&prompt, &failed, &prompt, &passed]), None);
    // A failure of the last turn is kept.
    assert_eq!(failure(&[&prompt, &failed, &passed]), boom);
    // A search without a match is not a failure.
    let search = [call("3", "Bash", json!({"command": "rg x"})), result("3", "Exit code 1", true)];
    assert_eq!(failure(&[&prompt, &search]), None);
    // The call precedes the part of the transcript that was read.
    assert_eq!(failure(&[&failed[1..]]), boom);
}

#[test]
fn a26_a_file_that_the_user_names_is_read() {
    let line = json!({"type": "attachment", "attachment": {"type": "file", "filename": "/home/me/proj/a.rs"}});
    let found = read(&payload("now"), &line.to_string()).unwrap();
    assert_eq!(paths(&found), [("a.rs", FileAction::Read)]);
}

/// The lines that Claude Code 2.1.325 writes, without the fields that are not read.
#[test]
fn a33_the_time_of_the_last_compaction_is_read() {
    let boundary = |subtype: &str, time: &str| {
        json!({"type": "system", "subtype": subtype, "timestamp": time, "isMeta": false})
            .to_string()
    };
    let lines = [
        transcript(&[("user", json!("first"))]),
        boundary("compact_boundary", "2026-11-16T07:16:03.825Z"),
        boundary("compact_boundary", "2026-11-16T08:16:03.825Z"),
        boundary("stop_hook_summary", "2026-11-16T09:16:03.825Z"),
        json!({"type": "user", "isCompactSummary": true, "message": {"content": "summary"}})
            .to_string(),
    ];
    let found = read(&payload("now"), &lines.join("\n")).unwrap();
    assert_eq!(found.compacted_at, Some(1_794_816_963));
    assert_eq!(found.prompts, ["first"], "the summary is not a prompt");
    let of_sub_agent = boundary("compact_boundary", "2026-11-16T07:16:03.825Z")
        .replace("{", "{\"isSidechain\":true,");
    assert_eq!(read(&payload("now"), &of_sub_agent), None);
}

#[test]
fn a26_a_prompt_that_the_client_wrote_is_recognised() {
    let client = client(&ClientName::CLAUDE_CODE);
    let notice = "<task-notification>\n<task-id>1</task-id>\n</task-notification>";
    for (prompt, is_of_client) in [
        (notice.to_owned(), true),
        (format!("{notice}\nwhy did it fail?"), false),
        ("[Request interrupted by user]".to_owned(), true),
        ("what is a <task-notification>?".to_owned(), false),
    ] {
        assert_eq!(client.has_written(&prompt), is_of_client, "{prompt}");
    }
}
