//! Implements [`Client`] for opencode, whose hooks are functions in a plugin file. Adjutant generates this file.

#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};

use contract::{ClientName, ToolMoment, ToolVerdict};
use jsonc_parser::cst::CstInputValue;
use process::Environment;
use serde_json::Value;

use crate::envelope::{Envelope, ExtensionOutput, json_line};
use crate::settings::{Locations, SettingsProblem, Setup, Target, extension, json, servers};
use crate::{Check, Client, Headless, ModelApi, Names, ToolSupport};

/// The key of the object with the MCP servers.
const SERVERS: &str = "mcp";

pub(crate) struct Opencode;

static NAMES: Names = Names {
    published: ClientName::new("opencode"),
    word: "opencode",
    title: "opencode",
    program: "opencode",
    package: "opencode-ai",
    tested: "1.18.33",
    example: "opencode run \"where is main defined?\"",
    home_variable: "XDG_CONFIG_HOME",
    // A plugin cannot ask, so a call that needs confirmation is blocked.
    tool_support: ToolSupport { ask: false, ..ToolSupport::ALL },
};

impl Client for Opencode {
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
        let folder = moved.map_or_else(|| home.join(".config"), Path::to_owned).join("opencode");
        Locations { servers: Some(configuration(&folder)), folder, trust: None }
    }

    fn project_locations(&self, top: &Path, _user: &Locations) -> Option<Locations> {
        Some(Locations {
            servers: Some(configuration(top)),
            folder: top.join(".opencode"),
            trust: None,
        })
    }

    fn targets(&self, setup: &Setup) -> Vec<Target> {
        let handlers = [include_str!("opencode/prompt.js"), include_str!("opencode/tool_hooks.js")];
        let first_line = "export const Adjutant = async ({ directory }) => ({";
        let text = extension::script(setup, &NAMES, first_line, handlers, "})");
        let plugin = Target::extension(plugin_file(&setup.folder), text);
        let servers = setup.servers.clone().map(|path| {
            let programs = setup.programs.clone();
            Target::entries(
                path,
                move |text| put_server(text, &programs),
                |text| servers::take_from(text, SERVERS),
            )
        });
        [plugin].into_iter().chain(servers).collect()
    }

    /// Checks that `text` is JSON. opencode accepts comments and trailing commas.
    fn check_loads(&self, text: &str) -> Result<(), SettingsProblem> {
        json::parse(Some(text)).map(|_| ())
    }

    fn check_hook(&self, locations: &Locations, top: Option<&Path>) -> Check {
        let folders = std::iter::once(locations.folder.clone());
        let folders = folders.chain(top.map(|top| top.join(".opencode")));
        extension::check(&NAMES, &folders.map(|folder| plugin_file(&folder)).collect::<Vec<_>>())
    }

    fn registered_server(&self, text: &str) -> Result<Option<String>, SettingsProblem> {
        let settings = json::value(text)?;
        Ok(settings[SERVERS][servers::NAME]["command"][0].as_str().map(str::to_owned))
    }

    fn headless(&self, url: &str) -> Headless {
        let settings = format!(
            r#"{{"model":"loopback/loopback","autoupdate":false,"provider":{{"loopback":{{"npm":"@ai-sdk/openai-compatible","name":"loopback","options":{{"baseURL":"{url}/v1","apiKey":"loopback"}},"models":{{"loopback":{{"name":"loopback"}}}}}}}}}}"#
        );
        Headless::new(ModelApi::OpenAiChat, &["run"])
            .file(".config/opencode/opencode.json", settings)
            .variable("OPENCODE_DISABLE_MODELS_FETCH", "1")
    }
}

fn plugin_file(folder: &Path) -> PathBuf {
    folder.join("plugins/adjutant.js")
}

/// Returns the configuration file: `opencode.jsonc` if the user has one, otherwise `opencode.json`.
fn configuration(folder: &Path) -> PathBuf {
    let with_comments = folder.join("opencode.jsonc");
    if with_comments.is_file() { with_comments } else { folder.join("opencode.json") }
}

fn put_server(text: Option<&str>, programs: &Path) -> Result<String, SettingsProblem> {
    let word = |word: &str| CstInputValue::String(word.to_owned());
    let program = programs.join("adjutant").display().to_string();
    let server = CstInputValue::Object(vec![
        ("type".to_owned(), word("local")),
        ("command".to_owned(), CstInputValue::Array(vec![word(&program), word("mcp")])),
        ("enabled".to_owned(), CstInputValue::Bool(true)),
    ]);
    servers::put_in(text, SERVERS, server)
}
