//! Ctrl-C while codex works stops codex, not the loop; a wish to end stops both.

use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use process::StopSwitch;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;

#[derive(Clone, Default)]
pub(super) struct Interrupts {
    /// Of the turn that is under way.
    turn: Arc<Mutex<Option<StopSwitch>>>,
    /// The signal that asked us to end, or 0.
    ending: Arc<AtomicI32>,
    at_rest: AtRest,
}

/// What Ctrl-C means while nothing is under way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum AtRest {
    #[default]
    Ends,
    /// A person pressed it once too often: the turn it was for is over already.
    IsNothing,
}

impl Interrupts {
    /// Where handlers cannot be installed the default holds: the signal ends us.
    pub(super) fn listen(at_rest: AtRest) -> Self {
        let interrupts = Self { at_rest, ..Self::default() };
        let shared = interrupts.clone();
        if let Ok(mut signals) = Signals::new([SIGINT, SIGTERM, SIGHUP]) {
            thread::spawn(move || {
                for signal in signals.forever() {
                    shared.take(signal);
                }
            });
        }
        interrupts
    }

    /// From now on a signal stops this turn.
    pub(super) fn begin_turn(&self) -> StopSwitch {
        let switch = StopSwitch::default();
        *self.turn.lock().unwrap_or_else(PoisonError::into_inner) = Some(switch.clone());
        switch
    }

    pub(super) fn end_turn(&self) {
        *self.turn.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    pub(super) fn ending(&self) -> Option<u8> {
        let signal = self.ending.load(Ordering::Acquire);
        (signal != 0).then(|| u8::try_from(128 + signal).unwrap_or(1))
    }

    fn take(&self, signal: i32) {
        let turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner).clone();
        match turn {
            Some(switch) => {
                if signal != SIGINT {
                    self.ending.store(signal, Ordering::Release);
                }
                switch.stop();
            }
            None if signal == SIGINT && self.at_rest == AtRest::IsNothing => {}
            // Nothing of ours is under way that would have to be ended first.
            None => drop(emulate_default_handler(signal)),
        }
    }
}
