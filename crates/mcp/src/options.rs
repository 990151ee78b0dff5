//! The server options, which the `adjutant` crate sets.

use std::path::PathBuf;

use policy::Author;
use runs::RunRequest;

use crate::catalogue::Definition;
use crate::tool_group::ToolGroup;

type Look = dyn Fn() -> kernel::Host + Send + Sync;

pub struct ServerOptions {
    pub version: &'static str,
    /// The repository root. Codex runs only in this directory, and sessions of other repositories are hidden.
    pub root: PathBuf,
    /// A function that collects everything that the kernel needs to know about its environment. It is called for each
    /// tool call, because the clock, the hooks and the files change.
    pub look: Box<Look>,
    pub codex: runs::RunHost,
    /// Who requests the runs: a model, which may or may not bypass the sandbox.
    pub author: Author,
    /// A function that parses flags of `adjutant run`, or returns why they cannot be parsed.
    pub parse_flags: fn(&[String]) -> Result<RunRequest, String>,
    /// The maximum number of concurrent codex runs.
    pub max_runs: usize,
    /// The groups of tools that the server offers.
    pub tools: Vec<ToolGroup>,
    /// Additional tools that the caller provides.
    pub more_tools: Vec<Definition>,
}
