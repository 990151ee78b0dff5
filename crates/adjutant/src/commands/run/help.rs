//! The help of the commands that take the flags of a run: `--help` prints the common options, `--help-all` prints all of
//! them.

use clap::{Arg, ArgAction, Args};

/// The heading of the options that exist only for older callers.
pub(in crate::commands) const COMPATIBILITY: &str = "Compatibility";

/// The arguments that `--help` prints for each of these commands.
const COMMON: [&str; 10] =
    ["words", "id", "file", "sandbox", "cwd", "agent", "model", "timeout", "help", "help_all"];

/// Replaces clap's `--help`. A command with these flags needs `disable_help_flag`.
#[derive(Args)]
pub(in crate::commands) struct HelpFlags {
    /// Print the common options
    #[arg(short, long, action = ArgAction::HelpShort)]
    help: Option<bool>,
    /// Print all options
    #[arg(long, action = ArgAction::HelpLong)]
    help_all: Option<bool>,
}

/// Makes `--help` print an argument only if it is common or one of `more`. The common options have no heading.
pub(in crate::commands) fn short_help(argument: Arg, more: &[&str]) -> Arg {
    let id = argument.get_id().as_str();
    if COMMON.contains(&id) || more.contains(&id) {
        argument.help_heading(None::<&'static str>)
    } else {
        argument.hide_short_help(true)
    }
}
