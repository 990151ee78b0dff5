//! Defines the eight `ci_*` tools and `brief`.
//!
//! They have no output schema: their structured content is the tool result of JSON 1.0, and the same schema on each tool
//! would be more than half of the list of tools.

use policy::{Argument, TOOLS, Tool};
use serde_json::{Map, Value, json};

use crate::catalogue::{Effect, ToolDefinition, ToolImplementation, input_schema};

pub(crate) fn definitions() -> Vec<ToolDefinition> {
    let tools = TOOLS.iter().map(|tool| ToolDefinition {
        name: tool.name,
        title: tool.title,
        description: tool.description,
        input: code_input(tool),
        output: None,
        effect: Effect::ReadsOnly,
        kind: ToolImplementation::Code(tool),
    });
    tools.chain([brief()]).collect()
}

fn brief() -> ToolDefinition {
    ToolDefinition {
        name: "brief",
        title: "Brief a prompt",
        description: "Find the code that a task is about, in one call. Selects the ci_* tools for the task, runs \
                      them within a budget and returns merged findings with citations. Call this first.",
        input: input_schema(
            json!({ "prompt": { "type": "string", "minLength": 1, "description": "The task or question in the user's words" } }),
            &["prompt"],
        ),
        output: None,
        effect: Effect::ReadsOnly,
        kind: ToolImplementation::Brief,
    }
}

fn code_input(tool: &Tool) -> Value {
    let mut properties = Map::new();
    for argument in tool.arguments {
        let schema = match *argument {
            Argument::Number { default, max, .. } => {
                json!({ "type": "integer", "minimum": 1, "maximum": max, "default": default })
            }
            Argument::Text { choices: [], .. } => json!({
                "type": "string", "minLength": 1,
                "description": "What to look for: words, names of functions or files, an error message",
            }),
            Argument::Text { choices, .. } => {
                json!({ "type": "string", "enum": choices, "default": choices[0] })
            }
        };
        properties.insert(argument.key().to_owned(), schema);
    }
    let required: &[&str] = if properties.contains_key("query") { &["query"] } else { &[] };
    input_schema(properties.into(), required)
}
