//! Builds the index of a small repository while a prompt waits.

use std::path::Path;
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use index::{RefreshError, View, WalkBounds, WalkEnd};

use super::{IndexLocation, IndexProblem, Knowledge};

/// The maximum number of files in a small repository. The index of a small repository is built while the prompt waits.
const MAX_SMALL_FILES: usize = 300;
const SMALL_BUILD_TIMEOUT: Duration = Duration::from_millis(1_200);
/// The time after the deadline of a build within which the prompt still waits for its end.
const EXTRA_BUILD_TIME: Duration = Duration::from_millis(300);

impl IndexLocation {
    /// Builds the index if the repository is small. Otherwise, or if the build fails or does not end in time, returns
    /// [`Knowledge::Files`]. `problem` is the reason why the index on disk is not used; the build does not read it.
    pub(super) fn build_now(&self, deadline: Instant, problem: Option<IndexProblem>) -> Knowledge {
        let built = self.is_small().then(|| {
            let timeout = SMALL_BUILD_TIMEOUT.saturating_mul(self.environment.slowness());
            let deadline = deadline.min(Instant::now() + timeout);
            let location = self.clone();
            run_until(deadline + EXTRA_BUILD_TIME, move || location.build_small(deadline))
        });
        match built.flatten().flatten() {
            Some(view) => self.indexed(view, problem),
            None => Knowledge::Files { problem },
        }
    }

    /// Builds the index and stores it. If it cannot be stored, it is built in memory. A build that fails for another
    /// reason, such as the deadline, is not repeated.
    fn build_small(&self, deadline: Instant) -> Option<View> {
        #[cfg(test)]
        super::openings::record(&self.root, super::openings::Opening::Built);
        let options = self.build_options(Some(deadline));
        let in_memory = || index::build_in_memory(&self.root, &options).ok();
        let Some(store) = self.store() else { return in_memory() };
        match store.refresh(&options, &|_| ()) {
            Ok(_) => store.view(&self.look(deadline + EXTRA_BUILD_TIME)).ok(),
            Err(RefreshError::Busy | RefreshError::Unwritable { .. }) => in_memory(),
            Err(RefreshError::Build(_)) => None,
        }
    }

    fn is_small(&self) -> bool {
        let deadline = Instant::now() + self.changes_timeout();
        let bounds = WalkBounds { deadline, max_files: MAX_SMALL_FILES };
        index::visit_files(&self.root, bounds, || |_: &Path| ()) == WalkEnd::Complete
    }
}

/// Runs `work` on another thread. Returns its result, or `None` if it has not ended at the deadline. The work then
/// continues, and its result is dropped. If no thread can be started, runs `work` on this thread.
fn run_until<T: Send + 'static>(
    deadline: Instant,
    work: impl Fn() -> T + Send + Sync + 'static,
) -> Option<T> {
    let (sender, receiver) = mpsc::channel();
    let work = Arc::new(work);
    let on_thread = Arc::clone(&work);
    let send = move || {
        // The receiver is dropped at the deadline.
        let _late = sender.send(on_thread());
    };
    match thread::Builder::new().spawn(send) {
        Ok(_) => receiver.recv_timeout(deadline.saturating_duration_since(Instant::now())).ok(),
        Err(_) => Some(work()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a40_work_that_does_not_end_is_not_waited_for() {
        let (sender, receiver) = mpsc::channel::<()>();
        let receiver = std::sync::Mutex::new(receiver);
        let waits = move || receiver.lock().is_ok_and(|receiver| receiver.recv().is_ok());
        // The work ends only after this function has returned.
        assert_eq!(run_until(Instant::now() + Duration::from_millis(10), waits), None);
        drop(sender);
        assert_eq!(run_until(Instant::now() + Duration::from_secs(60), || 7), Some(7));
    }
}
