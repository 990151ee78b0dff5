//! Tools that fail, are too slow or return too much.

use contract::{ErrorCode, ExitCode, Status};
use testkit::ShellScript;

use crate::fixture::{context, expect_limit, fixture, limits, result};

#[test]
fn a42_a_tool_that_fails_is_exit_40() {
    let runner = ShellScript::new("echo boom >&2; exit 9");
    let briefed = fixture()
        .env("CI_AUTO_TOOLS_RUNNER_CI_GRAPH_RAG", runner.path())
        .brief("explain enforce_retry_budget_zebra");
    let failed = (Status::Error, Some(ErrorCode::ToolUnavailable));
    assert_eq!((briefed.exit, result(&briefed, "ci_graph_rag")), (ExitCode::ToolFailed, failed));
    assert!(briefed.briefing.degraded.is_degraded);
    assert!(context(&briefed).contains("retry_budget.rs:2"), "the other tool found nothing");
}

#[test]
fn a24_a42_a_long_briefing_is_cut_and_exits_with_50() {
    let long = ShellScript::new("printf 'A%.0s' $(seq 1 220)");
    let all = ["CI_INDEX_STATUS", "CI_GRAPH_RAG", "CI_SEARCH"];
    let fixture = all.iter().fold(fixture(), |fixture, tool| {
        fixture.env(&format!("CI_AUTO_TOOLS_RUNNER_{tool}"), long.path())
    });
    let briefed = fixture.env("CI_AUTO_TOOLS_MAX_INJECTED_CHARS", "50").brief("explain auth");
    assert_eq!(briefed.exit, ExitCode::BudgetExceeded);
    assert!(context(&briefed).chars().count() <= 50);
    expect_limit(&briefed, "budget exceeded; results truncated");
    for tool in ["ci_index_status", "ci_search", "ci_graph_rag"] {
        assert_eq!(result(&briefed, tool), (Status::Ok, Some(ErrorCode::BudgetExceeded)));
    }
    assert!(briefed.briefing.tool_results.iter().all(|result| result.truncated));
}

#[test]
fn a42_a_tool_that_times_out_is_exit_50() {
    let slow = ShellScript::new("echo > \"${0%/*}/started\"; sleep 600");
    // On a busy machine, the tool may start late.
    let briefed = (0..7)
        .map(|doubled| {
            fixture()
                .env("CI_AUTO_TOOLS_RUNNER_CI_SEARCH", slow.path())
                .env("CI_AUTO_TOOLS_BUDGET_WALL_MS", (200 << doubled).to_string())
                .env("ADJUTANT_TEST_SLOWNESS", "1")
                .brief("explain auth")
        })
        .find(|briefed| {
            let mut results = briefed.briefing.tool_results.iter();
            slow.note("started").is_some() && results.any(|result| result.tool == "ci_search")
        })
        .expect("the tool is started");
    let timed_out = (Status::Timeout, Some(ErrorCode::Timeout));
    assert_eq!(
        (briefed.exit, result(&briefed, "ci_search")),
        (ExitCode::BudgetExceeded, timed_out)
    );
    expect_limit(&briefed, "tool timeout; degraded to plan-only");
}

#[test]
fn a43_an_unavailable_tool_is_skipped_and_named() {
    let fixture = fixture().env("CI_AUTO_TOOLS_TIER_MAX", "2");
    let briefed = fixture
        .brief("how complex is enforce_retry_budget_zebra, what is its cyclomatic complexity?");
    for tool in ["ci_graph_rag", "ci_complexity"] {
        if result(&briefed, tool).0 == Status::Skipped {
            let skipped = format!("tool unavailable; skipped ({tool})");
            assert!(limits(&briefed).contains(&skipped), "{}", limits(&briefed));
        }
    }
    assert_eq!(briefed.exit, ExitCode::Success);
}
