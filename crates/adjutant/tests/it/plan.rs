//! Plan mode and `--analyze-intent` of the hook. The rules of a plan are tested in `crates/kernel`.

use crate::fixture::{context, fixture, tools};

#[test]
fn a32_a_plan_is_deterministic_and_calls_no_tool() {
    let fixture = || fixture().plan().env("CI_AUTO_TOOLS_RUNNER_CI_SEARCH", "/no/such/runner");
    let one = fixture();
    let first = one
        .launch(crate::fixture::HOOK)
        .arguments(["--format", "json"])
        .input(r#"{"prompt":"explain call chain"}"#);
    let (a, b) = (first.run().expect_success(), first.run().expect_success());
    assert_eq!(a.stdout, b.stdout);
    let briefing: serde_json::Value = serde_json::from_str(&a.stdout).unwrap();
    assert_eq!(briefing["tool_results"], serde_json::json!([]));
    assert_eq!(context(&briefing), "");
    assert_eq!(tools(&briefing), ["ci_index_status", "ci_search", "ci_graph_rag"]);
}

#[test]
fn a26_signals_can_be_shown_alone() {
    let finished = fixture()
        .arguments(&[
            "--analyze-intent",
            "--prompt",
            "fix authentication bug",
            "--file",
            "src/a.rs",
            "--line",
            "3",
            "--format",
            "text",
        ])
        .run_on("")
        .expect_success();
    assert!(finished.stdout.contains("explicit: bug (weight: 0.8)"), "{}", finished.stdout);
    assert!(finished.stdout.contains("implicit: src/a.rs:3 (weight: 0.6)"), "{}", finished.stdout);
}
