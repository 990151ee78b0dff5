//! `codex.exec`, `start`, `resume` and `reply`.

use std::io;

use codex::{Continues, Instructions, NoHooks, Origin, Outcome, Spec, Started};
use serde_json::{Map, Value, json};

use super::{orders, place};
use crate::argument::Given;
use crate::context::CallContext;
use crate::options::RunOrder;
use crate::problem::Problem;

const GO_ON: &str = "Go on where you stopped.";
/// The end of a longer one says what came of it.
const MAX_MESSAGE: usize = 16 * 1024;
const MAX_MESSAGE_FILE: u64 = 1024 * 1024;

pub(super) fn exec(
    context: &CallContext,
    arguments: &Map<String, Value>,
) -> Result<Value, Problem> {
    let mut spec = described(context, Given(arguments), Origin::Run)?;
    // Whoever stops this run stops codex, not the server.
    spec.shares_process = true;
    let _slot = context.slots.take(&context.host)?;
    context.tell("codex is being started");
    // The call itself goes through the lifecycle; the run in it must not once more.
    let outcome =
        codex::exec(&spec, &context.host.codex, &context.switch, &NoHooks, &mut |line| {
            context.tell(line);
        })?;
    Ok(exec_result(&outcome, &spec))
}

fn exec_result(outcome: &Outcome, spec: &Spec) -> Value {
    let meta = &outcome.meta;
    let mut result = json!({
        "runId": meta.session,
        "exitCode": meta.exit_code,
        "cwd": meta.cwd,
        "logFile": meta.log_file,
        "instructionsFile": meta.instructions_file,
        "metaFile": outcome.session.meta(meta.iteration),
        "lastMessageFile": meta.last_message_file,
        "tag": spec.tag,
        "processExit": meta.codex_exit_code,
        "classification": meta.classification,
        "reason": meta.reason,
        "lastMessage": end_of(&outcome.session.last_message_text(meta.iteration)),
        "tokensUsed": meta.tokens_used,
        "effectiveSandbox": meta.effective_sandbox,
        "reasons": meta.reasons,
    });
    if let Some(path) = meta.patch_artifact.as_ref().and_then(|patch| patch["path"].as_str()) {
        result["patchFile"] = json!(path);
    }
    tell_left_out(&mut result, spec);
    if meta.exit_code != 0 {
        result["error"] = json!({
            "code": "CLI_NON_ZERO_EXIT",
            "message": format!("codex ended with {}: {}", meta.exit_code, meta.reason),
            "hint": "`codex.logs` with view `result-only` shows what it said",
        });
    }
    result
}

/// Files that a folder or a pattern matched and that codex was not given.
fn tell_left_out(result: &mut Value, spec: &Spec) {
    if !spec.instructions.left_out.is_empty() {
        result["leftOut"] = json!(spec.instructions.left_out);
    }
}

fn end_of(text: &str) -> String {
    let mut from = text.len().saturating_sub(MAX_MESSAGE);
    while !text.is_char_boundary(from) {
        from += 1;
    }
    text[from..].to_owned()
}

pub(super) fn start(
    context: &CallContext,
    arguments: &Map<String, Value>,
) -> Result<Value, Problem> {
    let spec = described(context, Given(arguments), Origin::Job)?;
    started(context, &spec, &[])
}

pub(super) fn resume(
    context: &CallContext,
    arguments: &Map<String, Value>,
) -> Result<Value, Problem> {
    let given = Given(arguments);
    let (mut spec, has_task) = continued(context, given)?;
    if !has_task {
        spec.instructions = Instructions::message(GO_ON);
    }
    // Steps and artifacts were the old way to go on; the conversation knows what was done.
    let old = ["resumeFrom", "resumeFromStep", "skipCompleted", "reuseArtifacts"];
    let ignored: Vec<&str> = old.into_iter().filter(|key| arguments.contains_key(*key)).collect();
    started(context, &spec, &ignored)
}

pub(super) fn reply(
    context: &CallContext,
    arguments: &Map<String, Value>,
) -> Result<Value, Problem> {
    let given = Given(arguments);
    let message = match (given.text("message"), given.text("messageFile")) {
        (Some(message), None) => message.to_owned(),
        (None, Some(file)) => read(context, file)?,
        (Some(_), Some(_)) => {
            return Err(Problem::arguments("`message` and `messageFile` contradict each other"));
        }
        (None, None) => return Err(Problem::arguments("`message` is missing")),
    };
    let (mut spec, _) = continued(context, given)?;
    spec.instructions = Instructions::message(&message);
    started(context, &spec, &[])
}

/// Through the root of the repository: no name leads out of it.
fn read(context: &CallContext, file: &str) -> Result<String, Problem> {
    let unreadable =
        |error: String| Problem::arguments(format!("`{file}` cannot be read: {error}"));
    let root =
        guard::Root::open(&context.host.root).map_err(|error| unreadable(error.to_string()))?;
    let opened = root
        .open_file(std::path::Path::new(file))
        .map_err(|error| unreadable(error.to_string()))?;
    let mut text = String::new();
    let mut limited = io::Read::take(opened, MAX_MESSAGE_FILE);
    io::Read::read_to_string(&mut limited, &mut text)
        .map_err(|error| unreadable(error.to_string()))?;
    Ok(text)
}

fn described(context: &CallContext, given: Given<'_>, origin: Origin) -> Result<Spec, Problem> {
    let order = RunOrder {
        origin,
        arguments: orders::command_line(given, true),
        directory: place::directory(context, given)?,
        continues: None,
    };
    let has_task = given.text("task").is_some() || !given.texts("args").is_empty();
    if !has_task {
        return Err(Problem::arguments("there is nothing to do").hint("say it in `task`"));
    }
    (context.host.describe)(&order)
}

/// The run that goes on where the named one ended, and whether it was told what to do.
fn continued(context: &CallContext, given: Given<'_>) -> Result<(Spec, bool), Problem> {
    let (id, state) = place::session(context, given)?;
    let (continues, _): (Continues, _) = place::sessions(context).continues(&id)?;
    let directory = match given.text("cwd") {
        Some(_) => place::directory(context, given)?,
        // A link may be where the directory was when the session began.
        None => place::inside(context, &state.cwd)?,
    };
    let order = RunOrder {
        origin: Origin::Job,
        arguments: orders::command_line(given, false),
        directory,
        continues: Some(continues),
    };
    let mut spec = (context.host.describe)(&order)?;
    if spec.tag.is_empty() {
        spec.tag = state.tag;
    }
    let has_task = !spec.instructions.text.trim().is_empty() && given.text("task").is_some()
        || !given.texts("args").is_empty();
    Ok((spec, has_task))
}

fn started(context: &CallContext, spec: &Spec, ignored: &[&str]) -> Result<Value, Problem> {
    let turn = context.slots.for_job(&context.host)?;
    let Started { session, supervisor } = codex::start(spec, &context.host.codex)?;
    drop(turn);
    let job = json!({ "jobId": session.id });
    let mut result = json!({
        "jobId": session.id,
        "pid": supervisor,
        "cwd": spec.directory,
        "tag": spec.tag,
        "logFile": session.log(),
        "metaGlob": session.meta_glob(),
        "lastMessageGlob": session.last_message_glob(),
        "next": {
            "status": { "tool": "codex.status", "arguments": job },
            "logs": { "tool": "codex.logs", "arguments": { "jobId": session.id, "tailLines": 50 } },
            "stop": { "tool": "codex.stop", "arguments": job },
        },
        "hint": "the job goes on by itself; ask codex.status now and then",
    });
    if let Some(earlier) = &spec.continues {
        result["resumedFrom"] = json!(earlier.session);
    }
    tell_left_out(&mut result, spec);
    if !ignored.is_empty() {
        result["ignored"] = json!(ignored);
    }
    Ok(result)
}
