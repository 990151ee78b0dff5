//! `codex.*`: unattended runs as MCP tools, with the schemas and results callers already know.
//!
//! Nothing here widens what was asked for, works outside the repository, or shows a session that did.

mod about;
mod end;
mod logs;
mod look;
mod orders;
mod place;
mod schema;
mod start;

use serde_json::{Value, json};

use crate::catalogue::{Definition, Effect, Kind, Work, input, output};

pub(crate) fn definitions() -> Vec<Definition> {
    let mut all = run_definitions();
    all.extend(look_definitions());
    all
}

fn run_definitions() -> Vec<Definition> {
    let destroys = |name, title, description, input, output, work| {
        definition(name, title, description, input, output, Effect::Destroys, work)
    };
    let mut exec = destroys(
        "codex.exec",
        "Run codex",
        "Run codex unattended on a task and wait for the end. Takes minutes: where a client has a time limit use \
         codex.start. Without a sandbox it is workspace-write.",
        input(schema::run(), &[]),
        output(schema::exec_result()),
        start::exec as Work,
    );
    exec.kind = Kind::WholeRun(start::exec);
    vec![
        exec,
        destroys(
            "codex.start",
            "Start a codex job",
            "Start codex unattended on a task, in the background; returns the job's id at once. The job goes on when this \
             server ends.",
            input(schema::run(), &[]),
            output(schema::start_result()),
            start::start,
        ),
        destroys(
            "codex.resume",
            "Go on with a codex job",
            "Go on with the conversation of a job that is over, in a new job. Keeps its sandbox.",
            input(schema::resume(), &["jobId"]),
            output(schema::start_result()),
            start::resume,
        ),
        destroys(
            "codex.reply",
            "Answer a codex job",
            "Send a message into the conversation of a job that is over; a new job goes on from there. Keeps its sandbox.",
            input(schema::reply(), &["jobId"]),
            output(schema::start_result()),
            start::reply,
        ),
        destroys(
            "codex.stop",
            "Stop a codex job",
            "End a job and everything it started; returns when nothing of it runs.",
            input(
                json!({ "jobId": schema::job_id(), "force": flag("No grace: kill at once"), "cwd": schema::cwd() }),
                &["jobId"],
            ),
            output(
                json!({ "jobId": text(), "previousState": text(), "newState": text(), "forced": { "type": "boolean" }, "action": text() }),
            ),
            end::stop,
        ),
        destroys(
            "codex.clean",
            "Delete old codex jobs",
            "Delete what is written down of jobs that are over. Those that run stay.",
            input(schema::clean(), &[]),
            output(
                json!({ "deleted": texts(), "failed": texts(), "dryRun": { "type": "boolean" } }),
            ),
            end::clean,
        ),
    ]
}

fn look_definitions() -> Vec<Definition> {
    let reads = |name, title, description, input, output, work: Work| {
        definition(name, title, description, input, output, Effect::ReadsOnly, work)
    };
    vec![
        reads(
            "codex.status",
            "Status of a codex job",
            "How far a job is, or how it ended: state, exit code, classification, tokens.",
            input(json!({ "jobId": schema::job_id(), "cwd": schema::cwd() }), &["jobId"]),
            output(schema::state()),
            look::status,
        ),
        reads(
            "codex.logs",
            "Log of a codex job",
            "The log of a job, a window at a time: bytes from an offset, lines, or the last lines.",
            input(schema::logs(), &["jobId"]),
            output(schema::logs_result()),
            logs::logs,
        ),
        reads(
            "codex.list",
            "List codex jobs",
            "The jobs of this repository, the newest first.",
            input(schema::list(), &[]),
            output(
                json!({ "jobs": { "type": "array", "items": { "type": "object" } }, "count": { "type": "integer" } }),
            ),
            look::list,
        ),
        reads(
            "codex.metrics",
            "Metrics of codex jobs",
            "How many jobs ended how, and what they cost in tokens.",
            input(json!({ "cwd": schema::cwd(), "states": schema::states() }), &[]),
            output(
                json!({ "total": { "type": "integer" }, "byState": { "type": "object" }, "byClassification": { "type": "object" }, "tokensUsed": { "type": "integer" } }),
            ),
            look::metrics,
        ),
        reads(
            "codex.version",
            "Versions",
            "The version of this server and of the codex it would run.",
            input(json!({}), &[]),
            output(json!({ "server": text(), "codex": schema::or_null("string") })),
            about::version,
        ),
        reads(
            "codex.help",
            "Help",
            "What the codex.* tools take and return.",
            input(
                json!({ "tool": text(), "format": { "enum": ["markdown", "json"], "default": "markdown" } }),
                &[],
            ),
            output(json!({ "tools": { "type": "array" }, "help": text() })),
            about::help,
        ),
    ]
}

fn definition(
    name: &'static str,
    title: &'static str,
    description: &str,
    input: Value,
    output: Option<Value>,
    effect: Effect,
    work: Work,
) -> Definition {
    Definition {
        name,
        title,
        description: description.to_owned(),
        input,
        output,
        effect,
        kind: Kind::Run(work),
    }
}

fn text() -> Value {
    json!({ "type": "string" })
}

fn texts() -> Value {
    json!({ "type": "array", "items": { "type": "string" } })
}

fn flag(description: &str) -> Value {
    json!({ "type": "boolean", "description": description })
}

#[cfg(test)]
mod tests;
