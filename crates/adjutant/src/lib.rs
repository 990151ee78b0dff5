//! Implements the programs `adjutant`, `adjutant-hook`, `adjutant-parser` and `codex-auto`, including their flags,
//! output and exit codes.
//!
//! Only this crate reads the environment, the clock and the arguments, and only this crate prints.

/// Expands to the address of a page in `docs`, as a string literal for help texts. An installed program has no `docs`
/// folder, so messages and help texts refer to the web pages.
macro_rules! page {
    ($path:literal) => {
        concat!("https://github.com/adjutant-dev/adjutant/blob/main/docs/", $path)
    };
}

mod benefit;
mod codex_auto;
mod commands;
mod edge;
mod failure;
mod hook;
mod output;
mod programs;
mod prompt_briefing;
mod prompt_claim;
mod run_log;
mod signals;
mod style;
mod usage_error;

/// The version with the commit and its date, as `--version` prints it.
pub(crate) const VERSION: &str = env!("ADJUTANT_BUILD_VERSION");

pub use commands::main as adjutant_main;
pub use hook::main as hook_main;
pub use programs::{codex_auto_main, parser_main};
