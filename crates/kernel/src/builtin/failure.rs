//! Implements `ci_bug_locate`, which finds the locations that may cause a failure.

use contract::{Finding, counted};
use engine::{BugOptions, Suspicion, bug_locate};
use index::View;
use policy::ToolId;
use toolcall::Answer;

use super::{Call, Shared, finding_at, search};

pub(super) const MAX_SUSPECTS: usize = 10;

pub(super) fn locate(shared: &Shared, view: &View, call: &Call<'_>) -> Answer {
    let hits = search::hits(shared, view, call, MAX_SUSPECTS);
    let options = BugOptions { limit: MAX_SUSPECTS, deadline: call.deadline };
    let report =
        shared.with_source(|source| bug_locate(view, source, &call.searched.text, &hits, options));
    let findings: Vec<Finding> = report
        .suspects
        .iter()
        .map(|suspect| {
            let reason = match suspect.why {
                Suspicion::Frame(number) => format!("frame {} of the trace", number + 1),
                Suspicion::Message => "contains the message".to_owned(),
                Suspicion::DefinesError => "defines the error".to_owned(),
                Suspicion::Search => "matches the text".to_owned(),
            };
            let recent = match suspect.recent_commits {
                0 => String::new(),
                n => format!(", changed {} lately", counted(n as usize, "time")),
            };
            let summary = format!("{reason}{recent}");
            let line = suspect.line.unwrap_or(0);
            finding_at(&suspect.location, line, &summary, suspect.score * 0.9, "failure")
        })
        .collect();
    let summary = format!(
        "{} suspects, {} of {} frames are in this repository",
        findings.len(),
        report.mapped,
        report.frames.len()
    );
    super::answer(ToolId::BugLocate, summary, findings, report.complete)
}
