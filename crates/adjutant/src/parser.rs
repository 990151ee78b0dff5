//! The program `adjutant-parser`: analyses files for `adjutant`, which writes them to its standard input.

use std::io::{self, IsTerminal};

use contract::ExitCode;

use crate::{edge, output};

/// Answers requests until standard input ends.
pub fn main() -> std::process::ExitCode {
    let arguments = edge::command_line();
    if arguments == ["--version"] {
        output::data(&format!("adjutant-parser {}", crate::VERSION));
        return std::process::ExitCode::SUCCESS;
    }
    let stdin = io::stdin();
    if stdin.is_terminal() || !arguments.is_empty() {
        output::talk(
            "error: `adjutant-parser` has no arguments and reads requests of `adjutant` from its standard input\n\nhint: run `adjutant index`",
        );
        return std::process::ExitCode::from(ExitCode::Usage.number());
    }
    match index::serve_parser(stdin.lock(), io::stdout().lock()) {
        Ok(()) => std::process::ExitCode::SUCCESS,
        // `adjutant` has ended, or sent a request of another version. It reports the failure.
        Err(_) => std::process::ExitCode::FAILURE,
    }
}
