//! Tracks the codex session to which the prompts are sent.

use runs::{Continuation, TurnResult};

use super::arguments::Continuity;

#[derive(Clone)]
pub(super) struct Thread {
    continuity: Continuity,
    /// The id that codex assigned to the session, if it is known.
    id: Option<String>,
    n_prompts: u32,
}

/// Whether codex answered a prompt in the session that should be continued.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Continued {
    Yes,
    /// Codex answered the prompt in a new session.
    InNewSession,
    /// Codex did not answer the prompt, so the prompt must be sent again.
    No,
}

impl Thread {
    pub(super) fn new(continuity: Continuity) -> Self {
        Self { continuity, id: None, n_prompts: 0 }
    }

    pub(super) fn has_history(&self) -> bool {
        self.continuity != Continuity::None && self.n_prompts > 0
    }

    /// Returns whether the next prompt starts a new session or continues one. The session to continue is selected by
    /// its id or, if the id is not known, as the most recent session.
    pub(super) fn next(&self) -> Continuation<'_> {
        match (self.continuity, &self.id) {
            (Continuity::None, _) => Continuation::New,
            (_, Some(id)) => Continuation::Thread(id),
            (Continuity::Own, None) if self.n_prompts == 0 => Continuation::New,
            (Continuity::Own | Continuity::Last, None) => Continuation::Last,
        }
    }

    pub(super) fn add(&mut self, result: &TurnResult) {
        self.n_prompts += 1;
        if result.thread.is_some() && self.continuity != Continuity::None {
            self.id.clone_from(&result.thread);
        }
    }

    /// Makes the next prompt start a new session, in every mode.
    pub(super) fn forget(&mut self) {
        self.id = None;
        self.n_prompts = 0;
        if self.continuity == Continuity::Last {
            self.continuity = Continuity::Own;
        }
    }
}

/// Determines whether a turn continued the session. A codex version that supports JSON events reports the session id
/// even if the turn fails. With any other version, the session counts as found only if the turn succeeds.
pub(super) fn continued(
    wanted: Continuation<'_>,
    result: &TurnResult,
    has_events: bool,
) -> Continued {
    let is_found = if has_events { result.thread.is_some() } else { result.is_success() };
    match wanted {
        _ if result.is_interrupted() => Continued::Yes,
        _ if !is_found => Continued::No,
        Continuation::Last if result.is_new_thread => Continued::InNewSession,
        Continuation::Thread(id) if result.thread.as_deref().is_some_and(|thread| thread != id) => {
            Continued::InNewSession
        }
        Continuation::New | Continuation::Last | Continuation::Thread(_) => Continued::Yes,
    }
}
