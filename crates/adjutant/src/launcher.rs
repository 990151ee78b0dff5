//! The program `codex-auto`. It replaces its process with `adjutant`, so that the code is installed only once.

use std::process::ExitCode;

use process::Program;

use crate::{edge, output};

/// The name under which `adjutant` acts as `codex-auto`.
pub(crate) const CODEX_AUTO: &str = "codex-auto";

/// Replaces this process with `adjutant` from the same folder.
pub fn main() -> ExitCode {
    let path = edge::program_directory().unwrap_or_default().join("adjutant");
    let program = Program::new(&path, edge::environment()).arguments(std::env::args_os().skip(1));
    let error = process::replace_process(&program, CODEX_AUTO);
    output::talk(&format!(
        "error: cannot start `{}`: {error}\n\nhint: install Adjutant again; `codex-auto` and `adjutant` belong in the same folder",
        path.display()
    ));
    ExitCode::from(contract::ExitCode::KernelUnavailable.number())
}
