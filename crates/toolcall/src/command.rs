//! A tool that is another program: `CI_AUTO_TOOLS_RUNNER_<TOOL>`, or a `command` of a trusted configuration.

use std::time::Instant;

use contract::{ErrorCode, Limit};
use process::{Bounds, End, Finished, Program};
use serde_json::{Map, Value, json};

use crate::ended::Ended;
use crate::lifecycle::Context;
use crate::toolbox::{Answer, ToolProgram};

const STDOUT_BYTES: usize = 64 * 1024;
const STDERR_BYTES: usize = 8 * 1024;
/// An environment variable may hold 128 KiB; a longer prompt is cut for the tool.
const PROMPT_BYTES: usize = 100 * 1024;
const SUMMARY_CHARS: usize = 240;

pub(crate) fn run(
    program: &ToolProgram,
    context: &Context,
    tool: &str,
    arguments: &Map<String, Value>,
    deadline: Instant,
) -> Result<Answer, Ended> {
    if !(program.is_still_trusted)() {
        return Err(Ended::blocked("its program changed since it was trusted"));
    }
    let environment = context
        .environment
        .without_secrets()
        .with("CI_TOOL_NAME", tool)
        .with("CI_TOOL_PROMPT", variable_text(&context.prompt))
        .with("CI_TOOL_ARGS_JSON", Value::Object(arguments.clone()).to_string())
        .with("CI_TOOL_REPO_ROOT", context.root.path());
    let directory = program.directory.as_deref().unwrap_or(context.root.path());
    let program = Program::new(&program.executable, environment)
        .arguments(&program.arguments)
        .directory(directory);
    let bounds = Bounds { deadline, stdout_bytes: STDOUT_BYTES, stderr_bytes: STDERR_BYTES };
    let finished = process::run(&program, &bounds).map_err(|error| {
        Ended::failed(ErrorCode::ToolUnavailable, &format!("{error}: {}", error.source))
    })?;
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
    let mut end = prompt.len().min(PROMPT_BYTES);
    while !prompt.is_char_boundary(end) {
        end -= 1;
    }
    prompt[..end].replace('\0', " ")
}

/// JSON if it is JSON, else the text as it is.
fn answer(finished: &Finished) -> Answer {
    let text = finished.stdout.text();
    let data = match serde_json::from_str(&text) {
        Ok(Value::Array(items)) => json!({ "items": items }),
        Ok(value @ Value::Object(_)) => value,
        _ => json!({ "stdout_text": text }),
    };
    let first_line = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    let limits = if finished.stdout.cut { vec![Limit::BudgetExceeded] } else { Vec::new() };
    let summary = match data.get("summary").and_then(Value::as_str) {
        Some(summary) => summary.to_owned(),
        None => first_line.chars().take(SUMMARY_CHARS).collect(),
    };
    Answer { summary, data: Some(data), truncated: finished.stdout.cut, limits }
}

fn with_stderr(what: &str, finished: &Finished) -> String {
    let stderr = finished.stderr.text();
    match stderr.lines().map(str::trim).find(|line| !line.is_empty()) {
        Some(line) => format!("{what}: {}", line.chars().take(200).collect::<String>()),
        None => what.to_owned(),
    }
}
