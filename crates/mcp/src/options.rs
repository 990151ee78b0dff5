//! The options of the server, which the crate `adjutant` passes.

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

/// A run of codex that a client requests.
#[derive(Clone, Debug)]
pub struct RunOrder {
    pub origin: Origin,
    /// The command line of `adjutant run`.
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
