//! Implements the programs `adjutant`, `adjutant-hook`, `adjutant-parser` and `codex-auto`, including their flags,
//! output and exit codes.
//!
//! Only this crate reads the environment, the clock and the arguments, and only this crate prints.

mod age;
mod benefit;
mod codex_auto;
mod commands;
mod edge;
mod failure;
mod hook;
mod launcher;
mod output;
mod pages;
mod parser;
mod programs;
mod prompt_briefing;
mod prompt_claim;
mod run_log;
mod signals;
mod style;
mod usage_error;
mod visible;

/// The version with the commit and its date, as `--version` prints it.
pub(crate) const VERSION: &str = env!("ADJUTANT_BUILD_VERSION");

pub use commands::main as adjutant_main;
pub use hook::main as hook_main;
pub use launcher::main as codex_auto_launcher;
pub use parser::main as parser_main;
