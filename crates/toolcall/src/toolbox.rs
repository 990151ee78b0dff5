//! Maps tool names to implementations.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use contract::{Arguments, ErrorCode, Finding, Limit, ToolData};
use policy::{Verified, VerifyError, WrittenCommand};

use crate::hooks::Scope;

/// The input of a built-in tool.
pub struct BuiltinCall {
    pub arguments: Arguments,
    pub prompt: String,
    /// The time by which the tool must return. The caller does not wait longer.
    pub deadline: Instant,
}

/// The successful result of a tool.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ToolOutput {
    pub summary: String,
    pub data: Option<ToolData>,
    pub truncated: bool,
    pub limits: Vec<Limit>,
}

impl ToolOutput {
    #[must_use]
    pub fn of_findings(summary: String, findings: Vec<Finding>) -> Self {
        Self { summary, data: Some(ToolData::of_findings(findings)), ..Self::default() }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolFailure {
    pub code: ErrorCode,
    pub message: String,
}

type Builtin = dyn Fn(&BuiltinCall) -> Result<ToolOutput, ToolFailure> + Send + Sync;

/// The implementation of a tool. Other crates can create an implementation, but only the lifecycle can run it.
#[derive(Clone)]
pub struct Implementation(pub(crate) Kind);

#[derive(Clone)]
pub(crate) enum Kind {
    Builtin(Arc<Builtin>),
    Command(ToolProgram, Scope),
}

/// A tool that runs as a separate program.
#[derive(Clone)]
pub struct ToolProgram {
    /// The program's working directory. `None` means the repository root.
    pub directory: Option<PathBuf>,
    /// A function that verifies that the program has not changed since the user trusted it, and returns the command to run.
    /// Called immediately before the program starts.
    pub verify: Arc<dyn Fn() -> Result<Verified, VerifyError> + Send + Sync>,
}

impl Implementation {
    pub fn builtin(
        run: impl Fn(&BuiltinCall) -> Result<ToolOutput, ToolFailure> + Send + Sync + 'static,
    ) -> Self {
        Self(Kind::Builtin(Arc::new(run)))
    }

    /// Creates a tool of the user from an executable without arguments. The executable reads `CI_TOOL_NAME`, `CI_TOOL_PROMPT`,
    /// `CI_TOOL_ARGS_JSON` and `CI_TOOL_REPO_ROOT` from its environment and prints its findings.
    pub fn command(executable: impl Into<String>) -> Self {
        let command = WrittenCommand::Program(vec![executable.into()]);
        let verify = move || Ok(Verified::unchecked(command.clone()));
        let program = ToolProgram { directory: None, verify: Arc::new(verify) };
        Self(Kind::Command(program, Scope::Global))
    }

    /// Creates a tool from a program in a repository's configuration. The program gets the same environment as with
    /// [`Implementation::command`], but its `PATH` contains no folders of the repository.
    #[must_use]
    pub fn program(program: ToolProgram) -> Self {
        Self(Kind::Command(program, Scope::Project))
    }
}

/// The available tools. A call to a tool without an implementation is skipped.
#[derive(Clone, Default)]
pub struct Toolbox {
    implementations: BTreeMap<String, Implementation>,
}

impl Toolbox {
    /// Adds a tool, or replaces its implementation.
    pub fn put(&mut self, tool: &str, implementation: Implementation) {
        self.implementations.insert(tool.to_owned(), implementation);
    }

    pub(crate) fn has(&self, tool: &str) -> bool {
        self.implementations.contains_key(tool)
    }

    pub(crate) fn get(&self, tool: &str) -> Option<Kind> {
        self.implementations.get(tool).map(|implementation| implementation.0.clone())
    }
}
