//! Flags that exist only for older callers.

use clap::{Args, ValueEnum};

use crate::commands::run::COMPATIBILITY;

#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = COMPATIBILITY)]
pub(in crate::commands) struct CompatibilityFlags {
    /// Use a set of older settings: sprint, analysis, secure or fast
    #[arg(long, value_enum, value_name = "NAME")]
    pub(super) preset: Option<Preset>,
    /// Ignored; accepted for older callers
    #[arg(long)]
    ack_patch_mode: bool,
    /// Ignored; accepted for older callers
    #[arg(long)]
    no_compress_context: bool,
    /// Ignored; accepted for older callers
    #[arg(long, value_name = "N")]
    context_head: Option<u64>,
    /// Ignored; accepted for older callers
    #[arg(long, value_name = "REGEX")]
    context_grep: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Preset {
    /// --full-auto and --timeout 1h
    Sprint,
    /// --echo-limit 200
    Analysis,
    /// --redact, which is the default
    Secure,
    /// --timeout 5m
    Fast,
}
