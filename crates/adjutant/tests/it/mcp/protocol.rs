//! The MCP protocol: handshake, list of tools, errors, invalid input.

use serde_json::{Value, json};
use testkit::FakeCodex;

use super::client::{Client, Setup, TEST_TIMEOUT, setup, text};
use crate::fixture::ADJUTANT;
use crate::schema::CompiledSchema;

const READ_ONLY: [&str; 17] = [
    "brief",
    "ci_bug_locate",
    "ci_call_chain",
    "ci_complexity",
    "ci_graph_rag",
    "ci_hotspot",
    "ci_impact",
    "ci_index_status",
    "ci_search",
    "codex.help",
    "codex.list",
    "codex.logs",
    "codex.metrics",
    "codex.queue_list",
    "codex.queue_show",
    "codex.status",
    "codex.version",
];
const OTHERS: [&str; 7] = [
    "codex.clean",
    "codex.exec",
    "codex.queue_add",
    "codex.reply",
    "codex.resume",
    "codex.start",
    "codex.stop",
];
/// The tools that run codex, which uses a model on the network.
const OPEN_WORLD: [&str; 5] =
    ["codex.exec", "codex.queue_add", "codex.reply", "codex.resume", "codex.start"];

fn simple() -> Setup {
    setup(FakeCodex::answering("done"))
}

fn tools(client: &mut Client) -> Vec<Value> {
    let answer = client.request("tools/list", json!({}));
    answer["result"]["tools"].as_array().unwrap().clone()
}

#[test]
fn c5_the_tools_are_listed_with_their_annotations() {
    let setup = simple();
    let mut client = setup.client();
    assert_eq!(client.request("ping", json!({}))["result"], json!({}));
    let tools = tools(&mut client);
    let named = |is_read_only: bool| {
        let hint = |tool: &&Value| tool["annotations"]["readOnlyHint"] == is_read_only;
        let names = tools.iter().filter(hint).filter_map(|tool| tool["name"].as_str());
        let mut names: Vec<&str> = names.collect();
        names.sort_unstable();
        names
    };
    assert_eq!(named(true), READ_ONLY);
    assert_eq!(named(false), OTHERS);
    for tool in &tools {
        let is_open = tool["name"].as_str().is_some_and(|name| OPEN_WORLD.contains(&name));
        assert_eq!(tool["annotations"]["openWorldHint"], is_open, "{tool}");
    }
    for tool in &tools {
        assert!(tool["description"].as_str().is_some_and(|text| text.len() > 20), "{tool}");
        for schema in [tool.get("inputSchema"), tool.get("outputSchema")].into_iter().flatten() {
            CompiledSchema::new(schema).unwrap_or_else(|error| panic!("{error}: {tool}"));
        }
        assert_eq!(tool["inputSchema"]["additionalProperties"], false, "{tool}");
    }
}

/// A client sends the list of tools to its model with every request.
#[test]
fn the_default_tools_are_read_only_and_need_at_most_900_tokens() {
    let setup = simple();
    let mut client = Client::start(&setup.fixture.launch(ADJUTANT).argument("mcp"));
    let tools = tools(&mut client);
    let names: Vec<&str> = tools.iter().filter_map(|tool| tool["name"].as_str()).collect();
    let slim =
        ["ci_search", "ci_graph_rag", "ci_call_chain", "ci_bug_locate", "ci_impact", "brief"];
    assert_eq!(names, slim);
    assert!(tools.iter().all(|tool| tool["annotations"]["readOnlyHint"] == true), "{tools:#?}");
    // A token has about four characters.
    let n_characters = json!(tools).to_string().chars().count();
    assert!(n_characters <= 4 * 900, "{n_characters}");
    let page = include_str!("../../../../../docs/guide/mcp.md");
    let stated = format!(
        "| 6 | {},{:03} | {} |",
        n_characters / 1000,
        n_characters % 1000,
        n_characters / 4
    );
    assert!(page.contains(&stated), "docs/guide/mcp.md lacks `{stated}`");
    let answer = client.request("tools/call", json!({ "name": "codex.list", "arguments": {} }));
    let message = answer["error"]["message"].as_str().unwrap();
    assert!(message.contains("adjutant mcp --tools all"), "{message}");
}

#[test]
fn c5_every_version_of_the_protocol_is_negotiated() {
    let setup = simple();
    for (asked, got) in [("2025-06-18", "2025-06-18"), ("2024-11-05", "2024-11-05")] {
        let mut program = setup.launch().start_piped();
        let params = json!({ "protocolVersion": asked, "capabilities": {}, "clientInfo": { "name": "x", "version": "1" } });
        let message =
            json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params });
        program.write_line(message.to_string());
        let answer: Value =
            serde_json::from_str(&program.read_line(TEST_TIMEOUT).unwrap()).unwrap();
        assert_eq!(answer["result"]["protocolVersion"], got);
    }
}

/// Since protocol 2026-07-28, a client may send requests without a handshake, and identifies itself in each request.
#[test]
fn c5_the_newest_protocol_needs_no_handshake() {
    let setup = simple();
    let mut program = setup.launch().start_piped();
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { "name": "x", "version": "1" },
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let mut ask = |id: u64, method: &str, mut params: Value| -> Value {
        params["_meta"] = meta.clone();
        let message = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
        program.write_line(message.to_string());
        serde_json::from_str(&program.read_line(TEST_TIMEOUT).unwrap()).unwrap()
    };
    let found = ask(1, "server/discover", json!({}));
    assert!(found["result"]["capabilities"]["tools"].is_object(), "{found}");
    // A client of this protocol ignores a list of tools without these fields.
    let listed = &ask(3, "tools/list", json!({}))["result"];
    assert!(listed["ttlMs"].is_u64(), "{listed}");
    assert!(["public", "private"].map(Value::from).contains(&listed["cacheScope"]), "{listed}");
    assert_eq!(listed["resultType"], "complete", "{listed}");
    assert_eq!(listed["tools"].as_array().map(Vec::len), Some(READ_ONLY.len() + OTHERS.len()));
    let arguments = json!({ "query": "enforce_retry_budget_zebra" });
    let answer = ask(2, "tools/call", json!({ "name": "ci_search", "arguments": arguments }));
    assert!(text(&answer["result"]).contains("retry_budget.rs"), "{answer}");
}

#[test]
fn c5_structured_results_match_the_published_schema() {
    let setup = simple();
    let mut client = setup.client();
    let tools = tools(&mut client);
    let tool_result =
        json!({ "$defs": crate::schema::published()["$defs"], "$ref": "#/$defs/ToolResult" });
    let schema = |name: &str| {
        let tool = tools.iter().find(|tool| tool["name"] == name).unwrap();
        CompiledSchema::new(tool.get("outputSchema").unwrap_or(&tool_result)).unwrap()
    };
    let started = client.ok("codex.start", json!({ "task": "x" }));
    let job = json!({ "jobId": started["jobId"] });
    for (tool, arguments) in [
        ("ci_index_status", json!({})),
        ("ci_search", json!({ "query": "enforce_retry_budget_zebra" })),
        ("brief", json!({ "prompt": "who uses enforce_retry_budget_zebra?" })),
        ("codex.exec", json!({ "task": "x" })),
        ("codex.status", job.clone()),
        ("codex.logs", job.clone()),
        ("codex.logs", json!({ "jobId": started["jobId"], "tailLines": 3 })),
        ("codex.list", json!({})),
        ("codex.metrics", json!({})),
        ("codex.version", json!({})),
        ("codex.help", json!({ "format": "json" })),
        ("codex.stop", job),
        ("codex.clean", json!({ "dryRun": true })),
    ] {
        let result = client.ok(tool, arguments);
        if let Err(error) = schema(tool).check(&result) {
            panic!("{tool}: {error}: {result:#}");
        }
    }
    schema("codex.start").check(&started).unwrap();
}

#[test]
fn c5_forty_questions_at_once_are_all_answered() {
    let setup = simple();
    let mut client = setup.client();
    let ask = |client: &mut Client| {
        let arguments = json!({ "query": "enforce_retry_budget_zebra" });
        client.send("tools/call", json!({ "name": "ci_search", "arguments": arguments }))
    };
    let ids: Vec<u64> = (0..40).map(|_| ask(&mut client)).collect();
    for id in ids {
        let answer = client.answer_to(id);
        assert!(text(&answer["result"]).contains("retry_budget.rs"), "{answer}");
    }
}

#[test]
fn c5_unknown_malformed_and_too_large_requests_do_not_end_the_server() {
    let setup = simple();
    let mut client = setup.client();
    let unknown = client.request("tools/call", json!({ "name": "ci_destroy", "arguments": {} }));
    assert_eq!(unknown["error"]["code"], -32602, "{unknown}");
    assert!(unknown["error"]["message"].as_str().unwrap().contains("tools/list"), "{unknown}");
    let method = client.request("no/such/method", json!({}));
    assert_eq!(method["error"]["code"], -32601, "{method}");
    let wrong = client.request("tools/call", json!({ "name": "ci_search", "arguments": "text" }));
    assert!(wrong["error"]["code"].is_number(), "{wrong}");
    for line in [
        &b"not json"[..],
        b"{",
        b"{}",
        b"[]",
        b"null",
        b"\xff\xfe\x00",
        b"{\"jsonrpc\":\"1.0\",\"id\":1,\"method\":\"ping\"}",
        b"{\"jsonrpc\":\"2.0\",\"method\":5}",
        b"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":999}}",
    ] {
        client.program.write_line(line);
    }
    assert_eq!(client.request("ping", json!({}))["result"], json!({}));
    let long = "x".repeat(2 * 1024 * 1024);
    for (tool, arguments) in
        [("ci_search", json!({ "query": long })), ("codex.exec", json!({ "task": long }))]
    {
        assert_eq!(client.error(tool, arguments), "INVALID_ARGUMENT", "{tool}");
    }
    assert_eq!(client.request("ping", json!({}))["result"], json!({}));
}
