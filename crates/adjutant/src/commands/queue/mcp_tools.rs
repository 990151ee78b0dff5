//! Defines the MCP tools that let a model add tasks to the queue and read them. A model cannot cancel a task.

use std::path::Path;
use std::sync::Arc;

use mcp::{Effect, Problem, ToolDefinition, ToolImplementation, input_schema, output_schema};
use policy::Sandbox;
use queue::{NewTask, StoreError, Task, TaskFilter, TaskState, TaskStore};
use runs::{AgentKind, RunRequest};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use super::add;
use super::{StoreArguments, task_id};
use crate::failure::Failure;

const DEFAULT_TASKS: usize = 20;
/// A model adds no further task if its repository has this many tasks that have not ended or were added in the last hour.
const MAX_RECENT_TASKS: i64 = 100;
/// The highest priority that a model can set. A user can set a higher one.
const MAX_PRIORITY: i64 = 100;
const MAX_PREDECESSORS: usize = 100;
const MAX_KEY_CHARACTERS: usize = 200;

/// The fields of `codex.queue_add`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct AddFields {
    task: String,
    sandbox: Option<Sandbox>,
    agent: Option<AgentKind>,
    #[serde(default)]
    priority: i64,
    #[serde(default)]
    after: Vec<String>,
    key: Option<String>,
    #[serde(default)]
    retries: u8,
    max_tokens: Option<u64>,
    max_turns: Option<u64>,
}

#[derive(Deserialize)]
struct Selection {
    state: Option<String>,
    limit: Option<usize>,
}

#[derive(Deserialize)]
struct Named {
    id: String,
}

/// Returns the queue tools. Tasks are added for the repository at `root`, and only its tasks can be read.
pub(crate) fn queue_tools(root: &Path) -> Vec<ToolDefinition> {
    let (for_add, for_list, for_show) = (root.to_owned(), root.to_owned(), root.to_owned());
    vec![
        ToolDefinition {
            name: "codex.queue_add",
            title: "Add a task to the queue",
            effect: Effect::RunsCodex,
            description: "Add a task to the queue and return its id. A worker that the user started runs the task later in its own git worktree, on the \
                          branch adjutant/ID.",
            input: add_schema(),
            output: output_schema(json!({
                "id": { "type": "string" },
                "notes": { "type": "array", "items": { "type": "string" } },
            })),
            kind: ToolImplementation::Run(Arc::new(move |_, fields| {
                add_task(&for_add, read(fields)?)
            })),
        },
        ToolDefinition {
            name: "codex.queue_list",
            title: "List the tasks in the queue",
            effect: Effect::ReadsOnly,
            description: "List the tasks of this repository in the queue, newest first.",
            input: input_schema(
                json!({
                    "state": { "type": "string", "enum": TaskState::ALL.map(TaskState::word) },
                    "limit": { "type": "integer", "minimum": 1, "maximum": 200 },
                }),
                &[],
            ),
            output: output_schema(
                json!({ "tasks": { "type": "array", "items": { "type": "object" } } }),
            ),
            kind: ToolImplementation::Run(Arc::new(move |_, fields| {
                list_tasks(&for_list, &read(fields)?)
            })),
        },
        ToolDefinition {
            name: "codex.queue_show",
            title: "Show a task in the queue",
            effect: Effect::ReadsOnly,
            description: "Show the state, result, branch and summary of a task of this repository.",
            input: input_schema(json!({ "id": { "type": "string" } }), &["id"]),
            output: output_schema(
                json!({ "id": { "type": "string" }, "state": { "type": "string" } }),
            ),
            kind: ToolImplementation::Run(Arc::new(move |_, fields| {
                show_task(&for_show, &read(fields)?)
            })),
        },
    ]
}

fn add_schema() -> Value {
    let number = json!({ "type": "integer", "minimum": 1 });
    input_schema(
        json!({
            "task": { "type": "string", "minLength": 1, "description": "The task for the agent." },
            "sandbox": { "type": "string", "enum": ["read-only", "workspace-write"], "description": "The sandbox. Default: read-only." },
            "agent": { "type": "string", "enum": ["codex", "claude"] },
            "priority": { "type": "integer", "minimum": -MAX_PRIORITY, "maximum": MAX_PRIORITY, "description": "Tasks with a higher number are taken first." },
            "after": { "type": "array", "items": { "type": "string" }, "maxItems": MAX_PREDECESSORS, "description": "Ids of tasks that must finish first. The task starts from their branches." },
            "key": { "type": "string", "maxLength": MAX_KEY_CHARACTERS, "description": "Adding a second task with the same key returns the first one." },
            "retries": { "type": "integer", "minimum": 0, "maximum": 100 },
            "maxTokens": number,
            "maxTurns": number,
        }),
        &["task"],
    )
}

fn read<T: DeserializeOwned>(fields: &Map<String, Value>) -> Result<T, Problem> {
    serde_json::from_value(Value::Object(fields.clone()))
        .map_err(|error| Problem::arguments(error.to_string()))
}

fn add_task(root: &Path, new: AddFields) -> Result<Value, Problem> {
    let mut after = Vec::new();
    if !new.after.is_empty() {
        let mut store = StoreArguments::default().open()?;
        for id in &new.after {
            after.push(own_task(&mut store, root, id)?.id);
        }
    }
    let run = RunRequest {
        cwd: Some(root.to_owned()),
        sandbox: new.sandbox,
        agent: new.agent,
        max_tokens: new.max_tokens,
        max_turns: new.max_turns,
        ..RunRequest::task(new.task)
    };
    let new = NewTask {
        priority: new.priority,
        after,
        key: new.key,
        max_retries: i64::from(new.retries),
        max_recent: Some(MAX_RECENT_TASKS),
        ..add::new_task(run)?
    };
    let (id, notes) = add::add(new, &StoreArguments::default())?;
    Ok(json!({ "id": id, "notes": notes }))
}

fn list_tasks(root: &Path, selection: &Selection) -> Result<Value, Problem> {
    let filter = TaskFilter {
        states: selection.state.as_deref().and_then(TaskState::named).into_iter().collect(),
        repository: Some(root.to_owned()),
        limit: Some(selection.limit.unwrap_or(DEFAULT_TASKS)),
        ..TaskFilter::default()
    };
    let mut store = StoreArguments::default().open()?;
    let tasks = store.tasks(&filter).map_err(Failure::from)?;
    Ok(json!({ "tasks": tasks.iter().map(described).collect::<Vec<_>>() }))
}

fn show_task(root: &Path, named: &Named) -> Result<Value, Problem> {
    let mut store = StoreArguments::default().open()?;
    let task = own_task(&mut store, root, &named.id)?;
    let mut shown = described(&task);
    shown["summary"] = json!(task.product.summary);
    shown["reason"] = json!(task.reason);
    shown["patch"] = json!(task.product.patch);
    Ok(shown)
}

/// Returns a task of the repository at `root`. Tasks of other repositories are hidden, so the error is the same as for a
/// task that does not exist.
fn own_task(store: &mut TaskStore, root: &Path, id: &str) -> Result<Task, Failure> {
    let id = task_id(id)?;
    let task = store.task(&id).map_err(Failure::from)?;
    if task.repository == root { Ok(task) } else { Err(Failure::from(StoreError::UnknownTask(id))) }
}

fn described(task: &Task) -> Value {
    json!({
        "id": task.id,
        "title": task.title,
        "state": task.state,
        "class": task.class,
        "priority": task.priority,
        "after": task.after,
        "branch": task.product.branch,
        "tokens": task.usage.tokens.total(),
        "waitingUntil": task.waiting_until,
    })
}

impl From<Failure> for Problem {
    fn from(failure: Failure) -> Self {
        let problem = Self::arguments(failure.message);
        match failure.hint {
            Some(hint) => problem.hint(hint),
            None => problem,
        }
    }
}
