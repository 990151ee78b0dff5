//! Types for the command line of `adjutant-hook` and for the environment of the process.

use std::path::PathBuf;

use process::Environment;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// The envelope that the client expects. The exit code is always 0.
    Hook,
    /// The briefing as JSON 1.0.
    Json,
    /// The briefing as human-readable text.
    Text,
}

/// The flags of `adjutant-hook`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invocation {
    pub format: Format,
    /// The prompt to use instead of the prompt in the payload.
    pub prompt: Option<String>,
    pub file: Option<String>,
    pub line: Option<u64>,
    pub function: Option<String>,
    pub with_history: bool,
    /// Whether to print only the signals found in the prompt. The caller must also set the mode to `plan` in the
    /// environment, so that no tool is called.
    pub analyze_intent: bool,
}

/// The environment, the folders and the clock of the process.
pub struct HookHost {
    pub environment: Environment,
    pub working_directory: Option<PathBuf>,
    /// The folder that contains `adjutant-hook`. This program also contains the kernel.
    pub program_directory: Option<PathBuf>,
    /// The path of a kernel program that the user configured to replace `adjutant-hook orchestrate`.
    pub other_kernel: Option<PathBuf>,
    pub now: fn() -> String,
    /// Returns whether a hook file applies to tool calls in the given directory. `None` means the working directory of
    /// the process.
    pub has_hooks: fn(Option<&str>) -> bool,
    /// Returns the time budget of the kernel for a prompt in the given directory, in milliseconds. `None` means the
    /// working directory of the process.
    pub wall_ms: fn(Option<&str>) -> u64,
}
