//! Implements [`Client`] for Copilot CLI, which reads a flat JSON object from a hook and loads every file in its folder
//! `hooks`.

#[cfg(test)]
mod tests;

use std::path::Path;

use contract::{ClientName, ToolDecision, ToolMoment, ToolVerdict};
use process::Environment;
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::envelope::{Envelope, LIMIT, context_text, reason_text};
use crate::settings::hooks_json::{self, Events, PROMPT_EVENT, TimeoutUnit};
use crate::settings::launcher::hook_command;
use crate::settings::{Locations, Problem, Setup, Target, json, servers};
use crate::{
    Check, Client, Headless, ModelApi, Names, Payload, PayloadError, ToolSupport, health, payload,
};

const EVENTS: Events = Events {
    prompt: PROMPT_EVENT,
    tools: &["PreToolUse", "PostToolUse", "PostToolUseFailure"],
    sub_agents: None,
    timeout_unit: TimeoutUnit::Seconds,
};
/// The path of Adjutant's hook file in the settings folder. The first key of the file is the version of its format.
const FILE: &str = "hooks/adjutant.json";
const EMPTY_FILE: &str = "{\n  \"version\": 1\n}\n";

pub(crate) struct CopilotCli;

static NAMES: Names = Names {
    published: ClientName::new("copilot-cli"),
    word: "copilot",
    title: "Copilot CLI",
    program: "copilot",
    package: "@github/copilot",
    tested: "1.0.102",
    example: "copilot -p \"where is main defined?\"",
};

/// The flat JSON object that Copilot CLI reads from a hook.
#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
struct Output {
    #[serde(skip_serializing_if = "String::is_empty")]
    additional_context: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    modified_args: Option<Map<String, Value>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    modified_result: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    permission_decision: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    permission_decision_reason: Option<String>,
}

impl Output {
    fn text(&self) -> String {
        serde_json::to_string(self).unwrap_or_else(|_| "{}".to_owned())
    }
}

impl Client for CopilotCli {
    fn names(&self) -> &'static Names {
        &NAMES
    }

    /// Parses a payload. Copilot CLI sends the result of a tool as `tool_result`. It sends no prompt id, so the
    /// timestamp, which is the same for all hooks of a prompt, is used as the prompt id.
    fn read_payload(&self, bytes: &[u8]) -> Result<Payload, PayloadError> {
        let mut payload = payload::read(bytes)?;
        payload.prompt_id = payload.timestamp.take();
        if payload.tool_response.is_null() {
            payload.tool_response = payload.tool_result.take();
        }
        Ok(payload)
    }

    fn tool_support(&self) -> ToolSupport {
        ToolSupport::ALL
    }

    /// Formats the output without the message, because Copilot CLI has no field for a message to the user.
    fn prompt_output(&self, envelope: &Envelope) -> String {
        Output { additional_context: envelope.context.clone(), ..Output::default() }.text()
    }

    fn tool_output(
        &self,
        moment: ToolMoment,
        _response: Option<&Value>,
        verdict: &ToolVerdict,
    ) -> String {
        let context = context_text(LIMIT, &verdict.context);
        let decision = match (moment, verdict.decision) {
            (ToolMoment::After | ToolMoment::Failed, _) | (_, ToolDecision::Go) => None,
            (_, ToolDecision::Allow) => Some("allow"),
            (_, ToolDecision::Ask) => Some("ask"),
            (_, ToolDecision::Block) => Some("deny"),
        };
        let result = verdict.replacement.as_ref().map(|new| {
            let text = new.as_str().map_or_else(|| new.to_string(), str::to_owned);
            json!({ "resultType": "success", "textResultForLlm": text })
        });
        Output {
            additional_context: context,
            modified_args: verdict.updated_input.clone(),
            modified_result: result,
            permission_decision: decision,
            permission_decision_reason: decision.map(|_| reason_text(&verdict.reason)),
        }
        .text()
    }

    fn other_output(&self, _message: Option<&str>) -> String {
        Output::default().text()
    }

    fn home_variable(&self) -> &'static str {
        "COPILOT_HOME"
    }

    fn user_locations(&self, home: &Path, environment: &Environment) -> Locations {
        let moved = environment.text(self.home_variable()).map(Path::new);
        let folder = moved.map_or_else(|| home.join(".copilot"), Path::to_owned);
        Locations { servers: Some(folder.join("mcp-config.json")), folder, trust: None }
    }

    fn targets(&self, setup: &Setup) -> Vec<Target> {
        let command = hook_command(&setup.programs, &NAMES);
        let hooks = hooks_json::hooks(&command, EVENTS, setup.with_tool_hooks);
        let put = move |text: Option<&str>| hooks_json::put(text.or(Some(EMPTY_FILE)), &hooks);
        let hooks = Target::entries(setup.folder.join(FILE), put, hooks_json::take);
        let servers = setup.servers.clone();
        let servers = servers.map(|path| servers::target_with_tools(path, setup.programs.clone()));
        [hooks].into_iter().chain(servers).collect()
    }

    fn check_loads(&self, text: &str) -> Result<(), Problem> {
        json::check_plain(text)
    }

    fn check_hook(&self, locations: &Locations, _top: Option<&Path>) -> Check {
        let files = [locations.folder.join(FILE)];
        health::hook_in_json(self, &files, EVENTS.prompt, |_, _| None)
    }

    fn registered_server(&self, text: &str) -> Result<Option<String>, Problem> {
        servers::registered(text)
    }

    fn headless(&self, url: &str) -> Headless {
        Headless::new(ModelApi::OpenAiChat, &["--allow-all-tools", "--prompt"])
            .variable("COPILOT_PROVIDER_BASE_URL", format!("{url}/v1"))
            .variable("COPILOT_PROVIDER_API_KEY", "loopback")
            .variable("COPILOT_MODEL", "loopback")
            .variable("COPILOT_OFFLINE", "true")
    }
}
