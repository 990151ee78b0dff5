//! Counts steps of scanning in tests, so that linear time is proved by counting rather than by a clock.

/// Notes that `steps` bytes or comparisons were looked at; nothing outside tests.
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

/// The steps that `run` takes.
#[cfg(test)]
pub(crate) fn steps_of(run: impl FnOnce()) -> usize {
    let before = STEPS.with(std::cell::Cell::get);
    run();
    STEPS.with(std::cell::Cell::get) - before
}

#[cfg(test)]
mod tests;
