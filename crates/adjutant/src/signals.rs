//! Converts termination signals into a stop request, so that the running agent stops cleanly. In the loop of `codex-auto`,
//! Ctrl-C stops only the current turn; SIGTERM and SIGHUP also end the loop.

use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use process::StopSwitch;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;

/// Returns a stop switch for SIGINT, SIGTERM and SIGHUP. The first signal asks the agent to stop; the second signal
/// kills it.
pub(crate) fn stop_on_signals() -> StopSwitch {
    let switch = StopSwitch::default();
    let shared = switch.clone();
    handle_signals(move |_| shared.stop());
    switch
}

/// Calls `handle` on another thread for each SIGINT, SIGTERM and SIGHUP. If the handlers cannot be installed, the signals
/// have their default effect: they end this process, and the agent is not stopped.
fn handle_signals(handle: impl Fn(i32) + Send + 'static) {
    if let Ok(mut signals) = Signals::new([SIGINT, SIGTERM, SIGHUP]) {
        thread::spawn(move || signals.forever().for_each(handle));
    }
}

/// The effect of signals on the loop of `codex-auto`.
#[derive(Clone, Default)]
pub(crate) struct Interrupts {
    /// The stop switch of the current turn. `None` between turns.
    turn: Arc<Mutex<Option<StopSwitch>>>,
    /// The signal that ends the loop after the current turn, or 0.
    ending: Arc<AtomicI32>,
    /// Whether Ctrl-C has no effect between turns. The user probably meant to stop a turn that has just ended.
    ignores_idle: bool,
}

impl Interrupts {
    /// Installs the signal handlers. If the installation fails, signals have their default effect.
    pub(crate) fn listen(ignores_idle: bool) -> Self {
        let interrupts = Self { ignores_idle, ..Self::default() };
        let shared = interrupts.clone();
        handle_signals(move |signal| shared.handle(signal));
        interrupts
    }

    /// Starts a turn and returns its stop switch. A signal sets the switch.
    pub(crate) fn begin_turn(&self) -> StopSwitch {
        let switch = StopSwitch::default();
        *self.turn.lock().unwrap_or_else(PoisonError::into_inner) = Some(switch.clone());
        switch
    }

    pub(crate) fn end_turn(&self) {
        *self.turn.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// Returns the exit code if a signal has ended the loop.
    pub(crate) fn ending(&self) -> Option<u8> {
        let signal = self.ending.load(Ordering::Acquire);
        (signal != 0).then(|| u8::try_from(128 + signal).unwrap_or(1))
    }

    fn handle(&self, signal: i32) {
        let turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner).clone();
        match turn {
            Some(switch) => {
                if signal != SIGINT {
                    self.ending.store(signal, Ordering::Release);
                }
                switch.stop();
            }
            None if signal == SIGINT && self.ignores_idle => {}
            None => drop(emulate_default_handler(signal)),
        }
    }
}
