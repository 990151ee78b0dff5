//! The record of a tool call as JSON.

use serde_json::{Value, json};
use toolcall::{HookRun, Record};

pub(super) fn record(record: &Record) -> Value {
    let Record { status, arguments, notes, .. } = record;
    json!({
        "arguments": arguments, "hooks": hooks(record), "notes": notes, "status": status.word(),
    })
}

pub(super) fn hooks(record: &Record) -> Value {
    let rows = record.hooks.iter().map(|HookRun { hook, exit, duration_ms, bytes, cut }| {
        json!({
            "bytes": bytes, "cut": cut, "duration_ms": duration_ms, "exit": exit, "hook": hook,
        })
    });
    rows.collect()
}
