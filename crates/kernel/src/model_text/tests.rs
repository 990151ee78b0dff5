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
    assert_eq!(ModelText::parse(&text.text()), text);
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
