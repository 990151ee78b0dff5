//! Waits for a condition with a timeout that is long enough for a busy machine.

use std::thread;
use std::time::{Duration, Instant};

/// The maximum time that a test waits. A test that waits longer has failed.
pub const TEST_TIMEOUT: Duration = Duration::from_secs(300);
const POLL: Duration = Duration::from_millis(20);

/// Polls `holds` until it returns true.
///
/// # Panics
/// Panics after [`TEST_TIMEOUT`], with `what` in the message.
#[track_caller]
pub fn eventually(what: &str, mut holds: impl FnMut() -> bool) {
    let deadline = Instant::now() + TEST_TIMEOUT;
    while !holds() {
        assert!(Instant::now() < deadline, "never: {what}");
        thread::sleep(POLL);
    }
}
