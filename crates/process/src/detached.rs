//! Starts programs that outlive this process, each in its own process group.

use std::io::{self, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use crate::run::{Group, StartError, start, start_thread};
use crate::{ProcessIdentity, Program};

/// A running program whose standard input is closed when this value is dropped or this process ends.
#[derive(Debug)]
pub struct Tether {
    pub identity: ProcessIdentity,
    _pipe: ChildStdin,
}

/// Starts a program, writes its input, and keeps its standard input open until the tether is dropped.
pub fn start_tethered(program: &Program) -> Result<Tether, StartError> {
    start_with_input(program, Stdio::null()).map(|(tether, _)| tether)
}

/// Starts a program without waiting for it to end. The program's standard streams are `/dev/null`.
pub fn start_detached(program: &Program) -> Result<(), StartError> {
    reap_later(start(program, [Stdio::null(), Stdio::null(), Stdio::null()])?);
    Ok(())
}

/// Starts a program, writes its input, closes its standard input, and returns a pipe from its standard output. The pipe
/// ends when the program ends. The program continues if the pipe is closed.
pub fn start_detached_with_output(
    program: &Program,
) -> Result<(ProcessIdentity, ChildStdout), StartError> {
    let (tether, output) = start_with_input(program, Stdio::piped())?;
    let no_output = || io::Error::other("the child has no standard output");
    let output = output.ok_or_else(|| StartError::new(program, no_output()))?;
    Ok((tether.identity, output))
}

/// Starts a program and writes its input. If writing fails, the program's process group is killed.
fn start_with_input(
    program: &Program,
    stdout: Stdio,
) -> Result<(Tether, Option<ChildStdout>), StartError> {
    let mut child = start(program, [Stdio::piped(), stdout, Stdio::null()])?;
    let identity = ProcessIdentity::of(child.id());
    let output = child.stdout.take();
    let written = match child.stdin.take() {
        Some(mut pipe) => {
            pipe.write_all(program.stdin.as_deref().unwrap_or_default()).map(|()| pipe)
        }
        None => Err(io::Error::other("the child has no standard input")),
    };
    match written {
        Ok(pipe) => {
            reap_later(child);
            Ok((Tether { identity, _pipe: pipe }, output))
        }
        Err(source) => {
            drop(Group::of(child));
            Err(StartError::new(program, source))
        }
    }
}

/// Reaps a child on a new thread. If the thread cannot be started, the child remains a zombie until this process exits.
fn reap_later(mut child: Child) {
    drop(start_thread(move || drop(child.wait())));
}
