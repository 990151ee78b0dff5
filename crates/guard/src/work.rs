//! Counts the steps of a scan in tests, so that a test can check for linear time without a clock.

/// Adds `steps`, a number of bytes or comparisons, to the counter. Does nothing outside tests.
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

/// Returns the number of steps that `run` takes.
#[cfg(test)]
pub(crate) fn steps_of(run: impl FnOnce()) -> usize {
    let before = STEPS.with(std::cell::Cell::get);
    run();
    STEPS.with(std::cell::Cell::get) - before
}

#[cfg(test)]
mod tests;
