use contract::Evidence;

use super::*;

/// Returns a text for the model with 40 findings that have this summary.
fn fitted(summary: &str, max_chars: u64, of_client: Option<ContextLimit>) -> (FittedText, Limits) {
    let item = Evidence {
        tool: "ci_search".to_owned(),
        path: Some("src/auth.rs".to_owned()),
        line: None,
        symbol: None,
        title: String::new(),
        summary: summary.to_owned(),
        confidence: 0.8,
        source: String::new(),
        time: String::new(),
        version: String::new(),
        snippet: None,
        truncated: false,
    };
    let fused = Fused { items: vec![item; 40], ..Fused::default() };
    let identity = Identity {
        run_id: "run".to_owned(),
        created_at: String::new(),
        fence: Fence::new("entropy"),
    };
    let mut limits = Limits::default();
    let limit = TextLimit { max_chars, of_client };
    let fitted = fit_context(&fused, &mut limits, &identity, limit, &mut []);
    (fitted, limits)
}

#[test]
fn a24_the_text_keeps_to_the_limit_of_the_client_with_whole_findings() {
    for summary in ["x".repeat(900), "长".repeat(300), "🦀".repeat(225), "Vec<T>".repeat(75)] {
        for escapes_brackets in [false, true] {
            let limit = ContextLimit { max_bytes: 9_500, escapes_brackets };
            let (fitted, limits) = fitted(&summary, 48_000, Some(limit));
            assert!(limit.fits(&fitted.text) && fitted.text.len() > 4_000);
            let whole = fitted.text.split("\n\n").filter(|part| part.ends_with(&summary)).count();
            assert_eq!(whole, fitted.n_findings);
            assert!(fitted.truncated && limits.is_empty(), "{limits:?}");
        }
    }
}

#[test]
fn a24_a_text_over_the_character_budget_is_cut_and_reported() {
    let summary = "x".repeat(900);
    let (whole, limits) = fitted(&summary, 48_000, None);
    assert_eq!((whole.n_findings, limits.is_empty()), (40, true));
    let (cut, limits) = fitted(&summary, 5_000, None);
    assert!(cut.text.chars().count() <= 5_000 && cut.n_findings == 5);
    assert!(limits.iter().any(|limit| *limit == Limit::BudgetExceeded));
}
