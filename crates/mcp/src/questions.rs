//! The eight `ci_*` questions and the briefing as MCP tools. Their limits are those of the allow-list.

use policy::{Argument, TOOLS};
use serde_json::{Map, Value, json};

use crate::catalogue::{Definition, Effect, Kind, input, output};

pub(crate) fn definitions() -> Vec<Definition> {
    let questions = TOOLS.iter().map(|tool| {
        let (title, description) = words(tool.name);
        Definition {
            name: tool.name,
            title,
            description: description.to_owned(),
            input: question_input(tool.arguments),
            output: question_output(),
            effect: Effect::ReadsOnly,
            kind: Kind::Question,
        }
    });
    questions.chain([brief()]).collect()
}

fn brief() -> Definition {
    Definition {
        name: "brief",
        title: "Brief a prompt",
        description: "Everything this repository has to say about a task, in one call: picks the right ci_* tools, runs \
                      them within a budget and returns fused, cited findings. Ask this first."
            .to_owned(),
        input: input(
            json!({ "prompt": { "type": "string", "minLength": 1, "description": "The task or question, as the user said it" } }),
            &["prompt"],
        ),
        output: question_output(),
        effect: Effect::ReadsOnly,
        kind: Kind::Brief,
    }
}

fn words(tool: &str) -> (&'static str, &'static str) {
    match tool {
        "ci_index_status" => (
            "Index status",
            "What the index of this repository knows, how old it is, what changed since.",
        ),
        "ci_search" => (
            "Search code",
            "Files and functions that answer a question or hold a name, best first, with the lines to look at. Ranks; \
             use it before grep.",
        ),
        "ci_graph_rag" => (
            "Code around",
            "The code around the best matches: what they call, use, test and import, with snippets.",
        ),
        "ci_call_chain" => (
            "Callers and callees",
            "Who calls a function, directly and further up, and what it calls.",
        ),
        "ci_bug_locate" => (
            "Locate a failure",
            "Where a failure comes from: give an error text, a stack trace or a symptom.",
        ),
        "ci_impact" => (
            "Impact of a change",
            "What a change to a function or file would touch, and which tests cover it.",
        ),
        "ci_complexity" => (
            "Complexity",
            "The functions that are hardest to follow, in the part of the code that is asked about.",
        ),
        "ci_hotspot" => {
            ("Hotspots", "Files that change often and are complex: where faults are likely.")
        }
        _ => ("Question", "A question about this repository."),
    }
}

fn question_input(arguments: &[Argument]) -> Value {
    let mut properties = Map::new();
    for argument in arguments {
        let schema = match *argument {
            Argument::Number { default, max, .. } => {
                json!({ "type": "integer", "minimum": 1, "maximum": max, "default": default })
            }
            Argument::Text { key: "mode" } => {
                json!({ "type": "string", "enum": ["hybrid", "keyword", "symbol"], "default": "hybrid" })
            }
            Argument::Text { .. } => json!({
                "type": "string", "minLength": 1,
                "description": "What to look for: words, names of functions or files, an error text",
            }),
        };
        properties.insert(argument.key().to_owned(), schema);
    }
    let required: &[&str] = if properties.contains_key("query") { &["query"] } else { &[] };
    input(Value::Object(properties), required)
}

/// The published tool result, with its limits and what hooks had to say.
fn question_output() -> Option<Value> {
    let texts = json!({ "type": "array", "items": { "type": "string" } });
    output(json!({
        "tool": { "type": "string" },
        "status": { "enum": ["ok", "timeout", "error", "skipped"] },
        "summary": { "type": "string" },
        "data": {
            "type": "object",
            "properties": {
                "items": {
                    "type": "array",
                    "items": {
                        "type": "object",
                        "properties": {
                            "path": { "type": "string" },
                            "line": { "type": "integer" },
                            "symbol": { "type": "string" },
                            "title": { "type": "string" },
                            "summary": { "type": "string" },
                            "confidence": { "type": "number" },
                            "source": { "type": "string" },
                            "snippet": { "type": "string" },
                        },
                    },
                },
            },
        },
        "truncated": { "type": "boolean" },
        "duration_ms": { "type": "integer" },
        "redactions": { "type": "array" },
        "limits": texts,
        "notes": texts,
    }))
}
