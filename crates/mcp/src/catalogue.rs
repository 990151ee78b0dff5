//! The tools there are: names, schemas, what they may do.

use std::sync::Arc;

use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use serde_json::{Map, Value, json};

use crate::context::CallContext;
use crate::options::{MoreTool, ServerOptions};
use crate::problem::Problem;
use crate::{questions, runs};

pub(crate) const DIALECT: &str = "https://json-schema.org/draft/2020-12/schema";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    ReadsOnly,
    /// Adds something: a run, a session.
    Adds,
    /// May change or delete what is there.
    Destroys,
}

pub(crate) type Work = fn(&CallContext, &Map<String, Value>) -> Result<Value, Problem>;

/// What stands behind a tool.
#[derive(Clone)]
pub(crate) enum Kind {
    /// One of the eight, which the kernel knows.
    Question,
    Brief,
    /// A run of codex to its end: takes as long as that takes.
    WholeRun(Work),
    Run(Work),
    More(MoreTool),
}

#[derive(Clone)]
pub(crate) struct Definition {
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    pub(crate) description: String,
    pub(crate) input: Value,
    pub(crate) output: Option<Value>,
    pub(crate) effect: Effect,
    pub(crate) kind: Kind,
}

pub(crate) struct Catalogue(Vec<Arc<Definition>>);

impl Catalogue {
    pub(crate) fn of(host: &ServerOptions) -> Self {
        let mut all = questions::definitions();
        all.extend(runs::definitions());
        all.extend(host.more_tools.iter().map(more));
        Self(all.into_iter().map(Arc::new).collect())
    }

    /// Clients write `codex.exec` as `codex_exec`; both are taken.
    pub(crate) fn find(&self, name: &str) -> Option<Arc<Definition>> {
        let dotted = name.strip_prefix("codex_").map(|verb| format!("codex.{verb}"));
        let name = dotted.as_deref().unwrap_or(name);
        self.0.iter().find(|definition| definition.name == name).cloned()
    }

    pub(crate) fn tools(&self) -> Vec<Tool> {
        self.0.iter().map(|definition| definition.tool()).collect()
    }
}

impl Definition {
    fn tool(&self) -> Tool {
        let hints = ToolAnnotations::with_title(self.title)
            .read_only(self.effect == Effect::ReadsOnly)
            .destructive(self.effect == Effect::Destroys)
            .open_world(matches!(self.kind, Kind::WholeRun(_)) || self.effect == Effect::Adds);
        let input = object(&self.input);
        let tool = Tool::new(self.name, self.description.clone(), input)
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

/// An object with these fields and no others.
pub(crate) fn input(properties: Value, required: &[&str]) -> Value {
    json!({
        "$schema": DIALECT,
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    })
}

/// An object with at least these fields. None is required: a hook may have put another result in its place.
pub(crate) fn output(properties: Value) -> Option<Value> {
    Some(json!({ "$schema": DIALECT, "type": "object", "properties": properties }))
}

fn more(tool: &MoreTool) -> Definition {
    Definition {
        name: tool.name,
        title: tool.name,
        description: tool.description.to_owned(),
        input: tool.input.clone(),
        output: None,
        effect: Effect::Adds,
        kind: Kind::More(tool.clone()),
    }
}
