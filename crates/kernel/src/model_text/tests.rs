use super::*;

fn evidence(snippet: Option<&str>) -> Evidence {
    Evidence {
        tool: "ci_search".into(),
        path: Some("src/a.rs".into()),
        line: Some(3),
        symbol: Some("charge".into()),
        title: "charge".into(),
        summary: "fn charge(amount: u64) — Charges an account".into(),
        confidence: 0.62,
        source: "index".into(),
        time: String::new(),
        version: String::new(),
        snippet: snippet.map(str::to_owned),
        truncated: false,
    }
}

#[test]
fn a36_a_finding_is_one_heading_and_its_snippet_and_the_text_can_be_parsed() {
    let items = vec![evidence(Some("3| fn charge() {\n\n5| }"))];
    let fused = Fused { items, ..Fused::default() };
    let text = compose(&fused, &Limits::default(), "r1", &Fence::new("entropy"));
    let expected = "- src/a.rs:3 `charge` (0.62): fn charge(amount: u64) — Charges an account\n3| fn charge() {\n5| }";
    assert_eq!(text.findings, [expected]);
    let parts = [text.head.as_str(), expected, &text.foot];
    assert_eq!(text.text().split("\n\n").collect::<Vec<_>>(), parts);
}

#[test]
fn a12_messages_about_settings_are_not_for_the_model() {
    let mut limits = Limits::default();
    limits.extend([Limit::Tier2Disabled, Limit::BudgetExceeded, Limit::WeakFindings { n: 2 }]);
    let fused = Fused { items: vec![evidence(None)], ..Fused::default() };
    let text = compose(&fused, &limits, "r1", &Fence::new("entropy"));
    assert_eq!(text.foot.lines().next(), Some("[Limits] budget exceeded; results truncated"));
    assert!(!text.foot.contains("tier-2") && !text.foot.contains("weaker"), "{}", text.foot);
}

/// Lays out 40 findings that have this summary.
fn laid_out(summary: &str, max_chars: u64, of_client: Option<ContextLimit>) -> (LaidOut, Limits) {
    let item = Evidence { summary: summary.to_owned(), ..evidence(None) };
    let fused = Fused { items: vec![item; 40], ..Fused::default() };
    let mut limits = Limits::default();
    let frame = TextFrame { hint: None, max_chars, of_client };
    (LaidOut::new(&fused, &mut limits, "r1", &Fence::new("entropy"), frame), limits)
}

#[test]
fn a24_the_text_keeps_to_the_limit_of_the_client_with_whole_findings() {
    for summary in ["x".repeat(900), "长".repeat(300), "🦀".repeat(225), "Vec<T>".repeat(75)] {
        for escapes_brackets in [false, true] {
            let limit = ContextLimit { max_bytes: 9_500, escapes_brackets };
            let (laid_out, limits) = laid_out(&summary, 48_000, Some(limit));
            assert!(limit.fits(&laid_out.text) && laid_out.text.len() > 4_000);
            let whole = laid_out.text.split("\n\n").filter(|part| part.ends_with(&summary)).count();
            assert_eq!((whole, laid_out.n_in_budget), (laid_out.n_items, 40));
            assert!(laid_out.text.contains("[truncated") && limits.is_empty(), "{limits:?}");
        }
    }
}

#[test]
fn a24_a_text_over_the_character_budget_is_cut_and_reported() {
    let summary = "x".repeat(900);
    let (whole, limits) = laid_out(&summary, 48_000, None);
    assert_eq!((whole.n_items, limits.is_empty()), (40, true));
    let (cut, limits) = laid_out(&summary, 5_000, None);
    assert!(cut.text.chars().count() <= 5_000);
    assert_eq!((cut.n_items, cut.n_in_budget), (4, 4));
    assert!(limits.iter().any(|limit| *limit == Limit::BudgetExceeded));
}
