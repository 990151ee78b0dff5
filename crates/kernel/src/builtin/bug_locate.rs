//! `ci_bug_locate`: where a failure comes from.

use engine::{BugOptions, Suspicion, bug_locate};
use index::View;
use serde_json::Value;
use toolcall::{Answer, BuiltinCall, Failure};

use super::{Shared, item, query, search};

const MOST: usize = 10;

pub(super) fn answer(_: &Shared, view: &View, call: &BuiltinCall) -> Result<Answer, Failure> {
    let hits = search::hits(view, call, MOST);
    let found: Vec<_> = hits
        .iter()
        .filter_map(|hit| Some((view.file_by_path(&hit.path)?, hit.confidence)))
        .collect();
    let report =
        bug_locate(view, query(call), &found, BugOptions { limit: MOST, deadline: call.deadline });
    let items: Vec<Value> = report
        .suspects
        .iter()
        .map(|suspect| {
            let why = match suspect.why {
                Suspicion::Frame(number) => format!("frame {} of the trace", number + 1),
                Suspicion::DefinesError => "defines the error".to_owned(),
                Suspicion::Search => "matches the text".to_owned(),
            };
            let recent = match suspect.recent_commits {
                0 => String::new(),
                n => format!(", changed {n} times lately"),
            };
            item::at(
                &suspect.location,
                suspect.line.unwrap_or(0),
                &format!("{why}{recent}"),
                suspect.score * 0.9,
                "failure",
            )
        })
        .collect();
    let summary = format!(
        "{} suspects, {} of {} frames are here",
        items.len(),
        report.mapped,
        report.frames.len()
    );
    Ok(super::answer("ci_bug_locate", summary, items, report.complete))
}
