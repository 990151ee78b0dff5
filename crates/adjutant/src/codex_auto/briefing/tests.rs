use contract::{ClientName, Limits, RequestingClient};
use serde_json::json;

use super::*;

/// Returns an empty briefing in which the given JSON fields are replaced.
fn briefed(exit: u8, changes: &[(&str, serde_json::Value)]) -> Briefed {
    let client =
        RequestingClient { name: ClientName::CODEX_CLI, event: "cli".to_owned(), session_id: None };
    let empty = Briefing::empty(client, String::new(), String::new(), &Limits::default());
    let mut json = json!(empty);
    for (pointer, value) in changes {
        *json.pointer_mut(pointer).unwrap() = value.clone();
    }
    let briefing = serde_json::from_value(json).unwrap();
    Briefed { briefing, exit, duration: Duration::from_millis(45) }
}

#[test]
fn a_briefing_has_a_summary_in_one_line() {
    let finding = |path: &str| json!({"tool": "ci_search", "path": path, "line": 1, "title": "", "summary": "", "confidence": 0.5, "source": "", "time": "", "version": ""});
    let planned = json!([
        {"tool": "ci_search", "tier": 0, "reason": "", "args": {}, "timeout_ms": 1},
        {"tool": "ci_graph_rag", "tier": 0, "reason": "", "args": {}, "timeout_ms": 1},
    ]);
    let whole = briefed(
        0,
        &[
            ("/tool_plan/tools", planned),
            ("/fused_context/for_model/additional_context", json!("x")),
            ("/fused_context/for_model/structured/items", json!([finding("a"), finding("b")])),
            ("/fused_context/for_user/limits_text", json!("[Limits] one")),
        ],
    );
    assert_eq!(whole.summary(), "briefed: 2 findings · ci_search, ci_graph_rag · 45 ms · 1 limit");
    assert_eq!((whole.warning(), whole.failure()), (None, None));
    let plan = json!("[Auto Tools] nothing to call for this prompt");
    let plan = briefed(0, &[("/fused_context/for_user/tool_plan_text", plan)]);
    assert_eq!(plan.summary(), "not briefed: nothing to call for this prompt · 45 ms");
}

#[test]
fn a42_a_missing_kernel_is_reported_and_is_in_the_exit_code() {
    let limits = "[Limits] orchestrator unavailable (gone)";
    let degraded = json!({"is_degraded": true, "reason": "orchestrator unavailable (gone)", "degraded_to": "empty"});
    let broken = briefed(
        10,
        &[
            ("/run_id", json!("r")),
            ("/degraded", degraded),
            ("/fused_context/for_user/limits_text", json!(limits)),
        ],
    );
    assert_eq!(broken.summary(), "not briefed, code 10 · 45 ms · 1 limit");
    assert_eq!((broken.warning(), broken.failure()), (Some(limits), Some(10)));
    assert_eq!(broken.before("why?"), format!("(Adjutant, run r)\n{limits}\n\nwhy?"));
    // Exit code 50 means that the budget was exceeded. The briefing is smaller, which is not a failure.
    assert_eq!(briefed(50, &[]).failure(), None);
}
