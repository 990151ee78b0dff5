use contract::Budget;

use super::*;

#[test]
fn a31_the_id_of_a_run_contains_its_time_and_a_hash() {
    let id = of_run("explain auth", "/repo", "2026-11-15T09:34:35Z");
    assert_eq!(&id[..16], "20261115-093435-");
    assert_eq!(id.len(), 22);
    assert_ne!(id, of_run("explain auth", "/other", "2026-11-15T09:34:35Z"));
}

#[test]
fn a31_the_id_of_a_plan_is_a_hash_of_its_content() {
    let plan = ToolPlan {
        tier_max: 1,
        planned_codex_command: None,
        budget: Budget { wall_ms: 1, max_concurrency: 1, max_injected_chars: 1 },
        tools: Vec::new(),
    };
    let id = of_plan("a", "/repo", &plan);
    assert_eq!((id.len(), &id[..5]), (17, "plan-"));
    assert_eq!(id, of_plan("a", "/repo", &plan));
    assert_ne!(id, of_plan("a", "/repo", &ToolPlan { tier_max: 2, ..plan }));
}
