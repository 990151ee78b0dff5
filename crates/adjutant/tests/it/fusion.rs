//! A briefing of the programs. The merging of findings is tested in `crates/kernel`.

use crate::fixture::{context, fixture};
use serde_json::Value;

#[test]
fn a34_a35_a_real_finding_is_cited_with_its_source() {
    let (briefing, code) = fixture().json("where is enforce_retry_budget_zebra defined?");
    assert_eq!(code, 0);
    assert!(
        context(&briefing).contains("- src/billing/retry_budget.rs:2 `enforce_retry_budget_zebra`"),
        "{}",
        context(&briefing)
    );
    let user = &briefing["fused_context"]["for_user"];
    assert!(user["tool_plan_text"].as_str().unwrap().starts_with("[Auto Tools] "));
    assert!(user["results_text"].as_str().unwrap().starts_with("[Results] "));
    let items = briefing["fused_context"]["for_model"]["structured"]["items"].as_array().unwrap();
    let is_sourced = |item: &Value| {
        let tool = item["tool"].as_str().unwrap();
        ["ci_search", "ci_graph_rag"].contains(&tool) && item["version"] != "" && item["time"] != ""
    };
    assert!(items.iter().all(is_sourced));
    let id = |context: &str| context.split("id=\"").nth(1).map(|rest| rest[..16].to_owned());
    let (again, _) = fixture().json("where is enforce_retry_budget_zebra defined?");
    assert_ne!(id(context(&briefing)), id(context(&again)), "both runs have the same fence");
}
