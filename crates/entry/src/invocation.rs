//! What was asked for on the command line, and what the edge knows.

use std::path::PathBuf;

use clients::{Client, Event};
use process::Environment;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// For a client: its envelope, exit code always zero.
    Hook,
    /// For a program: JSON 1.0.
    Json,
    /// For a person.
    Text,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invocation {
    pub client: Client,
    pub format: Format,
    /// Takes the place of the payload's prompt.
    pub prompt: Option<String>,
    pub file: Option<String>,
    pub line: Option<u64>,
    pub function: Option<String>,
    pub with_history: bool,
    /// Print the signals of the prompt alone.
    pub analyze_intent: bool,
}

pub struct Edge {
    pub environment: Environment,
    pub working_directory: Option<PathBuf>,
    /// Where our own programs are.
    pub program_directory: Option<PathBuf>,
    pub now: fn() -> String,
    /// Whether there is any hook file for a call made in this directory.
    pub has_hooks: fn(Option<&str>) -> bool,
    /// The budget of a configuration the user trusts, for a prompt asked in this directory.
    pub trusted_wall_ms: fn(Option<&str>) -> Option<u64>,
    /// Everything on stdin; nothing if it is a terminal.
    pub input: Vec<u8>,
    /// Set if `input` is not the whole payload.
    pub incomplete: Option<Incomplete>,
}

/// Why a payload was not read as a whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Incomplete {
    pub reason: String,
    /// What the payload is about, as far as that is known.
    pub event: Option<Event>,
}
