//! Calls a client makes itself, and calls of our own MCP tools that client and server both see (B7).

use serde_json::{Value, json};
use toolcall::{Caller, ClientAnswer, Identity, ToolCall, Verdict};

use crate::stage::{Stage, action, counting};

fn identity(id: Option<&str>) -> Identity {
    Identity {
        tool_use_id: id.map(str::to_owned),
        session_id: Some("session".into()),
        agent_id: None,
        seen_as: None,
    }
}

fn told_before(stage: &mut Stage, tool: &str, input: Value, id: &str) -> ClientAnswer {
    stage.caller = Caller::ClaudeCode;
    let call = ToolCall::of_client(tool, input, identity(Some(id)));
    toolcall::before_client_call(&stage.context(), &call, stage.deadline())
}

fn told_after(stage: &mut Stage, tool: &str, input: Value, id: &str) -> ClientAnswer {
    stage.caller = Caller::ClaudeCode;
    let call = ToolCall::of_client(tool, input, identity(Some(id)));
    toolcall::after_client_call(&stage.context(), &call, Ok(json!("done")), stage.deadline())
}

/// Our server, which may or may not have been given the client's id.
fn served(stage: &mut Stage, input: Value, id: Option<&str>) -> &'static str {
    stage.caller = Caller::Mcp;
    let mut call = stage.tool_call("ci_search", input);
    call.identity = Identity { session_id: None, ..identity(id) };
    let outcome = toolcall::call(&stage.toolbox, &stage.context(), &call, stage.deadline());
    outcome.record.status.word()
}

#[test]
fn b7_a_clients_own_call_fires_once_before_and_once_after() {
    let mut stage = Stage::new();
    stage.count_both();
    let input = json!({"command": "ls"});
    assert_eq!(told_before(&mut stage, "Bash", input.clone(), "1").verdict, Verdict::Go);
    assert_eq!(stage.counts(), (1, 0));
    told_after(&mut stage, "Bash", input, "1");
    assert_eq!((stage.counts(), stage.ran()), ((1, 1), 0));
}

#[test]
fn b7_a_call_of_our_own_tool_fires_once_though_two_see_it() {
    for id_reaches_the_server in [true, false] {
        let mut stage = Stage::new();
        stage.count_both();
        let tool = "mcp__adjutant__ci_search";
        let input = json!({"query": "x", "limit": 99});
        told_before(&mut stage, tool, input.clone(), "1");
        assert_eq!(served(&mut stage, input.clone(), id_reaches_the_server.then_some("1")), "ok");
        told_after(&mut stage, tool, input, "1");
        assert_eq!((stage.counts(), stage.ran()), ((1, 1), 1), "id: {id_reaches_the_server}");
    }
}

#[test]
fn b7_a_server_whose_client_has_no_hooks_fires_itself() {
    let mut stage = Stage::new();
    stage.count_both();
    served(&mut stage, json!({"query": "x"}), Some("1"));
    served(&mut stage, json!({"query": "x"}), None);
    assert_eq!(stage.counts(), (2, 2));
}

#[test]
fn b7_a_call_that_was_refused_and_comes_all_the_same_is_judged_again() {
    let mut stage = Stage::new();
    stage.before(&counting("before", "exit 2"));
    let input = json!({"query": "x"});
    let answer = told_before(&mut stage, "mcp__adjutant__ci_search", input.clone(), "1");
    assert_eq!(answer.verdict, Verdict::Block);
    assert_eq!(served(&mut stage, input, Some("1")), "blocked");
    assert_eq!((stage.counts().0, stage.ran()), (2, 0));
}

#[test]
fn b7_a_call_the_server_blocked_has_no_after_at_the_client_either() {
    let mut stage = Stage::new();
    stage.before(&counting("before", "exit 2"));
    stage.after(&counting("after", "exit 0"));
    let input = json!({"query": "x"});
    assert_eq!(served(&mut stage, input.clone(), Some("1")), "blocked");
    told_after(&mut stage, "mcp__adjutant__ci_search", input, "1");
    assert_eq!(stage.counts(), (1, 0));
}

#[test]
fn b7_a_matcher_knows_our_tools_by_either_name() {
    for matcher in ["ci_search", "mcp__adjutant__ci_search"] {
        let mut stage = Stage::new();
        let rules = json!([{"matcher": matcher, "hooks": [action(&counting("before", "exit 2"))]}]);
        stage.write(&stage.user_file("beforeToolCall"), &rules.to_string());
        let answer = told_before(&mut stage, "mcp__adjutant__ci_search", json!({}), "1");
        assert_eq!(answer.verdict, Verdict::Block, "{matcher}");
    }
}

#[test]
fn b7_decisions_reach_the_client() {
    let mut stage = Stage::new();
    let text = json!({"hookSpecificOutput": {
        "permissionDecision": "allow", "permissionDecisionReason": "fine",
        "updatedInput": {"command": "ls -l"}, "additionalContext": "note",
    }});
    stage.hook("beforeToolCall", "claude", &[action(&format!("echo '{text}'"))]);
    let answer = told_before(&mut stage, "Bash", json!({"command": "ls"}), "1");
    assert_eq!(answer.verdict, Verdict::Allow);
    assert_eq!(answer.updated_input, json!({"command": "ls -l"}).as_object().cloned());
    assert_eq!(answer.record.notes, ["note"]);
    stage.hook("afterToolCall", "snow", &[action("echo cleaner; exit 1")]);
    let answer = told_after(&mut stage, "Bash", json!({"command": "ls -l"}), "1");
    assert_eq!(answer.replacement, Some(json!("cleaner")));
}

#[test]
fn b7_a_clients_arguments_are_not_touched_on_the_way() {
    let mut stage = Stage::new();
    stage.before("cat > \"$NOTES/stdin\"");
    let input = json!({"files": "[1]", "limit": 999_999});
    let answer = told_before(&mut stage, "mcp__other__tool", input.clone(), "1");
    let stdin: Value = serde_json::from_str(&stage.note("stdin")).unwrap();
    assert_eq!((answer.updated_input, &stdin["args"]), (None, &input));
}

#[test]
fn b7_a_sub_agent_is_named_to_the_hook() {
    let mut stage = Stage::new();
    stage.before("cat > \"$NOTES/stdin\"");
    stage.caller = Caller::CodexCli;
    let mut call = ToolCall::of_client("exec_command", json!({}), identity(Some("1")));
    call.identity.agent_id = Some("agent-7".into());
    let answer = toolcall::before_client_call(&stage.context(), &call, stage.deadline());
    assert_eq!(answer.verdict, Verdict::Go);
    let stdin: Value = serde_json::from_str(&stage.note("stdin")).unwrap();
    assert_eq!((&stdin["agentId"], &stdin["caller"]), (&json!("agent-7"), &json!("codex-cli")));
}
