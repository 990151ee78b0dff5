//! Parses the output of `codex exec --json` into lines and events, and summarises the events of one process.
//!
//! A line that is not an event is treated as plain text. Such a line can come from an older codex, a crash in the middle of
//! a line, or another program.

use process::OutputEvent;
use serde::Deserialize;

use crate::usage::Usage;

/// The maximum length of a line in bytes. A longer line is split.
const MAX_LINE: usize = 8 * 1024 * 1024;
/// The maximum number of bytes of plain text that are kept. Only the end is kept, which is enough to find out why codex
/// failed.
const MAX_TEXT: usize = 16 * 1024;

/// An event of codex, with only the fields that this program uses.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(tag = "type")]
pub(crate) enum CodexEvent {
    #[serde(rename = "thread.started")]
    ThreadStarted { thread_id: Option<String> },
    #[serde(rename = "turn.started")]
    TurnStarted,
    #[serde(rename = "turn.completed")]
    TurnCompleted { usage: Option<TokenCounts> },
    #[serde(rename = "turn.failed")]
    TurnFailed { error: Option<ErrorMessage> },
    #[serde(rename = "error")]
    Error(ErrorMessage),
    #[serde(rename = "item.started")]
    ItemStarted { item: Option<Item> },
    #[serde(rename = "item.updated")]
    ItemUpdated,
    #[serde(rename = "item.completed")]
    ItemCompleted { item: Option<Item> },
    /// An event of unknown type, or with unexpected fields.
    #[serde(untagged)]
    Unknown {
        #[serde(rename = "type")]
        kind: String,
    },
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum Item {
    AgentMessage {
        text: Option<String>,
    },
    CommandExecution {
        command: Option<String>,
        aggregated_output: Option<String>,
        exit_code: Option<i64>,
        status: Option<String>,
    },
    McpToolCall {
        server: Option<String>,
        tool: Option<String>,
        status: Option<String>,
    },
    CollabToolCall {
        tool: Option<String>,
        prompt: Option<String>,
    },
    FileChange {
        status: Option<String>,
        #[serde(default)]
        changes: Vec<ChangedFile>,
    },
    WebSearch {
        query: Option<String>,
        text: Option<String>,
    },
    /// A warning. Codex continues after it.
    Error(ErrorMessage),
    #[serde(untagged)]
    Unknown {
        #[serde(rename = "type")]
        kind: String,
        text: Option<String>,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub(crate) struct TokenCounts {
    input_tokens: Option<u64>,
    cached_input_tokens: Option<u64>,
    output_tokens: Option<u64>,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub(crate) struct ErrorMessage {
    pub(crate) message: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub(crate) struct ChangedFile {
    path: Option<String>,
}

impl CodexEvent {
    /// Parses a line. Returns `None` if the line is not a JSON object with a `type`.
    pub(crate) fn parse(line: &str) -> Option<Self> {
        line.starts_with('{').then(|| serde_json::from_str(line).ok()).flatten()
    }
}

/// Returns the paths of the changed files, separated by commas.
pub(crate) fn paths(changes: &[ChangedFile]) -> String {
    let paths = changes.iter().filter_map(|change| change.path.as_deref());
    paths.collect::<Vec<_>>().join(", ")
}

#[expect(clippy::ref_option, reason = "the fields of an event are matched by reference")]
pub(crate) fn or_empty(text: &Option<String>) -> &str {
    text.as_deref().unwrap_or_default()
}

/// A summary of the events of one process.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Account {
    pub(crate) n_events: u64,
    pub(crate) thread_id: Option<String>,
    pub(crate) last_message: Option<String>,
    pub(crate) usage: Option<Usage>,
    /// The number of completed turns.
    pub(crate) n_turns: u64,
    /// The message of the last `turn.failed` event.
    pub(crate) failure: Option<String>,
    /// The message of the last `error` event. Codex also sends such an event for each attempt to reconnect.
    pub(crate) last_error: Option<String>,
    pub(crate) n_failed_commands: u64,
    pub(crate) n_items: u64,
}

impl Account {
    pub(crate) fn add(&mut self, event: &CodexEvent) {
        self.n_events += 1;
        match event {
            CodexEvent::ThreadStarted { thread_id } => self.thread_id.clone_from(thread_id),
            CodexEvent::TurnCompleted { usage } => {
                self.n_turns += 1;
                if let Some(counts) = usage
                    && let Some(input) = counts.input_tokens
                {
                    let turn = Usage {
                        input,
                        cached_input: counts.cached_input_tokens.unwrap_or(0),
                        output: counts.output_tokens.unwrap_or(0),
                    };
                    self.usage = Some(self.usage.unwrap_or_default().plus(turn));
                }
            }
            CodexEvent::TurnFailed { error } => {
                let message = error.as_ref().and_then(|error| error.message.clone());
                self.failure = Some(message.unwrap_or_else(|| "the turn failed".to_owned()));
            }
            CodexEvent::Error(error) => self.last_error.clone_from(&error.message),
            CodexEvent::ItemCompleted { item } => {
                self.n_items += 1;
                match item {
                    Some(Item::AgentMessage { text }) => self.last_message.clone_from(text),
                    Some(Item::CommandExecution { status, .. })
                        if status.as_deref() == Some("failed") =>
                    {
                        self.n_failed_commands += 1;
                    }
                    _ => {}
                }
            }
            CodexEvent::TurnStarted
            | CodexEvent::ItemStarted { .. }
            | CodexEvent::ItemUpdated
            | CodexEvent::Unknown { .. } => {}
        }
    }
}

/// Returns the log line for an event, or `None` if the event is not logged.
pub(crate) fn log_line(event: &CodexEvent) -> Option<String> {
    Some(match event {
        CodexEvent::ThreadStarted { thread_id } => format!("[thread] {}", or_empty(thread_id)),
        CodexEvent::TurnCompleted { usage } => {
            let count = |count: Option<u64>| count.map_or("?".to_owned(), |n| n.to_string());
            let input = usage.and_then(|usage| usage.input_tokens);
            let output = usage.and_then(|usage| usage.output_tokens);
            format!("[turn] completed, {} tokens in, {} out", count(input), count(output))
        }
        CodexEvent::TurnFailed { error } => {
            let message = error.as_ref().map(|error| or_empty(&error.message));
            format!("[turn] failed: {}", message.unwrap_or_default())
        }
        CodexEvent::Error(error) => format!("[error] {}", or_empty(&error.message)),
        CodexEvent::ItemStarted { item: Some(Item::CommandExecution { command, .. }) } => {
            // Redaction delays a line that ends in a quotation mark. The word at the end prevents that.
            format!("[command] {} [started]", or_empty(command))
        }
        CodexEvent::ItemCompleted { item: Some(item) } => item_line(item),
        CodexEvent::Unknown { kind } => format!("[{kind}]"),
        CodexEvent::TurnStarted
        | CodexEvent::ItemStarted { .. }
        | CodexEvent::ItemUpdated
        | CodexEvent::ItemCompleted { item: None } => return None,
    })
}

fn item_line(item: &Item) -> String {
    match item {
        Item::AgentMessage { text } => format!("[message] {}", or_empty(text)),
        Item::Error(error) => format!("[warning] {}", or_empty(&error.message)),
        Item::CommandExecution { aggregated_output, exit_code, status, .. } => {
            let code = exit_code.map(|code| code.to_string()).unwrap_or_default();
            let output = or_empty(aggregated_output);
            let newline = if output.is_empty() || output.ends_with('\n') { "" } else { "\n" };
            format!("{output}{newline}[command] ended {}, exit code {code}", or_empty(status))
        }
        Item::McpToolCall { server, tool, status } => {
            format!("[tool] {}.{} {}", or_empty(server), or_empty(tool), or_empty(status))
        }
        Item::FileChange { status, changes } => {
            format!("[files] {} {}", or_empty(status), paths(changes))
        }
        Item::CollabToolCall { .. } => "[collab_tool_call] ".to_owned(),
        Item::WebSearch { text, .. } => format!("[web_search] {}", or_empty(text)),
        Item::Unknown { kind, text } => format!("[{kind}] {}", or_empty(text)),
    }
}

/// Splits a byte stream into lines.
#[derive(Debug, Default)]
pub(crate) struct Lines {
    pending: Vec<u8>,
}

impl Lines {
    pub(crate) fn push(&mut self, bytes: &[u8]) -> Vec<String> {
        // Only the new bytes are searched, because a long line can arrive in many pieces.
        let before = self.pending.len();
        self.pending.extend_from_slice(bytes);
        let whole = match bytes.iter().rposition(|byte| *byte == b'\n') {
            Some(newline) => before + newline + 1,
            None if self.pending.len() > MAX_LINE => self.pending.len(),
            None => return Vec::new(),
        };
        let rest = self.pending.split_off(whole);
        let lines = std::mem::replace(&mut self.pending, rest);
        lines.split_inclusive(|byte| *byte == b'\n').map(without_line_break).collect()
    }

    /// Returns the last line if it has no line break.
    pub(crate) fn finish(&mut self) -> Option<String> {
        let last = std::mem::take(&mut self.pending);
        (!last.is_empty()).then(|| without_line_break(&last))
    }
}

fn without_line_break(line: &[u8]) -> String {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    String::from_utf8_lossy(line).into_owned()
}

/// A line of codex's output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OutputLine<'a> {
    Event {
        event: &'a CodexEvent,
        /// The event as codex printed it.
        json: &'a str,
    },
    Text(&'a str),
}

/// Reads the output of one codex process. On standard error, every line is plain text.
#[derive(Debug, Default)]
pub(crate) struct OutputReader {
    stdout: Lines,
    stderr: Lines,
    pub(crate) account: Account,
    /// The last part of the plain-text output.
    pub(crate) text: String,
}

impl OutputReader {
    /// Calls `on_line` for each line that the new output completes.
    pub(crate) fn read(
        &mut self,
        output: OutputEvent<'_>,
        mut on_line: impl FnMut(OutputLine<'_>),
    ) {
        match output {
            OutputEvent::Stdout(bytes) => {
                for line in self.stdout.push(bytes) {
                    self.stdout_line(&line, &mut on_line);
                }
            }
            OutputEvent::Stderr(bytes) => {
                for line in self.stderr.push(bytes) {
                    self.text_line(&line, &mut on_line);
                }
            }
            OutputEvent::Silence => {}
        }
    }

    /// Reads the last line of each stream, which may have no line break.
    pub(crate) fn finish(&mut self, mut on_line: impl FnMut(OutputLine<'_>)) {
        if let Some(line) = self.stdout.finish() {
            self.stdout_line(&line, &mut on_line);
        }
        if let Some(line) = self.stderr.finish() {
            self.text_line(&line, &mut on_line);
        }
    }

    fn stdout_line(&mut self, line: &str, on_line: &mut impl FnMut(OutputLine<'_>)) {
        let Some(event) = CodexEvent::parse(line) else { return self.text_line(line, on_line) };
        self.account.add(&event);
        on_line(OutputLine::Event { event: &event, json: line });
    }

    fn text_line(&mut self, line: &str, on_line: &mut impl FnMut(OutputLine<'_>)) {
        on_line(OutputLine::Text(line));
        self.text.push_str(line);
        self.text.push('\n');
        if self.text.len() > 2 * MAX_TEXT {
            let cut = self.text.ceil_char_boundary(self.text.len() - MAX_TEXT);
            self.text.drain(..cut);
        }
    }
}

#[cfg(test)]
mod tests;
