//! Provides unattended codex runs as MCP tools (`codex.*`).
//!
//! These tools work only in the server's repository and show only sessions that ran there.

mod about;
mod jobs;
mod logs;
mod run_request;
mod scope;
mod start;

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use crate::call::CallContext;
use crate::catalogue::{Effect, ToolDefinition, ToolImplementation, input_schema, output_schema};
use crate::problem::Problem;

/// Parses the arguments of a call, runs the tool and serialises its result.
fn work<T: DeserializeOwned, A: Serialize>(
    context: &CallContext,
    arguments: &Map<String, Value>,
    tool: fn(&CallContext, T) -> Result<A, Problem>,
) -> Result<Value, Problem> {
    let arguments =
        T::deserialize(arguments).map_err(|error| Problem::arguments(error.to_string()))?;
    let answer = tool(context, arguments)?;
    serde_json::to_value(answer).map_err(|error| Problem::new("INTERNAL", error.to_string()))
}

/// The groups of fields from which the tool schemas are composed, by name.
static FIELDS: LazyLock<BTreeMap<String, BTreeMap<String, Value>>> = LazyLock::new(|| {
    serde_json::from_str(include_str!("run_tools/fields.json")).unwrap_or_default()
});

struct Row {
    name: &'static str,
    title: &'static str,
    description: &'static str,
    /// The names of the field groups that the tool accepts.
    input: &'static [&'static str],
    /// The name of the field group that the tool returns.
    output: &'static str,
    effect: Effect,
    work: fn(&CallContext, &Map<String, Value>) -> Result<Value, Problem>,
}

const ROWS: [Row; 12] = [
    Row {
        name: "codex.exec",
        title: "Run codex",
        description: "Run codex unattended on a task and wait for the end. This takes minutes: if the client has a time limit, use \
                      codex.start. The default sandbox is workspace-write.",
        input: &["task", "run"],
        output: "exec-result",
        effect: Effect::RunsCodex,
        work: |context, arguments| work(context, arguments, start::exec),
    },
    Row {
        name: "codex.start",
        title: "Start a codex job",
        description: "Start codex unattended on a task in the background and return the id of the job. The job continues if this \
                      server stops.",
        input: &["task", "run"],
        output: "start-result",
        effect: Effect::RunsCodex,
        work: |context, arguments| work(context, arguments, start::start),
    },
    Row {
        name: "codex.resume",
        title: "Continue a codex job",
        description: "Continue the conversation of an ended job in a new job with the same sandbox.",
        input: &["task", "run", "resume", "job"],
        output: "start-result",
        effect: Effect::RunsCodex,
        work: |context, arguments| work(context, arguments, start::resume),
    },
    Row {
        name: "codex.reply",
        title: "Answer a codex job",
        description: "Send a message to the conversation of an ended job, which continues in a new job with the same sandbox.",
        input: &["run", "reply", "job"],
        output: "start-result",
        effect: Effect::RunsCodex,
        work: |context, arguments| work(context, arguments, start::reply),
    },
    Row {
        name: "codex.stop",
        title: "Stop a codex job",
        description: "Stop a job and all processes that it started; returns when all of them have exited.",
        input: &["job", "stop", "directory"],
        output: "stop-result",
        effect: Effect::Destroys,
        work: |context, arguments| work(context, arguments, jobs::stop),
    },
    Row {
        name: "codex.clean",
        title: "Delete old codex jobs",
        description: "Delete the records of ended jobs. Running jobs are kept.",
        input: &["clean", "directory"],
        output: "clean-result",
        effect: Effect::Destroys,
        work: |context, arguments| work(context, arguments, jobs::clean),
    },
    Row {
        name: "codex.status",
        title: "Status of a codex job",
        description: "Return the state, exit code, classification and tokens of a job.",
        input: &["job", "directory"],
        output: "status-result",
        effect: Effect::ReadsOnly,
        work: |context, arguments| work(context, arguments, jobs::status),
    },
    Row {
        name: "codex.logs",
        title: "Log of a codex job",
        description: "Return a part of the log of a job: bytes from an offset, lines, or the last lines.",
        input: &["job", "logs", "directory"],
        output: "logs-result",
        effect: Effect::ReadsOnly,
        work: |context, arguments| work(context, arguments, logs::logs),
    },
    Row {
        name: "codex.list",
        title: "List codex jobs",
        description: "List the jobs of this repository, newest first.",
        input: &["list", "directory"],
        output: "list-result",
        effect: Effect::ReadsOnly,
        work: |context, arguments| work(context, arguments, jobs::list),
    },
    Row {
        name: "codex.metrics",
        title: "Metrics of codex jobs",
        description: "Count jobs and tokens by state and classification.",
        input: &["metrics", "directory"],
        output: "metrics-result",
        effect: Effect::ReadsOnly,
        work: |context, arguments| work(context, arguments, jobs::metrics),
    },
    Row {
        name: "codex.version",
        title: "Versions",
        description: "Return the version of this server and of the installed codex.",
        input: &[],
        output: "version-result",
        effect: Effect::ReadsOnly,
        work: |context, arguments| work(context, arguments, about::version),
    },
    Row {
        name: "codex.help",
        title: "Help",
        description: "Describe the arguments of the codex.* tools.",
        input: &["help"],
        output: "help-result",
        effect: Effect::ReadsOnly,
        work: |context, arguments| work(context, arguments, about::help),
    },
];

pub(crate) fn definitions() -> Vec<ToolDefinition> {
    ROWS.iter().map(definition).collect()
}

fn definition(row: &Row) -> ToolDefinition {
    let fields = |groups: &[&str]| {
        let groups = groups.iter().filter_map(|group| FIELDS.get(*group));
        json!(groups.flatten().collect::<BTreeMap<_, _>>())
    };
    let required: &[&str] = if row.input.contains(&"job") { &["jobId"] } else { &[] };
    ToolDefinition {
        name: row.name,
        title: row.title,
        description: row.description,
        input: input_schema(fields(row.input), required),
        output: output_schema(fields(&[row.output])),
        effect: row.effect,
        kind: match row.name {
            "codex.exec" => ToolImplementation::WholeRun(Arc::new(row.work)),
            _ => ToolImplementation::Run(Arc::new(row.work)),
        },
    }
}

#[cfg(test)]
mod tests;
