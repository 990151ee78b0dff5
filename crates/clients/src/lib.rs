//! The coding agents that Adjutant works with: what their hooks send and accept, what `adjutant install` writes into their
//! settings, and what `adjutant doctor` checks.
//!
//! Each client has a folder with its implementation of [`Client`] and one row in [`CLIENTS`]. This crate cannot call a tool.

mod claude_code;
mod codex;
mod envelope;
mod health;
mod payload;
mod plugin;
mod settings;

pub use claude_code::plugin_state as claude_code_plugin;
pub use codex::plugin_state as codex_plugin;
pub use envelope::{Envelope, MAX_UNITS, ToolAnswer};
pub use health::{Check, State};
pub use payload::{Event, Input, Payload, PayloadError};
pub use plugin::{PluginFile, PluginState, plugin_files};
pub use settings::{
    Action, Locations, Problem, Scope, Setup, Step, Target, check_beneath, install, uninstall,
};

use std::path::Path;

use contract::{ClientName, ToolMoment};
use process::Environment;

use envelope::HookOutput;

/// Every client. The first one is assumed if a payload does not say which client sent it.
pub const CLIENTS: [&dyn Client; 2] = [&claude_code::ClaudeCode, &codex::Codex];

/// The client with this published name.
#[must_use]
pub fn client(name: ClientName) -> &'static dyn Client {
    CLIENTS.into_iter().find(|client| client.names().published == name).unwrap_or(CLIENTS[0])
}

/// The names of a client.
pub struct Names {
    /// In JSON 1.0.
    pub published: ClientName,
    /// On the command line.
    pub word: &'static str,
    /// In messages.
    pub title: &'static str,
    /// The client's program on `PATH`.
    pub program: &'static str,
    /// The npm package that installs the client.
    pub package: &'static str,
}

/// A coding agent whose prompts Adjutant can brief.
pub trait Client: Sync {
    fn names(&self) -> &'static Names;

    /// Parses a payload. The default reads the field names of Claude Code.
    fn read_payload(&self, bytes: &[u8]) -> Result<Payload, PayloadError> {
        payload::read(bytes)
    }

    /// Whether this client sent the payload. Used when the command line does not name the client.
    fn has_sent(&self, payload: &Payload) -> bool;

    /// The event with this name. The default knows the event names of Claude Code.
    fn event(&self, name: &str) -> Event {
        match name {
            "UserPromptSubmit" => Event::Prompt,
            "PreToolUse" => Event::Tool(ToolMoment::Before),
            "PostToolUse" => Event::Tool(ToolMoment::After),
            "PostToolUseFailure" => Event::Tool(ToolMoment::Failed),
            _ => Event::Other,
        }
    }

    /// The output of a prompt hook, on one line.
    fn prompt_output(&self, envelope: &Envelope) -> String;

    /// The output of a hook around a tool call, on one line. A decision that the client does not support becomes the next
    /// stricter decision that it supports.
    fn tool_output(&self, answer: &ToolAnswer<'_>) -> String;

    /// The output for an event that is not handled. It has no field that belongs to a particular event.
    fn other_output(&self, message: Option<&str>) -> String {
        HookOutput { system_message: message.map(str::to_owned), ..HookOutput::default() }.text()
    }

    /// Where the client keeps the user's settings.
    fn user_locations(&self, home: &Path, environment: &Environment) -> Locations;

    /// Where the client keeps the settings of a repository; `user` is where it keeps the user's.
    fn project_locations(&self, top: &Path, user: &Locations) -> Locations;

    /// The files that an installation changes. An uninstallation processes them in reverse order.
    fn targets(&self, setup: &Setup) -> Vec<Target>;

    /// Refuses the text of a JSON file that the client does not load, with the line of the reason.
    fn check_loads(&self, text: &str) -> Result<(), Problem>;

    /// What the user must do in the client after an installation.
    fn next_steps(&self, _scope: Scope, _is_trusted: bool) -> Vec<&'static str> {
        Vec::new()
    }

    /// Checks whether the client runs the prompt hook. `top` is the repository whose settings apply too.
    fn check_hook(&self, locations: &Locations, top: Option<&Path>) -> Check;

    /// The program of the registered Adjutant MCP server, from the text of [`Locations::servers`].
    fn registered_server(&self, text: &str) -> Result<Option<String>, Problem>;

    /// Checks the registration of the MCP server. The server is optional.
    fn check_server(&self, locations: &Locations) -> Check {
        let registered = self.registered_server(&settings::text_or_empty(&locations.servers));
        health::server(self.names(), &locations.servers, registered)
    }
}
