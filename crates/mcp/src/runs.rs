//! `codex.*`: unattended runs as MCP tools.
//!
//! A tool works only in the repository of the server and shows only sessions that ran there.

mod about;
mod end;
mod logs;
mod look;
mod place;
mod request;
mod start;

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use crate::catalogue::{Definition, Effect, Kind, Work, input, output};
use crate::context::CallContext;
use crate::problem::Problem;

pub use request::{ConfigValue, RunFields, RunRequest};

/// The arguments of a tool.
trait RunTool: DeserializeOwned {
    type Answer: Serialize;

    fn run(self, context: &CallContext) -> Result<Self::Answer, Problem>;
}

/// Parses the arguments of a call, runs the tool and serialises its answer.
fn work<T: RunTool>(
    context: &CallContext,
    arguments: &Map<String, Value>,
) -> Result<Value, Problem> {
    let arguments =
        T::deserialize(arguments).map_err(|error| Problem::arguments(error.to_string()))?;
    let answer = arguments.run(context)?;
    serde_json::to_value(answer).map_err(|error| Problem::new("INTERNAL", error.to_string()))
}

/// The groups of fields in the schemas of the tools.
static FIELDS: LazyLock<BTreeMap<String, BTreeMap<String, Value>>> =
    LazyLock::new(|| serde_json::from_str(include_str!("runs/fields.json")).unwrap_or_default());

struct Row {
    name: &'static str,
    title: &'static str,
    description: &'static str,
    /// The groups of fields that the tool accepts.
    input: &'static [&'static str],
    required: &'static [&'static str],
    /// The group of fields that the tool returns.
    output: &'static str,
    effect: Effect,
    work: Work,
}

const ROWS: [Row; 12] = [
    Row {
        name: "codex.exec",
        title: "Run codex",
        description: "Run codex unattended on a task and wait for the end. This takes minutes: if the client has a time limit, use \
                      codex.start. The default sandbox is workspace-write.",
        input: &["task", "run"],
        required: &[],
        output: "exec-result",
        effect: Effect::Destroys,
        work: work::<start::Exec>,
    },
    Row {
        name: "codex.start",
        title: "Start a codex job",
        description: "Start codex unattended on a task in the background and return the id of the job. The job continues when this \
                      server ends.",
        input: &["task", "run"],
        required: &[],
        output: "start-result",
        effect: Effect::Destroys,
        work: work::<start::Start>,
    },
    Row {
        name: "codex.resume",
        title: "Continue a codex job",
        description: "Continue the conversation of an ended job in a new job with the same sandbox.",
        input: &["task", "run", "resume", "job"],
        required: &["jobId"],
        output: "start-result",
        effect: Effect::Destroys,
        work: work::<start::Resume>,
    },
    Row {
        name: "codex.reply",
        title: "Answer a codex job",
        description: "Send a message to the conversation of an ended job, which continues in a new job with the same sandbox.",
        input: &["run", "reply", "job"],
        required: &["jobId"],
        output: "start-result",
        effect: Effect::Destroys,
        work: work::<start::Reply>,
    },
    Row {
        name: "codex.stop",
        title: "Stop a codex job",
        description: "Stop a job and all processes that it started; returns when none of them runs.",
        input: &["job", "stop", "directory"],
        required: &["jobId"],
        output: "stop-result",
        effect: Effect::Destroys,
        work: work::<end::Stop>,
    },
    Row {
        name: "codex.clean",
        title: "Delete old codex jobs",
        description: "Delete the records of ended jobs. Running jobs are kept.",
        input: &["clean", "directory"],
        required: &[],
        output: "clean-result",
        effect: Effect::Destroys,
        work: work::<end::Clean>,
    },
    Row {
        name: "codex.status",
        title: "Status of a codex job",
        description: "Return the state, exit code, classification and tokens of a job.",
        input: &["job", "directory"],
        required: &["jobId"],
        output: "status-result",
        effect: Effect::ReadsOnly,
        work: work::<look::Status>,
    },
    Row {
        name: "codex.logs",
        title: "Log of a codex job",
        description: "Return a part of the log of a job: bytes from an offset, lines, or the last lines.",
        input: &["job", "logs", "directory"],
        required: &["jobId"],
        output: "logs-result",
        effect: Effect::ReadsOnly,
        work: work::<logs::Logs>,
    },
    Row {
        name: "codex.list",
        title: "List codex jobs",
        description: "List the jobs of this repository, newest first.",
        input: &["list", "directory"],
        required: &[],
        output: "list-result",
        effect: Effect::ReadsOnly,
        work: work::<look::List>,
    },
    Row {
        name: "codex.metrics",
        title: "Metrics of codex jobs",
        description: "Count jobs and tokens by state and classification.",
        input: &["metrics", "directory"],
        required: &[],
        output: "metrics-result",
        effect: Effect::ReadsOnly,
        work: work::<look::Metrics>,
    },
    Row {
        name: "codex.version",
        title: "Versions",
        description: "Return the version of this server and of the installed codex.",
        input: &[],
        required: &[],
        output: "version-result",
        effect: Effect::ReadsOnly,
        work: work::<about::Version>,
    },
    Row {
        name: "codex.help",
        title: "Help",
        description: "Describe the arguments of the codex.* tools.",
        input: &["help"],
        required: &[],
        output: "help-result",
        effect: Effect::ReadsOnly,
        work: work::<about::Help>,
    },
];

pub(crate) fn definitions() -> Vec<Definition> {
    ROWS.iter().map(definition).collect()
}

fn definition(row: &Row) -> Definition {
    let fields = |groups: &[&str]| {
        let groups = groups.iter().filter_map(|group| FIELDS.get(*group));
        json!(groups.flatten().collect::<BTreeMap<_, _>>())
    };
    Definition {
        name: row.name,
        title: row.title,
        description: row.description.to_owned(),
        input: input(fields(row.input), row.required),
        output: output(fields(&[row.output])),
        effect: row.effect,
        kind: match row.name {
            "codex.exec" => Kind::WholeRun(row.work),
            _ => Kind::Run(row.work),
        },
    }
}

#[cfg(test)]
mod tests;
