//! A child that goes on after us: its own process group, no pipe of ours, nobody waits for it.

use std::io::{self, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdin, Stdio};

use crate::run::{Group, StartError, command, start, start_thread};
use crate::{Identity, Program, Stdin};

/// A program that waits for us to go: it reads end of file on its stdin when we end, however that happens.
#[derive(Debug)]
pub struct Tether {
    pub identity: Identity,
    _pipe: ChildStdin,
}

/// Starts a program in a group of its own, hands it its input, and keeps its stdin open for as long as the tether lives.
pub fn start_tethered(program: &Program) -> Result<Tether, StartError> {
    let failed = |source| StartError { path: program.path.display().to_string(), source };
    let mut command = command(program);
    command.process_group(0).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    let child = start(&mut command).map_err(failed)?;
    let identity = Identity::of(child.id());
    let pipe = hand_over(child, &program.stdin).map_err(failed)?;
    Ok(Tether { identity, _pipe: pipe })
}

/// Starts a program and lets it be. A client that waits for our output does not wait for it.
pub fn start_detached(program: &Program) -> Result<(), StartError> {
    let mut command = command(program);
    command.process_group(0).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let failed = |source| StartError { path: program.path.display().to_string(), source };
    reap_later(start(&mut command).map_err(failed)?);
    Ok(())
}

/// Writes the input of a child and returns the open pipe. A child that does not take its input is killed.
fn hand_over(mut child: Child, stdin: &Stdin) -> io::Result<ChildStdin> {
    let written = match (child.stdin.take(), stdin) {
        (Some(pipe), Stdin::Empty) => Ok(pipe),
        (Some(mut pipe), Stdin::Bytes(bytes)) => pipe.write_all(bytes).map(|()| pipe),
        (None, _) => Err(io::Error::other("it has no stdin")),
    };
    match written {
        Ok(_) => reap_later(child),
        Err(_) => drop(Group::of(child)),
    }
    written
}

/// Without a thread for it the child stays a zombie until we end; then the system reaps it.
fn reap_later(mut child: Child) {
    drop(start_thread(move || drop(child.wait())));
}

/// Starts a program that goes on after us, and hands it its input before we go.
pub fn start_detached_with_input(program: &Program) -> Result<Identity, StartError> {
    let failed = |source| StartError { path: program.path.display().to_string(), source };
    let mut command = command(program);
    command.process_group(0).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    let child = start(&mut command).map_err(failed)?;
    let identity = Identity::of(child.id());
    drop(hand_over(child, &program.stdin).map_err(failed)?);
    Ok(identity)
}
