//! The program `adjutant-parser`. It analyses the files that `adjutant` writes to its standard input.

use std::io::{self, IsTerminal};

use contract::ExitCode;

use crate::{edge, output};

/// Answers requests until standard input is closed.
pub fn main() -> std::process::ExitCode {
    let arguments = edge::command_line();
    if arguments == ["--version"] {
        output::data(&format!("adjutant-parser {}", crate::VERSION));
        return std::process::ExitCode::SUCCESS;
    }
    let stdin = io::stdin();
    if stdin.is_terminal() || !arguments.is_empty() {
        output::talk(
            "error: `adjutant-parser` takes no arguments and reads requests from `adjutant` on standard input\n\nhint: run `adjutant index`",
        );
        return std::process::ExitCode::from(ExitCode::Usage.number());
    }
    match index::serve_parser(stdin.lock(), io::stdout().lock()) {
        Ok(()) => std::process::ExitCode::SUCCESS,
        // `adjutant` has exited, or has sent a request in the format of another version. In the second case,
        // `adjutant` reports the failure.
        Err(_) => std::process::ExitCode::FAILURE,
    }
}
