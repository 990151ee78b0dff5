//! Searches the files themselves for `ci_search` while there is no index, and says whether the index is out of date.

use contract::{ErrorCode, Finding, Limit, counted};
use engine::{DirectHit, WalkEnd};
use index::View;
use policy::ToolId;
use toolcall::{ToolFailure, ToolOutput};

use super::findings::snippet_text;
use super::{Call, Shared};

/// How a finding was found without an index. Its confidence is not calibrated.
pub(crate) const LIVE_SEARCH: &str = "live search";

/// Adds a `[Limits]` message if the index may be out of date.
pub(super) fn with_freshness(mut answer: ToolOutput, view: &View) -> ToolOutput {
    let findings = answer.data.as_ref().and_then(|data| data.findings());
    if let Some(reason) = behind(view, findings.is_none_or(<[Finding]>::is_empty)) {
        let text = format!("{}: {reason}", ToolId::Search.name());
        answer.limits.insert(0, Limit::Said(text));
    }
    answer
}

/// Returns why the index may be out of date, if it may: how many changed files are not in the index yet or, if nothing was
/// found, that a part of the repository was not compared with the index.
fn behind(view: &View, found_nothing: bool) -> Option<String> {
    let freshness = view.freshness();
    if freshness.left_out > 0 {
        let files = counted(freshness.left_out as usize, "file");
        let why = "not in the index yet, because they changed since it was built";
        return Some(format!("{why}: {files}"));
    }
    let is_behind = found_nothing && !freshness.complete;
    is_behind.then(|| "not all files could be compared with the index in time".to_owned())
}

pub(super) fn search_files(shared: &Shared, call: &Call<'_>) -> Result<ToolOutput, ToolFailure> {
    let limit = ToolId::Search.tool().searches.limit(call.arguments.number("limit")).unwrap_or(0);
    let answer = shared.quotes.with_source(|source| {
        engine::direct_search(source, &call.searched.query, limit, call.deadline)
    });
    let text = if shared.location().is_indexed_automatically() {
        "no index yet: the files were searched directly while an index is built"
    } else {
        "no index: the files were searched directly; `adjutant index` builds an index"
    };
    let mut limits = vec![Limit::Said(text.to_owned())];
    let files = counted(answer.n_files, "file");
    let stopped_by = match answer.end {
        WalkEnd::Complete => None,
        WalkEnd::OutOfTime => Some("the timeout was reached"),
        WalkEnd::TooManyFiles => Some("the repository has more files than the limit"),
    };
    if let Some(reason) = stopped_by {
        if answer.hits.is_empty() {
            let message = format!("found nothing in the {files} that were searched: {reason}");
            return Err(ToolFailure { code: ErrorCode::Timeout, message });
        }
        let tool = ToolId::Search.name();
        limits.push(Limit::Said(format!("{tool}: only {files} were searched, because {reason}")));
    }
    let summary = format!("{} of {files} match", answer.hits.len());
    let findings = answer.hits.iter().map(direct_finding).collect();
    let truncated = stopped_by.is_some();
    Ok(ToolOutput { truncated, limits, ..ToolOutput::of_findings(summary, findings) })
}

fn direct_finding(hit: &DirectHit) -> Finding {
    let summary = if hit.text.is_empty() {
        format!("path has {}", hit.matched.join(", "))
    } else {
        hit.text.clone()
    };
    Finding {
        path: Some(hit.path.clone()),
        line: Some(hit.line),
        title: Some(hit.defines.clone().unwrap_or_else(|| "match".to_owned())),
        summary: Some(summary),
        confidence: Some(hit.confidence),
        source: Some(LIVE_SEARCH.to_owned()),
        symbol: hit.defines.clone(),
        snippet: hit.snippet.as_ref().map(snippet_text),
        ..Finding::default()
    }
}
