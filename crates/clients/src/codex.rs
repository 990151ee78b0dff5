//! Implements [`Client`] for Codex. Codex accepts the hook output of Claude Code, with two differences: it ignores the
//! whole output if it contains an unknown field, and it turns an empty context into an empty message to the model.

mod health;
mod install;
mod transcript;
mod trust;

pub use health::plugin_state;
#[cfg(test)]
pub(crate) use install::{EVENTS, put_server};
#[cfg(test)]
pub(crate) use trust::{TrustState, trust_state};

use std::path::{Path, PathBuf};

use contract::{ClientName, ToolDecision, ToolMoment, ToolVerdict};
use process::Environment;
use serde_json::Value;

use crate::envelope::{EventOutput, HookOutput, json_line, plain_text, reason_text};
use crate::settings::{Locations, SettingsProblem, SettingsScope, Setup, Target, text_or_empty};
use crate::transcript::Line;
use crate::{Check, Client, Headless, ModelApi, Names, Payload, PluginState, ToolSupport};

pub(crate) struct Codex;

static NAMES: Names = Names {
    published: ClientName::CODEX_CLI,
    word: "codex",
    title: "Codex",
    program: "codex",
    package: "@openai/codex",
    tested: "0.150.0",
    example: "codex exec \"where is main defined?\"",
    home_variable: "CODEX_HOME",
    tool_support: ToolSupport { ask: false, ..ToolSupport::ALL },
};

impl Client for Codex {
    fn names(&self) -> &'static Names {
        &NAMES
    }

    fn has_sent(&self, payload: &Payload) -> bool {
        payload.turn_id.is_some()
    }

    fn read_transcript_line(&self, line: &[u8]) -> Option<Line> {
        transcript::read_line(line)
    }

    fn transcripts(&self, locations: &Locations, session: &str) -> Option<Vec<PathBuf>> {
        Some(transcript::find(&locations.folder.join("sessions"), session))
    }

    fn has_written(&self, prompt: &str) -> bool {
        transcript::is_added(prompt)
    }

    fn tool_output(&self, moment: ToolMoment, _: Option<&Value>, verdict: &ToolVerdict) -> String {
        let event = match moment {
            ToolMoment::Before => before(verdict),
            ToolMoment::After | ToolMoment::Failed => EventOutput::default(),
        };
        let mut output = HookOutput::tool(moment, verdict, event);
        if let (ToolMoment::After | ToolMoment::Failed, Some(new)) = (moment, &verdict.replacement)
        {
            // If the decision is `block`, Codex uses the reason as the new result.
            let text = plain_text(new);
            let is_empty = text.trim().is_empty();
            output.decision = Some("block");
            output.reason = Some(if is_empty { "(empty)".to_owned() } else { reason_text(&text) });
        }
        json_line(&output)
    }

    fn user_locations(&self, home: &Path, environment: &Environment) -> Locations {
        // Codex resolves links in `CODEX_HOME`, and the key of a trusted hash contains the resolved path of the hook file.
        let moved = environment.text(NAMES.home_variable).map(Path::new);
        let moved = moved.map(|folder| folder.canonicalize().unwrap_or_else(|_| folder.to_owned()));
        let folder = moved.unwrap_or_else(|| home.join(".codex"));
        let configuration = Some(folder.join("config.toml"));
        Locations { folder, trust: configuration.clone(), servers: configuration }
    }

    /// Returns the locations of a repository's settings. The trusted hashes stay in the user's own configuration,
    /// because Codex reads them only from there.
    fn project_locations(&self, top: &Path, user: &Locations) -> Option<Locations> {
        let folder = top.join(".codex");
        let servers = Some(folder.join("config.toml"));
        Some(Locations { servers, folder, trust: user.trust.clone() })
    }

    fn targets(&self, setup: &Setup) -> Vec<Target> {
        install::targets(setup)
    }

    fn next_steps(&self, scope: SettingsScope, is_trusted: bool) -> Vec<&'static str> {
        let project = "Codex loads the hooks of a repository only if it trusts the folder: it asks when you start `codex` here.";
        let trust = "Codex runs a hook only after you have trusted it: start `codex` once and choose to review it,\n\
                     or run this again with --trust. Until then Codex skips the hook without a message.";
        let is_project = scope == SettingsScope::Project;
        let steps = [is_project.then_some(project), (!is_trusted).then_some(trust)];
        steps.into_iter().flatten().collect()
    }

    fn check_hook(&self, locations: &Locations, top: Option<&Path>) -> Check {
        health::check_hook(locations, top)
    }

    fn registered_server(&self, text: &str) -> Result<Option<String>, SettingsProblem> {
        install::registered_server(text)
    }

    /// Returns whether the plugin is enabled. The plugin need not be trusted, because only its hooks require trust, not
    /// its server.
    fn has_plugin_server(&self, locations: &Locations) -> bool {
        let configuration = locations.servers.as_deref().map(text_or_empty).unwrap_or_default();
        let state = plugin_state(&configuration);
        state.is_ok_and(|state| matches!(state, PluginState::Active | PluginState::Untrusted))
    }

    fn headless(&self, url: &str) -> Headless {
        let configuration = format!(
            r#"model = "loopback"
model_provider = "loopback"
check_for_update_on_startup = false

[analytics]
enabled = false

[model_providers.loopback]
name = "loopback"
base_url = "{url}/v1"
wire_api = "responses"
env_key = "LOOPBACK_API_KEY"
request_max_retries = 0
stream_max_retries = 0
"#
        );
        // By default, Codex retries a failed connection indefinitely.
        let retries = "unbounded_connection_retries";
        let arguments = ["exec", "--disable", retries, "--sandbox", "read-only", "--"];
        Headless::new(ModelApi::OpenAiResponses, &arguments)
            .file(".codex/config.toml", configuration)
            .variable("LOOPBACK_API_KEY", "loopback")
    }
}

/// Builds the output before a tool call. Codex does not support `ask`, and accepts `allow` only together with a new input.
/// Codex would ignore an unsupported decision and run the call, so `ask` becomes `deny`.
fn before(verdict: &ToolVerdict) -> EventOutput {
    match (verdict.decision, &verdict.updated_input) {
        (ToolDecision::Go | ToolDecision::Allow, None) => EventOutput::default(),
        (ToolDecision::Go | ToolDecision::Allow, Some(input)) => EventOutput {
            permission_decision: Some("allow"),
            updated_input: Some(input.clone()),
            ..EventOutput::default()
        },
        (ToolDecision::Ask, _) => {
            let note = "(Codex cannot ask you here, so the call does not run)";
            EventOutput::decision(ToolDecision::Block, &format!("{} {note}", verdict.reason))
        }
        (ToolDecision::Block, _) => EventOutput::decision(ToolDecision::Block, &verdict.reason),
    }
}
