//! A child that talks to the user directly: it shares our terminal, our process group and so our Ctrl-C.

use std::io::Write;
use std::process::Stdio;

use crate::run::{End, StartError, command};
use crate::{Program, Stdin};

/// Runs a program to its end, however long that takes. Only its input is ours.
pub fn run_attached(program: &Program) -> Result<End, StartError> {
    let failed = |source| StartError { path: program.path.display().to_string(), source };
    let mut command = command(program);
    let Stdin::Bytes(bytes) = &program.stdin else {
        return command.stdin(Stdio::null()).status().map(End::of).map_err(failed);
    };
    let mut child = command.stdin(Stdio::piped()).spawn().map_err(failed)?;
    if let Some(mut pipe) = child.stdin.take() {
        // A child that does not want its input is not a failure; how it ends tells more.
        drop(pipe.write_all(bytes));
    }
    child.wait().map(End::of).map_err(failed)
}
