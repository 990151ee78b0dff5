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
    Command(PathBuf),
    Unavailable,
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
        Self(Kind::Command(executable.into()))
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
