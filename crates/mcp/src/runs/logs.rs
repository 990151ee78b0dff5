//! `codex.logs`: a window of the log, never more than a model can read.

use codex::{LogPage, LogQuery, LogView, Window};
use serde_json::{Map, Value, json};

use super::place;
use crate::argument::Given;
use crate::context::CallContext;
use crate::problem::Problem;

const DEFAULT_BYTES: u64 = 4096;
const DEFAULT_LINES: u64 = 200;
const MAX_BYTES: u64 = 256 * 1024;
const MAX_LINES: u64 = 5000;

pub(super) fn logs(
    context: &CallContext,
    arguments: &Map<String, Value>,
) -> Result<Value, Problem> {
    let given = Given(arguments);
    let (id, _) = place::session(context, given)?;
    let view = given.text("view").unwrap_or("default");
    let query = LogQuery {
        window: window(given),
        grep: given.text("grep").map(str::to_owned),
        view: if view == "result-only" { LogView::ResultOnly } else { LogView::Default },
    };
    let page = place::sessions(context).logs(&id, &query)?;
    let page = match page {
        LogPage::Bytes { .. } => page,
        LogPage::Lines { lines, total_lines } => {
            LogPage::Lines { lines: readable(lines, query.window), total_lines }
        }
    };
    let mut result = json!(page);
    result["view"] = json!(view);
    match query.window {
        Window::Lines { offset, limit } => {
            result["window"] = json!({ "offset": offset, "limit": limit });
        }
        Window::Tail(lines) => result["window"] = json!({ "tail": lines }),
        Window::Bytes { .. } | Window::All => {}
    }
    Ok(result)
}

/// Lines if anything about lines was said, else bytes.
fn window(given: Given<'_>) -> Window {
    let size = |key: &str, default, most| {
        usize::try_from(given.number(key).unwrap_or(default).min(most)).unwrap_or(usize::MAX)
    };
    if given.text("mode") != Some("bytes")
        && let Some(tail) = given.number("tailLines")
    {
        return Window::Tail(usize::try_from(tail.min(MAX_LINES)).unwrap_or(usize::MAX));
    }
    let says_lines =
        ["grep", "offsetLines", "limitLines"].iter().any(|key| given.0.contains_key(*key));
    let wants_lines = match given.text("mode") {
        Some(mode) => mode == "lines",
        None => says_lines || given.text("view") == Some("result-only"),
    };
    if wants_lines {
        return Window::Lines {
            offset: size("offsetLines", 0, u64::MAX),
            limit: size("limitLines", DEFAULT_LINES, MAX_LINES),
        };
    }
    let limit = given.number("limit").unwrap_or(DEFAULT_BYTES).min(MAX_BYTES);
    Window::Bytes { offset: given.number("offset").unwrap_or(0), limit }
}

/// Of too much, the end if the end was asked for, else the beginning.
fn readable(lines: Vec<String>, window: Window) -> Vec<String> {
    let most = usize::try_from(MAX_BYTES).unwrap_or(usize::MAX);
    let mut room = most;
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
