//! Flags for repeating a run until the task is done.

use clap::Args;
use codex::{Conditions, Repeat};
use process::Environment;

use crate::failure::Failure;

/// The maximum number of runs if a condition is given without `--max-runs`.
const DEFAULT_MAX_RUNS: u32 = 10;
const COMMIT_MESSAGE: &str = "docs(progress): auto update";

#[derive(Args, Clone, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each flag is a field")]
#[command(next_help_heading = "Repeating")]
pub(in crate::commands) struct RepeatFlags {
    /// Repeat the run until the last message matches this regular expression
    #[arg(long, value_name = "REGEX")]
    repeat_until: Option<String>,
    /// Run at most this many times [default: 10 with a condition, otherwise 1]
    #[arg(long, value_name = "N")]
    max_runs: Option<u32>,
    /// Wait this many seconds between runs
    #[arg(long, value_name = "N", default_value_t = 0)]
    sleep_seconds: u64,
    /// Repeat until a matching file has changed
    #[arg(long, value_name = "GLOB")]
    pub(super) require_change_in: Vec<String>,
    /// Repeat until there is a new commit
    #[arg(long)]
    pub(super) require_git_commit: bool,
    /// Commit everything when the task is done
    #[arg(long)]
    pub(super) auto_commit_on_done: bool,
    /// Use this message for the commit
    #[arg(long, value_name = "TEXT")]
    pub(super) auto_commit_message: Option<String>,
    /// Start a new thread for each run instead of continuing the previous thread
    #[arg(long)]
    pub(super) no_carry_context: bool,
    /// Do not retry a run that exceeded the context window
    #[arg(long)]
    no_overflow_retry: bool,
    /// Retry a run that exceeded the context window at most this many times [default: 2]
    #[arg(long, value_name = "N")]
    overflow_retries: Option<u32>,
}

impl RepeatFlags {
    pub(super) fn repeat(&self, environment: &Environment) -> Result<Repeat, Failure> {
        let has_condition = self.repeat_until.is_some()
            || self.require_git_commit
            || !self.require_change_in.is_empty();
        let max_runs = match self.max_runs {
            Some(0) => {
                return Err(Failure::new("`--max-runs 0` runs nothing", contract::ExitCode::Usage));
            }
            Some(max_runs) => max_runs,
            None if has_condition => DEFAULT_MAX_RUNS,
            None => 1,
        };
        let number = |name: &str| environment.text(name).and_then(|text| text.parse().ok());
        let retries_off =
            self.no_overflow_retry || environment.text("ON_CONTEXT_OVERFLOW_RETRY") == Some("0");
        let retries = self
            .overflow_retries
            .or_else(|| number("ON_CONTEXT_OVERFLOW_MAX_RETRIES"))
            .unwrap_or(2);
        let message = self.auto_commit_message.clone();
        let message =
            message.or_else(|| environment.text("AUTO_COMMIT_MESSAGE").map(str::to_owned));
        Ok(Repeat {
            until: self.repeat_until.clone(),
            max_runs,
            sleep_seconds: self.sleep_seconds,
            carries_context: !self.no_carry_context,
            overflow_retries: if retries_off { 0 } else { retries },
            conditions: Conditions {
                change_in: self.require_change_in.clone(),
                commit: self.require_git_commit,
                auto_commit: self
                    .auto_commit_on_done
                    .then(|| message.unwrap_or_else(|| COMMIT_MESSAGE.to_owned())),
            },
        })
    }
}
