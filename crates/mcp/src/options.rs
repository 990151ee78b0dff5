//! What the edge hands in: the repository, a fresh look at the world for each call, and how a command line becomes a run.

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
    /// The repository. Codex works nowhere else, and sessions that worked elsewhere cannot be seen.
    pub root: PathBuf,
    /// Taken anew for each call: the clock, the hooks and the files go on.
    pub look: Box<Look>,
    pub codex: codex::RunHost,
    pub describe: Box<Describe>,
    /// So many runs of codex at once.
    pub max_runs: usize,
    /// Tools of whoever serves, beside ours.
    pub more_tools: Vec<MoreTool>,
}

#[derive(Clone)]
pub struct MoreTool {
    pub name: &'static str,
    pub description: &'static str,
    pub input: Value,
    pub run: Arc<Run>,
}
