//! What the command line asks for, and what the process knows about its surroundings.

use std::path::PathBuf;

use process::Environment;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// The envelope of the client. The exit code is always 0.
    Hook,
    /// JSON 1.0.
    Json,
    /// Text for a person.
    Text,
}

/// The flags of `adjutant-hook`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invocation {
    pub format: Format,
    /// Replaces the prompt of the payload.
    pub prompt: Option<String>,
    pub file: Option<String>,
    pub line: Option<u64>,
    pub function: Option<String>,
    pub with_history: bool,
    /// Print only the signals of the prompt. The environment must select the plan mode.
    pub analyze_intent: bool,
}

/// The environment, the folders and the clock of the process.
pub struct HookHost {
    pub environment: Environment,
    pub working_directory: Option<PathBuf>,
    /// The folder of `adjutant` and `adjutant-hook`.
    pub program_directory: Option<PathBuf>,
    /// A kernel that the user has configured instead of `adjutant orchestrate`.
    pub other_kernel: Option<PathBuf>,
    pub now: fn() -> String,
    /// Whether a hook file applies to a call in this directory.
    pub has_hooks: fn(Option<&str>) -> bool,
    /// The time that the kernel may use for a prompt in this directory, in milliseconds.
    pub wall_ms: fn(Option<&str>) -> u64,
}
