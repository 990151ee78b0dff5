//! Implements [`Client`] for Claude Code, which reads `hookSpecificOutput.additionalContext` and shows `systemMessage` to
//! the user.

mod health;
mod transcript;

pub use health::plugin_state;

use std::path::{Path, PathBuf};

use contract::{ClientName, ToolMoment, ToolVerdict};
use process::Environment;
use serde_json::Value;

use crate::envelope::{Envelope, EventOutput, HookOutput, json_line};
use crate::settings::hooks_json::Events;
use crate::settings::launcher::{LAUNCHER, launcher, quoted};
use crate::settings::{
    Locations, SettingsProblem, Setup, Target, hooks_json, json, servers, text_or_empty,
};
use crate::transcript::Line;
use crate::{Check, Client, Headless, ModelApi, Names, Payload, PluginState, ToolSupport};

/// The names of Claude Code's events. Claude Code sends a separate event after a failed call.
pub(crate) const EVENTS: Events = Events { sub_agents: Some(SUB_AGENT_TOOLS), ..Events::COMMON };

/// The tool that starts a sub-agent, with its name in older versions. The format is that of a matcher in the settings.
const SUB_AGENT_TOOLS: &str = "Agent|Task";

pub(crate) struct ClaudeCode;

static NAMES: Names = Names {
    published: ClientName::CLAUDE_CODE,
    word: "claude-code",
    title: "Claude Code",
    program: "claude",
    package: "@anthropic-ai/claude-code",
    tested: "2.1.197",
    example: "claude -p \"where is main defined?\"",
    home_variable: "CLAUDE_CONFIG_DIR",
    tool_support: ToolSupport::ALL,
};

impl Client for ClaudeCode {
    fn names(&self) -> &'static Names {
        &NAMES
    }

    fn has_sent(&self, payload: &Payload) -> bool {
        payload.prompt_id.is_some() && payload.turn_id.is_none()
    }

    fn read_transcript_line(&self, line: &[u8]) -> Option<Line> {
        transcript::read_line(line)
    }

    fn transcripts(&self, locations: &Locations, session: &str) -> Option<Vec<PathBuf>> {
        Some(transcript::find(&locations.folder.join("projects"), session))
    }

    fn has_written(&self, prompt: &str) -> bool {
        transcript::words_of_user(prompt).is_none()
    }

    fn task_argument(&self, tool: &str) -> Option<&'static str> {
        SUB_AGENT_TOOLS.split('|').any(|name| name == tool).then_some("prompt")
    }

    fn prompt_output(&self, envelope: &Envelope) -> String {
        let event = Some(EventOutput::prompt(&envelope.context));
        json_line(&HookOutput { hook_specific_output: event, ..HookOutput::prompt(envelope) })
    }

    fn other_output(&self, message: Option<&str>) -> String {
        let system_message = message.map(str::to_owned);
        json_line(&HookOutput::<EventOutput> { system_message, ..HookOutput::default() })
    }

    fn tool_output(
        &self,
        moment: ToolMoment,
        response: Option<&Value>,
        verdict: &ToolVerdict,
    ) -> String {
        let event = match moment {
            ToolMoment::Before => EventOutput {
                updated_input: verdict.updated_input.clone(),
                ..EventOutput::decision(verdict.decision, &verdict.reason)
            },
            ToolMoment::After | ToolMoment::Failed => after(response, verdict),
        };
        json_line(&HookOutput::tool(moment, verdict, event))
    }

    fn user_locations(&self, home: &Path, environment: &Environment) -> Locations {
        let moved = environment.text(NAMES.home_variable).map(Path::new);
        Locations {
            folder: moved.map_or_else(|| home.join(".claude"), Path::to_owned),
            servers: Some(moved.unwrap_or(home).join(".claude.json")),
            trust: None,
        }
    }

    fn project_locations(&self, top: &Path, _user: &Locations) -> Option<Locations> {
        let servers = Some(top.join(".mcp.json"));
        Some(Locations { folder: top.join(".claude"), servers, trust: None })
    }

    /// Returns the files to change: the launcher, `settings.json` with the hooks, and the file with the MCP server.
    fn targets(&self, setup: &Setup) -> Vec<Target> {
        let path = setup.folder.join("hooks").join(LAUNCHER);
        let hooks = hooks_json::hooks(&quoted(&path), EVENTS, setup.with_tool_hooks);
        let script = Target::script(path, launcher(&setup.programs));
        let settings = hooks_json::target(setup.folder.join("settings.json"), hooks);
        [script, settings].into_iter().chain(servers::target(setup)).collect()
    }

    /// Checks that `text` is JSON without comments or trailing commas. Claude Code accepts a byte order mark.
    fn check_loads(&self, text: &str) -> Result<(), SettingsProblem> {
        json::check_plain(json::without_mark(text))
    }

    fn check_hook(&self, locations: &Locations, top: Option<&Path>) -> Check {
        health::check_hook(locations, top)
    }

    fn has_plugin_server(&self, locations: &Locations) -> bool {
        let settings = text_or_empty(&locations.folder.join("settings.json"));
        plugin_state(&settings).is_ok_and(|state| state == PluginState::Active)
    }

    fn headless(&self, url: &str) -> Headless {
        Headless::new(ModelApi::AnthropicMessages, &["-p", "--"])
            .variable("ANTHROPIC_BASE_URL", url)
            .variable("ANTHROPIC_API_KEY", "loopback")
            .variable("DISABLE_TELEMETRY", "1")
            .variable("DISABLE_ERROR_REPORTING", "1")
            .variable("DISABLE_AUTOUPDATER", "1")
            .variable("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1")
            .plugin(&[
                &["plugin", "marketplace", "add", "./"],
                &["plugin", "install", "adjutant@adjutant"],
            ])
    }
}

/// Builds the output after a tool call, with the replacement for the tool's result if a hook returned one. Claude Code
/// ignores a replacement whose structure differs from that of the result. A string that does not fit into the result's
/// structure is therefore added as context.
fn after(response: Option<&Value>, verdict: &ToolVerdict) -> EventOutput {
    let mut event = EventOutput::default();
    let Some(replacement) = &verdict.replacement else { return event };
    let old = response.and_then(Value::as_object);
    match (old, replacement.as_str()) {
        (Some(old), Some(text)) if old.contains_key("stdout") => {
            let mut new = old.clone();
            new.insert("stdout".to_owned(), text.into());
            new.insert("stderr".to_owned(), "".into());
            event.updated_tool_output = Some(new.into());
        }
        (Some(_), Some(text)) => {
            let context = format!("A hook replaces the result above with: {text}");
            event.additional_context = Some(context);
        }
        (_, _) => event.updated_tool_output = Some(replacement.clone()),
    }
    event
}
