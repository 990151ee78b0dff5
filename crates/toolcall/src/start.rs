//! Builds the program that a verified command starts.

use std::path::Path;

use policy::{Verified, WrittenCommand};
use process::{Environment, Program};

/// The environment variable that contains the path of the script in the repository. A script of a repository runs from a
/// private copy, so that its own path (`$0`) is the path of the copy.
const SCRIPT: &str = "ADJUTANT_SCRIPT";

/// Returns the program that runs in `directory`. A name without `/` is searched in `PATH`. A path is relative to `directory`.
pub(crate) fn program(verified: &Verified, directory: &Path, environment: Environment) -> Program {
    let environment = match &verified.script {
        Some(script) => environment.with(SCRIPT, script.as_path()),
        None => environment.without(SCRIPT),
    };
    let program = match &verified.command {
        WrittenCommand::Shell(command) => {
            Program::new("/bin/sh", environment).argument("-c").argument(command)
        }
        WrittenCommand::Program(words) => {
            let (path, arguments) = match words.split_first() {
                Some((path, arguments)) if path.contains('/') => (directory.join(path), arguments),
                Some((name, arguments)) => (name.into(), arguments),
                None => Default::default(),
            };
            Program::new(path, environment).arguments(arguments)
        }
    };
    program.directory(directory)
}
