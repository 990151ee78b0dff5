//! The programs `codex-auto` and `adjutant-parser`, and the clap commands of the other programs, from which completions
//! and manual pages are generated.

use std::io::{self, IsTerminal};
use std::process::ExitCode;

use clap::{Command, ValueEnum};
use process::Program;

use crate::{edge, output};

/// The name under which `adjutant` acts as `codex-auto`.
pub(crate) const CODEX_AUTO: &str = "codex-auto";

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ProgramArgument {
    Adjutant,
    AdjutantHook,
    CodexAuto,
}

impl ProgramArgument {
    pub(crate) fn command(self) -> Command {
        match self {
            Self::Adjutant => crate::commands::command(),
            Self::AdjutantHook => crate::hook::command(),
            Self::CodexAuto => crate::codex_auto::command(),
        }
    }
}

/// Runs `codex-auto`: replaces this process with `adjutant` from the same folder, so that the code is installed only once.
pub fn codex_auto_main() -> ExitCode {
    let path = edge::program_directory().unwrap_or_default().join("adjutant");
    let program = Program::new(&path, edge::environment()).arguments(std::env::args_os().skip(1));
    let error = process::replace_process(&program, CODEX_AUTO);
    output::talk(&format!(
        "error: cannot start `{}`: {error}\n\nhint: install Adjutant again; `codex-auto` and `adjutant` belong in the same folder",
        path.display()
    ));
    ExitCode::from(contract::ExitCode::KernelUnavailable.number())
}

/// Runs `adjutant-parser`: analyses the files that `adjutant` writes to its standard input, until it is closed.
pub fn parser_main() -> ExitCode {
    let arguments = edge::command_line();
    if arguments == ["--version"] {
        output::data(&format!("adjutant-parser {}", crate::VERSION));
        return ExitCode::SUCCESS;
    }
    let stdin = io::stdin();
    if stdin.is_terminal() || !arguments.is_empty() {
        output::talk(
            "error: `adjutant-parser` takes no arguments and reads requests from `adjutant` on standard input\n\nhint: run `adjutant index`",
        );
        return ExitCode::from(contract::ExitCode::Usage.number());
    }
    match index::serve_parser(stdin.lock(), io::stdout().lock()) {
        Ok(()) => ExitCode::SUCCESS,
        // `adjutant` has exited, or has sent a request in the format of another version. In the second case,
        // `adjutant` reports the failure.
        Err(_) => ExitCode::FAILURE,
    }
}

#[cfg(test)]
mod tests;
