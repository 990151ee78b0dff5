//! Implements [`Client`] for Kimi Code. Its payload uses other field names, its hooks are tables in `config.toml`, and
//! it passes the output of a hook to the model unchanged. If `[[hooks]]` contains an unknown key, Kimi Code does not load the
//! file.

#[cfg(test)]
mod tests;

use std::path::Path;

use contract::{ClientName, ToolDecision, ToolMoment, ToolVerdict};
use process::Environment;
use serde::Deserialize;
use serde_json::{Value, json};
use toml_edit::{ArrayOfTables, Item, Table, value};

use crate::envelope::{Envelope, EventOutput, HookOutput, json_line};
use crate::settings::hooks_json::{self, Events, Hook, PROMPT_EVENT};
use crate::settings::launcher::{hook_command, is_ours};
use crate::settings::{Locations, SettingsProblem, Setup, Target, servers, text_or_empty, toml};
use crate::transcript::Text;
use crate::{Check, Client, Headless, ModelApi, Names, Payload, PayloadError, ToolSupport, health};

/// The key of the list of hooks in `config.toml`.
const HOOKS: &str = "hooks";

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
        read_payload(bytes)
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

    fn user_locations(&self, home: &Path, environment: &Environment) -> Locations {
        let moved = environment.text(NAMES.home_variable).map(Path::new);
        let folder = moved.map_or_else(|| home.join(".kimi-code"), Path::to_owned);
        Locations { servers: Some(folder.join("mcp.json")), folder, trust: None }
    }

    fn targets(&self, setup: &Setup) -> Vec<Target> {
        let command = hook_command(&setup.programs, &NAMES);
        let hooks = hooks_json::hooks(&command, Events::COMMON, setup.with_tool_hooks);
        let put = move |text: Option<&str>| put(text.unwrap_or_default(), &hooks);
        let hooks = Target::entries(setup.folder.join("config.toml"), put, take);
        [hooks].into_iter().chain(servers::target(setup)).collect()
    }

    fn check_hook(&self, locations: &Locations, _top: Option<&Path>) -> Check {
        check_hook(&locations.folder.join("config.toml"))
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

/// The fields of a Kimi Code payload. Some of them differ from those of Claude Code.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Wire {
    hook_event_name: Option<String>,
    session_id: Option<String>,
    cwd: Option<String>,
    prompt: Option<Text>,
    tool_name: Option<String>,
    tool_input: Value,
    tool_call_id: Option<String>,
    tool_output: Value,
    error: Value,
}

fn read_payload(bytes: &[u8]) -> Result<Payload, PayloadError> {
    let text = std::str::from_utf8(bytes)
        .map_err(|error| PayloadError::NotText { at: error.valid_up_to() })?;
    if text.trim().is_empty() {
        return Ok(Payload { prompt: Some(String::new()), ..Payload::default() });
    }
    let wire: Wire =
        serde_json::from_str(text).map_err(|error| PayloadError::NotAPayload(error.to_string()))?;
    let error = Some(wire.error).filter(|error| !error.is_null()).map(|error| {
        let message = error.as_str().or_else(|| error["message"].as_str());
        message.map_or_else(|| error.to_string(), str::to_owned)
    });
    Ok(Payload {
        hook_event_name: wire.hook_event_name,
        session_id: wire.session_id,
        cwd: wire.cwd,
        prompt: wire.prompt.map(Text::joined),
        tool_name: wire.tool_name,
        tool_input: wire.tool_input,
        tool_response: wire.tool_output,
        tool_use_id: wire.tool_call_id,
        error,
        ..Payload::default()
    })
}

fn put(text: &str, hooks: &[Hook]) -> Result<String, SettingsProblem> {
    let mut document = toml::parse(&take(text)?)?;
    let list = document.entry(HOOKS).or_insert(Item::ArrayOfTables(ArrayOfTables::new()));
    let list = tables(list)?;
    for hook in hooks {
        let mut table = Table::new();
        table["event"] = value(hook.event);
        table["command"] = value(&hook.command);
        table["timeout"] = value(i64::from(hook.timeout));
        list.push(table);
    }
    Ok(document.to_string())
}

fn take(text: &str) -> Result<String, SettingsProblem> {
    let mut document = toml::parse(text)?;
    let Some(list) = document.get_mut(HOOKS) else { return Ok(text.to_owned()) };
    let list = tables(list)?;
    list.retain(|table| !command(table).is_some_and(is_ours));
    if list.is_empty() {
        document.remove(HOOKS);
    }
    Ok(document.to_string())
}

fn tables(item: &mut Item) -> Result<&mut ArrayOfTables, SettingsProblem> {
    let tables = item.as_array_of_tables_mut();
    tables.ok_or_else(|| SettingsProblem::shape(HOOKS, "a list of `[[hooks]]` tables"))
}

fn command(table: &Table) -> Option<&str> {
    table.get("command").and_then(Item::as_str)
}

fn check_hook(file: &Path) -> Check {
    let name = &format!("{} hook", NAMES.title);
    let install = format!("adjutant install {}", NAMES.word);
    let document = match toml::parse(&text_or_empty(file)) {
        Ok(document) => document,
        Err(problem) => {
            return Check::bad(name, format!("{}: {problem}", file.display()), "repair the file");
        }
    };
    let list = document.get(HOOKS).and_then(Item::as_array_of_tables);
    let is_prompt =
        |table: &&Table| table.get("event").and_then(Item::as_str) == Some(PROMPT_EVENT);
    let mut commands =
        list.into_iter().flatten().filter(is_prompt).filter_map(command).filter(|it| is_ours(it));
    match commands.next() {
        None => Check::lacking(name, format!("not in {}", file.display()), install),
        Some(command) => health::program(name, command, &install)
            .unwrap_or_else(|| Check::good(name, format!("in {}", file.display()))),
    }
}
