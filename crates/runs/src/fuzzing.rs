//! Exposes parsers of untrusted input to the crate `fuzz-targets`.

use process::{End, OutputEvent};

use crate::Classification;
use crate::agents::claude::events::ClaudeEvent;
use crate::agents::codex::events::CodexEvent;
use crate::agents::{AgentEvent, AgentKind};
use crate::classify::{Ending, classify};
use crate::patch::Patch;
use crate::stream::{Account, OutputLine, OutputReader};

/// The result of reading the output of one run.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadRun {
    pub n_events: u64,
    pub last_message: Option<String>,
    /// The lines of the log.
    pub log: Vec<String>,
    pub classification: Classification,
    pub reason: String,
}

/// Reads the output of a process of an agent that exits with `exit_code`. The output arrives in `pieces`.
pub fn read_run<'a>(
    agent: AgentKind,
    pieces: impl IntoIterator<Item = &'a [u8]>,
    exit_code: i32,
) -> ReadRun {
    match agent {
        AgentKind::Codex => read_events::<CodexEvent>(pieces, exit_code),
        AgentKind::Claude => read_events::<ClaudeEvent>(pieces, exit_code),
    }
}

fn read_events<'a, E: AgentEvent>(
    pieces: impl IntoIterator<Item = &'a [u8]>,
    exit_code: i32,
) -> ReadRun {
    let mut reader = OutputReader::default();
    let mut log = Vec::new();
    let mut add = |line: OutputLine<'_, E>| match line {
        OutputLine::Event { event, .. } => log.extend(event.log_line()),
        OutputLine::Text(text) => log.push(text.to_owned()),
    };
    for piece in pieces {
        reader.read(OutputEvent::Stdout(piece), &mut add);
    }
    reader.finish(&mut add);
    let OutputReader { account, text, .. } = reader;
    let ending = Ending {
        agent: "Codex",
        end: End::Exited(exit_code),
        stopped: None,
        account: &account,
        has_events: true,
        last_message: account.last_message.as_deref(),
        text: &text,
        prompt: "explain the retry budget",
        has_patch: false,
    };
    let verdict = classify(&ending);
    let (classification, reason) = (verdict.classification, verdict.reason);
    let Account { n_events, last_message, .. } = account;
    ReadRun { n_events, last_message, log, classification, reason }
}

/// Returns the patch in a message from codex, or `None` if the message contains no well-formed patch.
pub fn patch_in(message: &str) -> Option<String> {
    Patch::in_message(message).ok().map(|patch| patch.text)
}
