//! Signals that ask us to end, turned into a wish to stop: codex is ended properly and the record is closed.

use process::StopSwitch;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

/// The first signal asks codex to end, the second one makes it.
pub(crate) fn stop_on_signals() -> StopSwitch {
    let switch = StopSwitch::default();
    let shared = switch.clone();
    // Where handlers cannot be installed the default holds: the signal ends us, and the session is lost.
    if let Ok(mut signals) = Signals::new([SIGINT, SIGTERM, SIGHUP]) {
        std::thread::spawn(move || {
            for _ in signals.forever() {
                shared.stop();
            }
        });
    }
    switch
}
