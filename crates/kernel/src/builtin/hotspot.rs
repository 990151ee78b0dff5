//! `ci_hotspot`: files that change often and are complex.

use contract::Limit;
use engine::{HotspotOptions, hotspots};
use index::{HistoryState, View};
use serde_json::{Value, json};
use toolcall::{Answer, BuiltinCall, Failure};

use super::item::rounded;
use super::{Shared, number};

pub(super) fn answer(_: &Shared, view: &View, call: &BuiltinCall) -> Result<Answer, Failure> {
    let options = HotspotOptions {
        days: u32::try_from(number(call, "days", 30)).unwrap_or(30),
        top_k: number(call, "top", 20),
        deadline: call.deadline,
    };
    let report = hotspots(view, &options);
    let items: Vec<Value> = report
        .hotspots
        .iter()
        .map(|spot| {
            let summary = format!(
                "{} commits in {} days, cyclomatic {}, {} lines",
                spot.commits, options.days, spot.cyclomatic, spot.lines
            );
            json!({
                "path": spot.path, "line": 1, "title": "hotspot", "summary": summary,
                "confidence": rounded(spot.score), "source": "git history × complexity",
            })
        })
        .collect();
    let summary = format!("{} files changed in {} days", items.len(), options.days);
    let mut answer = super::answer("ci_hotspot", summary, items, report.complete);
    if report.history == HistoryState::Absent {
        answer.limits.push(Limit::Said("ci_hotspot: no git history to look at".to_owned()));
    }
    Ok(answer)
}
