//! Implements `codex.exec`, `codex.start`, `codex.resume` and `codex.reply`.

use std::io;
use std::path::Path;

use runs::{
    Instructions, Origin, PatchArtifact, RunOutcome, RunPlace, RunRequest, RunWish, Spec, Started,
};
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::run_request::RunFields;
use super::scope::{self, SessionArguments};
use crate::call::CallContext;
use crate::problem::Problem;
use crate::slots::ReleaseTurn;

/// The maximum number of bytes of codex's last message that `codex.exec` returns. Only the end of a longer message is
/// returned.
const MAX_MESSAGE: usize = 16 * 1024;
const MAX_MESSAGE_FILE: u64 = 1024 * 1024;

pub(super) fn exec(context: &CallContext, fields: RunFields) -> Result<Value, Problem> {
    let mut spec = describe_new(context, fields, Origin::Run)?;
    // `codex.stop` must stop codex, but not the server process.
    spec.shares_process = true;
    let turn = context.slots.turn(&context.host)?;
    let _slot = context.slots.take(&turn);
    context.tell("starting codex");
    // The user's hooks are not passed on, because the lifecycle of this tool call already runs them.
    let hooks = ReleaseTurn::new(turn);
    let host = &context.host.codex;
    let mut on_line = |line: &str| context.tell(line);
    let outcome = runs::exec(&spec, host, &context.switch, &hooks, &mut on_line)?;
    Ok(exec_answer(&outcome, &spec))
}

fn exec_answer(RunOutcome { meta, session, .. }: &RunOutcome, spec: &Spec) -> Value {
    let last_message = session.last_message_text(meta.iteration);
    let start = last_message.len().saturating_sub(MAX_MESSAGE);
    let mut answer = json!({
        "runId": meta.session,
        "exitCode": meta.exit_code,
        "cwd": meta.cwd,
        "logFile": meta.log_file,
        "instructionsFile": meta.instructions_file,
        "metaFile": session.meta(meta.iteration),
        "lastMessageFile": meta.last_message_file,
        "tag": spec.tag,
        "processExit": meta.codex_exit_code,
        "classification": meta.classification,
        "reason": meta.reason,
        "lastMessage": last_message[last_message.ceil_char_boundary(start)..],
        "tokensUsed": meta.tokens_used,
        "effectiveSandbox": meta.effective_sandbox,
        "reasons": meta.reasons,
    });
    if let Some(path) = meta.patch_artifact.as_ref().and_then(PatchArtifact::path) {
        answer["patchFile"] = json!(path);
    }
    add_list(&mut answer, "leftOut", &spec.instructions.left_out);
    if meta.exit_code != 0 {
        answer["error"] = json!({
            "code": "CLI_NON_ZERO_EXIT",
            "message": format!("codex ended with {}: {}", meta.exit_code, meta.reason),
            "hint": "`codex.logs` with view `result-only` shows the output of codex",
        });
    }
    answer
}

fn add_list<T: Serialize>(answer: &mut Value, name: &str, items: &[T]) {
    if !items.is_empty() {
        answer[name] = json!(items);
    }
}

pub(super) fn start(context: &CallContext, fields: RunFields) -> Result<Value, Problem> {
    let spec = describe_new(context, fields, Origin::Job)?;
    start_job(context, &spec, &[])
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Resume {
    job_id: String,
    #[serde(flatten)]
    fields: RunFields,
    // Obsolete arguments that are accepted but ignored: the conversation already contains the earlier steps.
    resume_from: Option<IgnoredAny>,
    resume_from_step: Option<IgnoredAny>,
    skip_completed: Option<IgnoredAny>,
    reuse_artifacts: Option<IgnoredAny>,
}

pub(super) fn resume(context: &CallContext, arguments: Resume) -> Result<Value, Problem> {
    let ignored = [
        ("resumeFrom", arguments.resume_from.is_some()),
        ("resumeFromStep", arguments.resume_from_step.is_some()),
        ("skipCompleted", arguments.skip_completed.is_some()),
        ("reuseArtifacts", arguments.reuse_artifacts.is_some()),
    ];
    let ignored = ignored.into_iter().filter(|(_, is_given)| *is_given);
    let ignored: Vec<&str> = ignored.map(|(name, _)| name).collect();
    let spec = describe_continued(context, arguments.job_id, arguments.fields)?;
    start_job(context, &spec, &ignored)
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Reply {
    job_id: String,
    message: Option<String>,
    message_file: Option<String>,
    #[serde(flatten)]
    fields: RunFields,
}

pub(super) fn reply(context: &CallContext, arguments: Reply) -> Result<Value, Problem> {
    let message = match (arguments.message, arguments.message_file) {
        (Some(message), None) => message,
        (None, Some(file)) => read_message(context, &file)?,
        (Some(_), Some(_)) => {
            return Err(Problem::arguments("`message` and `messageFile` cannot be combined"));
        }
        (None, None) => return Err(Problem::arguments("`message` is missing")),
    };
    let mut spec = describe_continued(context, arguments.job_id, arguments.fields)?;
    spec.instructions = Instructions::message(&message);
    start_job(context, &spec, &[])
}

/// Reads the message for `codex.reply` from a file inside the repository. `file` is relative to the repository root.
fn read_message(context: &CallContext, file: &str) -> Result<String, Problem> {
    let unreadable =
        |error: String| Problem::arguments(format!("`{file}` cannot be read: {error}"));
    let root =
        guard::Root::open(&context.host.root).map_err(|error| unreadable(error.to_string()))?;
    let opened = root.open_file(Path::new(file)).map_err(|error| unreadable(error.to_string()))?;
    let mut text = String::new();
    let mut limited = io::Read::take(opened, MAX_MESSAGE_FILE);
    io::Read::read_to_string(&mut limited, &mut text)
        .map_err(|error| unreadable(error.to_string()))?;
    Ok(text)
}

fn describe_new(context: &CallContext, fields: RunFields, origin: Origin) -> Result<Spec, Problem> {
    let directory = scope::inside(context, Path::new(fields.cwd.as_deref().unwrap_or(".")))?;
    if fields.task.is_none() && fields.args.is_empty() {
        return Err(Problem::arguments("`task` is missing").hint("describe the task in `task`"));
    }
    let command_line = fields.words();
    let request = requested(context, fields)?;
    let place = place(context, &directory);
    let wish = RunWish { origin, author: context.host.author, continues: None };
    Ok(Spec { command_line, ..request.describe(place, wish, &context.host.codex)? })
}

/// Returns what a client asks for with fields and with flags in `args`.
fn requested(context: &CallContext, fields: RunFields) -> Result<RunRequest, Problem> {
    let wrong = |message: String| Problem::new("INVALID_ARGUMENTS", message);
    let mut request = match fields.args.as_slice() {
        [] => RunRequest::default(),
        args => (context.host.parse_flags)(args).map_err(|message| {
            wrong(message).hint("`adjutant run --help-all` lists the flags for `args`")
        })?,
    };
    fields.add_to(&mut request).map_err(wrong)?;
    Ok(request)
}

/// A model names files relative to the working directory, and reads only files of the repository.
fn place<'a>(context: &'a CallContext, directory: &'a Path) -> RunPlace<'a> {
    RunPlace { directory, here: directory, confined_to: Some(&context.host.root) }
}

/// Describes a run that continues the conversation of the session `job_id`, in its directory or in one inside it.
fn describe_continued(
    context: &CallContext,
    job_id: String,
    fields: RunFields,
) -> Result<Spec, Problem> {
    let (id, state) = scope::session(context, &SessionArguments { job_id, cwd: None })?;
    let (continues, _) = scope::sessions(context).continues(&id)?;
    let directory = match fields.cwd.as_deref() {
        Some(named) => scope::inside(context, Path::new(named))?,
        None => scope::inside(context, &state.cwd)?,
    };
    // A wider directory is more than the job could write to. Without `cwd`, the directory is wider if the job's directory
    // was replaced with a symbolic link since the earlier run.
    if !directory.starts_with(&state.cwd) {
        let (directory, own) = (directory.display(), state.cwd.display());
        let message = format!("`{id}` worked in `{own}` and cannot continue in `{directory}`");
        return Err(
            Problem::arguments(message).hint("omit `cwd`, or start a new job with `codex.start`")
        );
    }
    let command_line = fields.words();
    let request = requested(context, fields)?;
    let place = place(context, &directory);
    let host = &context.host;
    let spec = request.describe_continued(place, host.author, (continues, state), &host.codex)?;
    Ok(Spec { command_line, ..spec })
}

fn start_job(context: &CallContext, spec: &Spec, ignored: &[&str]) -> Result<Value, Problem> {
    let turn = context.slots.turn(&context.host)?;
    let Started { session, supervisor, .. } = runs::start(spec, &context.host.codex)?;
    drop(turn);
    let job = json!({ "jobId": session.id });
    let mut answer = json!({
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
        "hint": "the job runs in the background; poll codex.status",
    });
    if let Some(earlier) = &spec.continues {
        answer["resumedFrom"] = json!(earlier.session);
    }
    add_list(&mut answer, "leftOut", &spec.instructions.left_out);
    add_list(&mut answer, "ignored", ignored);
    Ok(answer)
}
