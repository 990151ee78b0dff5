//! Supports the coding agents (clients) that Adjutant works with: implements the process of their hooks ([`hook`]), changes
//! their settings for `adjutant install`, and checks them for `adjutant doctor`.
//!
//! Each client has a module that implements [`Client`], and one entry in [`CLIENTS`]. This crate cannot call a tool.

mod claude_code;
mod codex;
mod copilot_cli;
mod envelope;
mod gemini_cli;
mod headless;
mod health;
pub mod hook;
mod kimi_code;
mod opencode;
mod payload;
mod pi;
mod plugin;
mod qwen_code;
mod settings;
mod tool_support;
mod transcript;

pub use claude_code::plugin_state as claude_code_plugin;
pub use codex::plugin_state as codex_plugin;
pub use contract::unescaped;
pub use envelope::Envelope;
pub use headless::{Headless, ModelApi};
pub use health::{Check, CheckState, check_server};
pub use payload::{Event, Input, Payload, PayloadError};
pub use plugin::{PluginFile, PluginPrograms, PluginState, plugin_files};
pub use settings::{
    Action, Locations, SettingsProblem, SettingsScope, Setup, Step, Target, check_beneath,
    check_skill, install, skill_target, uninstall,
};
pub use tool_support::ToolSupport;

pub use transcript::{
    Call, CallOutput, CallResult, Entry, Line, activity_in, session_activity, touched_files,
};

use std::path::{Path, PathBuf};

use contract::{ClientName, ContextLimit, ToolMoment, ToolVerdict};
use process::Environment;
use serde_json::Value;

use envelope::HookOutput;
use settings::{json, servers};

/// All supported clients. If a payload does not identify its sender, the first client is assumed.
pub const CLIENTS: [&dyn Client; 8] = [
    &claude_code::ClaudeCode,
    &codex::Codex,
    &gemini_cli::GeminiCli,
    &qwen_code::QwenCode,
    &kimi_code::KimiCode,
    &copilot_cli::CopilotCli,
    &opencode::Opencode,
    &pi::Pi,
];

/// Returns the client whose [`Names::published`] is `name`, or the first client if there is no such client.
#[must_use]
pub fn client(name: &ClientName) -> &'static dyn Client {
    CLIENTS.into_iter().find(|client| client.names().published == *name).unwrap_or(CLIENTS[0])
}

/// A client's names and other fixed data.
pub struct Names {
    /// The name in the JSON output (JSON 1.0).
    pub published: ClientName,
    /// The name on the command line.
    pub word: &'static str,
    /// The name that messages show to the user.
    pub title: &'static str,
    /// The name of the client's executable on `PATH`.
    pub program: &'static str,
    /// The npm package that installs the client.
    pub package: &'static str,
    /// The oldest version of the client that Adjutant was tested with.
    pub tested: &'static str,
    /// A command for trying out the briefing.
    pub example: &'static str,
    /// The environment variable that sets the client's settings folder.
    pub home_variable: &'static str,
    /// The changes to the client's tool calls that a hook can make.
    pub tool_support: ToolSupport,
}

/// A coding agent to whose prompts Adjutant can add a briefing.
pub trait Client: Sync {
    fn names(&self) -> &'static Names;

    /// Parses a payload. The default implementation uses the field names of Claude Code.
    fn read_payload(&self, bytes: &[u8]) -> Result<Payload, PayloadError> {
        payload::read(bytes)
    }

    /// Returns whether this client sent the payload. It is called only if the command line does not name the client, as
    /// in the plugin that Claude Code and Codex share. All other clients use the default implementation.
    fn has_sent(&self, _payload: &Payload) -> bool {
        false
    }

    /// Returns the event with this name. The default implementation uses the event names of Claude Code.
    fn event(&self, name: &str) -> Event {
        match name {
            "UserPromptSubmit" => Event::Prompt,
            "PreToolUse" => Event::Tool(ToolMoment::Before),
            "PostToolUse" => Event::Tool(ToolMoment::After),
            "PostToolUseFailure" => Event::Tool(ToolMoment::Failed),
            _ => Event::Other,
        }
    }

    /// Reads one line of the client's transcript. Returns `None` if the line has another format, or if transcripts of this
    /// client are not supported.
    fn read_transcript_line(&self, _line: &[u8]) -> Option<Line> {
        None
    }

    /// Returns the transcripts of a session, including those of its sub-agents. The list is empty if they no longer exist.
    /// Returns `None` if transcripts of this client are not supported.
    fn transcripts(&self, _locations: &Locations, _session: &str) -> Option<Vec<PathBuf>> {
        None
    }

    /// Returns whether the client wrote the whole prompt itself, such as a notice about a background task. The default
    /// implementation is for clients that send only the user's prompts.
    fn has_written(&self, _prompt: &str) -> bool {
        false
    }

    /// Returns the argument of `tool` that contains the task of a sub-agent. Returns `None` if the tool starts no sub-agent,
    /// or if the client calls the prompt hook for the prompts of sub-agents.
    fn task_argument(&self, _tool: &str) -> Option<&'static str> {
        None
    }

    /// Returns the maximum length of the text for the model, and how the client counts it.
    fn context_limit(&self) -> ContextLimit {
        envelope::LIMIT
    }

    /// Formats the output of a prompt hook, on one line. The default implementation uses the field names of Claude Code.
    fn prompt_output(&self, envelope: &Envelope) -> String {
        envelope::json_line(&HookOutput::prompt(envelope))
    }

    /// Formats the output of a hook that runs before or after a tool call, on one line. A decision that the client does not
    /// support is replaced with the next stricter decision that the client supports. `response` is the tool's result as
    /// the client reported it.
    fn tool_output(
        &self,
        moment: ToolMoment,
        response: Option<&Value>,
        verdict: &ToolVerdict,
    ) -> String;

    /// Formats the output for an event that is not handled. The output contains no event-specific fields. The default
    /// implementation is for clients whose output for an empty context contains none.
    fn other_output(&self, message: Option<&str>) -> String {
        let message = message.map(str::to_owned);
        self.prompt_output(&Envelope { context: String::new(), message })
    }

    /// Returns the locations in which the client stores the user's settings.
    fn user_locations(&self, home: &Path, environment: &Environment) -> Locations;

    /// Returns the locations in which the client stores the settings of the repository `top`. `user` contains the locations
    /// of the user's settings. Returns `None` if `adjutant install` supports only the user's settings.
    fn project_locations(&self, _top: &Path, _user: &Locations) -> Option<Locations> {
        None
    }

    /// Returns the files that an installation changes, in order. Uninstalling processes the files in reverse order.
    fn targets(&self, setup: &Setup) -> Vec<Target>;

    /// Checks whether the client can load a JSON file with the content `text`. The error contains the line of the problem.
    /// The default implementation is for clients that accept neither comments nor a byte order mark.
    fn check_loads(&self, text: &str) -> Result<(), SettingsProblem> {
        json::check_plain(text)
    }

    /// Returns the steps that the user must carry out in the client after an installation.
    fn next_steps(&self, _scope: SettingsScope, _is_trusted: bool) -> Vec<&'static str> {
        Vec::new()
    }

    /// Checks whether the client runs the prompt hook. `top` is the repository whose settings apply in addition to the
    /// user's settings.
    fn check_hook(&self, locations: &Locations, top: Option<&Path>) -> Check;

    /// Returns the program of the registered Adjutant MCP server, or `None` if the server is not registered. `text` is
    /// the content of the file [`Locations::servers`].
    fn registered_server(&self, text: &str) -> Result<Option<String>, SettingsProblem> {
        servers::registered(text)
    }

    /// Returns whether the plugin of this client already registers the MCP server, so that `adjutant install --mcp` must not
    /// do it again.
    fn has_plugin_server(&self, _locations: &Locations) -> bool {
        false
    }

    /// Returns how to run a prompt against the model at `url`, such as `http://127.0.0.1:8080`.
    fn headless(&self, url: &str) -> Headless;
}
