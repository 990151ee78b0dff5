//! A child that goes on after us: its own process group, no pipe of ours, nobody waits for it.

use std::io::Write;
use std::os::unix::process::CommandExt;
use std::process::{ChildStdin, Stdio};
use std::thread;

use crate::run::{StartError, command, start};
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
    let mut child = start(&mut command).map_err(failed)?;
    let identity = Identity::of(child.id());
    let pipe = child.stdin.take();
    let mut pipe = pipe.ok_or_else(|| failed(std::io::Error::other("it has no stdin")))?;
    if let Stdin::Bytes(bytes) = &program.stdin {
        pipe.write_all(bytes).map_err(failed)?;
    }
    thread::spawn(move || child.wait());
    Ok(Tether { identity, _pipe: pipe })
}

/// Starts a program and lets it be. A client that waits for our output does not wait for it.
pub fn start_detached(program: &Program) -> Result<(), StartError> {
    let mut command = command(program);
    command.process_group(0).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let failed = |source| StartError { path: program.path.display().to_string(), source };
    let mut child = start(&mut command).map_err(failed)?;
    // If we live on, somebody has to collect it.
    thread::spawn(move || child.wait());
    Ok(())
}

/// Starts a program that goes on after us, and hands it its input before we go.
pub fn start_detached_with_input(program: &Program) -> Result<Identity, StartError> {
    let failed = |source| StartError { path: program.path.display().to_string(), source };
    let mut command = command(program);
    command.process_group(0).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = start(&mut command).map_err(failed)?;
    let identity = Identity::of(child.id());
    if let (Some(mut pipe), Stdin::Bytes(bytes)) = (child.stdin.take(), &program.stdin) {
        pipe.write_all(bytes).map_err(failed)?;
    }
    thread::spawn(move || child.wait());
    Ok(identity)
}
