//! Readers of untrusted input that have no public caller, for the crate `fuzz-targets` alone.

use process::End;

use crate::Classification;
use crate::classify::{Ending, classify};
use crate::patch::Patch;
use crate::stream::{Account, Lines, Said, for_a_person};

/// What one run said, as far as it is recorded.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadRun {
    pub n_events: u64,
    pub last_message: Option<String>,
    /// The lines of the log, in order.
    pub log: Vec<String>,
    pub classification: Classification,
    pub reason: String,
}

/// Reads the output of a codex that ended with `exit_code`, which arrives in these pieces.
pub fn read_run<'a>(pieces: impl IntoIterator<Item = &'a [u8]>, exit_code: i32) -> ReadRun {
    let mut lines = Lines::default();
    let mut account = Account::default();
    let (mut log, mut talk) = (Vec::new(), String::new());
    let mut take = |said: Said| match said {
        Said::Event(event) => {
            account.take(&event);
            log.extend(for_a_person(&event));
        }
        Said::Text(text) => {
            talk.push_str(&text);
            talk.push('\n');
            log.push(text);
        }
    };
    for piece in pieces {
        lines.push(piece).into_iter().for_each(&mut take);
    }
    lines.finish().into_iter().for_each(&mut take);
    let ending = Ending {
        end: End::Exited(exit_code),
        stopped: None,
        account: &account,
        has_events: true,
        last_message: account.last_message.as_deref(),
        talk: &talk,
        prompt: "explain the retry budget",
        has_patch: false,
    };
    let verdict = classify(&ending);
    let (classification, reason) = (verdict.classification, verdict.reason);
    let Account { n_events, last_message, .. } = account;
    ReadRun { n_events, last_message, log, classification, reason }
}

/// The well-formed patch in a message of codex, if there is one.
pub fn patch_in(message: &str) -> Option<String> {
    Patch::in_message(message).ok().map(|patch| patch.text)
}
