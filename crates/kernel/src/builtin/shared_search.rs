//! Shares a search between the tools that are called for a prompt. The tools only differ in the number of files that
//! they request, so the files are ranked once.

use std::sync::OnceLock;

use contract::PlannedTool;
use engine::{FileHit, ReadPrompt, SearchOptions};
use index::View;

use crate::knowledge::Knowledge;

/// The maximum numbers of files that the planned tools request from the search.
#[derive(Clone, Debug, Default)]
pub(crate) struct SearchLimits(Vec<usize>);

impl SearchLimits {
    pub(crate) fn of(tools: &[PlannedTool]) -> Self {
        let limit = |planned: &PlannedTool| {
            policy::tool(&planned.tool)?.searches.limit(planned.args.number("limit"))
        };
        let mut limits: Vec<usize> = tools.iter().filter_map(limit).collect();
        limits.sort_unstable();
        limits.dedup();
        Self(limits)
    }
}

/// An index, and the results of the first search on it.
pub(super) struct OpenIndex {
    pub(super) knowledge: Knowledge,
    found: OnceLock<Found>,
}

struct Found {
    text: String,
    by_limit: Vec<(usize, Vec<FileHit>)>,
}

impl OpenIndex {
    pub(super) fn new(knowledge: Knowledge) -> Self {
        Self { knowledge, found: OnceLock::new() }
    }

    /// Returns the results for `searched`. The first call computes the results for all of `limits`, and concurrent calls
    /// wait for it. A call with another text or limit searches again.
    pub(super) fn hits(
        &self,
        view: &View,
        searched: &ReadPrompt,
        options: &SearchOptions<'_>,
        limits: &SearchLimits,
    ) -> Vec<FileHit> {
        let found = self.found.get_or_init(|| {
            let mut limits = limits.0.clone();
            if !limits.contains(&options.limit) {
                limits.push(options.limit);
            }
            let hits = engine::search_each(view, &searched.query, options, &limits);
            Found { text: searched.text.clone(), by_limit: limits.into_iter().zip(hits).collect() }
        });
        let mut by_limit = found.by_limit.iter().filter(|_| found.text == searched.text);
        match by_limit.find(|(limit, _)| *limit == options.limit) {
            Some((_, hits)) => hits.clone(),
            None => engine::search(view, &searched.query, options),
        }
    }
}

#[cfg(test)]
mod tests {
    use contract::{Arguments, PlannedTool};

    use super::SearchLimits;

    fn planned(tool: &str, limit: Option<u64>) -> PlannedTool {
        let mut args = Arguments::default();
        if let Some(limit) = limit {
            args.insert("limit", limit);
        }
        PlannedTool { tool: tool.to_owned(), tier: 1, reason: String::new(), args, timeout_ms: 1 }
    }

    #[test]
    fn each_tool_that_searches_has_its_limit() {
        let limits = |tools: &[PlannedTool]| SearchLimits::of(tools).0;
        assert_eq!(limits(&[planned("ci_search", None), planned("ci_graph_rag", None)]), [8, 10]);
        assert_eq!(limits(&[planned("ci_search", Some(3)), planned("ci_impact", None)]), [3]);
        assert!(limits(&[planned("ci_hotspot", None), planned("own_tool", None)]).is_empty());
    }
}
