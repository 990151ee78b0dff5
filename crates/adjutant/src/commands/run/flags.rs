//! The flags of a run. They only fill a [`RunRequest`]; the crate `runs` knows what they mean.

use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use policy::{Approval, Sandbox};
use process::Environment;
use runs::{AgentKind, BriefingChoice, Cost, Piece, Preset, RunRequest, TimeLimit};
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::COMPATIBILITY;
use super::pieces::Pieces;

#[derive(Args, Clone, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each flag is a field")]
pub(crate) struct RunFlags {
    /// Describe the task
    words: Vec<String>,
    #[command(flatten)]
    pieces: Pieces,
    /// Replace the base instructions with this file; - for stdin
    #[arg(short = 'F', long, value_name = "PATH", help_heading = "Instructions")]
    file_override: Option<String>,
    /// Add this text before the other instructions
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true, help_heading = "Instructions")]
    prepend: Vec<String>,
    /// Add this text after the other instructions
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true, help_heading = "Instructions")]
    append: Vec<String>,
    /// Add a file before the other instructions
    #[arg(long, value_name = "PATH", help_heading = "Instructions")]
    prepend_file: Vec<PathBuf>,
    /// Add a file after the other instructions
    #[arg(long, value_name = "PATH", help_heading = "Instructions")]
    append_file: Vec<PathBuf>,
    /// Add a briefing about this repository before the instructions
    #[arg(long, value_parser = words::<BriefingChoice>(["auto", "off"]), default_value = "auto", help_heading = "Instructions")]
    context: BriefingChoice,
    /// Run codex in this directory
    #[arg(short = 'C', long, value_name = "DIR")]
    pub(in crate::commands) cwd: Option<PathBuf>,
    /// Run this agent [default: codex; for `job resume` the agent of the job]
    #[arg(long, value_parser = words::<AgentKind>(["codex", "claude"]), value_name = "AGENT")]
    agent: Option<AgentKind>,
    /// Use this model: `name`, or `name effort` with minimal, low, medium or high
    #[arg(long, value_name = "MODEL", help_heading = "Codex")]
    model: Option<String>,
    /// Use a profile of codex's configuration
    #[arg(long, value_name = "NAME", help_heading = "Codex")]
    profile: Option<String>,
    /// Set a value of codex's configuration
    #[arg(long, value_name = "KEY=VALUE", help_heading = "Codex")]
    codex_config: Vec<String>,
    /// Pass an argument to codex
    #[arg(long, value_name = "ARG", allow_hyphen_values = true, help_heading = "Codex")]
    codex_arg: Vec<String>,
    /// Pass the arguments after `--` to codex
    #[arg(last = true, value_name = "CODEX ARGUMENTS")]
    rest: Vec<String>,
    /// Stop codex after this time: 90 (seconds), 30m, 4h, off [default: 4h]
    #[arg(long, value_name = "TIME", help_heading = "Limits")]
    timeout: Option<TimeLimit>,
    /// Stop codex after this time without output [default: 30m]
    #[arg(long, value_name = "TIME", help_heading = "Limits")]
    idle_timeout: Option<TimeLimit>,
    /// Kill codex this long after it was asked to stop [default: 10s]
    #[arg(long, value_name = "TIME", help_heading = "Limits")]
    grace: Option<TimeLimit>,
    /// End the run after the turn in which its input and output tokens exceed this number
    #[arg(long, value_name = "N", help_heading = "Limits")]
    max_tokens: Option<u64>,
    /// End the run after this many turns
    #[arg(long, value_name = "N", help_heading = "Limits")]
    max_turns: Option<u64>,
    /// End the run after the turn in which its cost exceeds this amount; needs the price of --model in unattended.toml
    #[arg(long, value_name = "AMOUNT", help_heading = "Limits")]
    max_cost: Option<Cost>,
    /// Wait for a usage limit to be reset and continue; wait at most this long in total: 90 (seconds), 30m, 6h
    #[arg(long, value_name = "TIME", help_heading = "Limits")]
    wait_for_limit: Option<TimeLimit>,
    /// Write the log to this file and the other files next to it
    #[arg(short = 'l', long, value_name = "PATH", help_heading = "Record")]
    log_file: Option<PathBuf>,
    /// Store sessions in this folder
    #[arg(long, value_name = "DIR", help_heading = "Record")]
    pub(in crate::commands) log_dir: Option<PathBuf>,
    /// Create a folder for each session (default)
    #[arg(long, conflicts_with = "flat_logs", help_heading = "Record")]
    log_subdirs: bool,
    /// Write all files to --log-dir instead of a folder for each session
    #[arg(long, help_heading = "Record")]
    flat_logs: bool,
    /// Add this word to the name of the session
    #[arg(long, value_name = "NAME", help_heading = "Record")]
    tag: Option<String>,
    /// Write the instructions to the log (default)
    #[arg(long, conflicts_with = "no_echo_instructions", help_heading = "Record")]
    echo_instructions: bool,
    /// Do not write the instructions to the log
    #[arg(long, help_heading = "Record")]
    no_echo_instructions: bool,
    /// Write at most this many lines of the instructions; 0 for all [default: 120]
    #[arg(long, value_name = "N", help_heading = "Record")]
    echo_limit: Option<usize>,
    /// Do not append to the list of runs
    #[arg(long, help_heading = "Record")]
    no_aggregate: bool,
    /// Append one line per run to this file
    #[arg(long, value_name = "PATH", help_heading = "Record")]
    aggregate_file: Option<PathBuf>,
    /// Append the metadata of each run to this file
    #[arg(long, value_name = "PATH", help_heading = "Record")]
    aggregate_jsonl_file: Option<PathBuf>,
    /// Redact secrets in the record (default)
    #[arg(long, help_heading = "Record")]
    redact: bool,
    /// Also redact matches of this regular expression
    #[arg(long, value_name = "REGEX", allow_hyphen_values = true, help_heading = "Record")]
    redact_pattern: Vec<String>,
    /// Write the record without redaction
    #[arg(long, conflicts_with_all = ["redact", "redact_pattern"], help_heading = "Record")]
    no_redact: bool,
    /// Repeat the run until the last message matches this regular expression
    #[arg(long, value_name = "REGEX", help_heading = "Repeating")]
    repeat_until: Option<String>,
    /// Run at most this many times [default: 10 with a condition, otherwise 1]
    #[arg(long, value_name = "N", help_heading = "Repeating")]
    max_runs: Option<u32>,
    /// Wait this many seconds between runs
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Repeating")]
    sleep_seconds: u64,
    /// Repeat until a matching file has changed
    #[arg(long, value_name = "GLOB", help_heading = "Repeating")]
    require_change_in: Vec<String>,
    /// Repeat until there is a new commit
    #[arg(long, help_heading = "Repeating")]
    require_git_commit: bool,
    /// Commit everything when the task is done
    #[arg(long, help_heading = "Repeating")]
    auto_commit_on_done: bool,
    /// Use this message for the commit
    #[arg(long, value_name = "TEXT", help_heading = "Repeating")]
    auto_commit_message: Option<String>,
    /// Start a new thread for each run instead of continuing the previous thread
    #[arg(long, help_heading = "Repeating")]
    no_carry_context: bool,
    /// Do not retry a run that exceeded the context window
    #[arg(long, help_heading = "Repeating")]
    no_overflow_retry: bool,
    /// Retry a run that exceeded the context window at most this many times [default: 2]
    #[arg(long, value_name = "N", help_heading = "Repeating")]
    overflow_retries: Option<u32>,
    /// Change no files; return a patch instead
    #[arg(long, help_heading = "Patch mode")]
    patch_mode: bool,
    /// Write the patch to this file, which must be new or an earlier patch, outside `.git`, and not reached through a
    /// symbolic link
    #[arg(long, value_name = "PATH", help_heading = "Patch mode")]
    patch_output: Option<PathBuf>,
    /// Write this many lines of the patch to the log [default: 40]
    #[arg(long, value_name = "N", help_heading = "Patch mode")]
    patch_preview_lines: Option<usize>,
    /// Write no lines of the patch to the log
    #[arg(long, help_heading = "Patch mode")]
    no_patch_preview: bool,
    /// Do not store the patch with the session
    #[arg(long, help_heading = "Patch mode")]
    no_patch_artifact: bool,
    /// Print the command line, the sandbox and the prompt, and start nothing
    #[arg(long)]
    pub(in crate::commands) dry_run: bool,
    #[command(flatten)]
    orders: OrderArguments,
    // These flags come last, so that their heading is the last one.
    /// Use a set of older settings: sprint, analysis, secure or fast
    #[arg(long, value_parser = words::<Preset>(presets()), value_name = "NAME", help_heading = COMPATIBILITY)]
    preset: Option<Preset>,
    /// Ignored; accepted for older callers
    #[arg(long, help_heading = COMPATIBILITY)]
    ack_patch_mode: bool,
    /// Ignored; accepted for older callers
    #[arg(long, help_heading = COMPATIBILITY)]
    no_compress_context: bool,
    /// Ignored; accepted for older callers
    #[arg(long, value_name = "N", help_heading = COMPATIBILITY)]
    context_head: Option<u64>,
    /// Ignored; accepted for older callers
    #[arg(long, value_name = "REGEX", help_heading = COMPATIBILITY)]
    context_grep: Vec<String>,
}

/// Accepts these words, which are also the words of a stored request.
fn words<T: DeserializeOwned + Clone + Send + Sync + 'static>(
    words: impl IntoIterator<Item: Into<PossibleValue>>,
) -> impl TypedValueParser<Value = T> {
    PossibleValuesParser::new(words).try_map(|word| serde_json::from_value(Value::String(word)))
}

fn presets() -> [PossibleValue; 4] {
    [
        PossibleValue::new("sprint").help("--full-auto and --timeout 1h"),
        PossibleValue::new("analysis").help("--echo-limit 200"),
        PossibleValue::new("secure").help("--redact, which is the default"),
        PossibleValue::new("fast").help("--timeout 5m"),
    ]
}

impl RunFlags {
    /// Returns true if a dry run only prints what it would start. `start.sh` and `job.sh` record a dry run as a session, as
    /// earlier versions did.
    pub(in crate::commands) fn is_preview(&self, environment: &Environment) -> bool {
        self.dry_run && environment.text("ADJUTANT_RECORD_DRY_RUN") != Some("1")
    }

    pub(in crate::commands) fn request(&self) -> RunRequest {
        let flags = self.clone();
        let mut pieces = flags.pieces.0;
        if flags.words.iter().any(|word| !word.trim().is_empty()) {
            pieces.push(Piece::Text(flags.words.join(" ")));
        }
        RunRequest {
            pieces,
            file_override: flags.file_override,
            prepend: flags.prepend,
            append: flags.append,
            prepend_file: flags.prepend_file,
            append_file: flags.append_file,
            context: flags.context,
            cwd: flags.cwd,
            agent: flags.agent,
            model: flags.model,
            profile: flags.profile,
            codex_config: flags.codex_config,
            codex_arg: flags.codex_arg.into_iter().chain(flags.rest).collect(),
            timeout: flags.timeout,
            idle_timeout: flags.idle_timeout,
            grace: flags.grace,
            max_tokens: flags.max_tokens,
            max_turns: flags.max_turns,
            max_cost: flags.max_cost,
            wait_for_limit: flags.wait_for_limit,
            log_file: flags.log_file,
            log_dir: flags.log_dir,
            log_subdirs: flags.log_subdirs,
            flat_logs: flags.flat_logs,
            tag: flags.tag,
            echo_instructions: flags.echo_instructions,
            no_echo_instructions: flags.no_echo_instructions,
            echo_limit: flags.echo_limit,
            no_aggregate: flags.no_aggregate,
            aggregate_file: flags.aggregate_file,
            aggregate_jsonl_file: flags.aggregate_jsonl_file,
            redact_pattern: flags.redact_pattern,
            no_redact: flags.no_redact,
            repeat_until: flags.repeat_until,
            max_runs: flags.max_runs,
            sleep_seconds: flags.sleep_seconds,
            require_change_in: flags.require_change_in,
            require_git_commit: flags.require_git_commit,
            auto_commit_on_done: flags.auto_commit_on_done,
            auto_commit_message: flags.auto_commit_message,
            no_carry_context: flags.no_carry_context,
            no_overflow_retry: flags.no_overflow_retry,
            overflow_retries: flags.overflow_retries,
            patch_mode: flags.patch_mode,
            patch_output: flags.patch_output,
            patch_preview_lines: flags.patch_preview_lines,
            no_patch_preview: flags.no_patch_preview,
            no_patch_artifact: flags.no_patch_artifact,
            dry_run: flags.dry_run,
            preset: flags.preset,
            ..flags.orders.request()
        }
    }
}

/// Flags for the sandbox, approvals and network access, which `policy explain` has too.
#[derive(Args, Clone, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each flag is a field")]
#[command(next_help_heading = "Orders")]
pub(in crate::commands) struct OrderArguments {
    /// Use this sandbox: read-only, workspace-write or danger-full-access [default: read-only]
    #[arg(long, value_name = "MODE")]
    sandbox: Option<Sandbox>,
    /// Use this approval policy: untrusted, on-failure, on-request or never
    #[arg(long, visible_alias = "approval-mode", alias = "approvals", value_name = "POLICY")]
    ask_for_approval: Option<Approval>,
    /// Allow commands in workspace-write to use the network
    #[arg(long)]
    network: bool,
    /// Run without a sandbox and approvals; use only inside a container
    #[arg(long, alias = "yolo")]
    dangerously_bypass_approvals_and_sandbox: bool,
    /// Use workspace-write; the older name of `--sandbox workspace-write`
    #[arg(long, help_heading = COMPATIBILITY)]
    full_auto: bool,
}

impl OrderArguments {
    pub(in crate::commands) fn request(&self) -> RunRequest {
        RunRequest {
            sandbox: self.sandbox,
            ask_for_approval: self.ask_for_approval,
            network: self.network,
            dangerously_bypass_approvals_and_sandbox: self.dangerously_bypass_approvals_and_sandbox,
            full_auto: self.full_auto,
            ..RunRequest::default()
        }
    }
}

#[cfg(test)]
mod tests;
