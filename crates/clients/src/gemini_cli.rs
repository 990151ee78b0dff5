//! Implements [`Client`] for Gemini CLI. Its event names differ from those of Claude Code, its timeouts are in milliseconds,
//! and it escapes angle brackets in the context.

#[cfg(test)]
mod tests;

use std::path::Path;

use contract::{ClientName, ContextLimit, ToolDecision, ToolMoment, ToolVerdict};
use process::Environment;
use serde_json::{Map, Value, json};

use crate::envelope::{
    ESCAPED_LIMIT, Envelope, HookOutput, context_text, json_line, plain_text, reason_text,
};
use crate::settings::hooks_json::{Events, settings_files, settings_target};
use crate::settings::{Locations, SettingsProblem, Setup, Target, json};
use crate::{
    Check, Client, Event, Headless, ModelApi, Names, Payload, PayloadError, ToolSupport, health,
    payload,
};

const EVENTS: Events = Events {
    prompt: "BeforeAgent",
    tools: &["BeforeTool", "AfterTool"],
    sub_agents: None,
    timeout_units_per_second: 1_000,
};

/// The event name that is used for an `AfterTool` event with an error. Gemini CLI has no separate event for failed calls.
const FAILED: &str = "AfterTool error";

pub(crate) struct GeminiCli;

static NAMES: Names = Names {
    published: ClientName::new("gemini-cli"),
    word: "gemini",
    title: "Gemini CLI",
    program: "gemini",
    package: "@google/gemini-cli",
    tested: "0.61.0",
    example: "gemini -p \"where is main defined?\"",
    home_variable: "GEMINI_CLI_HOME",
    tool_support: ToolSupport::ALL,
};

type Output = HookOutput<Value>;

impl Client for GeminiCli {
    fn names(&self) -> &'static Names {
        &NAMES
    }

    /// Parses a payload. Gemini CLI sends no prompt id, so the timestamp, which is the same for all hooks of a prompt,
    /// is used as the prompt id.
    fn read_payload(&self, bytes: &[u8]) -> Result<Payload, PayloadError> {
        let mut payload = payload::read(bytes)?;
        payload.prompt_id = payload.timestamp.take();
        let error = payload.tool_response.get("error").filter(|error| !error.is_null());
        if let Some(error) = error {
            let message = error["message"].as_str().map(str::to_owned);
            payload.error = Some(message.unwrap_or_else(|| error.to_string()));
            payload.hook_event_name = Some(FAILED.to_owned());
        }
        Ok(payload)
    }

    fn event(&self, name: &str) -> Event {
        match name {
            "BeforeAgent" => Event::Prompt,
            "BeforeTool" => Event::Tool(ToolMoment::Before),
            "AfterTool" => Event::Tool(ToolMoment::After),
            FAILED => Event::Tool(ToolMoment::Failed),
            _ => Event::Other,
        }
    }

    fn context_limit(&self) -> ContextLimit {
        ESCAPED_LIMIT
    }

    fn prompt_output(&self, envelope: &Envelope) -> String {
        let context = &envelope.context;
        let event = || json!({ "additionalContext": context, "hookEventName": EVENTS.prompt });
        json_line(&Output {
            hook_specific_output: (!context.is_empty()).then(event),
            system_message: envelope.message.clone(),
            ..Output::default()
        })
    }

    fn tool_output(&self, moment: ToolMoment, _: Option<&Value>, verdict: &ToolVerdict) -> String {
        json_line(&match moment {
            ToolMoment::Before => before(verdict),
            ToolMoment::After | ToolMoment::Failed => after(verdict),
        })
    }

    /// Returns the user's locations. `GEMINI_CLI_HOME` replaces the home folder, not the settings folder.
    fn user_locations(&self, home: &Path, environment: &Environment) -> Locations {
        let moved = environment.text(NAMES.home_variable).map(Path::new);
        locations(moved.unwrap_or(home))
    }

    fn project_locations(&self, top: &Path, _user: &Locations) -> Option<Locations> {
        Some(locations(top))
    }

    fn targets(&self, setup: &Setup) -> Vec<Target> {
        vec![settings_target(setup, &NAMES, EVENTS)]
    }

    /// Checks that `text` is JSON. Gemini CLI accepts comments, but no trailing commas.
    fn check_loads(&self, text: &str) -> Result<(), SettingsProblem> {
        json::check_with_comments(text)
    }

    fn check_hook(&self, locations: &Locations, top: Option<&Path>) -> Check {
        let files = settings_files(locations, top.map(|top| top.join(".gemini")));
        health::hook_in_json(self, &files, EVENTS.prompt, |settings, command| {
            let hooks = &settings["hooksConfig"];
            let disabled = hooks["disabled"].as_array().into_iter().flatten();
            if hooks["enabled"] == false {
                return Some("`hooksConfig.enabled` is false".to_owned());
            }
            let is_ours = |name: &Value| name.as_str() == Some(command);
            disabled.into_iter().any(is_ours).then(|| "`hooksConfig.disabled` lists it".to_owned())
        })
    }

    fn headless(&self, url: &str) -> Headless {
        let settings = r#"{"security":{"auth":{"selectedType":"gemini-api-key"}}}"#;
        // If the model is named, Gemini CLI does not use a second model to select one.
        Headless::new(ModelApi::Gemini, &["--model", "gemini-2.5-pro", "--prompt"])
            .file(".gemini/settings.json", settings)
            .variable("GEMINI_API_KEY", "loopback")
            .variable("GOOGLE_GEMINI_BASE_URL", url)
            .variable("GEMINI_CLI_TRUST_WORKSPACE", "true")
    }
}

fn locations(home: &Path) -> Locations {
    let folder = home.join(".gemini");
    Locations { servers: Some(folder.join("settings.json")), folder, trust: None }
}

/// Builds the output before a tool call. `Allow` has no effect, because Gemini CLI has no decision that skips its own
/// confirmation.
fn before(verdict: &ToolVerdict) -> Output {
    let mut output = Output { system_message: verdict.message.clone(), ..Output::default() };
    match verdict.decision {
        ToolDecision::Go | ToolDecision::Allow => {}
        // Gemini CLI shows the system message in its confirmation prompt.
        ToolDecision::Ask => {
            output.decision = Some("ask");
            output.system_message = Some(reason_text(&verdict.reason));
        }
        ToolDecision::Block => {
            output.decision = Some("deny");
            output.reason = Some(reason_text(&verdict.reason));
        }
    }
    let new_input =
        |input: &Map<String, Value>| json!({ "hookEventName": "BeforeTool", "tool_input": input });
    output.hook_specific_output = verdict.updated_input.as_ref().map(new_input);
    output
}

/// Builds the output after a tool call. A new result is sent as the reason of the decision `deny`, because Gemini CLI
/// replaces the result with that reason.
fn after(verdict: &ToolVerdict) -> Output {
    let context = context_text(ESCAPED_LIMIT, &verdict.context);
    let event = || json!({ "additionalContext": context, "hookEventName": "AfterTool" });
    let replacement = verdict.replacement.as_ref().map(|new| reason_text(&plain_text(new)));
    Output {
        decision: replacement.as_ref().map(|_| "deny"),
        hook_specific_output: (!context.is_empty()).then(event),
        reason: replacement,
        system_message: verdict.message.clone(),
    }
}
