//! What a running session is doing now.

use std::io::{Read, Seek, SeekFrom};

use serde::Serialize;

use super::Sessions;
use crate::files;
use crate::session::SessionId;

/// The end of the log in which the last tool call is searched for.
const MAX_TAIL_BYTES: u64 = 64 * 1024;
const MAX_CHARACTERS: usize = 200;
/// The log lines of tool calls begin with these words.
const CALLS: [&str; 4] = ["[command] ", "[tool] ", "[files] ", "[web_search] "];
const STARTED: &str = " [started]";

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Activity {
    /// The number of the current turn, starting at 1.
    pub turn: u64,
    /// The tokens of the turns that have ended.
    pub tokens: u64,
    /// The last tool call, redacted and shortened.
    pub last_call: Option<String>,
}

impl Sessions {
    /// Returns what a running session is doing now, or `None` if its record cannot be read.
    #[must_use]
    pub fn activity(&self, id: &SessionId) -> Option<Activity> {
        let (session, summary) = self.summary(id).ok()?;
        let used = summary.state.total_use.unwrap_or_default();
        let mut file = files::open(&session.log()).ok()?;
        let size = file.metadata().ok()?.len();
        file.seek(SeekFrom::Start(size.saturating_sub(MAX_TAIL_BYTES))).ok()?;
        let mut bytes = Vec::new();
        file.take(MAX_TAIL_BYTES).read_to_end(&mut bytes).ok()?;
        Some(Activity {
            turn: used.turns + 1,
            tokens: used.tokens.input.saturating_add(used.tokens.output),
            last_call: last_call(&String::from_utf8_lossy(&bytes)),
        })
    }
}

fn last_call(log: &str) -> Option<String> {
    let is_end = |call: &str| call.starts_with("ended ");
    let mut calls = log.lines().rev().filter_map(|line| {
        let call = CALLS.iter().find_map(|word| line.strip_prefix(word))?;
        (!is_end(call)).then(|| call.strip_suffix(STARTED).unwrap_or(call))
    });
    calls.next().map(|call| call.chars().take(MAX_CHARACTERS).collect())
}

#[cfg(test)]
mod tests {
    use super::last_call;

    #[test]
    fn the_last_tool_call_is_found_in_the_log() {
        let log = "[command] ls [started]\na\n[command] ended completed, exit code 0\n\
            [command] cargo test [started]\noutput\n[command] ended failed, exit code 1\n[message] hm\n";
        assert_eq!(last_call(log).as_deref(), Some("cargo test"));
        assert_eq!(
            last_call("[files] completed src/a.rs\n").as_deref(),
            Some("completed src/a.rs")
        );
        assert_eq!(last_call("[message] hello\n"), None);
    }
}
