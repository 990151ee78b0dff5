//! Formats codex events as short progress lines for a user who is waiting for the answer.

use crate::agents::codex::events::{CodexEvent, Item, or_empty, paths};

const MAX_CHARACTERS: usize = 100;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Progress {
    Line(String),
    /// Codex reported an error and continues.
    Warning(String),
    /// A message from the model. The last message is the answer.
    Message(String),
}

/// Converts an event into progress output. Returns `None` for events that are not shown.
pub(crate) fn progress(event: &CodexEvent) -> Option<Progress> {
    let line = |line: String| Some(Progress::Line(shortened(&line)));
    match event {
        CodexEvent::Error(error) => line(format!("codex: {}", or_empty(&error.message))),
        CodexEvent::ItemStarted { item: Some(item) } => line(match item {
            Item::CommandExecution { command, .. } => {
                format!("$ {}", without_shell(or_empty(command)))
            }
            Item::McpToolCall { server, tool, .. } => {
                format!("asks {}.{}", or_empty(server), or_empty(tool))
            }
            Item::CollabToolCall { tool, prompt } => {
                format!("{}: {}", or_empty(tool).replace('_', " "), or_empty(prompt))
            }
            Item::WebSearch { query, .. } => format!("searches {}", or_empty(query)),
            Item::AgentMessage { .. }
            | Item::FileChange { .. }
            | Item::Error(_)
            | Item::Unknown { .. } => return None,
        }),
        CodexEvent::ItemCompleted { item: Some(item) } => match item {
            Item::AgentMessage { text } => Some(Progress::Message(or_empty(text).to_owned())),
            Item::CommandExecution { exit_code, .. } => {
                let code = exit_code.filter(|code| *code != 0)?;
                Some(Progress::Line(format!("  exit code {code}")))
            }
            Item::FileChange { changes, .. } => line(format!("changed {}", paths(changes))),
            Item::McpToolCall { server, tool, status } if or_empty(status) == "failed" => {
                line(format!("  {}.{} failed", or_empty(server), or_empty(tool)))
            }
            Item::Error(error) => {
                let warning = format!("warning: {}", or_empty(&error.message));
                Some(Progress::Warning(shortened(&warning)))
            }
            Item::McpToolCall { .. }
            | Item::CollabToolCall { .. }
            | Item::WebSearch { .. }
            | Item::Unknown { .. } => None,
        },
        CodexEvent::ThreadStarted { .. }
        | CodexEvent::TurnStarted
        | CodexEvent::TurnCompleted { .. }
        | CodexEvent::TurnFailed { .. }
        | CodexEvent::ItemStarted { item: None }
        | CodexEvent::ItemUpdated
        | CodexEvent::ItemCompleted { item: None }
        | CodexEvent::Unknown { .. } => None,
    }
}

/// Removes the shell invocation around a command: returns `rg foo` for `/bin/bash -lc 'rg foo'`.
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

/// Returns the first line without control characters, cut to [`MAX_CHARACTERS`] characters.
fn shortened(line: &str) -> String {
    let first = line.lines().next().unwrap_or_default();
    let mut shown: String =
        first.chars().filter(|c| !c.is_control()).take(MAX_CHARACTERS + 1).collect();
    let is_cut = shown.chars().count() > MAX_CHARACTERS || line.lines().nth(1).is_some();
    if is_cut {
        shown = shown.chars().take(MAX_CHARACTERS).collect();
        shown.push('…');
    }
    shown
}

#[cfg(test)]
mod tests;
