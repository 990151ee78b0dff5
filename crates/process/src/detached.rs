//! A child that goes on after us: its own process group, no pipe of ours, nobody waits for it.

use std::os::unix::process::CommandExt;
use std::process::Stdio;

use crate::Program;
use crate::run::{StartError, command};

/// Starts a program and lets it be. A client that waits for our output does not wait for it.
pub fn start_detached(program: &Program) -> Result<(), StartError> {
    let mut command = command(program);
    command.process_group(0).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    match command.spawn() {
        Ok(_left_alone) => Ok(()),
        Err(source) => Err(StartError { path: program.path.display().to_string(), source }),
    }
}
