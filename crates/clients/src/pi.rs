//! Implements [`Client`] for pi, whose hooks are functions in an extension file. Adjutant generates this file. pi does
//! not support MCP servers.

#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};

use contract::{ClientName, ToolMoment, ToolVerdict};
use process::Environment;
use serde_json::Value;

use crate::envelope::{Envelope, ExtensionOutput, json_line};
use crate::settings::{Locations, SettingsProblem, Setup, Target, extension};
use crate::{Check, Client, Headless, ModelApi, Names, ToolSupport};

pub(crate) struct Pi;

static NAMES: Names = Names {
    published: ClientName::new("pi"),
    word: "pi",
    title: "pi",
    program: "pi",
    package: "@earendil-works/pi-coding-agent",
    tested: "0.74.2",
    example: "pi -p \"where is main defined?\"",
    home_variable: "PI_CODING_AGENT_DIR",
    // An extension can ask only in the terminal interface, so a call that needs confirmation is blocked.
    tool_support: ToolSupport { ask: false, ..ToolSupport::ALL },
};

impl Client for Pi {
    fn names(&self) -> &'static Names {
        &NAMES
    }

    fn prompt_output(&self, envelope: &Envelope) -> String {
        json_line(&ExtensionOutput::prompt(envelope))
    }

    fn tool_output(&self, moment: ToolMoment, _: Option<&Value>, verdict: &ToolVerdict) -> String {
        json_line(&ExtensionOutput::tool(moment, verdict, &NAMES))
    }

    fn user_locations(&self, home: &Path, environment: &Environment) -> Locations {
        let moved = environment.text(NAMES.home_variable).map(Path::new);
        let folder = moved.map_or_else(|| home.join(".pi/agent"), Path::to_owned);
        Locations { folder, servers: None, trust: None }
    }

    fn targets(&self, setup: &Setup) -> Vec<Target> {
        let handlers = [include_str!("pi/prompt.ts"), include_str!("pi/tool_hooks.ts")];
        let first_line = "export default function (pi) {";
        let text = extension::script(setup, &NAMES, first_line, handlers, "}");
        vec![Target::extension(extension_file(&setup.folder), text)]
    }

    /// Accepts any content, because an installation does not change a JSON file of pi.
    fn check_loads(&self, _text: &str) -> Result<(), SettingsProblem> {
        Ok(())
    }

    fn check_hook(&self, locations: &Locations, _top: Option<&Path>) -> Check {
        extension::check(&NAMES, &[extension_file(&locations.folder)])
    }

    fn registered_server(&self, _text: &str) -> Result<Option<String>, SettingsProblem> {
        Ok(None)
    }

    fn headless(&self, url: &str) -> Headless {
        let models = format!(
            r#"{{"providers":{{"loopback":{{"baseUrl":"{url}/v1","api":"openai-completions","apiKey":"loopback","models":[{{"id":"loopback","name":"loopback","reasoning":false,"input":["text"],"contextWindow":100000,"maxTokens":4000,"cost":{{"input":0,"output":0,"cacheRead":0,"cacheWrite":0}}}}]}}}}}}"#
        );
        let arguments = ["--provider", "loopback", "--model", "loopback", "--print"];
        Headless::new(ModelApi::OpenAiChat, &arguments).file(".pi/agent/models.json", models)
    }
}

fn extension_file(folder: &Path) -> PathBuf {
    folder.join("extensions/adjutant.ts")
}
