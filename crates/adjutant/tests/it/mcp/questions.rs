//! The eight questions and the briefing over MCP, with their hooks.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use testkit::{FakeCodex, eventually};

use super::client::{Setup, setup, setup_on, text};
use crate::fixture::HOOK;

const QUERY: &str = "enforce_retry_budget_zebra";

fn simple() -> Setup {
    setup(FakeCodex::answering("done"))
}

#[test]
fn b5_hooks_fire_once_before_and_once_after() {
    let setup = simple();
    setup.user_hook("beforeToolCall", "echo \"$ADJUTANT_TOOL_NAME\" >> \"$NOTES/before\"");
    setup.user_hook("afterToolCall", "echo \"$ADJUTANT_TOOL_NAME\" >> \"$NOTES/after\"");
    let mut client = setup.client();
    client.ok("ci_search", json!({ "query": QUERY }));
    client.ok("codex.list", json!({}));
    for moment in ["before", "after"] {
        assert_eq!(setup.note(moment), "ci_search\ncodex.list\n", "{moment}");
    }
}

/// The client's hook and the server handle the same call, which `_meta` identifies.
#[test]
fn b7_a_call_that_the_clients_hook_has_seen_fires_once() {
    let setup = simple();
    setup.user_hook("beforeToolCall", "echo x >> \"$NOTES/before\"");
    setup.user_hook("afterToolCall", "echo x >> \"$NOTES/after\"");
    let mut client = setup.client();
    let event = |name: &str, more: &Value| {
        let mut payload = json!({
            "hook_event_name": name, "session_id": "s1", "cwd": setup.path(), "tool_use_id": "toolu_7",
            "tool_name": "mcp__adjutant__ci_search", "tool_input": { "query": QUERY },
        });
        payload.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let launch = setup.fixture.launch(HOOK).arguments(["--client", "claude-code"]);
        launch.input(payload.to_string()).run().expect_success();
    };
    event("PreToolUse", &json!({}));
    let meta = json!({ "claudecode/toolUseId": "toolu_7" });
    let params = json!({ "name": "ci_search", "arguments": { "query": QUERY }, "_meta": meta });
    let answer = client.request("tools/call", params);
    assert_eq!(answer["result"]["isError"], false, "{answer}");
    event("PostToolUse", &json!({ "tool_response": answer["result"] }));
    assert_eq!(setup.note("before"), "x\n");
    assert_eq!(setup.note("after"), "x\n");
}

#[test]
fn b3_a_hook_can_forbid_a_call_and_is_named() {
    let setup = simple();
    setup.user_hook("beforeToolCall", "echo 'not on Sundays' >&2; exit 2");
    let mut client = setup.client();
    let result = client.call("codex.start", json!({ "task": "x" }));
    assert_eq!(result["structuredContent"]["error"]["code"], "BLOCKED_BY_HOOK", "{result:#}");
    assert!(text(&result).contains("not on Sundays"), "{result:#}");
    assert_eq!(setup.codex.n_runs(), 0);
}

#[test]
fn c5_mcp_questions_answer_in_a_repository_of_pipes_and_devices() {
    let repository = crate::odd_files::odd_repository();
    let setup = setup_on(crate::fixture::on(repository), FakeCodex::answering("done"));
    let mut client = setup.client();
    for tool in [
        "ci_index_status",
        "ci_search",
        "ci_graph_rag",
        "ci_call_chain",
        "ci_bug_locate",
        "ci_impact",
        "ci_complexity",
        "ci_hotspot",
    ] {
        let asks = !matches!(tool, "ci_index_status" | "ci_hotspot");
        let query = "enforce_retry_budget_zebra";
        let arguments = if asks { json!({ "query": query }) } else { json!({}) };
        let result = client.call(tool, arguments);
        assert_ne!(result["structuredContent"]["status"], "timeout", "{tool}: {result}");
    }
}

fn snapshots_below(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let below = |path: PathBuf| if path.is_dir() { snapshots_below(&path) } else { vec![path] };
    let files = entries.flat_map(|entry| below(entry.path()));
    files.filter(|path| path.extension().is_some_and(|it| it == "snap")).collect()
}

#[test]
fn c5_a_truncated_or_overwritten_snapshot_does_not_end_the_server() {
    let cache = tempfile::tempdir().unwrap();
    let fixture = crate::fixture::fixture().env("ADJUTANT_CACHE_DIR", cache.path());
    let setup = super::client::setup_on(fixture, FakeCodex::answering("done"));
    let mut client = setup.client();
    client.ok("ci_search", json!({ "query": QUERY }));
    let snapshots = snapshots_below(cache.path());
    assert_eq!(snapshots.len(), 1);
    let intact = fs::read(&snapshots[0]).unwrap();
    let is_over = std::sync::atomic::AtomicBool::new(false);
    let order = std::sync::atomic::Ordering::Relaxed;
    std::thread::scope(|scope| {
        // The file is overwritten in place, because the server may have it open.
        scope.spawn(|| {
            while !is_over.load(order) {
                for bytes in [&intact[..], &intact[..5_000], &[0; 20_000]] {
                    fs::write(&snapshots[0], bytes).unwrap();
                }
            }
        });
        for _ in 0..30 {
            let result = client.call("ci_search", json!({ "query": QUERY }));
            assert!(text(&result).contains("src/"), "{result:#}");
        }
        is_over.store(true, order);
    });
    // A build in the background, which the damage has started, may replace the file in the meantime.
    eventually("the damage is reported", || {
        fs::write(&snapshots[0], &intact[..5_000]).unwrap();
        let result = client.call("ci_search", json!({ "query": QUERY }));
        text(&result).contains("[Limits] the index is damaged")
    });
}

#[test]
fn c5_questions_are_answered_with_fenced_content_or_refused_with_a_hint() {
    let setup = simple();
    let mut client = setup.client();
    for tool in [
        "ci_search",
        "ci_graph_rag",
        "ci_call_chain",
        "ci_bug_locate",
        "ci_impact",
        "ci_complexity",
    ] {
        let result = client.call(tool, json!({ "query": QUERY }));
        assert_eq!(result["structuredContent"]["status"], "ok", "{result:#}");
        let finds = !matches!(tool, "ci_graph_rag" | "ci_complexity");
        assert!(!finds || text(&result).contains("src/"), "{tool}: {result:#}");
    }
    for tool in ["ci_index_status", "ci_hotspot"] {
        assert_eq!(client.ok(tool, json!({}))["status"], "ok");
    }
    for (tool, arguments) in [
        ("ci_search", json!({ "query": QUERY })),
        ("brief", json!({ "prompt": format!("who uses {QUERY}?") })),
    ] {
        let result = client.call(tool, arguments);
        let text = text(&result);
        let open = text.find("<untrusted-evidence id=").unwrap_or_else(|| panic!("{result:#}"));
        let close = text.find("</untrusted-evidence").unwrap();
        let found = text.find("retry_budget.rs").unwrap();
        assert!(open < found && found < close, "{text}");
        assert!(!result["structuredContent"]["data"]["items"].as_array().unwrap().is_empty());
    }
    for (arguments, part) in [
        (json!({}), "`query` is missing"),
        (json!({ "query": "  " }), "`query` is missing"),
        (json!({ "query": 5 }), "must be text"),
        (json!({ "query": "x", "limit": "many" }), "must be a number"),
        (json!({ "query": "x", "mode": "psychic" }), "`mode` must be one of"),
        (json!({ "query": "x", "path": "/etc" }), "`path` is not an argument"),
    ] {
        let result = client.call("ci_search", arguments);
        assert_eq!(result["isError"], true, "{result:#}");
        assert!(text(&result).contains(part) && text(&result).contains("hint: "), "{result:#}");
    }
    assert_eq!(client.error("brief", json!({})), "INVALID_ARGUMENT");
    let clamped = client.call("ci_search", json!({ "query": QUERY, "limit": 500 }));
    assert_eq!(clamped["isError"], false);
    assert!(text(&clamped).contains("[Limits]"), "{clamped:#}");
}
