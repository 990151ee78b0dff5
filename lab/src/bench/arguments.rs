//! Arguments that several benchmarks share.

use std::path::PathBuf;
use std::process::ExitCode;
use std::slice::Iter;

use crate::output::print_message;

/// The data set, the clones of its repositories, and the folder for checked-out trees and indexes.
#[derive(Default)]
pub(super) struct Inputs {
    pub(super) data: PathBuf,
    pub(super) clones: PathBuf,
    pub(super) work: PathBuf,
}

impl Inputs {
    /// Reads the value of `--data`, `--clones` or `--work`. Returns `None` if `argument` is not one of them, or if its value
    /// is missing.
    pub(super) fn read(&mut self, argument: &str, rest: &mut Iter<'_, &str>) -> Option<()> {
        let path = match argument {
            "--data" => &mut self.data,
            "--clones" => &mut self.clones,
            "--work" => &mut self.work,
            _ => return None,
        };
        *path = rest.next()?.into();
        Some(())
    }

    pub(super) fn are_complete(&self) -> bool {
        [&self.data, &self.clones, &self.work].iter().all(|path| !path.as_os_str().is_empty())
    }
}

/// Runs `bench` with `options`. Prints `usage` if `options` is `None`, and the error if the benchmark fails.
pub(super) fn run<O>(
    usage: &str,
    options: Option<O>,
    bench: impl FnOnce(&O) -> Result<(), String>,
) -> ExitCode {
    let Some(options) = options else {
        print_message(&format!("usage: {usage}"));
        return ExitCode::from(2);
    };
    match bench(&options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            print_message(&format!("error: {error}"));
            ExitCode::FAILURE
        }
    }
}
