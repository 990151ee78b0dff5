//! The record of a tool call as JSON, with fields sorted by name.

use contract::Arguments;
use serde::Serialize;
use toolcall::{HookRun, Record};

#[derive(Serialize)]
pub(super) struct RecordRow<'a> {
    arguments: &'a Arguments,
    hooks: Vec<HookRow<'a>>,
    notes: &'a [String],
    status: &'static str,
}

#[derive(Serialize)]
pub(super) struct HookRow<'a> {
    bytes: usize,
    cut: bool,
    duration_ms: u64,
    exit: i32,
    hook: &'a str,
}

pub(super) fn record(record: &Record) -> RecordRow<'_> {
    let Record { status, arguments, notes, .. } = record;
    RecordRow { arguments, hooks: hooks(record), notes, status: status.word() }
}

pub(super) fn hooks(record: &Record) -> Vec<HookRow<'_>> {
    let rows = record.hooks.iter().map(|HookRun { hook, exit, duration_ms, bytes, cut }| HookRow {
        bytes: *bytes,
        cut: *cut,
        duration_ms: *duration_ms,
        exit: *exit,
        hook,
    });
    rows.collect()
}
