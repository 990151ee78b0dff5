//! Implements [`Client`] for Kimi Code. Its payload uses other field names, its hooks are tables in `config.toml`, and
//! it passes the output of a hook to the model unchanged.

mod install;
mod payload;
#[cfg(test)]
mod tests;

use std::path::Path;

use contract::{ClientName, ToolDecision, ToolMoment, ToolVerdict};
use process::Environment;
use serde_json::{Value, json};

use crate::envelope::{Envelope, EventOutput, HookOutput, json_line};
use crate::settings::{Locations, Setup, Target, servers};
use crate::{Check, Client, Headless, ModelApi, Names, Payload, PayloadError, ToolSupport};

pub(crate) struct KimiCode;

static NAMES: Names = Names {
    published: ClientName::new("kimi-code"),
    word: "kimi",
    title: "Kimi Code",
    program: "kimi",
    package: "@moonshot-ai/kimi-code",
    tested: "2.1.0",
    example: "kimi -p \"where is main defined?\"",
    home_variable: "KIMI_CODE_HOME",
    // A hook can only deny a call. Kimi Code ignores hooks after a call.
    tool_support: ToolSupport { ask: false, new_input: false, new_result: false, context: false },
};

impl Client for KimiCode {
    fn names(&self) -> &'static Names {
        &NAMES
    }

    fn read_payload(&self, bytes: &[u8]) -> Result<Payload, PayloadError> {
        payload::read(bytes)
    }

    /// Puts the context into the field `message`, which Kimi Code adds to the conversation. If there is no context, the
    /// output is empty, because Kimi Code adds an output without `message` to the conversation as plain text. Kimi Code
    /// has no field for a message to the user.
    fn prompt_output(&self, envelope: &Envelope) -> String {
        match envelope.context.as_str() {
            "" => String::new(),
            context => json!({ "message": context }).to_string(),
        }
    }

    fn tool_output(&self, moment: ToolMoment, _: Option<&Value>, verdict: &ToolVerdict) -> String {
        let verdict = NAMES.tool_support.restrict(NAMES.title, verdict);
        let is_denied = moment == ToolMoment::Before && verdict.decision == ToolDecision::Block;
        let event = is_denied.then(|| EventOutput {
            hook_event_name: "PreToolUse",
            ..EventOutput::decision(verdict.decision, &verdict.reason)
        });
        json_line(&HookOutput { hook_specific_output: event, ..HookOutput::default() })
    }

    fn other_output(&self, _message: Option<&str>) -> String {
        String::new()
    }

    fn user_locations(&self, home: &Path, environment: &Environment) -> Locations {
        let moved = environment.text(NAMES.home_variable).map(Path::new);
        let folder = moved.map_or_else(|| home.join(".kimi-code"), Path::to_owned);
        Locations { servers: Some(folder.join("mcp.json")), folder, trust: None }
    }

    fn targets(&self, setup: &Setup) -> Vec<Target> {
        [install::target(setup)].into_iter().chain(servers::target(setup)).collect()
    }

    fn check_hook(&self, locations: &Locations, _top: Option<&Path>) -> Check {
        install::check_hook(&locations.folder.join("config.toml"))
    }

    fn headless(&self, url: &str) -> Headless {
        let configuration = format!(
            r#"default_model = "loopback"

[providers.loopback]
type = "openai"
base_url = "{url}/v1"
api_key = "loopback"

[models.loopback]
provider = "loopback"
model = "loopback"
max_context_size = 100000
"#
        );
        Headless::new(ModelApi::OpenAiChat, &["--prompt"])
            .file(".kimi-code/config.toml", configuration)
    }
}
