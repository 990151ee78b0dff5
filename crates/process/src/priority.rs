//! Lowers the priority of the own process.

/// How much the priority is lowered. 19 is the maximum.
const STEP: i32 = 10;

/// Lowers the priority of this process and of the processes that it starts, so that other programs go first. It must be
/// called before other threads are started, which would keep their priority on Linux.
pub fn lower_priority() {
    // Every process may lower its priority. Without it, the process only competes with others.
    let _ignored = rustix::process::nice(STEP);
}

#[cfg(test)]
mod tests {
    use super::{STEP, lower_priority};

    #[test]
    fn the_priority_is_lowered() {
        let before = rustix::process::getpriority_process(None).unwrap();
        // The priority belongs to a thread, so the other tests keep theirs.
        std::thread::spawn(move || {
            lower_priority();
            let after = rustix::process::getpriority_process(None).unwrap();
            assert_eq!(after, (before + STEP).min(19));
        })
        .join()
        .unwrap();
    }
}
