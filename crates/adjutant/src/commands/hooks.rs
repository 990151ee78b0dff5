//! `adjutant hooks`: lists hooks, shows which hooks match a call, and runs them as a test.

mod list;
mod matching;
mod trial;

use std::process::ExitCode;
use std::time::Duration;

use clap::{Args, Subcommand};
use toolcall::{Identity, ToolCall};

use super::repository::At;
use super::trust;
use crate::failure::Failure;

#[derive(Subcommand)]
pub(crate) enum Command {
    /// List all hook files of this repository, in the order in which the hooks run
    List(At),
    /// Show which hooks a call would run, without running them
    Match(CallArguments),
    /// Run the hooks for a call, but not the call itself, and show what they decide
    Test(trial::Arguments),
    /// Same as `adjutant trust`
    Trust(trust::Arguments),
}

#[derive(Args)]
pub(super) struct CallArguments {
    /// Name the tool as hooks see it: `ci_search`, `Bash`, `mcp__server__tool`
    tool: String,
    /// Set the arguments of the call, as a JSON object
    #[arg(long, default_value = "{}", value_name = "JSON")]
    args: String,
    #[command(flatten)]
    at: At,
}

impl CallArguments {
    fn call(&self) -> Result<ToolCall, Failure> {
        let arguments = parse_arguments(&self.args)?;
        let call = ToolCall::of_client(&self.tool, arguments, Identity::default());
        Ok(ToolCall { timeout: Duration::from_secs(60), ..call })
    }
}

/// Parses the arguments of a tool call.
pub(super) fn parse_arguments(text: &str) -> Result<contract::Arguments, Failure> {
    toolcall::parse_arguments(text).map_err(|error| {
        Failure::new(error, contract::ExitCode::Usage)
            .hint("pass one object, for example `--args '{\"query\": \"retry\"}'`")
    })
}

pub(crate) fn run(command: &Command) -> Result<ExitCode, Failure> {
    match command {
        Command::List(at) => list::run(at),
        Command::Match(arguments) => matching::run(arguments),
        Command::Test(arguments) => trial::run(arguments),
        Command::Trust(arguments) => trust::run(arguments),
    }
}
