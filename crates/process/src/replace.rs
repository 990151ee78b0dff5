//! Replaces the current process with another program.

use std::io;
use std::os::unix::process::CommandExt;

use crate::Program;
use crate::run::command;

/// Replaces this process with a program whose first argument (`argv[0]`) is `name`. The program keeps the process id, the
/// terminal and the standard streams; [`Program::stdin`] is not used. Returns only if the program cannot be started.
pub fn replace_process(program: &Program, name: &str) -> io::Error {
    command(program).arg0(name).exec()
}
