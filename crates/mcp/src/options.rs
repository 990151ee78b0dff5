//! What the edge hands in: the repository, a fresh look at the world for each call, and how a command line becomes a run.

use std::path::PathBuf;
use std::sync::Arc;

use codex::{Continues, Origin, Spec};
use serde_json::{Map, Value};

use crate::context::CallContext;
use crate::problem::Problem;

type Look = dyn Fn() -> kernel::Host + Send + Sync;
type Describe = dyn Fn(&RunOrder) -> Result<Spec, Problem> + Send + Sync;
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

/// A run of codex as a client asks for it.
#[derive(Clone, Debug)]
pub struct RunOrder {
    pub origin: Origin,
    /// In the words of `adjutant run`.
    pub arguments: Vec<String>,
    pub directory: PathBuf,
    pub continues: Option<Continues>,
}

#[derive(Clone)]
pub struct MoreTool {
    pub name: &'static str,
    pub description: &'static str,
    pub input: Value,
    pub run: Arc<Run>,
}
