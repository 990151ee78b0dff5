//! Which implementation stands behind a tool's name.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use contract::{ErrorCode, Limit};
use serde_json::{Map, Value};

/// What a built-in tool is given.
pub struct BuiltinCall {
    pub arguments: Map<String, Value>,
    pub prompt: String,
    /// The tool looks at it now and then; a tool that does not is left behind when it passes.
    pub deadline: Instant,
}

/// What a tool found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    pub summary: String,
    pub data: Option<Value>,
    pub truncated: bool,
    pub limits: Vec<Limit>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    pub code: ErrorCode,
    pub message: String,
}

type Builtin = dyn Fn(&BuiltinCall) -> Result<Answer, Failure> + Send + Sync;

/// How a tool is carried out. Opaque: only this crate can carry it out.
#[derive(Clone)]
pub struct Implementation(pub(crate) Kind);

#[derive(Clone)]
pub(crate) enum Kind {
    Builtin(Arc<Builtin>),
    Command(ToolProgram),
    Unavailable,
}

/// A tool that is another program.
#[derive(Clone)]
pub struct ToolProgram {
    pub executable: PathBuf,
    pub arguments: Vec<String>,
    /// Where it starts; the root of the repository if nobody says.
    pub directory: Option<PathBuf>,
    /// Asked right before it starts: what was allowed may be another program by now.
    pub is_still_trusted: Arc<dyn Fn() -> bool + Send + Sync>,
}

impl Implementation {
    pub fn builtin(
        run: impl Fn(&BuiltinCall) -> Result<Answer, Failure> + Send + Sync + 'static,
    ) -> Self {
        Self(Kind::Builtin(Arc::new(run)))
    }

    /// An executable that gets `CI_TOOL_NAME`, `CI_TOOL_PROMPT`, `CI_TOOL_ARGS_JSON` and `CI_TOOL_REPO_ROOT`
    /// and prints its findings.
    pub fn command(executable: impl Into<PathBuf>) -> Self {
        Self::program(ToolProgram {
            executable: executable.into(),
            arguments: Vec::new(),
            directory: None,
            is_still_trusted: Arc::new(|| true),
        })
    }

    /// The same with arguments, from a configuration.
    #[must_use]
    pub fn program(program: ToolProgram) -> Self {
        Self(Kind::Command(program))
    }
}

/// The tools of one run. A tool without an implementation answers "unavailable".
#[derive(Clone, Default)]
pub struct Toolbox {
    implementations: BTreeMap<String, Implementation>,
}

impl Toolbox {
    pub fn put(&mut self, tool: &str, implementation: Implementation) {
        self.implementations.insert(tool.to_owned(), implementation);
    }

    pub(crate) fn has(&self, tool: &str) -> bool {
        self.implementations.contains_key(tool)
    }

    pub(crate) fn get(&self, tool: &str) -> Kind {
        self.implementations
            .get(tool)
            .map_or(Kind::Unavailable, |implementation| implementation.0.clone())
    }
}
