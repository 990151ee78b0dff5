//! Runs tool calls outside of briefings: a user or an MCP client calls a tool by its name.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use engine::SessionContext;
use toolcall::{CallOutcome, Caller, ToolCall, Toolbox};

use crate::brief::Host;
use crate::builtin::{self, SearchLimits, Shared};
use crate::calls;
use crate::knowledge::IndexLocation;
use crate::repo_context::RepoContext;

/// The tools of one repository. Each call reads the hook files again and runs all steps of a tool call, including the
/// hooks.
pub struct RepoTools {
    host: Host,
    root: policy::RepositoryRoot,
    shared: Arc<Shared>,
    toolbox: Toolbox,
    caller: Caller,
}

impl RepoTools {
    /// Opens the repository that contains the host's working directory.
    pub fn open(host: Host, caller: Caller) -> Result<Self, String> {
        let context = RepoContext::find(&contract::Request::default(), &host)
            .map_err(|problem| problem.to_string())?;
        let location = IndexLocation::of(&host, &context.root);
        let (session, limits) = (SessionContext::default(), SearchLimits::default());
        let shared = Shared::new(location, Arc::default(), session, limits, None)
            .map_err(|error| error.to_string())?;
        let toolbox = builtin::toolbox(&shared, &host.environment, &context);
        Ok(Self { host, root: context.root, shared, toolbox, caller })
    }

    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root.path
    }

    /// Adds a tool, for example one that starts an unattended run. Briefings do not call this tool.
    pub fn add(&mut self, tool: &str, implementation: toolcall::Implementation) {
        self.toolbox.put(tool, implementation);
    }

    /// Calls a tool. If the arguments have no `query`, the tool searches for `prompt`.
    pub fn call(
        &self,
        call: &ToolCall,
        prompt: String,
        timeout: Duration,
    ) -> Result<CallOutcome, String> {
        let context = calls::context(&self.host, &self.root.path, prompt, self.caller.clone())?;
        let outcome = toolcall::call(&self.toolbox, &context, call, Instant::now() + timeout);
        calls::refresh_index(&self.host, &self.shared);
        Ok(outcome)
    }
}
