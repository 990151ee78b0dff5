use contract::{Status, ToolData, ToolResult};
use serde_json::json;

use super::*;
use crate::evidence::gather;

fn result(tool: &str, data: impl Into<ToolData>) -> ToolResult {
    ToolResult {
        tool: tool.into(),
        status: Status::Ok,
        started_at: "2026-01-24T00:00:00Z".into(),
        duration_ms: 1,
        summary: "ok".into(),
        data: Some(data.into()),
        error: None,
        redactions: Vec::new(),
        truncated: false,
    }
}

fn items(tool: &str, items: impl serde::Serialize) -> ToolResult {
    result(tool, json!({ "items": items }))
}

fn shown(fused: &Fused) -> Vec<String> {
    let show = |item: &Evidence| {
        format!(
            "{} {} {} {}",
            item.tool,
            item.path.as_deref().unwrap_or("-"),
            item.symbol.as_deref().unwrap_or("-"),
            item.confidence
        )
    };
    fused.items.iter().map(show).collect()
}

fn fuse(gathered: Gathered) -> Fused {
    super::fuse(gathered, BriefingSize::WHOLE)
}

#[test]
fn a33_order_is_tool_path_symbol_confidence() {
    let fused = fuse(gather(&[
        items(
            "ci_search",
            json!([
                {"path": "b.rs", "symbol": "x", "confidence": 0.2, "summary": "s"},
                {"path": "a.rs", "symbol": "z", "confidence": 0.3, "summary": "s"},
                {"path": "a.rs", "symbol": "y", "confidence": 0.1, "summary": "s"},
            ]),
        ),
        items("ci_graph_rag", json!([{"path": "z.rs", "summary": "s"}])),
    ]));
    assert_eq!(
        shown(&fused),
        [
            "ci_graph_rag z.rs - 0.5",
            "ci_search a.rs y 0.1",
            "ci_search a.rs z 0.3",
            "ci_search b.rs x 0.2"
        ]
    );
}

#[test]
fn a24_a_summary_is_not_cut_inside_a_citation() {
    let places: Vec<String> =
        (0..30).map(|n| format!("src/part/file_{n}.rs:{}", 300 + n)).collect();
    let summary = format!("called in {}", places.join(", "));
    let fused = fuse(gather(&[items("ci_search", json!([{"path": "a.rs", "summary": summary}]))]));
    let cut = fused.items[0].summary.strip_suffix('…').unwrap();
    let last = cut.rsplit(", ").next().unwrap().to_owned();
    assert!(places.contains(&last) && fused.items[0].truncated, "{cut}");
}

#[test]
fn a33_the_most_confident_of_equal_findings_is_kept() {
    let twice = json!([
        {"path": "a.rs", "title": "t", "confidence": 0.2, "summary": "weak"},
        {"path": "a.rs", "title": "t", "confidence": 0.9, "summary": "strong"},
    ]);
    let fused = fuse(gather(&[items("ci_search", twice)]));
    assert_eq!(
        fused.items.iter().map(|item| item.summary.as_str()).collect::<Vec<_>>(),
        ["strong"]
    );
}

#[test]
fn a33_twelve_findings_are_chosen_by_relevance_from_all_tools() {
    let many = |tool: &str, best: f64| {
        let list: Vec<_> = (0..20)
            .map(|n| json!({"path": format!("{n:02}.rs"), "confidence": best - f64::from(n) / 100.0, "summary": "s"}))
            .collect();
        items(tool, list)
    };
    let fused = fuse(gather(&[many("ci_search", 0.9), many("ci_graph_rag", 0.5)]));
    assert_eq!((fused.items.len(), fused.n_cut), (12, 28));
    assert_eq!(fused.items.iter().filter(|item| item.tool == "ci_search").count(), 6);
    assert!(shown(&fused).contains(&"ci_search 00.rs - 0.9".to_owned()));
}

#[test]
fn a33_a_long_summary_is_cut_and_marked() {
    let fused =
        fuse(gather(&[items("ci_search", json!([{"path": "a", "summary": "长".repeat(300)}]))]));
    let item = &fused.items[0];
    assert_eq!(
        (item.summary.chars().count(), item.summary.ends_with('…'), item.truncated),
        (240, true, true)
    );
}

#[test]
fn a24_three_snippets_of_twenty_lines() {
    let snippet = "line\n".repeat(30);
    let list: Vec<_> = (0..5)
        .map(|n| json!({"path": format!("{n}.rs"), "summary": "s", "confidence": f64::from(n) / 10.0, "snippet": snippet}))
        .collect();
    let fused = fuse(gather(&[items("ci_search", list)]));
    let with: Vec<(&str, usize)> = fused
        .items
        .iter()
        .filter_map(|item| Some((item.path.as_deref()?, item.snippet.as_ref()?.lines().count())))
        .collect();
    assert_eq!(with, [("2.rs", 20), ("3.rs", 20), ("4.rs", 20)]);
}

#[test]
fn a33_contradicting_claims_are_shown_with_their_sources() {
    let claim = |polarity: &str, text: &str| json!({"claims": [{"claim_key": "where", "polarity": polarity, "claim": text}]});
    let fused = fuse(gather(&[
        result("ci_search", claim("support", "it is in a.ts")),
        result("ci_graph_rag", claim("oppose", "it is not in a.ts")),
    ]));
    let sides: Vec<(&str, &str)> = fused.conflicts[0]
        .sides
        .iter()
        .map(|side| (side.tool.as_str(), side.summary.as_str()))
        .collect();
    assert_eq!(fused.conflicts[0].key, "where");
    assert_eq!(sides, [("ci_graph_rag", "it is not in a.ts"), ("ci_search", "it is in a.ts")]);
}

#[test]
fn a33_claims_that_agree_are_findings() {
    let claim =
        json!({"claims": [{"claim_key": "where", "polarity": "support", "claim": "in a.ts"}]});
    let fused = fuse(gather(&[result("ci_search", claim.clone()), result("ci_graph_rag", claim)]));
    assert_eq!(
        (fused.conflicts.len(), fused.items.iter().filter(|item| item.title == "where").count()),
        (0, 2)
    );
}

#[test]
fn a34_every_finding_has_a_tool_a_time_and_a_version() {
    let fused = fuse(gather(&[items("ci_search", json!([{"path": "a.rs", "summary": "s"}]))]));
    let item = &fused.items[0];
    assert_eq!((item.tool.as_str(), item.time.as_str()), ("ci_search", "2026-01-24T00:00:00Z"));
    assert!(!item.version.is_empty());
}

#[test]
fn a33_the_order_of_the_input_does_not_change_the_output() {
    let list = vec![
        json!({"path": "b.rs", "summary": "1", "confidence": 0.5}),
        json!({"path": "a.rs", "summary": "2", "confidence": 0.5}),
        json!({"path": "a.rs", "summary": "3", "confidence": 0.5}),
    ];
    let forward = fuse(gather(&[items("ci_search", &list)]));
    let backward = fuse(gather(&[items("ci_search", list.into_iter().rev().collect::<Vec<_>>())]));
    assert_eq!(forward, backward);
}

#[test]
fn a25_a_sub_agent_gets_a_smaller_briefing() {
    let list: Vec<_> = (0..20)
        .map(|n| json!({"path": format!("f{n}.rs"), "summary": "s", "snippet": format!("1| {n}"), "confidence": 0.9}))
        .collect();
    let fused = super::fuse(gather(&[items("ci_search", list)]), BriefingSize::SMALL);
    assert_eq!((fused.items.len(), fused.n_cut), (5, 15));
    assert_eq!(fused.items.iter().filter(|item| item.snippet.is_some()).count(), 1);
}

#[test]
fn a25_weak_findings_are_left_out_unless_all_are_weak() {
    let with = |confidences: &[f64]| {
        let list: Vec<_> = confidences
            .iter()
            .enumerate()
            .map(|(n, confidence)| json!({"path": format!("f{n}.rs"), "summary": "s", "snippet": "1| x", "confidence": confidence}))
            .collect();
        fuse(gather(&[items("ci_search", list)]))
    };
    let fused = with(&[0.6, 0.1, 0.09, 0.01]);
    assert_eq!((fused.items.len(), fused.n_cut), (2, 2));
    let fused = with(&[0.09, 0.08, 0.07, 0.06]);
    assert_eq!((fused.items.len(), fused.n_cut), (3, 1));
    assert!(fused.items.iter().all(|item| item.snippet.is_none()));
}

#[test]
fn code_that_the_search_and_the_working_set_quote_is_quoted_once_and_whole() {
    let long = (1..=40).map(|n| format!("{n}| x")).collect::<Vec<_>>().join("\n");
    let found = json!([
        {"path": "a.rs", "symbol": "a", "summary": "fn a()", "snippet": "1| x", "confidence": 0.5},
        {"path": "b.rs", "symbol": "b", "summary": "fn b()", "snippet": "7| y", "confidence": 0.4},
    ]);
    // The working set knows that the prompt quotes a text of `c`.
    let found = json!([found[0], found[1], {"path": "c.rs", "symbol": "c", "summary": "fn c()", "confidence": 0.1}]);
    let code = json!([
        {"path": "c.rs", "symbol": "c", "summary": "", "snippet": "3| c", "confidence": 0.6, "source": engine::MATCHED_CODE},
        {"path": "a.rs", "symbol": "a", "summary": "", "snippet": long, "confidence": 0.3, "source": engine::MATCHED_CODE},
        {"path": "a.rs", "symbol": "other", "summary": "", "snippet": "90| z", "confidence": 0.2, "source": engine::MATCHED_CODE},
        {"path": "d.rs", "symbol": "d", "summary": "called by `a`", "confidence": 1.0, "source": engine::RELATED_CODE},
    ]);
    let fused = fuse(gather(&[items("ci_search", found), items("ci_graph_rag", code)]));
    let strongest: Vec<(&str, usize)> = strongest_first(&fused.items)
        .iter()
        .map(|item| {
            let n_lines = item.snippet.as_ref().map_or(0, |snippet| snippet.lines().count());
            (item.symbol.as_deref().unwrap_or_default(), n_lines)
        })
        .collect();
    assert_eq!(strongest, [("c", 1), ("a", 40), ("b", 1), ("other", 1), ("d", 0)]);
}

#[test]
fn related_code_fills_only_the_places_that_are_left() {
    let many = |source: &str, confidence: f64| -> Vec<_> {
        let path = |n: usize| format!("{source}{n}.rs");
        (0..11).map(|n| json!({"path": path(n), "summary": "s", "confidence": confidence, "source": source})).collect()
    };
    let fused = fuse(gather(&[
        items("ci_search", many("index", 0.4)),
        items("ci_graph_rag", many(engine::RELATED_CODE, 1.0)),
    ]));
    let n_related = fused.items.iter().filter(|item| item.source == engine::RELATED_CODE).count();
    assert_eq!((fused.items.len(), n_related), (12, 1));
}
