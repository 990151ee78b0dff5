//! Reads the lines of a Codex rollout (`sessions/<date>/rollout-<time>-<session>.jsonl`).

use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::{Value, json};

use crate::transcript::{
    Call, CallOutput, CallResult, Entry, Lenient, Line, Text, listed, seconds,
};

/// The first words of user messages that Codex writes itself.
const ADDED_TEXTS: [&str; 9] = [
    "<environment_context>",
    "<user_instructions>",
    "# AGENTS.md instructions",
    "<INSTRUCTIONS>",
    "<turn_aborted>",
    "<user_shell_command>",
    "<subagent_notification>",
    "<skill>",
    "<hook_prompt",
];
/// The last line of the header before the output of a command.
const OUTPUT: &str = "Output:\n";
const EXIT_CODES: [&str; 2] = ["Process exited with code ", "Exit code: "];
/// The first words of a tool's result if the tool did not run.
const REFUSALS: [&str; 6] = [
    "unsupported ",
    "apply_patch verification failed",
    "apply_patch handler",
    "exec_command failed",
    "failed to parse function arguments",
    "exec command rejected",
];

/// The fields that are read first. They show whether the rest of the line is needed.
#[derive(Deserialize)]
struct Header {
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    timestamp: Lenient<Option<String>>,
}

#[derive(Default, Deserialize)]
#[serde(default, bound = "T: Default + serde::de::DeserializeOwned")]
struct Body<T> {
    payload: Lenient<T>,
}

/// The payload of `session_meta`, `token_usage_record` and `turn_context`.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Context {
    session_id: Lenient<Option<String>>,
    cwd: Lenient<Option<String>>,
}

/// The payload of `response_item`.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Item {
    #[serde(rename = "type")]
    kind: Lenient<String>,
    role: Lenient<String>,
    content: Lenient<Text>,
    call_id: Lenient<String>,
    name: Lenient<String>,
    /// The arguments of a function, as JSON in a string.
    arguments: Lenient<String>,
    /// The input of a free-form tool.
    input: Value,
    /// The command of a `local_shell_call`.
    action: Value,
    output: Value,
}

/// Reads one line. Returns `None` if the line is not a JSON object with a `type`.
pub(super) fn read_line(bytes: &[u8]) -> Option<Line> {
    let Header { kind, timestamp } = serde_json::from_slice(bytes).ok()?;
    let at = timestamp.0.as_deref().and_then(seconds);
    match kind.as_str() {
        "session_meta" | "token_usage_record" | "turn_context" => {
            let Body::<Context> { payload } = serde_json::from_slice(bytes).ok()?;
            let Context { session_id: session, cwd: directory } = payload.0;
            Some(Line { session: session.0, directory: directory.0, ..Line::default() })
        }
        "compacted" => Some(Line { at, entries: vec![Entry::Compaction], ..Line::default() }),
        "response_item" => {
            let Body::<Item> { payload } = serde_json::from_slice(bytes).ok()?;
            let entries = entry(payload.0).into_iter().collect();
            Some(Line { at, entries, ..Line::default() })
        }
        _ => Some(Line::default()),
    }
}

/// Finds the rollout of a session. `sessions` has a folder for each day (`2026/11/18`). The rollouts of sub-agents have other
/// names and are not found.
pub(super) fn find(sessions: &Path, session: &str) -> Vec<PathBuf> {
    let inside = |folders: Vec<PathBuf>| folders.iter().flat_map(|it| listed(it)).collect();
    let days: Vec<PathBuf> = inside(inside(listed(sessions)));
    let end = format!("-{session}.jsonl");
    let is_found = |path: &PathBuf| path.to_str().is_some_and(|path| path.ends_with(&end));
    days.iter().rev().flat_map(|day| listed(day)).find(is_found).into_iter().collect()
}

/// Returns whether Codex wrote a user message itself.
pub(super) fn is_added(text: &str) -> bool {
    ADDED_TEXTS.iter().any(|added| text.starts_with(added))
}

fn entry(item: Item) -> Option<Entry> {
    let id = item.call_id.0;
    match (item.kind.0.as_str(), item.role.0.as_str()) {
        ("message", "user") => {
            let parts = item.content.0.parts().into_iter().filter(|text| !is_added(text));
            let parts: Vec<String> = parts.collect();
            let text = parts.join("\n");
            (!text.trim().is_empty()).then_some(Entry::Prompt { text, id: None })
        }
        ("message", "assistant") => {
            let text = item.content.0.joined();
            (!text.trim().is_empty()).then_some(Entry::Answer)
        }
        ("function_call", _) => {
            let input = serde_json::from_str(&item.arguments.0).unwrap_or_default();
            Some(Entry::Call(Call { id, tool: item.name.0, input }))
        }
        ("custom_tool_call", _) => {
            Some(Entry::Call(Call { id, tool: item.name.0, input: item.input }))
        }
        ("local_shell_call", _) => {
            let (command, workdir) = (&item.action["command"], &item.action["working_directory"]);
            let input = json!({ "command": command, "workdir": workdir });
            Some(Entry::Call(Call { id, tool: "shell".to_owned(), input }))
        }
        ("function_call_output" | "custom_tool_call_output", _) => {
            Some(Entry::Outcome(outcome(id, output_text(item.output))))
        }
        _ => None,
    }
}

/// Returns the text of an output, which is a string, a list of blocks, or an object that contains one of them.
fn output_text(output: Value) -> String {
    let inner = ["content", "output"].into_iter().find_map(|key| output.get(key)).cloned();
    let output = inner.unwrap_or(output);
    serde_json::from_value::<Text>(output).unwrap_or_default().joined()
}

fn outcome(call_id: String, text: String) -> CallOutput {
    // In the older format, the output is JSON in a string.
    let old: Value = serde_json::from_str(&text).unwrap_or_default();
    if let (Some(output), Some(code)) =
        (old["output"].as_str(), old["metadata"]["exit_code"].as_i64())
    {
        return CallOutput { call_id, result: result_of(code), text: output.to_owned() };
    }
    let (header, output) = match text.find(OUTPUT) {
        Some(at) => (&text[..at], &text[at + OUTPUT.len()..]),
        None => (text.as_str(), text.as_str()),
    };
    let codes = header.lines().find_map(|line| {
        EXIT_CODES.iter().find_map(|words| line.strip_prefix(words)?.trim().parse().ok())
    });
    let is_refused = REFUSALS.iter().any(|refusal| text.starts_with(refusal));
    let result = match codes {
        Some(code) => result_of(code),
        None if is_refused => CallResult::NotRun,
        None => CallResult::Unknown,
    };
    CallOutput { call_id, result, text: output.to_owned() }
}

fn result_of(exit_code: i64) -> CallResult {
    if exit_code == 0 { CallResult::Succeeded } else { CallResult::Failed }
}

#[cfg(test)]
mod tests;
