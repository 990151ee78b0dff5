//! Tests with calls that a client runs itself, and with MCP tool calls that both the client and the server see (B7).

use contract::{Arguments, ClientName, ToolDecision};
use serde_json::{Value, json};
use toolcall::{CallIdentity, Caller, CompletedCall, ToolCall};

use crate::fixture::{Fixture, action, counting};

fn identity(id: Option<&str>) -> CallIdentity {
    CallIdentity {
        tool_use_id: id.map(str::to_owned),
        session_id: Some("session".into()),
        agent_id: None,
        client_tool_name: None,
    }
}

fn told_before(fixture: &mut Fixture, tool: &str, input: Value, id: &str) -> CompletedCall {
    fixture.caller = Caller::Client(ClientName::CLAUDE_CODE);
    let call = ToolCall::of_client(tool, Arguments::from_client_input(input), identity(Some(id)));
    toolcall::before_client_call(&fixture.context(), &call, fixture.deadline())
}

fn told_after(fixture: &mut Fixture, tool: &str, input: Value, id: &str) -> CompletedCall {
    fixture.caller = Caller::Client(ClientName::CLAUDE_CODE);
    let call = ToolCall::of_client(tool, Arguments::from_client_input(input), identity(Some(id)));
    toolcall::after_client_call(&fixture.context(), &call, Ok(json!("done")), fixture.deadline())
}

/// Makes a call as the MCP server sees it, with or without the client's id.
fn served(fixture: &mut Fixture, input: Value, id: Option<&str>) -> &'static str {
    fixture.caller = Caller::Mcp;
    let mut call = fixture.tool_call("ci_search", input);
    call.identity = CallIdentity { session_id: None, ..identity(id) };
    let outcome = toolcall::call(&fixture.toolbox, &fixture.context(), &call, fixture.deadline());
    outcome.record.status.word()
}

#[test]
fn b7_hooks_run_once_before_and_once_after_a_clients_own_call() {
    let mut fixture = Fixture::new();
    fixture.count_both();
    let input = json!({"command": "ls"});
    assert_eq!(
        told_before(&mut fixture, "Bash", input.clone(), "1").verdict.decision,
        ToolDecision::Go
    );
    assert_eq!(fixture.counts(), (1, 0));
    told_after(&mut fixture, "Bash", input, "1");
    assert_eq!((fixture.counts(), fixture.ran()), ((1, 1), 0));
}

#[test]
fn b7_hooks_run_once_for_a_call_that_client_and_server_see() {
    for id_reaches_the_server in [true, false] {
        let mut fixture = Fixture::new();
        fixture.count_both();
        let tool = "mcp__adjutant__ci_search";
        let input = json!({"query": "x", "limit": 99});
        told_before(&mut fixture, tool, input.clone(), "1");
        assert_eq!(served(&mut fixture, input.clone(), id_reaches_the_server.then_some("1")), "ok");
        told_after(&mut fixture, tool, input, "1");
        assert_eq!((fixture.counts(), fixture.ran()), ((1, 1), 1), "id: {id_reaches_the_server}");
    }
}

#[test]
fn b7_the_server_runs_the_hooks_if_the_client_has_none() {
    let mut fixture = Fixture::new();
    fixture.count_both();
    served(&mut fixture, json!({"query": "x"}), Some("1"));
    served(&mut fixture, json!({"query": "x"}), None);
    assert_eq!(fixture.counts(), (2, 2));
}

#[test]
fn b7_the_server_checks_a_call_that_the_client_made_although_it_was_blocked() {
    let mut fixture = Fixture::new();
    fixture.before(&counting("before", "exit 2"));
    let input = json!({"query": "x"});
    let answer = told_before(&mut fixture, "mcp__adjutant__ci_search", input.clone(), "1");
    assert_eq!(answer.verdict.decision, ToolDecision::Block);
    assert_eq!(served(&mut fixture, input, Some("1")), "blocked");
    assert_eq!((fixture.counts().0, fixture.ran()), (2, 0));
}

#[test]
fn b7_the_client_runs_no_after_hook_for_a_call_that_the_server_blocked() {
    let mut fixture = Fixture::new();
    fixture.before(&counting("before", "exit 2"));
    fixture.after(&counting("after", "exit 0"));
    let input = json!({"query": "x"});
    assert_eq!(served(&mut fixture, input.clone(), Some("1")), "blocked");
    told_after(&mut fixture, "mcp__adjutant__ci_search", input, "1");
    assert_eq!(fixture.counts(), (1, 0));
}

#[test]
fn b7_a_matcher_matches_either_name_of_an_adjutant_tool() {
    for matcher in ["ci_search", "mcp__adjutant__ci_search"] {
        let mut fixture = Fixture::new();
        let rules = json!([{"matcher": matcher, "hooks": [action(&counting("before", "exit 2"))]}]);
        fixture.write(&fixture.user_file("beforeToolCall"), &rules.to_string());
        let answer = told_before(&mut fixture, "mcp__adjutant__ci_search", json!({}), "1");
        assert_eq!(answer.verdict.decision, ToolDecision::Block, "{matcher}");
    }
}

#[test]
fn b7_decisions_reach_the_client() {
    let mut fixture = Fixture::new();
    let text = json!({"hookSpecificOutput": {
        "permissionDecision": "allow", "permissionDecisionReason": "fine",
        "updatedInput": {"command": "ls -l"}, "additionalContext": "note",
    }});
    fixture.hook("beforeToolCall", "claude", &[action(&format!("echo '{text}'"))]);
    let answer = told_before(&mut fixture, "Bash", json!({"command": "ls"}), "1");
    assert_eq!(answer.verdict.decision, ToolDecision::Allow);
    assert_eq!(json!(answer.verdict.updated_input), json!({"command": "ls -l"}));
    assert_eq!(answer.verdict.context, "note");
    fixture.hook("afterToolCall", "snow", &[action("echo cleaner; exit 1")]);
    let answer = told_after(&mut fixture, "Bash", json!({"command": "ls -l"}), "1");
    assert_eq!(answer.verdict.replacement, Some(json!("cleaner")));
}

#[test]
fn b7_the_arguments_of_a_clients_tool_do_not_change() {
    let mut fixture = Fixture::new();
    fixture.before("cat > \"$NOTES/stdin\"");
    let input = json!({"files": "[1]", "limit": 999_999});
    let answer = told_before(&mut fixture, "mcp__other__tool", input.clone(), "1");
    let stdin: Value = serde_json::from_str(&fixture.note("stdin")).unwrap();
    assert_eq!((answer.verdict.updated_input, &stdin["args"]), (None, &input));
}

#[test]
fn b7_the_hook_input_contains_the_sub_agent() {
    let mut fixture = Fixture::new();
    fixture.before("cat > \"$NOTES/stdin\"");
    fixture.caller = Caller::Client(ClientName::CODEX_CLI);
    let mut call = ToolCall::of_client("exec_command", Arguments::default(), identity(Some("1")));
    call.identity.agent_id = Some("agent-7".into());
    let answer = toolcall::before_client_call(&fixture.context(), &call, fixture.deadline());
    assert_eq!(answer.verdict.decision, ToolDecision::Go);
    let stdin: Value = serde_json::from_str(&fixture.note("stdin")).unwrap();
    assert_eq!((&stdin["agentId"], &stdin["caller"]), (&json!("agent-7"), &json!("codex-cli")));
}
