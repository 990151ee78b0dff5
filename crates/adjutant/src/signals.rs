//! Converts termination signals into a stop request, so that codex stops cleanly and the record is closed.

use process::StopSwitch;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

/// Returns a stop switch for SIGINT, SIGTERM and SIGHUP. The first signal asks codex to stop; the second signal kills
/// codex.
pub(crate) fn stop_on_signals() -> StopSwitch {
    let switch = StopSwitch::default();
    let shared = switch.clone();
    // If the handlers cannot be installed, a signal ends this process and the record is not closed.
    if let Ok(mut signals) = Signals::new([SIGINT, SIGTERM, SIGHUP]) {
        std::thread::spawn(move || {
            for _ in signals.forever() {
                shared.stop();
            }
        });
    }
    switch
}
