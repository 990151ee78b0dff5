//! Waiting for what must come, however busy the machine is. How long something takes is no test's business.

use std::thread;
use std::time::{Duration, Instant};

/// A test that meets it has failed; no machine is so slow.
pub const PATIENCE: Duration = Duration::from_secs(300);
const POLL: Duration = Duration::from_millis(20);

/// Looks again and again until it holds.
#[track_caller]
pub fn eventually(what: &str, mut holds: impl FnMut() -> bool) {
    let deadline = Instant::now() + PATIENCE;
    while !holds() {
        assert!(Instant::now() < deadline, "never: {what}");
        thread::sleep(POLL);
    }
}
