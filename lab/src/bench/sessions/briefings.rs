//! Runs `adjutant-hook` with the earlier turns of a session in a transcript, and measures the text that it adds.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use super::super::localise::trees::{self, Revision, WorkFolders};
use super::turns::{Sessions, Turn, by_tree};
use crate::output::print_message;

/// The maximum length of an output that contains only pointers, in characters. A longer output is a briefing.
const MAX_POINTERS: usize = 600;

/// The number of characters that were added to the prompt of one turn, by kind of file.
#[derive(Default)]
struct Added {
    all: usize,
    /// The number of added characters that describe files that the agent edited afterwards.
    edited: usize,
    /// The number of added characters that describe files that the agent read afterwards.
    read: usize,
    /// The number of added characters that describe other files.
    other: usize,
    /// Whether the agent edited a file that was known before, so that a briefing could name it.
    is_answerable: bool,
    /// Whether one of the first five files that are cited was edited afterwards.
    is_delivered: bool,
}

/// The number of cited files among which an edited file counts as delivered.
const DELIVERED_FILES: usize = 5;

/// Runs the hook for about `n` evenly spaced turns, and returns a table of the added text.
pub(super) fn measure(
    code: &[Turn],
    sessions: &Sessions<'_>,
    n: usize,
    program: &Path,
    folders: &WorkFolders<'_>,
) -> Result<String, String> {
    let step = code.len().div_ceil(n.max(1)).max(1);
    let some: Vec<Turn> = code.iter().step_by(step).cloned().collect();
    let state = tempfile::tempdir().map_err(|error| error.to_string())?;
    let mut added = Vec::new();
    for turns in by_tree(&some) {
        let id = turns[0].tree_id();
        let revision = Revision { id: &id, repo: &turns[0].repo, commit: &turns[0].base_commit };
        if let Err(error) = trees::prepare(&revision, folders) {
            print_message(&format!("{id}: {error}"));
            continue;
        }
        for turn in turns {
            let tree = folders.tree(&revision);
            let transcript = state.path().join(format!("{}.jsonl", turn.id));
            std::fs::write(&transcript, transcript_of(turn, sessions, &tree))
                .map_err(|error| error.to_string())?;
            let payload = json!({
                "session_id": turn.id, "prompt_id": turn.id, "hook_event_name": "UserPromptSubmit",
                "transcript_path": transcript, "cwd": tree, "prompt": turn.prompt,
            });
            let text = run(program, &payload, &tree, &folders.cache(), state.path())?;
            added.push(read_text(&text, turn));
        }
    }
    Ok(table(&added))
}

/// Formats the earlier turns of the session as a Claude Code transcript.
fn transcript_of(turn: &Turn, sessions: &Sessions<'_>, tree: &Path) -> String {
    let mut lines = String::new();
    let mut say = |kind: &str, content: &Value| {
        let message = json!({ "role": kind, "content": content });
        let _ = writeln!(lines, "{}", json!({ "type": kind, "message": message }));
    };
    for earlier in sessions.before(turn) {
        say("user", &json!(earlier.prompt));
        let read = earlier.gold_read.iter().map(|path| ("Read", path));
        let edited = earlier.gold_edited.iter().map(|path| ("Edit", path));
        for (number, (tool, path)) in read.chain(edited).enumerate() {
            let id = format!("{}-{number}", earlier.id);
            let input = json!({ "file_path": tree.join(path) });
            say(
                "assistant",
                &json!([{ "type": "tool_use", "id": id, "name": tool, "input": input }]),
            );
            say("user", &json!([{ "type": "tool_result", "tool_use_id": id, "content": "ok" }]));
        }
        say("assistant", &json!([{ "type": "text", "text": "Done." }]));
    }
    lines
}

#[expect(clippy::disallowed_methods, reason = "a bench starts the program it measures")]
fn run(
    program: &Path,
    payload: &Value,
    tree: &Path,
    cache: &Path,
    state: &Path,
) -> Result<String, String> {
    let mut child = Command::new(program.join("adjutant-hook"))
        .args(["--client", "claude-code"])
        .current_dir(tree)
        .env("ADJUTANT_CACHE_DIR", cache)
        .env("ADJUTANT_STATE_DIR", state.join("state"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| format!("cannot start adjutant-hook: {error}"))?;
    if let Some(mut stdin) = child.stdin.take() {
        stdin.write_all(payload.to_string().as_bytes()).map_err(|error| error.to_string())?;
    }
    let output = child.wait_with_output().map_err(|error| error.to_string())?;
    let answer: Value = serde_json::from_slice(&output.stdout)
        .map_err(|error| format!("no valid output: {error}"))?;
    let context = &answer["hookSpecificOutput"]["additionalContext"];
    Ok(context.as_str().unwrap_or_default().to_owned())
}

/// Counts the characters of the findings for each kind of file. A finding starts with `- ` and its path.
fn read_text(text: &str, turn: &Turn) -> Added {
    let is_answerable = !turn.gold_edited.is_empty();
    let mut added = Added { all: text.chars().count(), is_answerable, ..Added::default() };
    let mut path = None;
    let mut cited: Vec<String> = Vec::new();
    for line in text.lines() {
        if let Some(rest) = line.strip_prefix("- ") {
            path = rest.split([':', ' ']).next().map(str::to_owned);
            cited.extend(path.clone().filter(|path| !cited.contains(path)));
        } else if line.starts_with("[Limits]") || line.starts_with("</") {
            path = None;
        }
        let Some(path) = &path else { continue };
        let n_chars = line.chars().count() + 1;
        if turn.gold_edited.contains(path) {
            added.edited += n_chars;
        } else if turn.gold_read.contains(path) {
            added.read += n_chars;
        } else {
            added.other += n_chars;
        }
    }
    // A short answer in a session gets only the names of the session's files.
    if let Some((_, files)) = text.split_once("Files of this session (Adjutant): ") {
        cited
            .extend(files.split(", ").filter_map(|file| Some(file.split_once(" (")?.0.to_owned())));
    }
    let mut first = cited.iter().take(DELIVERED_FILES);
    added.is_delivered = first.any(|path| turn.gold_edited.contains(path));
    added
}

fn table(all: &[Added]) -> String {
    let sum = |part: fn(&Added) -> usize| all.iter().map(part).sum::<usize>() as f64;
    let about = sum(|added| added.edited + added.read + added.other).max(1.0);
    let median = |mut lengths: Vec<usize>| {
        lengths.sort_unstable();
        lengths.get(lengths.len() / 2).copied().unwrap_or(0)
    };
    let lengths: Vec<usize> = all.iter().map(|added| added.all).collect();
    let briefings: Vec<usize> =
        lengths.iter().copied().filter(|length| *length > MAX_POINTERS).collect();
    let answerable = all.iter().filter(|added| added.is_answerable).count();
    let delivered = all.iter().filter(|added| added.is_delivered).count();
    let n_silent = lengths.iter().filter(|length| **length == 0).count();
    format!(
        "turns {}: silent {n_silent}, pointers {}, briefings {}\n\
         characters, median of all turns {}, of briefings {}\n\
         characters about files that were edited {:.2}, read {:.2}, neither {:.2}\n\
         turns with edited files {answerable}: one of them among the first {DELIVERED_FILES} cited files {:.3}\n",
        all.len(),
        all.len() - n_silent - briefings.len(),
        briefings.len(),
        median(lengths),
        median(briefings),
        sum(|added| added.edited) / about,
        sum(|added| added.read) / about,
        sum(|added| added.other) / about,
        delivered as f64 / answerable.max(1) as f64,
    )
}
