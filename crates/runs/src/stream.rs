//! Parses the output of an agent into lines and events, and summarises the events of one process.
//!
//! A line that is not an event is treated as plain text. Such a line can come from an older version of codex, from a
//! process that crashed while it was writing a line, or from another program.

use jiff::Timestamp;
use process::OutputEvent;

use crate::agents::AgentEvent;
use crate::usage::{Cost, SessionBudget, TotalUse, Usage};

/// The maximum length of a line in bytes. A longer line is split.
const MAX_LINE: usize = 8 * 1024 * 1024;
/// The number of bytes to which plain text is shortened when it exceeds twice this length. The end of the text is kept,
/// because it usually says why codex failed.
const MAX_TEXT: usize = 16 * 1024;

/// A summary of the events of one process.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Account {
    pub(crate) n_events: u64,
    pub(crate) thread_id: Option<String>,
    pub(crate) last_message: Option<String>,
    pub(crate) usage: Option<Usage>,
    /// The number of completed turns.
    pub(crate) n_turns: u64,
    /// The message of the last failure: for codex, of the last `turn.failed` event.
    pub(crate) failure: Option<String>,
    /// The message of the last `error` event. Codex also sends such an event for each attempt to reconnect.
    pub(crate) last_error: Option<String>,
    pub(crate) n_failed_commands: u64,
    pub(crate) n_items: u64,
    /// The cost of the process, if the agent reports it.
    pub(crate) cost: Option<Cost>,
    /// The reset time of a usage limit that the agent reported as reached.
    pub(crate) limit_resets_at: Option<Timestamp>,
    /// A message that names the cap, if a cap made the agent end the run.
    pub(crate) cap: Option<&'static str>,
    /// The id of the model's last message. Needed for agents that print one message in several events.
    pub(crate) last_message_id: Option<String>,
}

impl Account {
    /// Returns the usage of the process so far.
    pub(crate) fn total_use(&self, budget: &SessionBudget) -> TotalUse {
        budget.use_of(self.usage.unwrap_or_default(), self.n_turns, self.cost)
    }
}

/// Splits a stream of bytes into lines.
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

/// A line of an agent's output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OutputLine<'a, E> {
    Event {
        event: &'a E,
        /// The event as the agent printed it.
        json: &'a str,
    },
    Text(&'a str),
}

/// Reads the output of one process of an agent. On standard error, every line is plain text.
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
    pub(crate) fn read<E: AgentEvent>(
        &mut self,
        output: OutputEvent<'_>,
        mut on_line: impl FnMut(OutputLine<'_, E>),
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

    /// Reads the last line of each stream, even if it has no line break.
    pub(crate) fn finish<E: AgentEvent>(&mut self, mut on_line: impl FnMut(OutputLine<'_, E>)) {
        if let Some(line) = self.stdout.finish() {
            self.stdout_line(&line, &mut on_line);
        }
        if let Some(line) = self.stderr.finish() {
            self.text_line(&line, &mut on_line);
        }
    }

    fn stdout_line<E: AgentEvent>(
        &mut self,
        line: &str,
        on_line: &mut impl FnMut(OutputLine<'_, E>),
    ) {
        let Some(event) = E::parse(line) else { return self.text_line(line, on_line) };
        self.account.n_events += 1;
        event.add_to(&mut self.account);
        on_line(OutputLine::Event { event: &event, json: line });
    }

    fn text_line<E>(&mut self, line: &str, on_line: &mut impl FnMut(OutputLine<'_, E>)) {
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
