//! Pauses a background build while other programs need the processors.
//!
//! On Linux, the kernel reports how long runnable tasks waited for a processor (`/proc/pressure/cpu`), or at least the
//! number of runnable tasks (`/proc/loadavg`). Other systems do not provide these files. There, a background build
//! only runs with low priority.

use std::path::Path;
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use disk::Links;

/// The time between two checks of the load.
const INTERVAL: Duration = Duration::from_millis(500);
/// The time before the first check of the load. A shorter build does not pause.
const GRACE: Duration = Duration::from_secs(10);
/// The maximum total duration of all pauses in one build. After that, the build continues with low priority.
const MAX_PAUSE: Duration = Duration::from_secs(60);
/// The machine is busy if tasks waited for a processor during more than this percentage of the last ten seconds.
const MAX_PRESSURE: f64 = 40.0;
const MAX_FILE: u64 = 4096;

/// The pauses of one build.
#[derive(Debug, Default)]
pub(crate) struct Pauses {
    /// `None` if the build does not pause.
    state: Option<Mutex<State>>,
    n_threads: usize,
}

#[derive(Debug)]
struct State {
    looked_at: Instant,
    paused: Duration,
}

impl Pauses {
    pub(crate) fn new(is_enabled: bool, n_threads: usize) -> Self {
        let state =
            || Mutex::new(State { looked_at: Instant::now() + GRACE, paused: Duration::ZERO });
        Self { state: is_enabled.then(state), n_threads }
    }

    /// Waits while the machine is busy. Other threads that call this function also wait.
    pub(crate) fn wait(&self) {
        self.wait_while(|| is_busy(self.n_threads));
    }

    fn wait_while(&self, is_busy: impl Fn() -> bool) {
        let Some(mut state) = self.state.as_ref().and_then(|state| state.lock().ok()) else {
            return;
        };
        if state.looked_at.elapsed() < INTERVAL {
            return;
        }
        while state.paused < MAX_PAUSE && is_busy() {
            thread::sleep(INTERVAL);
            state.paused += INTERVAL;
        }
        state.looked_at = Instant::now();
    }
}

/// Returns whether other programs need the processors. `n_threads` is the number of threads of this build, which also
/// contribute to the load.
fn is_busy(n_threads: usize) -> bool {
    let read = |path: &str| disk::read_text(Path::new(path), Links::Refuse, MAX_FILE).ok();
    if let Some(pressure) = read("/proc/pressure/cpu").as_deref().and_then(pressure_of) {
        return pressure > MAX_PRESSURE;
    }
    let load = read("/proc/loadavg").as_deref().and_then(load_of);
    load.is_some_and(|load| load > (n_threads + crate::threads::available()) as f64)
}

/// Parses the percentage for the last ten seconds from `some avg10=1.53 avg60=…`.
fn pressure_of(text: &str) -> Option<f64> {
    let line = text.lines().find_map(|line| line.strip_prefix("some "))?;
    line.split(' ').find_map(|part| part.strip_prefix("avg10="))?.parse().ok()
}

/// Parses the average load of the last minute from `0.52 0.82 …`.
fn load_of(text: &str) -> Option<f64> {
    text.split(' ').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::time::{Duration, Instant};

    use super::{Pauses, load_of, pressure_of};

    #[test]
    fn the_reports_of_the_kernel_are_read() {
        let text = "some avg10=41.53 avg60=0.87 avg300=0.73 total=1\nfull avg10=0.00 avg60=0.00\n";
        assert_eq!(pressure_of(text), Some(41.53));
        assert_eq!(pressure_of("full avg10=0.00\n"), None);
        assert_eq!(load_of("0.52 0.82 1.58 1/97 12\n"), Some(0.52));
    }

    #[test]
    fn a_build_waits_until_the_machine_is_not_busy() {
        let n_looks = Cell::new(0);
        let is_busy = || {
            n_looks.set(n_looks.get() + 1);
            n_looks.get() < 3
        };
        Pauses::new(false, 1).wait_while(is_busy);
        assert_eq!(n_looks.get(), 0);
        let pauses = Pauses::new(true, 1);
        pauses.wait_while(is_busy);
        assert_eq!(n_looks.get(), 0, "the load is not read for every file");
        if let Some(state) = &pauses.state {
            state.lock().unwrap().looked_at = Instant::now() - Duration::from_secs(1);
        }
        pauses.wait_while(is_busy);
        assert_eq!(n_looks.get(), 3);
    }
}
