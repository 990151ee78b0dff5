//! What codex says about itself while it runs: the lines of `codex exec --json`, read into what we need.
//!
//! Lines that are no event are output like any other: an older codex, a crash in the middle of a line, a program
//! that is not codex.

use serde_json::Value;

/// A line longer than this is not waited for; its parts are output.
const LONGEST_LINE: usize = 8 * 1024 * 1024;

/// One thing codex said.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Said {
    Event(Value),
    /// Not an event. Without its line break.
    Text(String),
}

/// Cuts a byte stream into lines, and lines into events.
#[derive(Debug, Default)]
pub(crate) struct Lines {
    pending: Vec<u8>,
}

impl Lines {
    pub(crate) fn push(&mut self, bytes: &[u8]) -> Vec<Said> {
        // Only what is new is looked at: a line may take many pieces.
        let before = self.pending.len();
        self.pending.extend_from_slice(bytes);
        let whole = match bytes.iter().rposition(|byte| *byte == b'\n') {
            Some(newline) => before + newline + 1,
            None if self.pending.len() > LONGEST_LINE => self.pending.len(),
            None => return Vec::new(),
        };
        let rest = self.pending.split_off(whole);
        let lines = std::mem::replace(&mut self.pending, rest);
        lines.split_inclusive(|byte| *byte == b'\n').map(said).collect()
    }

    /// A line that was never ended.
    pub(crate) fn finish(self) -> Option<Said> {
        (!self.pending.is_empty()).then(|| said(&self.pending))
    }
}

fn said(line: &[u8]) -> Said {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    if line.starts_with(b"{")
        && let Ok(event) = serde_json::from_slice::<Value>(line)
        && event.get("type").is_some_and(Value::is_string)
    {
        return Said::Event(event);
    }
    Said::Text(String::from_utf8_lossy(line).into_owned())
}

/// Tokens as `turn.completed` counts them, over all turns of one process.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    pub input: u64,
    pub cached_input: u64,
    pub output: u64,
}

impl Usage {
    pub(crate) fn total(self) -> u64 {
        self.input.saturating_add(self.output)
    }
}

/// What the events of one process add up to.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Account {
    pub(crate) n_events: u64,
    pub(crate) thread_id: Option<String>,
    pub(crate) last_message: Option<String>,
    pub(crate) usage: Option<Usage>,
    pub(crate) turn_completed: bool,
    /// Why the turn failed: `turn.failed`, the last word about it.
    pub(crate) failure: Option<String>,
    /// `error` events: the last one. Codex sends them for every try of a connection too.
    pub(crate) last_error: Option<String>,
    pub(crate) n_failed_commands: u64,
    pub(crate) n_items: u64,
}

impl Account {
    pub(crate) fn take(&mut self, event: &Value) {
        self.n_events += 1;
        let text = |pointer: &str| event.pointer(pointer).and_then(Value::as_str);
        match text("/type").unwrap_or_default() {
            "thread.started" => self.thread_id = text("/thread_id").map(str::to_owned),
            "turn.completed" => {
                self.turn_completed = true;
                let tokens =
                    |name: &str| event.pointer(&format!("/usage/{name}")).and_then(Value::as_u64);
                if let Some(input) = tokens("input_tokens") {
                    let before = self.usage.unwrap_or_default();
                    self.usage = Some(Usage {
                        input: before.input.saturating_add(input),
                        cached_input: before
                            .cached_input
                            .saturating_add(tokens("cached_input_tokens").unwrap_or(0)),
                        output: before.output.saturating_add(tokens("output_tokens").unwrap_or(0)),
                    });
                }
            }
            "turn.failed" => {
                let message = text("/error/message").unwrap_or("the turn failed");
                self.failure = Some(message.to_owned());
            }
            "error" => self.last_error = text("/message").map(str::to_owned),
            "item.completed" => {
                self.n_items += 1;
                match text("/item/type").unwrap_or_default() {
                    "agent_message" => self.last_message = text("/item/text").map(str::to_owned),
                    "command_execution" if text("/item/status") == Some("failed") => {
                        self.n_failed_commands += 1;
                    }
                    _ => {}
                }
            }
            _ => {}
        }
    }
}

/// An event as a person reads it in the log; None for those that say nothing to a person.
pub(crate) fn for_a_person(event: &Value) -> Option<String> {
    let text = |pointer: &str| event.pointer(pointer).and_then(Value::as_str).unwrap_or_default();
    let line = match text("/type") {
        "thread.started" => format!("[thread] {}", text("/thread_id")),
        "turn.started" => return None,
        "turn.completed" => {
            let tokens =
                |name: &str| event.pointer(&format!("/usage/{name}")).map(Value::to_string);
            let count = |name| tokens(name).unwrap_or_else(|| "?".to_owned());
            format!(
                "[turn] completed, {} tokens in, {} out",
                count("input_tokens"),
                count("output_tokens")
            )
        }
        "turn.failed" => format!("[turn] failed: {}", text("/error/message")),
        "error" => format!("[error] {}", text("/message")),
        "item.started" if text("/item/type") == "command_execution" => {
            // The last word keeps the line from ending in a quote: the redaction would wait for what follows it.
            format!("[command] {} [started]", text("/item/command"))
        }
        "item.started" | "item.updated" => return None,
        "item.completed" => item(event),
        other => format!("[{other}]"),
    };
    Some(line)
}

fn item(event: &Value) -> String {
    let text = |pointer: &str| event.pointer(pointer).and_then(Value::as_str).unwrap_or_default();
    match text("/item/type") {
        "agent_message" => format!("[message] {}", text("/item/text")),
        "reasoning" => format!("[reasoning] {}", text("/item/text")),
        "error" => format!("[warning] {}", text("/item/message")),
        "command_execution" => {
            let code = event.pointer("/item/exit_code").map_or_else(String::new, Value::to_string);
            let output = text("/item/aggregated_output");
            let newline = if output.is_empty() || output.ends_with('\n') { "" } else { "\n" };
            format!("{output}{newline}[command] ended {}, exit code {code}", text("/item/status"))
        }
        "mcp_tool_call" => format!(
            "[tool] {}.{} {}",
            text("/item/server"),
            text("/item/tool"),
            text("/item/status")
        ),
        "file_change" => {
            let changes = event.pointer("/item/changes").and_then(Value::as_array);
            let paths = changes.into_iter().flatten().filter_map(|change| change["path"].as_str());
            format!("[files] {} {}", text("/item/status"), paths.collect::<Vec<_>>().join(", "))
        }
        other => format!("[{other}] {}", text("/item/text")),
    }
}

#[cfg(test)]
mod tests;
