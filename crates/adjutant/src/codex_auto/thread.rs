//! The session the prompts belong to: how the next one goes on with it, and what is left when that fails.

use codex::{GoesOn, Talked};

use super::arguments::Continuity;

pub(super) struct Thread {
    continuity: Continuity,
    /// As codex calls it, where it says so.
    id: Option<String>,
    n_prompts: u32,
}

/// What became of an attempt to go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Continued {
    Yes,
    /// The prompt was answered, but in a new session.
    Anew,
    /// Nothing was answered: the prompt has to be sent again.
    No,
}

impl Thread {
    pub(super) fn new(continuity: Continuity) -> Self {
        Self { continuity, id: None, n_prompts: 0 }
    }

    pub(super) fn id(&self) -> Option<&str> {
        self.id.as_deref()
    }

    pub(super) fn has_history(&self) -> bool {
        self.continuity != Continuity::None && self.n_prompts > 0
    }

    /// By its id, wherever codex told one. Without, `--last` is all there is.
    pub(super) fn next(&self) -> GoesOn<'_> {
        match (self.continuity, &self.id) {
            (Continuity::None, _) => GoesOn::Nothing,
            (_, Some(id)) => GoesOn::Thread(id),
            (Continuity::Own, None) if self.n_prompts == 0 => GoesOn::Nothing,
            (Continuity::Own | Continuity::Last, None) => GoesOn::Last,
        }
    }

    pub(super) fn took(&mut self, talked: &Talked) {
        self.n_prompts += 1;
        if talked.thread.is_some() && self.continuity != Continuity::None {
            self.id.clone_from(&talked.thread);
        }
    }

    /// The next prompt begins something new, whatever the mode.
    pub(super) fn forget(&mut self) {
        self.id = None;
        self.n_prompts = 0;
        if self.continuity == Continuity::Last {
            self.continuity = Continuity::Own;
        }
    }
}

/// A turn that failed in a session that was found is not the session's fault. A codex without events does not say whether
/// it found it.
pub(super) fn continued(wanted: GoesOn<'_>, talked: &Talked, has_events: bool) -> Continued {
    let is_found = if has_events { talked.thread.is_some() } else { talked.is_good() };
    match wanted {
        _ if talked.is_interrupted() => Continued::Yes,
        _ if !is_found => Continued::No,
        GoesOn::Last if talked.is_new_thread => Continued::Anew,
        GoesOn::Thread(id) if talked.thread.as_deref().is_some_and(|thread| thread != id) => {
            Continued::Anew
        }
        GoesOn::Nothing | GoesOn::Last | GoesOn::Thread(_) => Continued::Yes,
    }
}
