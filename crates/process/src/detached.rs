//! Starts programs that outlive this process, each in its own process group.

use std::io::{self, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use crate::run::{Group, StartError, command, start, start_thread};
use crate::{Identity, Program, Stdin};

/// A running program whose standard input is closed when this value is dropped or this process ends.
#[derive(Debug)]
pub struct Tether {
    pub identity: Identity,
    _pipe: ChildStdin,
}

/// Starts a program, writes its input, and keeps its standard input open until the tether is dropped.
pub fn start_tethered(program: &Program) -> Result<Tether, StartError> {
    let failed = |source| StartError { path: program.path.display().to_string(), source };
    let child = start(&mut detached(program, Stdio::piped())).map_err(failed)?;
    let identity = Identity::of(child.id());
    let pipe = write_input(child, &program.stdin).map_err(failed)?;
    Ok(Tether { identity, _pipe: pipe })
}

/// Starts a program without waiting for it to end. The program's standard streams are `/dev/null`.
pub fn start_detached(program: &Program) -> Result<(), StartError> {
    let failed = |source| StartError { path: program.path.display().to_string(), source };
    reap_later(start(&mut detached(program, Stdio::null())).map_err(failed)?);
    Ok(())
}

/// Starts a program, writes its input, and closes its standard input without waiting for the program to end.
pub fn start_detached_with_input(program: &Program) -> Result<Identity, StartError> {
    start_tethered(program).map(|tether| tether.identity)
}

/// Does the same as [`start_detached_with_input`], and returns a pipe from the program's standard output. The pipe ends when
/// the program ends. The program continues if the pipe is closed.
pub fn start_detached_with_output(
    program: &Program,
) -> Result<(Identity, ChildStdout), StartError> {
    let failed = |source| StartError { path: program.path.display().to_string(), source };
    let mut command = detached(program, Stdio::piped());
    let mut child = start(command.stdout(Stdio::piped())).map_err(failed)?;
    let identity = Identity::of(child.id());
    let no_output = || failed(io::Error::other("the child has no standard output"));
    let output = child.stdout.take().ok_or_else(no_output)?;
    write_input(child, &program.stdin).map_err(failed)?;
    Ok((identity, output))
}

fn detached(program: &Program, stdin: Stdio) -> Command {
    let mut command = command(program);
    command.process_group(0).stdin(stdin).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// Writes the child's input and returns the open pipe. If writing fails, the child's process group is killed.
fn write_input(mut child: Child, stdin: &Stdin) -> io::Result<ChildStdin> {
    let written = match (child.stdin.take(), stdin) {
        (Some(pipe), Stdin::Empty) => Ok(pipe),
        (Some(mut pipe), Stdin::Bytes(bytes)) => pipe.write_all(bytes).map(|()| pipe),
        (None, _) => Err(io::Error::other("the child has no standard input")),
    };
    match written {
        Ok(_) => reap_later(child),
        Err(_) => drop(Group::of(child)),
    }
    written
}

/// Reaps a child on a new thread. If the thread cannot be started, the child remains a zombie until this process exits.
fn reap_later(mut child: Child) {
    drop(start_thread(move || drop(child.wait())));
}
