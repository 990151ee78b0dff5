//! Defines the server's tools: names, schemas, effects and groups.

use std::sync::Arc;

use policy::Tool as CodeTool;
use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use serde_json::{Map, Value, json};

use crate::call::CallContext;
use crate::problem::Problem;
use crate::server::ServerOptions;
use crate::{code_tools, run_tools};

/// The effect of a tool call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    ReadsOnly,
    /// May change or delete existing files or sessions.
    Destroys,
    /// Runs codex, which may change or delete files and uses a model on the network.
    RunsCodex,
}

type Work = dyn Fn(&CallContext, &Map<String, Value>) -> Result<Value, Problem> + Send + Sync;

/// A kind of tool, with its implementation.
#[derive(Clone)]
pub enum ToolImplementation {
    /// A built-in tool of the kernel.
    Code(&'static CodeTool),
    Brief,
    /// A tool that runs codex. The call returns when the run has ended.
    WholeRun(Arc<Work>),
    /// Another tool for unattended runs.
    Run(Arc<Work>),
}

/// A tool that the server offers.
#[derive(Clone)]
pub struct ToolDefinition {
    pub name: &'static str,
    pub title: &'static str,
    pub description: &'static str,
    pub input: Value,
    pub output: Option<Value>,
    pub effect: Effect,
    pub kind: ToolImplementation,
}

/// A group of tools. Groups can be left out, because a client sends the schemas of all offered tools to the model
/// with every request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ToolGroup {
    /// The `ci_*` tools that answer a question about the code.
    Code,
    /// The `ci_*` tools that describe the repository: the state of its index, its complexity and its hotspots.
    Overview,
    Brief,
    /// The `codex.*` tools that only read.
    CodexReads,
    /// The `codex.*` tools that start, change or delete runs.
    CodexRuns,
}

impl ToolGroup {
    pub const ALL: &[Self] =
        &[Self::Code, Self::Overview, Self::Brief, Self::CodexReads, Self::CodexRuns];
    /// The default groups: the tools that an agent needs in addition to its own search. All of them are read-only.
    pub const SLIM: &[Self] = &[Self::Code, Self::Brief];

    pub(crate) fn of(definition: &ToolDefinition) -> Self {
        match (&definition.kind, definition.effect) {
            (ToolImplementation::Code(tool), _) if tool.is_overview => Self::Overview,
            (ToolImplementation::Code(_), _) => Self::Code,
            (ToolImplementation::Brief, _) => Self::Brief,
            (ToolImplementation::WholeRun(_) | ToolImplementation::Run(_), Effect::ReadsOnly) => {
                Self::CodexReads
            }
            (
                ToolImplementation::WholeRun(_) | ToolImplementation::Run(_),
                Effect::Destroys | Effect::RunsCodex,
            ) => Self::CodexRuns,
        }
    }
}

pub(crate) struct Catalogue(Vec<Arc<ToolDefinition>>);

impl Catalogue {
    pub(crate) fn of(host: &ServerOptions) -> Self {
        let mut all = code_tools::definitions();
        all.extend(run_tools::definitions());
        all.extend(host.more_tools.iter().cloned());
        all.retain(|definition| host.tools.contains(&ToolGroup::of(definition)));
        Self(all.into_iter().map(Arc::new).collect())
    }

    /// Finds a tool by name. Some clients write `codex.exec` as `codex_exec`.
    pub(crate) fn find(&self, name: &str) -> Option<Arc<ToolDefinition>> {
        let dotted = name.strip_prefix("codex_").map(|verb| format!("codex.{verb}"));
        let name = dotted.as_deref().unwrap_or(name);
        self.0.iter().find(|definition| definition.name == name).cloned()
    }

    pub(crate) fn tools(&self) -> Vec<Tool> {
        self.0.iter().map(|definition| definition.tool()).collect()
    }
}

impl ToolDefinition {
    fn tool(&self) -> Tool {
        let hints = ToolAnnotations::with_title(self.title)
            .read_only(self.effect == Effect::ReadsOnly)
            .destructive(matches!(self.effect, Effect::Destroys | Effect::RunsCodex))
            .open_world(self.effect == Effect::RunsCodex);
        let input = object(&self.input);
        let tool = Tool::new(self.name, self.description, input)
            .with_title(self.title)
            .with_annotations(hints);
        match &self.output {
            Some(output) => tool.with_raw_output_schema(object(output)),
            None => tool,
        }
    }
}

fn object(schema: &Value) -> Arc<JsonObject> {
    Arc::new(schema.as_object().cloned().unwrap_or_default())
}

/// Returns the schema of an object that may have only these fields. It has no `$schema`, because MCP defines 2020-12 as
/// the default.
#[must_use]
pub fn input_schema(properties: Value, required: &[&str]) -> Value {
    json!({
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    })
}

/// Returns the schema of an object that may have additional fields. No field is required, because a hook may replace
/// the result.
#[must_use]
pub fn output_schema(properties: Value) -> Option<Value> {
    Some(json!({ "type": "object", "properties": properties }))
}
