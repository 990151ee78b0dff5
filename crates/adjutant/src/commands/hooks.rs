//! `adjutant hooks`: what there is, what a call would fire, and a try.

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
    /// Every hook file that counts here, in the order the hooks run
    List(At),
    /// Which hooks a call would fire, without firing them
    Match(CallArguments),
    /// Fire the hooks of a call that is not made, and show what they decide
    Test(trial::Arguments),
    /// The same as `adjutant trust`
    Trust(trust::Arguments),
}

#[derive(Args)]
pub(super) struct CallArguments {
    /// The tool, as hooks know it: `ci_search`, `Bash`, `mcp__server__tool`
    tool: String,
    /// Its arguments, a JSON object
    #[arg(long, default_value = "{}", value_name = "JSON")]
    args: String,
    #[command(flatten)]
    at: At,
}

impl CallArguments {
    fn call(&self) -> Result<ToolCall, Failure> {
        let call = ToolCall::of_client(&self.tool, parsed(&self.args)?, Identity::default());
        Ok(ToolCall { timeout: Duration::from_secs(60), ..call })
    }
}

/// What a model or a person wrote as arguments.
pub(super) fn parsed(text: &str) -> Result<contract::Arguments, Failure> {
    toolcall::parse_arguments(text).map_err(|error| {
        Failure::new(error.to_string(), contract::ExitCode::Usage)
            .hint("give one object, for instance `--args '{\"query\": \"retry\"}'`")
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
