//! Runs a tool that is a separate program, configured with `CI_AUTO_TOOLS_RUNNER_<TOOL>` or with `command` in a
//! trusted configuration.

use std::time::Instant;

use contract::{Arguments, ErrorCode, Limit, ToolData};
use process::{Bounds, End, Finished};
use serde_json::{Value, json};

use crate::ended::Ended;
use crate::hooks::Scope;
use crate::lifecycle::ToolContext;
use crate::start::{self, without_folders_of};
use crate::toolbox::{ToolOutput, ToolProgram};

const MAX_STDOUT_BYTES: usize = 64 * 1024;
const MAX_STDERR_BYTES: usize = 8 * 1024;
/// The maximum size of the prompt in `CI_TOOL_PROMPT`, in bytes. Linux limits an environment variable to 128 KiB, so
/// a longer prompt is truncated.
const MAX_PROMPT_BYTES: usize = 100 * 1024;
const MAX_SUMMARY_CHARS: usize = 240;
const MAX_STDERR_CHARS: usize = 200;

pub(crate) fn run(
    program: &ToolProgram,
    owner: Scope,
    context: &ToolContext,
    tool: &str,
    arguments: &Arguments,
    deadline: Instant,
) -> Result<ToolOutput, Ended> {
    let mut environment = context
        .environment
        .without_secrets()
        .with("CI_TOOL_NAME", tool)
        .with("CI_TOOL_PROMPT", variable_text(&context.prompt))
        .with("CI_TOOL_ARGS_JSON", arguments.to_string())
        .with("CI_TOOL_REPO_ROOT", context.root.path());
    let directory = program.directory.as_deref().unwrap_or(context.root.path());
    if owner == Scope::Project {
        let repositories = [directory, context.root.path(), context.hooks.repository()];
        environment = without_folders_of(environment, &repositories);
    }
    let bounds =
        Bounds { deadline, stdout_bytes: MAX_STDOUT_BYTES, stderr_bytes: MAX_STDERR_BYTES };
    // Until the program has ended, `verified` keeps the copy of its script.
    let verified = process::without_starts(|| (program.verify)())
        .map_err(|error| Ended::blocked(error.to_string()))?;
    let program = start::program(&verified, directory, environment);
    let finished = process::run(&program, &bounds)
        .map_err(|error| Ended::failed(ErrorCode::ToolUnavailable, &error.to_string()))?;
    match finished.end {
        End::Exited(0) => Ok(answer(&finished)),
        End::TimedOut => Err(Ended::timed_out()),
        End::Exited(code) => Err(Ended::failed(
            ErrorCode::ToolUnavailable,
            &with_stderr(&format!("exit {code}"), &finished),
        )),
        End::Signalled(signal) => Err(Ended::failed(
            ErrorCode::ToolUnavailable,
            &with_stderr(&format!("killed by signal {signal}"), &finished),
        )),
    }
}

fn variable_text(prompt: &str) -> String {
    let mut end = prompt.len().min(MAX_PROMPT_BYTES);
    while !prompt.is_char_boundary(end) {
        end -= 1;
    }
    prompt[..end].replace('\0', " ")
}

fn answer(finished: &Finished) -> ToolOutput {
    let text = finished.stdout.text();
    let data = read_data(&text);
    let first_line = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    let limits = if finished.stdout.cut { vec![Limit::BudgetExceeded] } else { Vec::new() };
    let summary = match data.field("summary").and_then(|summary| summary.as_str()) {
        Some(summary) => summary.to_owned(),
        None => first_line.chars().take(MAX_SUMMARY_CHARS).collect(),
    };
    ToolOutput { summary, data: Some(data), truncated: finished.stdout.cut, limits }
}

/// Parses a tool's output: a JSON list of findings, a JSON object, or plain text.
fn read_data(text: &str) -> ToolData {
    match serde_json::from_str(text) {
        Ok(Value::Array(items)) => ToolData::from(json!({ "items": items })),
        Ok(object @ Value::Object(_)) => ToolData::from(object),
        _ => ToolData::from(json!({ "stdout_text": text })),
    }
}

fn with_stderr(message: &str, finished: &Finished) -> String {
    let stderr = finished.stderr.text();
    match stderr.lines().map(str::trim).find(|line| !line.is_empty()) {
        Some(line) => {
            format!("{message}: {}", line.chars().take(MAX_STDERR_CHARS).collect::<String>())
        }
        None => message.to_owned(),
    }
}
