//! Changes the current process: lowers its priority, or replaces it with another program.

use std::io;
use std::os::unix::process::CommandExt;

use crate::Program;
use crate::run::command;

/// The increment of the nice value. The maximum is 19.
const STEP: i32 = 10;

/// Lowers the priority of this process and of the processes that it starts, so that other programs run first. Call this
/// before other threads are started: on Linux, existing threads keep their priority.
pub fn lower_priority() {
    // Every process may lower its own priority. If the call fails, the process runs with its normal priority.
    let _ignored = rustix::process::nice(STEP);
}

/// Replaces this process with a program whose first argument (`argv[0]`) is `name`. The program keeps the process id, the
/// terminal and the standard streams; [`Program::stdin`] is not used. Returns only if the program cannot be started.
pub fn replace_process(program: &Program, name: &str) -> io::Error {
    command(program).arg0(name).exec()
}

#[cfg(test)]
mod tests {
    use super::{STEP, lower_priority};

    #[test]
    fn the_priority_is_lowered() {
        let before = rustix::process::getpriority_process(None).unwrap();
        // The priority belongs to a thread, so other tests are not affected.
        std::thread::spawn(move || {
            lower_priority();
            let after = rustix::process::getpriority_process(None).unwrap();
            assert_eq!(after, (before + STEP).min(19));
        })
        .join()
        .unwrap();
    }
}
