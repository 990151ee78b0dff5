//! An event in one short line, for somebody who watches: what codex does, not what came out of it.

use serde_json::Value;

const LONGEST_LINE: usize = 100;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Progress {
    Thread(String),
    Line(String),
    /// Codex calls it an error and goes on.
    Warning(String),
    /// The answer, or a word on the way to it.
    Message(String),
}

/// None for events that are of no interest while one waits.
pub(crate) fn progress(event: &Value) -> Option<Progress> {
    let text = |pointer: &str| event.pointer(pointer).and_then(Value::as_str).unwrap_or_default();
    let line = |line: String| Some(Progress::Line(short(&line)));
    match (text("/type"), text("/item/type")) {
        ("thread.started", _) => Some(Progress::Thread(text("/thread_id").to_owned())),
        ("error", _) => line(format!("codex: {}", text("/message"))),
        ("item.completed", "agent_message") => {
            Some(Progress::Message(text("/item/text").to_owned()))
        }
        ("item.started", "command_execution") => {
            line(format!("$ {}", without_shell(text("/item/command"))))
        }
        ("item.completed", "command_execution") => {
            let code = event.pointer("/item/exit_code").and_then(Value::as_i64).unwrap_or(0);
            (code != 0).then(|| Progress::Line(format!("  exit code {code}")))
        }
        ("item.completed", "file_change") => {
            let changes = event.pointer("/item/changes").and_then(Value::as_array);
            let paths = changes.into_iter().flatten().filter_map(|change| change["path"].as_str());
            line(format!("changed {}", paths.collect::<Vec<_>>().join(", ")))
        }
        ("item.started", "mcp_tool_call") => {
            line(format!("asks {}.{}", text("/item/server"), text("/item/tool")))
        }
        ("item.completed", "mcp_tool_call") if text("/item/status") == "failed" => {
            line(format!("  {}.{} failed", text("/item/server"), text("/item/tool")))
        }
        ("item.started", "collab_tool_call") => {
            line(format!("{}: {}", text("/item/tool").replace('_', " "), text("/item/prompt")))
        }
        ("item.started", "web_search") => line(format!("searches {}", text("/item/query"))),
        ("item.completed", "error") => {
            Some(Progress::Warning(short(&format!("warning: {}", text("/item/message")))))
        }
        _ => None,
    }
}

/// `/bin/bash -lc 'rg foo'` is `rg foo` to a person.
fn without_shell(command: &str) -> &str {
    let Some((shell, rest)) = command.split_once(" -lc ").or_else(|| command.split_once(" -c "))
    else {
        return command;
    };
    let is_shell = ["sh", "bash", "zsh"].contains(&shell.rsplit('/').next().unwrap_or(shell));
    if !is_shell {
        return command;
    }
    let quoted = |quote| rest.strip_prefix(quote).and_then(|rest| rest.strip_suffix(quote));
    quoted('\'').or_else(|| quoted('"')).unwrap_or(rest)
}

/// One line without anything a terminal would act on.
fn short(line: &str) -> String {
    let first = line.lines().next().unwrap_or_default();
    let mut shown: String =
        first.chars().filter(|c| !c.is_control()).take(LONGEST_LINE + 1).collect();
    let is_cut = shown.chars().count() > LONGEST_LINE || line.lines().nth(1).is_some();
    if is_cut {
        shown = shown.chars().take(LONGEST_LINE).collect();
        shown.push('…');
    }
    shown
}

#[cfg(test)]
mod tests;
