use serde_json::json;

use super::*;

fn briefed(exit: u8, json: Value) -> Briefed {
    Briefed { json, exit, wall: Duration::from_millis(45) }
}

#[test]
fn a_briefing_in_one_line() {
    let tools = json!([{"tool": "ci_search"}, {"tool": "ci_graph_rag"}]);
    let whole = briefed(
        0,
        json!({"run_id": "r", "tool_results": tools, "fused_context": {
            "for_model": {"additional_context": "x", "structured": {"items": [1, 2], "conflicts": [3]}},
            "for_user": {"limits_text": "[Limits] one"}}}),
    );
    assert_eq!(whole.summary(), "briefed: 3 findings · ci_search, ci_graph_rag · 45 ms · 1 limit");
    assert_eq!((whole.warning(), whole.failure()), (None, None));
    let plan = json!({"fused_context": {"for_user": {"tool_plan_text": "[Auto Tools] nothing to call for this prompt"}}});
    assert_eq!(briefed(0, plan).summary(), "not briefed: nothing to call for this prompt · 45 ms");
}

#[test]
fn a42_a_missing_kernel_is_said_and_is_in_the_exit_code() {
    let limits = "[Limits] orchestrator unavailable (gone)";
    let degraded = json!({"is_degraded": true, "reason": "orchestrator unavailable (gone)"});
    let json = json!({"run_id": "r", "degraded": degraded, "fused_context": {"for_user": {"limits_text": limits}}});
    let broken = briefed(10, json);
    assert_eq!(broken.summary(), "not briefed, code 10 · 45 ms · 1 limit");
    assert_eq!((broken.warning(), broken.failure()), (Some(limits), Some(10)));
    assert_eq!(broken.before("why?"), format!("(Adjutant, run r)\n{limits}\n\nwhy?"));
    // A smaller briefing is a briefing.
    assert_eq!(briefed(50, json!({})).failure(), None);
}
