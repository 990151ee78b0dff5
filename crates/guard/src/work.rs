//! Counts the steps of a scan, so that tests can check for linear time without measuring time.

/// Adds `steps` to the counter. A step is one byte read or one comparison. Does nothing outside tests.
#[cfg(not(test))]
pub(crate) fn count(_steps: usize) {}

#[cfg(test)]
thread_local! {
    static STEPS: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

#[cfg(test)]
pub(crate) fn count(steps: usize) {
    STEPS.with(|counter| counter.set(counter.get() + steps));
}

/// Calls `run` and returns the number of steps counted during the call.
#[cfg(test)]
pub(crate) fn steps_of(run: impl FnOnce()) -> usize {
    let before = STEPS.with(std::cell::Cell::get);
    run();
    STEPS.with(std::cell::Cell::get) - before
}

#[cfg(test)]
mod tests;
