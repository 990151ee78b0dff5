//! Replaces the campaign on systems other than Linux, because the campaign needs `/proc`, `/dev/full` and process
//! handles.

use std::process::ExitCode;

use crate::output::print_message;

pub(crate) fn run(_arguments: &[&str]) -> ExitCode {
    refuse()
}

fn refuse() -> ExitCode {
    print_message("error: the campaign runs only on Linux");
    ExitCode::FAILURE
}
