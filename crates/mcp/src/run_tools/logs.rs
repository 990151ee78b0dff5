//! Implements `codex.logs`, which returns a part of a log, limited in bytes and lines.

use runs::{LogPage, LogQuery, Window};
use serde::Deserialize;
use serde_json::{Value, json};

use super::scope::{self, SessionArguments};
use crate::call::CallContext;
use crate::problem::Problem;

const DEFAULT_BYTES: u64 = 4096;
const DEFAULT_LINES: usize = 200;
const MAX_BYTES: usize = 256 * 1024;
const MAX_LINES: usize = 5000;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Logs {
    #[serde(flatten)]
    session: SessionArguments,
    mode: Option<String>,
    #[serde(default)]
    offset: u64,
    limit: Option<u64>,
    offset_lines: Option<usize>,
    limit_lines: Option<usize>,
    tail_lines: Option<usize>,
    grep: Option<String>,
    view: Option<String>,
}

pub(super) fn logs(context: &CallContext, arguments: Logs) -> Result<Value, Problem> {
    let (id, _) = scope::session(context, &arguments.session)?;
    let window = window(&arguments);
    let view = arguments.view.unwrap_or_else(|| "default".to_owned());
    let is_result_only = view == "result-only";
    let query = LogQuery { window, grep: arguments.grep, is_result_only };
    let page = match scope::sessions(context).logs(&id, &query)? {
        LogPage::Lines { lines, total_lines } => {
            LogPage::Lines { lines: shortened(lines, window), total_lines }
        }
        page @ LogPage::Bytes { .. } => page,
    };
    let mut answer = json!(page);
    answer["view"] = json!(view);
    match window {
        Window::Lines { offset, limit } => {
            answer["window"] = json!({ "offset": offset, "limit": limit });
        }
        Window::Tail(tail) => answer["window"] = json!({ "tail": tail }),
        Window::Bytes { .. } | Window::All => {}
    }
    Ok(answer)
}

/// Returns the part of the log that was requested: a range of lines if an argument refers to lines, otherwise a range
/// of bytes.
fn window(arguments: &Logs) -> Window {
    let Logs { offset, limit, offset_lines, limit_lines, tail_lines, .. } = *arguments;
    let mode = arguments.mode.as_deref();
    if mode != Some("bytes")
        && let Some(tail) = tail_lines
    {
        return Window::Tail(tail.min(MAX_LINES));
    }
    let wants_lines = match mode {
        Some(mode) => mode == "lines",
        None => {
            arguments.grep.is_some()
                || offset_lines.is_some()
                || limit_lines.is_some()
                || arguments.view.as_deref() == Some("result-only")
        }
    };
    if wants_lines {
        return Window::Lines {
            offset: offset_lines.unwrap_or(0),
            limit: limit_lines.unwrap_or(DEFAULT_LINES).min(MAX_LINES),
        };
    }
    Window::Bytes { offset, limit: limit.unwrap_or(DEFAULT_BYTES).min(MAX_BYTES as u64) }
}

/// Keeps at most [`MAX_BYTES`] bytes of `lines`: the last lines if the end of the log was requested, otherwise the
/// first lines.
fn shortened(lines: Vec<String>, window: Window) -> Vec<String> {
    let mut room = MAX_BYTES;
    let mut fits = |line: &String| {
        let fits = line.len() <= room;
        room = room.saturating_sub(line.len() + 1);
        fits
    };
    if matches!(window, Window::Tail(_)) {
        let kept = lines.iter().rev().take_while(|line| fits(line)).count();
        let skipped = lines.len() - kept;
        return lines.into_iter().skip(skipped).collect();
    }
    let kept = lines.iter().take_while(|line| fits(line)).count();
    lines.into_iter().take(kept).collect()
}
