//! `adjutant`, one file per command.

mod brief;
mod orchestrate;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::failure::Failure;

/// Stands beside a coding agent: briefs it before it answers, within limits it says openly.
#[derive(Parser)]
#[command(name = "adjutant", version, after_help = AFTER_HELP)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

const AFTER_HELP: &str = "\
Settings: environment (CI_AUTO_TOOLS…) > config/auto-tools.yaml > default; see docs/guide/settings.md.
Exit codes: 0 ok · 2 usage · 10 kernel unavailable · 20 configuration or root · 30 kernel output invalid · 40 a tool failed · 50 budget or time.";

#[derive(Subcommand)]
enum Command {
    /// Brief one prompt and show it: plan, findings, limits
    Brief(brief::Arguments),
    /// The kernel: a request on stdin becomes JSON 1.0 on stdout
    Orchestrate,
}

#[must_use]
pub fn main() -> ExitCode {
    let ended = match Arguments::parse().command {
        Command::Brief(arguments) => brief::run(arguments),
        Command::Orchestrate => Ok(orchestrate::run()),
    };
    ended.unwrap_or_else(|failure: Failure| failure.report())
}
