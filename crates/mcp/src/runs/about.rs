//! `codex.version` and `help`.

use codex::{Abilities, find_codex};
use serde_json::{Map, Value, json};

use crate::argument::Given;
use crate::catalogue::Definition;
use crate::context::CallContext;
use crate::problem::Problem;

pub(super) fn version(context: &CallContext, _: &Map<String, Value>) -> Result<Value, Problem> {
    let world = &context.host.codex;
    let codex = match find_codex(&world.environment) {
        Ok(program) => Abilities::of(&program, &world.environment, world.cache.as_deref()).version,
        Err(_) => None,
    };
    Ok(json!({ "server": context.host.version, "codex": codex }))
}

pub(super) fn help(
    context: &CallContext,
    arguments: &Map<String, Value>,
) -> Result<Value, Problem> {
    let given = Given(arguments);
    let named = given.text("tool").map(|name| name.replace("codex_", "codex."));
    let all = super::definitions();
    let wanted: Vec<&Definition> = all
        .iter()
        .filter(|definition| named.as_deref().is_none_or(|name| is_called(definition, name)))
        .collect();
    if wanted.is_empty() {
        let names: Vec<&str> = all.iter().map(|definition| definition.name).collect();
        return Err(Problem::new("UNKNOWN_TOOL", "there is no such tool").hint(names.join(", ")));
    }
    if given.text("format") == Some("json") {
        let tool = |definition: &&Definition| {
            json!({
                "name": definition.name,
                "description": definition.description,
                "inputSchema": definition.input,
            })
        };
        return Ok(json!({ "tools": wanted.iter().map(tool).collect::<Vec<_>>() }));
    }
    let help =
        wanted.iter().map(|definition| described(definition)).collect::<Vec<_>>().join("\n\n");
    drop(context.text.set(help.clone()));
    Ok(json!({ "help": help }))
}

fn is_called(definition: &Definition, name: &str) -> bool {
    definition.name == name || definition.name.strip_prefix("codex.") == Some(name)
}

fn described(definition: &Definition) -> String {
    let required = definition.input["required"].as_array();
    let fields = definition.input["properties"].as_object().into_iter().flatten();
    let lines = fields.map(|(key, schema)| {
        let must = required.is_some_and(|required| required.contains(&json!(key)));
        let must = if must { ", required" } else { "" };
        let what = schema["description"].as_str().unwrap_or_default();
        let kind = match (&schema["type"], &schema["enum"]) {
            (Value::String(kind), _) => kind.clone(),
            (_, Value::Array(words)) => {
                words.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" | ")
            }
            _ => "text or number".to_owned(),
        };
        let what = if what.is_empty() { String::new() } else { format!(": {what}") };
        format!("- `{key}` ({kind}{must}){what}")
    });
    let lines = lines.collect::<Vec<_>>().join("\n");
    let lines = if lines.is_empty() { "- takes nothing".to_owned() } else { lines };
    format!("## {}\n\n{}\n\n{lines}", definition.name, definition.description)
}
