//! What was briefed lately, one line a run, in the user's state folder. Holds nothing that was not published already: the
//! prompt and the findings are in it as redacted as they left the kernel.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use contract::Briefing;
use disk::Links;
use kernel::Briefed;
use process::Environment;
use serde_json::{Value, json};

use crate::edge;

/// Switches the log off.
const SWITCH: &str = "ADJUTANT_LOG";
/// A file that is larger becomes the older of two.
const MAX_BYTES: u64 = 2 * 1024 * 1024;
const PROMPT_CHARS: usize = 400;

/// Where the log is; none when it is switched off or nobody knows where.
pub(crate) fn file(environment: &Environment) -> Option<PathBuf> {
    let folder = edge::state_directory(environment)?;
    (!edge::is_switched_off(environment, SWITCH)).then(|| folder.join("runs.jsonl"))
}

/// Adds a run. A log that cannot be written costs nobody a prompt.
pub(crate) fn add(environment: &Environment, briefed: &Briefed) {
    // A plan writes nothing, and a run that asked nothing is not worth a line unless it could not tell what to ask.
    if briefed.briefing.tool_results.is_empty() && !briefed.is_undecided {
        return;
    }
    let Some(path) = file(environment) else { return };
    let mut line = entry(&briefed.briefing, briefed.exit.number()).to_string();
    line.push('\n');
    let _lost = append(&path, &line);
}

fn append(path: &Path, line: &str) -> std::io::Result<()> {
    disk::create_private_folder(path.parent().unwrap_or(path))?;
    if fs::metadata(path).is_ok_and(|found| found.len() > MAX_BYTES) {
        fs::rename(path, older(path))?;
    }
    // One write: lines of two runs at once do not mix.
    let mut file = OpenOptions::new().create(true).append(true).mode(0o600).open(path)?;
    file.write_all(line.as_bytes())
}

fn older(path: &Path) -> PathBuf {
    path.with_extension("1.jsonl")
}

fn entry(briefing: &Briefing, exit: u8) -> Value {
    let model = &briefing.fused_context.for_model;
    let tools: Vec<Value> = briefing
        .tool_results
        .iter()
        .map(|result| {
            json!({ "tool": result.tool, "status": result.status.word(), "ms": result.duration_ms, "summary": result.summary })
        })
        .collect();
    let findings: Vec<Value> = model
        .structured
        .items
        .iter()
        .map(|item| json!({ "tool": item.tool, "path": item.path, "line": item.line, "symbol": item.symbol }))
        .collect();
    json!({
        "run_id": briefing.run_id,
        "created_at": briefing.created_at,
        "client": briefing.client.name.word(),
        "session_id": briefing.client.session_id,
        "repo_root": briefing.inputs.repo_root,
        "prompt": briefing.inputs.prompt.chars().take(PROMPT_CHARS).collect::<String>(),
        "intent": model.structured.intent,
        "tools": tools,
        "findings": findings,
        "characters": model.additional_context.chars().count(),
        "limits": briefing.fused_context.for_user.limits_text,
        "exit": exit,
    })
}

/// The runs, the newest first. A line that cannot be read is passed over.
pub(crate) fn read(path: &Path) -> Vec<Value> {
    let mut runs = Vec::new();
    for file in [older(path), path.to_owned()] {
        let bytes = disk::read_start(&file, Links::Refuse, 2 * MAX_BYTES).unwrap_or_default();
        let lines = bytes.split(|byte| *byte == b'\n');
        runs.extend(lines.filter_map(|line| serde_json::from_slice(line).ok()));
    }
    runs.reverse();
    runs
}
