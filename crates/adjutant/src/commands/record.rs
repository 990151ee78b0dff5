//! Formats the record of a tool call as JSON.

use serde_json::{Value, json};
use toolcall::Record;

pub(super) fn record(record: &Record) -> Value {
    json!({
        "status": record.status.word(),
        "arguments": record.arguments,
        "hooks": hooks(record),
        "notes": record.notes,
    })
}

pub(super) fn hooks(record: &Record) -> Value {
    let run = |run: &toolcall::HookRun| {
        json!({
            "hook": run.hook, "exit": run.exit, "duration_ms": run.duration_ms, "bytes": run.bytes, "cut": run.cut,
        })
    };
    record.hooks.iter().map(run).collect()
}
