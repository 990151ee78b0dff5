//! Implements the programs `adjutant`, `adjutant-hook` and `codex-auto`: flags, environment, printing, exit codes.
//!
//! Only this crate reads the environment, the clock and the arguments, and only this crate prints.

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
mod unknown_flag;

pub use codex_auto::main as codex_auto_main;
pub use commands::main as adjutant_main;
pub use hook::main as hook_main;
