//! Implements `codex.version` and `codex.help`.

use runs::{Abilities, find_codex};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::{Value, json};

use crate::call::CallContext;
use crate::catalogue::ToolDefinition;
use crate::problem::Problem;

pub(super) fn version(context: &CallContext, _no_arguments: IgnoredAny) -> Result<Value, Problem> {
    let host = &context.host.codex;
    let codex = match find_codex(&host.environment) {
        Ok(program) => Abilities::of(&program, &host.environment, host.cache.as_deref()).version,
        Err(_) => None,
    };
    Ok(json!({ "server": context.host.version, "codex": codex }))
}

#[derive(Deserialize)]
pub(super) struct Help {
    tool: Option<String>,
    format: Option<String>,
}

pub(super) fn help(context: &CallContext, arguments: Help) -> Result<Value, Problem> {
    let named = arguments.tool.map(|name| name.replace("codex_", "codex."));
    let (wanted, others): (Vec<ToolDefinition>, Vec<ToolDefinition>) = super::definitions()
        .into_iter()
        .partition(|tool| named.as_deref().is_none_or(|name| is_called(tool, name)));
    if wanted.is_empty() {
        let names: Vec<&str> = others.iter().map(|tool| tool.name).collect();
        return Err(Problem::new("UNKNOWN_TOOL", "unknown tool").hint(names.join(", ")));
    }
    if arguments.format.as_deref() == Some("json") {
        let help = |tool: &ToolDefinition| {
            let ToolDefinition { name, description, input, .. } = tool;
            json!({ "name": name, "description": description, "inputSchema": input })
        };
        return Ok(json!({ "tools": wanted.iter().map(help).collect::<Vec<_>>() }));
    }
    let help = wanted.iter().map(as_markdown).collect::<Vec<_>>().join("\n\n");
    drop(context.text.set(help.clone()));
    Ok(json!({ "help": help }))
}

fn is_called(tool: &ToolDefinition, name: &str) -> bool {
    tool.name == name || tool.name.strip_prefix("codex.") == Some(name)
}

fn as_markdown(tool: &ToolDefinition) -> String {
    let required = tool.input["required"].as_array();
    let fields = tool.input["properties"].as_object().into_iter().flatten();
    let lines = fields.map(|(key, schema)| {
        let is_required =
            required.is_some_and(|names| names.iter().any(|name| name.as_str() == Some(key)));
        let required = if is_required { ", required" } else { "" };
        let kind = match (schema["type"].as_str(), schema["enum"].as_array()) {
            (Some(kind), _) => kind.to_owned(),
            (None, Some(words)) => {
                words.iter().filter_map(|word| word.as_str()).collect::<Vec<_>>().join(" | ")
            }
            (None, None) => "text or number".to_owned(),
        };
        let description = schema["description"].as_str();
        let description = description.map(|text| format!(": {text}")).unwrap_or_default();
        format!("- `{key}` ({kind}{required}){description}")
    });
    let lines = lines.collect::<Vec<_>>().join("\n");
    let lines = if lines.is_empty() { "- no arguments".to_owned() } else { lines };
    format!("## {}\n\n{}\n\n{lines}", tool.name, tool.description)
}
