//! The options of the server, which the crate `adjutant` passes.

use std::path::PathBuf;
use std::sync::Arc;

use codex::Spec;
use serde_json::{Map, Value};

use crate::context::CallContext;
use crate::problem::Problem;
use crate::runs::RunRequest;

type Look = dyn Fn() -> kernel::Host + Send + Sync;
type Describe = dyn Fn(&RunRequest) -> Result<Spec, Problem> + Send + Sync;
type Run = dyn Fn(&CallContext, &Map<String, Value>) -> Result<Value, Problem> + Send + Sync;

pub struct ServerOptions {
    pub version: &'static str,
    /// The root of the repository. Codex runs only there, and sessions of other repositories are hidden.
    pub root: PathBuf,
    /// Returns the host for one call, because the clock, the hooks and the files change.
    pub look: Box<Look>,
    pub codex: codex::RunHost,
    pub describe: Box<Describe>,
    /// The number of runs of codex at the same time.
    pub max_runs: usize,
    /// Additional tools.
    pub more_tools: Vec<MoreTool>,
}

#[derive(Clone)]
pub struct MoreTool {
    pub name: &'static str,
    pub description: &'static str,
    pub input: Value,
    pub run: Arc<Run>,
}
