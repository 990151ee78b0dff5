//! Converts termination signals into a stop request, so that the running agent stops cleanly.

use process::StopSwitch;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

/// Returns a stop switch for SIGINT, SIGTERM and SIGHUP. The first signal asks the agent to stop; the second signal
/// kills it.
pub(crate) fn stop_on_signals() -> StopSwitch {
    let switch = StopSwitch::default();
    let shared = switch.clone();
    // If the handlers cannot be installed, a signal ends this process and the agent is not stopped.
    if let Ok(mut signals) = Signals::new([SIGINT, SIGTERM, SIGHUP]) {
        std::thread::spawn(move || {
            for _ in signals.forever() {
                shared.stop();
            }
        });
    }
    switch
}
