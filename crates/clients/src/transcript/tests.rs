use std::fs;
use std::os::unix::fs::symlink;
use std::time::Duration;

use contract::ClientName;
use serde_json::json;

use super::*;
use crate::{CLIENTS, client};

fn far() -> Instant {
    Instant::now() + Duration::from_secs(600)
}

fn prompt_line(text: &str) -> String {
    json!({"type": "user", "message": {"content": text}}).to_string()
}

/// Reads a file with these bytes as a transcript of Claude Code.
fn read_file(bytes: &[u8]) -> Option<SessionActivity> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("transcript.jsonl");
    fs::write(&path, bytes).unwrap();
    read_path(&path)
}

fn read_path(path: &Path) -> Option<SessionActivity> {
    let payload =
        Payload { transcript_path: Some(path.to_str().unwrap().to_owned()), ..Payload::default() };
    session_activity(client(&ClientName::CLAUDE_CODE), &payload, None, far())
}

#[test]
fn a50_only_the_end_of_a_large_transcript_is_read() {
    let filler = prompt_line(&"x".repeat(1_000));
    let mut text = format!("{}\n", prompt_line("the first"));
    while text.len() < 10 * 1024 * 1024 {
        text.push_str(&filler);
        text.push('\n');
    }
    text.push_str(&prompt_line("the last"));
    let found = read_file(text.as_bytes()).unwrap();
    assert_eq!(found.prompts.last().unwrap(), "the last");
    let n_lines = usize::try_from(MAX_BYTES).unwrap() / filler.len();
    assert!((n_lines - 2..=n_lines + 2).contains(&(found.n_prompts as usize)), "{found:?}");
}

#[test]
fn a50_a_line_that_cannot_be_read_is_skipped() {
    let deep =
        format!("{{\"type\":\"user\",\"message\":{}{}}}", "[".repeat(5_000), "]".repeat(5_000));
    let long = prompt_line(&"y".repeat(200_000));
    for broken in [
        "{\"type\":\"user\",\"message\":{\"content\":\"cut",
        "",
        "null",
        "[]",
        "7",
        "{\"type\":7}",
        "{\"type\":\"user\"}",
        "{\"type\":\"user\",\"message\":[1,2]}",
        "{\"type\":\"user\",\"message\":{\"content\":{\"text\":1}}}",
        "{\"type\":\"user\",\"message\":{\"content\":[null,7,{\"type\":\"text\"},{\"type\":[]}]}}",
        "{\"type\":\"assistant\",\"message\":{\"content\":[{\"type\":\"tool_use\",\"name\":\"Read\",\"input\":\"x\"}]}}",
        "\u{0}\u{0}\u{0}",
        "{\"type\":\"user\",\"message\":{\"content\":\"\\ud800\"}}",
        deep.as_str(),
    ] {
        let text = format!("{}\n{broken}\n{}\r\n", prompt_line("one"), prompt_line("two"));
        assert_eq!(read_file(text.as_bytes()).unwrap().prompts, ["one", "two"], "{broken}");
    }
    let many =
        format!("{{\"type\":\"user\",\"message\":{{\"content\":[{}0]}}}}", "0,".repeat(100_000));
    let text = format!("{}\n{many}\n{long}\n", prompt_line("one"));
    let found = read_file(text.as_bytes()).unwrap();
    assert_eq!(found.prompts[1].len(), SessionActivity::MAX_PROMPT_CHARS);
    let mut bytes = prompt_line("one").into_bytes();
    bytes.extend(b"\n{\"type\":\"user\",\"message\":{\"content\":\"\xff\"}}\n");
    assert_eq!(read_file(&bytes).unwrap().prompts, ["one"]);
}

/// If a line is longer than the part that is read, the lines before it are not read either.
#[test]
fn a50_lines_before_a_line_of_two_megabytes_are_not_read() {
    let long = prompt_line(&"z".repeat(2 * 1024 * 1024));
    assert_eq!(read_file(format!("{}\n{long}\n", prompt_line("one")).as_bytes()), None);
    let text = format!("{long}\n{}\n", prompt_line("two"));
    assert_eq!(read_file(text.as_bytes()).unwrap().prompts, ["two"]);
}

#[test]
fn a50_only_a_regular_file_is_read_as_a_transcript() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("file"), prompt_line("one")).unwrap();
    symlink("file", path("link")).unwrap();
    symlink("/dev/zero", path("zero")).unwrap();
    assert!(read_path(&path("file")).is_some());
    for name in ["link", "zero", ".", "absent"] {
        assert_eq!(read_path(&path(name)), None, "{name}");
    }
    for transcript_path in [None, Some(String::new())] {
        let payload = Payload { transcript_path, ..Payload::default() };
        assert_eq!(session_activity(CLIENTS[0], &payload, None, far()), None);
    }
}

#[test]
fn a50_the_newest_lines_are_read_before_the_deadline() {
    let text = [prompt_line("one"), prompt_line("two")].join("\n");
    let payload = Payload::default();
    assert_eq!(activity_in(CLIENTS[0], &payload, None, text.as_bytes(), Instant::now()), None);
}

#[test]
fn a50_every_part_of_the_activity_is_bounded() {
    let long = "ä".repeat(10_000);
    let mut lines = vec![prompt_line(&long); 10];
    for number in 0..200 {
        let blocks = json!([
            {"type": "tool_use", "id": "a", "name": "Read", "input": {"file_path": format!("f{number}")}},
            {"type": "tool_use", "id": "b", "name": "Read", "input": {"file_path": long}},
            {"type": "tool_use", "id": "c", "name": "Grep", "input": {"pattern": format!("{number}{long}")}},
            {"type": "tool_use", "id": "d", "name": "Bash", "input": {"command": "make"}},
            {"type": "text", "text": long},
        ]);
        lines.push(json!({"type": "assistant", "message": {"content": blocks}}).to_string());
    }
    let failed =
        json!([{"type": "tool_result", "tool_use_id": "d", "content": long, "is_error": true}]);
    lines.push(json!({"type": "user", "message": {"content": failed}}).to_string());
    let text = lines.join("\n");
    let found = activity_in(CLIENTS[0], &Payload::default(), None, text.as_bytes(), far()).unwrap();
    let chars = |text: &String| text.chars().count();
    assert_eq!(found.prompts.len(), SessionActivity::MAX_PROMPTS);
    assert!(found.prompts.iter().all(|text| chars(text) == SessionActivity::MAX_PROMPT_CHARS));
    assert_eq!(found.files.len(), SessionActivity::MAX_FILES);
    assert_eq!(found.files.last().unwrap().path, "f199");
    assert_eq!(found.failure.as_ref().map(chars), Some(SessionActivity::MAX_FAILURE_CHARS));
}

#[test]
fn a26_paths_are_relative_to_the_working_directory() {
    let read = |path: &str| {
        let block = json!([{"type": "tool_use", "name": "Read", "input": {"file_path": path}}]);
        let line =
            json!({"type": "assistant", "cwd": "/w/repo/sub", "message": {"content": block}});
        let line = line.to_string();
        let found =
            activity_in(CLIENTS[0], &Payload::default(), Some("/w/repo/"), line.as_bytes(), far());
        found.and_then(|found| found.files.first().map(|file| file.path.clone()))
    };
    assert_eq!(read("/w/repo/a.rs").as_deref(), Some("a.rs"));
    assert_eq!(read("a.rs").as_deref(), Some("sub/a.rs"));
    assert_eq!(read("./../b/./a.rs").as_deref(), Some("b/a.rs"));
    assert_eq!(read("../../x/a.rs").as_deref(), Some("/w/x/a.rs"));
    assert_eq!(read("/w/repository/a.rs").as_deref(), Some("/w/repository/a.rs"));
    assert_eq!(read("../../../../../../etc/passwd").as_deref(), Some("/etc/passwd"));
    assert_eq!(read("/w/repo"), None);
    assert_eq!(read("a\nb"), None);
    assert_eq!(read(""), None);
}

#[test]
fn a26_other_tools_are_recognised_by_their_names() {
    let files = |tool: &str, input: serde_json::Value| {
        let call = Call { id: String::new(), tool: tool.to_owned(), input };
        tool::effects(&call).touched.into_iter().map(|touch| touch.action).collect::<Vec<_>>()
    };
    use contract::FileAction::{Created, Edited, Listed, Read};
    assert_eq!(files("mcp__files__read_file", json!({"path": "a"})), [Read]);
    assert_eq!(files("search_replace", json!({"file_path": "a"})), [Edited]);
    assert_eq!(files("MultiEdit", json!({"file_path": "a"})), [Edited]);
    assert_eq!(files("NotebookEdit", json!({"notebook_path": "a"})), [Edited]);
    assert_eq!(files("Write", json!({"file_path": "a"})), [Created]);
    assert_eq!(files("LS", json!({"path": "a"})), [Listed]);
    assert_eq!(files("Grep", json!({"pattern": "x", "path": "a"})), [Listed]);
    assert_eq!(files("TodoWrite", json!({"path": "a"})), []);
    assert_eq!(files("WebSearch", json!({"query": "x", "path": "a"})), []);
    assert_eq!(files("Read", json!({"file_path": 7})), []);
    assert_eq!(files("Bash", json!({"command": [1, 2]})), []);
}
