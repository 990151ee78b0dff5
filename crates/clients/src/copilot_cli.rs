//! Implements [`Client`] for Copilot CLI, which reads a flat JSON object from a hook and loads every file in its folder
//! `hooks`.

#[cfg(test)]
mod tests;

use std::path::Path;

use contract::{ClientName, ToolMoment, ToolVerdict};
use process::Environment;
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::envelope::{
    Envelope, LIMIT, context_text, decision_word, json_line, plain_text, reason_text,
};
use crate::settings::hooks_json::{self, Events, PROMPT_EVENT};
use crate::settings::launcher::hook_command;
use crate::settings::{Locations, Setup, Target, servers};
use crate::{
    Check, Client, Headless, ModelApi, Names, Payload, PayloadError, ToolSupport, health, payload,
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
    home_variable: "COPILOT_HOME",
    tool_support: ToolSupport::ALL,
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

    /// Formats the output without the message, because Copilot CLI has no field for a message to the user.
    fn prompt_output(&self, envelope: &Envelope) -> String {
        json_line(&Output { additional_context: envelope.context.clone(), ..Output::default() })
    }

    fn tool_output(&self, moment: ToolMoment, _: Option<&Value>, verdict: &ToolVerdict) -> String {
        let context = context_text(LIMIT, &verdict.context);
        let decision = decision_word(verdict.decision).filter(|_| moment == ToolMoment::Before);
        let result = verdict
            .replacement
            .as_ref()
            .map(|new| json!({ "resultType": "success", "textResultForLlm": plain_text(new) }));
        json_line(&Output {
            additional_context: context,
            modified_args: verdict.updated_input.clone(),
            modified_result: result,
            permission_decision: decision,
            permission_decision_reason: decision.map(|_| reason_text(&verdict.reason)),
        })
    }

    fn user_locations(&self, home: &Path, environment: &Environment) -> Locations {
        let moved = environment.text(NAMES.home_variable).map(Path::new);
        let folder = moved.map_or_else(|| home.join(".copilot"), Path::to_owned);
        Locations { servers: Some(folder.join("mcp-config.json")), folder, trust: None }
    }

    fn targets(&self, setup: &Setup) -> Vec<Target> {
        let command = hook_command(&setup.programs, &NAMES);
        let hooks = hooks_json::hooks(&command, Events::COMMON, setup.with_tool_hooks);
        let put = move |text: Option<&str>| hooks_json::put(text.or(Some(EMPTY_FILE)), &hooks);
        let hooks = Target::entries(setup.folder.join(FILE), put, hooks_json::take);
        [hooks].into_iter().chain(servers::target_with_tools(setup)).collect()
    }

    fn check_hook(&self, locations: &Locations, _top: Option<&Path>) -> Check {
        let files = [locations.folder.join(FILE)];
        health::hook_in_json(self, &files, PROMPT_EVENT, |_, _| None)
    }

    fn headless(&self, url: &str) -> Headless {
        Headless::new(ModelApi::OpenAiChat, &["--allow-all-tools", "--prompt"])
            .variable("COPILOT_PROVIDER_BASE_URL", format!("{url}/v1"))
            .variable("COPILOT_PROVIDER_API_KEY", "loopback")
            .variable("COPILOT_MODEL", "loopback")
            .variable("COPILOT_OFFLINE", "true")
    }
}
