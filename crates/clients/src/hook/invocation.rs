//! Types for the command line of `adjutant-hook` and for the environment of the process.

use std::path::PathBuf;
use std::time::Duration;

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
    /// Whether to print only the signals found in the prompt. The kernel then calls no tool.
    pub analyze_intent: bool,
}

/// The environment, the folders and the time of the process.
pub struct HookHost {
    pub environment: Environment,
    pub working_directory: Option<PathBuf>,
    /// The folder that contains `adjutant-hook`. This program also contains the kernel.
    pub program_directory: Option<PathBuf>,
    pub other_kernel: Option<OtherKernel>,
    /// The current time in RFC 3339 format.
    pub now: String,
}

/// A kernel program that the user configured to replace `adjutant-hook orchestrate`.
pub struct OtherKernel {
    pub path: PathBuf,
    /// The time after which the kernel is killed. `adjutant-hook orchestrate` ends by itself at the end of its budget, but
    /// another program may not.
    pub timeout: Duration,
}
