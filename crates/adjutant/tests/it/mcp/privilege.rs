//! The `codex.*` tools: `args`, `codexConfig` and jobs give a model no more permissions than the fields do.

use serde_json::{Value, json};
use testkit::FakeCodex;

use super::client::{Client, eventually, setup};

const BYPASS: &str = "--dangerously-bypass-approvals-and-sandbox";

/// Returns the message and the hint of a refused call.
#[track_caller]
fn refusal(client: &mut Client, arguments: &Value) -> String {
    let result = client.call("codex.exec", arguments.clone());
    assert_eq!(result["isError"], true, "{arguments}: {result:#}");
    let error = &result["structuredContent"]["error"];
    assert!(
        error["code"].as_str().unwrap().starts_with("INVALID_ARGUMENT"),
        "{arguments}: {error}"
    );
    format!("{} {}", error["message"], error["hint"])
}

#[test]
fn c4_a_model_cannot_drop_the_sandbox_unless_the_server_allows_it() {
    let setup = setup(FakeCodex::answering("done"));
    let mut client = setup.client();
    for call in [
        json!({ "task": "x", "dangerouslyBypass": true }),
        json!({ "task": "x", "dangerouslyBypass": true, "sandbox": "read-only" }),
        json!({ "task": "x", "args": [BYPASS] }),
        json!({ "task": "x", "args": ["--yolo"] }),
        json!({ "task": "x", "args": ["--", "--yolo"] }),
        json!({ "task": "x", "args": ["--", BYPASS] }),
        json!({ "task": "x", "args": ["--codex-arg=--yolo"] }),
    ] {
        let said = refusal(&mut client, &call);
        assert!(said.contains("--allow-bypass") && said.contains("ALLOW_MCP_BYPASS=1"), "{said}");
    }
    assert_eq!(setup.codex.n_runs(), 0);
    for allowed in
        [setup.launch().argument("--allow-bypass"), setup.launch().env("ALLOW_MCP_BYPASS", "1")]
    {
        let mut client = Client::start(&allowed);
        let result = client.ok("codex.exec", json!({ "task": "x", "dangerouslyBypass": true }));
        assert_eq!(result["effectiveSandbox"], "danger-full-access");
        let words = setup.codex.arguments(setup.codex.n_runs());
        assert!(words.contains(&BYPASS.to_owned()), "{words:?}");
    }
    let mut client = Client::start(&setup.launch().env("ALLOW_MCP_BYPASS", "yes"));
    refusal(&mut client, &json!({ "task": "x", "dangerouslyBypass": true }));
}

#[test]
fn c4_a_model_cannot_continue_a_job_that_had_no_sandbox() {
    let setup = setup(FakeCodex::answering("done"));
    let mut allowed = Client::start(&setup.launch().argument("--allow-bypass"));
    let wide = allowed.ok("codex.exec", json!({ "task": "x", "dangerouslyBypass": true }));
    let job = &wide["runId"];
    let mut client = setup.client();
    for tool in ["codex.resume", "codex.reply"] {
        let message = if tool == "codex.reply" { json!("go on") } else { Value::Null };
        let mut call = json!({ "jobId": job });
        if !message.is_null() {
            call["message"] = message;
        }
        let result = client.call(tool, call.clone());
        assert_eq!(result["isError"], true, "{tool}: {result:#}");
        assert!(result.to_string().contains("names no sandbox"), "{tool}: {result:#}");
        call["dangerouslyBypass"] = json!(true);
        let result = client.call(tool, call);
        assert_eq!(result["isError"], true, "{tool}: {result:#}");
    }
    assert_eq!(setup.codex.n_runs(), 1);
}

#[test]
fn c4_orders_hidden_in_configuration_are_refused_or_recorded() {
    let setup = setup(FakeCodex::answering("done"));
    let mut client = setup.client();
    let roots = "sandbox_workspace_write={network_access=true,writable_roots=[\"/\"]}";
    for call in [
        json!({ "task": "x", "args": ["--", "resume", "x"] }),
        json!({ "task": "x", "profile": "--yolo" }),
        json!({ "task": "x", "model": "--yolo" }),
        json!({ "task": "x", "args": ["--codex-config", roots] }),
        json!({ "task": "x", "args": ["--", "-c", roots] }),
        json!({ "task": "x", "args": ["--", &format!("-c{roots}")] }),
        json!({ "task": "x", "args": ["--", &format!("--config={roots}")] }),
        json!({ "task": "x", "args": ["--", "-c", "sandbox_workspace_write.writable_roots=[\"/\"]"] }),
        json!({ "task": "x", "args": ["--", "--add-dir", "/"] }),
        json!({ "task": "x", "args": ["--", "--add-dir=/"] }),
        json!({ "task": "x", "args": ["--", "--enable", "network_proxy"] }),
        json!({ "task": "x", "codexConfig": { "sandbox_workspace_write": { "writable_roots": ["/"] } } }),
        json!({ "task": "x", "codexConfig": { "default_permissions": ":danger-full-access" } }),
        json!({ "task": "x", "codexConfig": { "mcp_servers": { "a": { "command": "sh" } } } }),
        json!({ "task": "x", "codexConfig": { "\"sandbox_mode\"": "danger-full-access" } }),
        json!({ "task": "x", "codexConfig": { "web_search": "live" } }),
        json!({ "task": "x", "codexConfig": { "approval_policy": { "granular": {} } } }),
    ] {
        refusal(&mut client, &call);
    }
    assert_eq!(setup.codex.n_runs(), 0);
    let call = json!({ "task": "x", "codexConfig": { "sandbox_workspace_write": { "network_access": true } } });
    let started = client.ok("codex.start", call);
    let mut state = Value::Null;
    eventually("the job has ended", || {
        state = client.ok("codex.status", json!({ "jobId": started["jobId"] }));
        state["state"] != "running"
    });
    assert_eq!(state["effective_network_access"], "enabled", "{state:#}");
    let words = setup.codex.arguments(1).join(" ");
    assert!(words.contains("--config sandbox_workspace_write.network_access=true"), "{words}");
    assert_eq!(words.matches("network_access").count(), 1, "{words}");
}

#[test]
fn c5_a_model_cannot_set_times_and_counts_without_bounds() {
    let setup = setup(FakeCodex::answering("done"));
    let mut client = setup.client();
    for (call, bound) in [
        (json!({ "task": "x", "timeout": 1_u64 << 62 }), "86400"),
        (json!({ "task": "x", "timeout": 86_401 }), "86400"),
        (json!({ "task": "x", "args": ["--timeout", "25h"] }), "24h"),
        (json!({ "task": "x", "args": ["--timeout=18446744073709551615h"] }), "too large"),
        (json!({ "task": "x", "args": ["--idle-timeout", "25h"] }), "24h"),
        (json!({ "task": "x", "args": ["--grace", "99999h"] }), "5m"),
        (json!({ "task": "x", "args": ["--sleep-seconds", "18446744073709551615"] }), "1h"),
        (
            json!({ "task": "x", "args": ["--repeat-until", "y", "--max-runs", "4294967295"] }),
            "100",
        ),
        (json!({ "task": "x", "args": ["--overflow-retries", "4294967295"] }), "100"),
    ] {
        let said = refusal(&mut client, &call);
        assert!(said.contains(bound), "{call}: {said}");
    }
    assert_eq!(setup.codex.n_runs(), 0);
}
