//! Runs tool calls outside of briefings: a user or an MCP client calls a tool by its name. If a client runs a tool
//! itself, this module runs only the hooks of the call.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use engine::SessionContext;
use serde_json::Value;
use toolcall::{Caller, ClientAnswer, Outcome, ToolCall, Toolbox};

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
    ) -> Result<Outcome, String> {
        let context = calls::context(&self.host, &self.root.path, prompt, self.caller.clone())?;
        let outcome = toolcall::call(&self.toolbox, &context, call, Instant::now() + timeout);
        calls::refresh_index(&self.host, &self.shared);
        Ok(outcome)
    }
}

/// The moment at which the hooks of a client's call run: before or after the call.
pub enum ClientMoment {
    Before,
    /// The tool's response, or its error message.
    After(Result<Value, String>),
}

/// Runs the user's hooks for a call that a client runs itself.
pub fn client_call(
    host: &Host,
    caller: Caller,
    call: &ToolCall,
    moment: ClientMoment,
    timeout: Duration,
) -> Result<ClientAnswer, String> {
    let lookup = |name: &str| host.environment.text(name).map(str::to_owned);
    let root = policy::resolve_root(&lookup, &host.working_directory)
        .map_err(|error| format!("E_REPO_ROOT: {error}"))?;
    let context = calls::context(host, &root.path, String::new(), caller)?;
    let deadline = Instant::now() + timeout;
    Ok(match moment {
        ClientMoment::Before => toolcall::before_client_call(&context, call, deadline),
        ClientMoment::After(result) => {
            toolcall::after_client_call(&context, call, result, deadline)
        }
    })
}
