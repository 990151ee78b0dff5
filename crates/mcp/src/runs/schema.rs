//! The fields of the `codex.*` tools.

use codex::MAX_MODEL_TIMEOUT_SECONDS;
use serde_json::{Map, Value, json};

use super::{flag, text, texts};

/// Everything a run takes.
pub(super) fn run() -> Value {
    Value::Object(run_fields())
}

fn run_fields() -> Map<String, Value> {
    let fields = json!({
        "task": { "type": "string", "minLength": 1, "description": "What is to be done" },
        "args": { "type": "array", "items": { "type": "string" }, "description": "Arguments in the words of `adjutant run`, such as --task TEXT or --file PATH" },
        "tag": { "type": "string", "maxLength": 200, "description": "A word in the name of the session" },
        "cwd": cwd(),
        "sandbox": { "enum": ["read-only", "workspace-write", "danger-full-access"] },
        "approvalPolicy": { "enum": ["untrusted", "on-failure", "on-request", "never"] },
        "network": flag("Let commands in workspace-write reach the network"),
        "fullAuto": flag("The old word for workspace-write"),
        "dangerouslyBypass": flag("No sandbox and no questions; refused unless the server was started with --allow-bypass"),
        "model": text(),
        "profile": text(),
        "preset": { "enum": ["sprint", "analysis", "secure", "fast"] },
        "codexConfig": { "type": "object", "description": "Values of codex's configuration" },
        "timeout": { "type": "integer", "minimum": 1, "maximum": MAX_MODEL_TIMEOUT_SECONDS, "description": "End codex after so many seconds" },
        "carryContext": flag("Whether a repeated run goes on with the thread of the last one"),
        "compressContext": flag("Kept for callers of old"),
        "contextHead": { "type": "integer", "minimum": 0, "description": "Kept for callers of old" },
        "patchMode": flag("Change nothing: a patch is the result, kept with the session"),
        "requireChangeIn": { "type": "array", "items": { "type": "string" }, "description": "Not done before a file that matches has changed" },
        "requireGitCommit": flag("Not done before there is a new commit"),
        "autoCommitOnDone": flag("Commit everything when the task is done"),
        "autoCommitMessage": text(),
    });
    fields.as_object().cloned().unwrap_or_default()
}

pub(super) fn resume() -> Value {
    let mut fields = run_fields();
    fields.insert("jobId".to_owned(), job_id());
    let more = json!({
        "strategy": { "enum": ["from-last-checkpoint"], "description": "The conversation goes on where it ended" },
        "resumeFrom": text(),
        "resumeFromStep": { "anyOf": [{ "type": "string" }, { "type": "integer" }] },
        "skipCompleted": { "type": "boolean" },
        "reuseArtifacts": { "type": "boolean" },
    });
    fields.extend(more.as_object().cloned().unwrap_or_default());
    Value::Object(fields)
}

pub(super) fn reply() -> Value {
    let mut fields = run_fields();
    fields.remove("task");
    fields.insert("jobId".to_owned(), job_id());
    let more = json!({
        "message": { "type": "string", "minLength": 1 },
        "messageFile": { "type": "string", "description": "A file of this repository that holds the message" },
        "role": { "enum": ["user"] },
        "position": { "enum": ["append"] },
    });
    fields.extend(more.as_object().cloned().unwrap_or_default());
    Value::Object(fields)
}

pub(super) fn clean() -> Value {
    json!({
        "cwd": cwd(),
        "states": states(),
        "olderThanHours": { "type": "number", "minimum": 0 },
        "limit": { "type": "integer", "minimum": 1 },
        "dryRun": flag("Say what would be deleted"),
    })
}

pub(super) fn list() -> Value {
    json!({
        "cwd": cwd(),
        "state": states(),
        "tagContains": text(),
        "limit": { "type": "integer", "minimum": 1, "maximum": 500, "default": 50 },
        "offset": { "type": "integer", "minimum": 0 },
    })
}

pub(super) fn logs() -> Value {
    json!({
        "jobId": job_id(),
        "mode": { "enum": ["bytes", "lines"] },
        "offset": { "type": "integer", "minimum": 0 },
        "limit": { "type": "integer", "minimum": 1, "default": 4096 },
        "offsetLines": { "type": "integer", "minimum": 0 },
        "limitLines": { "type": "integer", "minimum": 1, "default": 200 },
        "tailLines": { "type": "integer", "minimum": 1 },
        "grep": { "type": "string", "maxLength": 1000, "description": "Only lines that match this regular expression" },
        "view": { "enum": ["default", "result-only", "debug"], "default": "default" },
        "cwd": cwd(),
    })
}

pub(super) fn logs_result() -> Value {
    let number = json!({ "type": "integer" });
    json!({
        "chunk": text(), "offset": number, "limit": number, "nextOffset": number, "eof": { "type": "boolean" },
        "size": number, "lines": texts(), "totalLines": number, "view": text(), "window": { "type": "object" },
    })
}

pub(super) fn exec_result() -> Value {
    json!({
        "runId": text(), "exitCode": { "type": "integer" }, "cwd": text(), "logFile": text(), "instructionsFile": text(),
        "metaFile": text(), "lastMessageFile": text(), "tag": text(), "processExit": or_null("integer"),
        "classification": text(), "reason": text(), "lastMessage": text(), "tokensUsed": or_null("integer"),
        "effectiveSandbox": text(), "reasons": texts(), "leftOut": texts(), "patchFile": text(),
    })
}

pub(super) fn start_result() -> Value {
    json!({
        "jobId": text(), "pid": { "type": "integer" }, "cwd": text(), "tag": text(), "logFile": text(), "metaGlob": text(),
        "lastMessageGlob": text(), "resumedFrom": text(), "next": { "type": "object" }, "hint": text(), "ignored": texts(),
        "leftOut": texts(),
    })
}

pub(super) fn state() -> Value {
    json!({
        "id": text(), "state": { "enum": ["running", "completed", "failed", "stopped", "lost"] },
        "exit_code": or_null("integer"), "classification": or_null("string"),
        "reason": or_null("string"), "tokens_used": or_null("integer"), "cwd": text(),
        "created_at": text(), "updated_at": text(), "tag": text(), "log_file": text(), "title": text(),
    })
}

/// Cannot lead out of the folder of sessions.
pub(super) fn job_id() -> Value {
    json!({ "type": "string", "pattern": "^[A-Za-z0-9][A-Za-z0-9_.-]{0,199}$" })
}

pub(super) fn cwd() -> Value {
    json!({ "type": "string", "description": "A directory of this repository; without one, its root" })
}

/// In one type each: not every client knows lists of types.
pub(super) fn or_null(kind: &str) -> Value {
    json!({ "anyOf": [{ "type": kind }, { "type": "null" }] })
}

pub(super) fn states() -> Value {
    json!({ "type": "array", "items": { "enum": ["running", "completed", "failed", "stopped", "lost"] } })
}
