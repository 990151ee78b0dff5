//! `ci_index_status`: what the answers are drawn from.

use index::View;
use serde_json::json;
use toolcall::{Answer, BuiltinCall, Failure};

use super::Shared;

pub(super) fn answer(shared: &Shared, call: &BuiltinCall) -> Result<Answer, Failure> {
    shared.ask(call, |view| Ok(of_index(shared, view)), || Ok(absent()))
}

fn absent() -> Answer {
    let data = json!({ "items": [], "state": "absent" });
    Answer { summary: "no index yet".to_owned(), data: Some(data), ..Answer::default() }
}

fn of_index(shared: &Shared, view: &View) -> Answer {
    let report = engine::index_report(view, shared.now_seconds());
    let n_changed = report.changed.len() + report.added.len() + report.deleted.len();
    let data = json!({
        "items": [],
        "state": if n_changed == 0 { "current" } else { "corrected" },
        "files": report.files,
        "symbols": report.symbols,
        "edges": report.edges,
        "age_seconds": report.age,
        "changed_since": n_changed,
        "left_out": report.stale,
    });
    let summary = format!(
        "{} files, {} symbols, {} edges, {} changed since",
        report.files, report.symbols, report.edges, n_changed
    );
    Answer { summary, data: Some(data), ..Answer::default() }
}
