//! Calls of one tool that somebody asked for by name: a person, or a client's model through MCP. And the calls a client
//! makes itself and tells us of.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::Value;
use toolcall::{Caller, ClientAnswer, Context, Outcome, ToolCall, Toolbox};

use crate::brief::Host;
use crate::builtin::{self, Shared};
use crate::calls;
use crate::knowledge::IndexLocation;
use crate::repo_context::RepoContext;

/// The tools of one repository, ready to be called. Each call reads the hooks anew and goes through the whole lifecycle.
pub struct RepoTools {
    host: Host,
    root: policy::RepositoryRoot,
    shared: Arc<Shared>,
    toolbox: Toolbox,
    caller: Caller,
}

impl RepoTools {
    /// The repository around the host's working directory.
    pub fn open(host: Host, caller: Caller) -> Result<Self, String> {
        let context = RepoContext::find(&contract::Request::default(), &host)?;
        let place = IndexLocation::of(&host, &context.root);
        let shared = Shared::new(place).map_err(|error| error.to_string())?;
        let toolbox = builtin::toolbox(&shared, &host.environment, &context);
        Ok(Self { host, root: context.root, shared, toolbox, caller })
    }

    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root.path
    }

    /// One more tool, such as an unattended run. Never called for a briefing.
    pub fn add(&mut self, tool: &str, implementation: toolcall::Implementation) {
        self.toolbox.put(tool, implementation);
    }

    /// `prompt` is what the tool is asked when its arguments do not say.
    pub fn call(
        &self,
        call: &ToolCall,
        prompt: String,
        at_most: Duration,
    ) -> Result<Outcome, String> {
        let context = self.context(prompt)?;
        let outcome = toolcall::call(&self.toolbox, &context, call, Instant::now() + at_most);
        calls::keep_up(&self.host, &self.shared);
        Ok(outcome)
    }

    fn context(&self, prompt: String) -> Result<Context, String> {
        calls::context(&self.host, &self.root.path, prompt, self.caller)
    }
}

/// How far a client's own call has come.
pub enum ClientMoment {
    Before,
    /// With what the tool answered, or how it failed.
    After(Result<Value, String>),
}

/// The user's hooks for a call a client makes itself.
pub fn client_call(
    host: &Host,
    caller: Caller,
    call: &ToolCall,
    moment: ClientMoment,
    at_most: Duration,
) -> Result<ClientAnswer, String> {
    let lookup = |name: &str| host.environment.text(name).map(str::to_owned);
    let root = policy::resolve_root(&lookup, &host.working_directory)
        .map_err(|error| format!("E_REPO_ROOT: {error}"))?;
    let context = calls::context(host, &root.path, String::new(), caller)?;
    let deadline = Instant::now() + at_most;
    Ok(match moment {
        ClientMoment::Before => toolcall::before_client_call(&context, call, deadline),
        ClientMoment::After(result) => {
            toolcall::after_client_call(&context, call, result, deadline)
        }
    })
}
