use serde_json::from_str;

use super::*;

fn verdict(decision: ToolDecision) -> ToolVerdict {
    ToolVerdict { decision, reason: "because".into(), ..ToolVerdict::default() }
}

fn before(client: Client, verdict: &ToolVerdict) -> Value {
    from_str(&tool_envelope(client, ToolMoment::Before, &Value::Null, verdict)).unwrap()
}

fn after(client: Client, response: &Value, replacement: Value) -> Value {
    let verdict = ToolVerdict { replacement: Some(replacement), ..ToolVerdict::default() };
    from_str(&tool_envelope(client, ToolMoment::After, response, &verdict)).unwrap()
}

#[test]
fn b7_a_plain_yes_leaves_the_client_as_it_is() {
    for client in [Client::ClaudeCode, Client::Codex] {
        assert_eq!(before(client, &ToolVerdict::default()), json!({}));
        let text = tool_envelope(client, ToolMoment::After, &Value::Null, &ToolVerdict::default());
        assert_eq!(text, "{}");
    }
}

#[test]
fn b7_each_client_gets_the_words_it_knows() {
    let decision = |client, decision| {
        before(client, &verdict(decision))["hookSpecificOutput"]["permissionDecision"].clone()
    };
    assert_eq!(decision(Client::ClaudeCode, ToolDecision::Block), "deny");
    assert_eq!(decision(Client::ClaudeCode, ToolDecision::Ask), "ask");
    assert_eq!(decision(Client::ClaudeCode, ToolDecision::Allow), "allow");
    assert_eq!(decision(Client::Codex, ToolDecision::Block), "deny");
    assert_eq!(
        decision(Client::Codex, ToolDecision::Ask),
        "deny",
        "it would be dropped and the call run"
    );
    assert_eq!(before(Client::Codex, &verdict(ToolDecision::Allow)), json!({}));
}

#[test]
fn b7_codex_takes_a_new_input_only_with_allow() {
    let input = json!({"command": "ls"}).as_object().cloned();
    let verdict = ToolVerdict { updated_input: input, ..ToolVerdict::default() };
    assert_eq!(
        before(Client::Codex, &verdict),
        json!({"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "allow", "updatedInput": {"command": "ls"}}})
    );
    assert_eq!(
        before(Client::ClaudeCode, &verdict),
        json!({"hookSpecificOutput": {"hookEventName": "PreToolUse", "updatedInput": {"command": "ls"}}}),
        "the user is still asked for permission"
    );
}

#[test]
fn b7_a_refusal_always_has_a_reason() {
    let silent = ToolVerdict { decision: ToolDecision::Block, ..ToolVerdict::default() };
    assert_eq!(
        before(Client::Codex, &silent)["hookSpecificOutput"]["permissionDecisionReason"],
        "a hook decided so"
    );
    let long = ToolVerdict { reason: "长".repeat(10_000), ..silent };
    let text =
        before(Client::Codex, &long)["hookSpecificOutput"]["permissionDecisionReason"].to_string();
    assert!(text.chars().count() < MAX_REASON + 10);
}

#[test]
fn b7_a_result_is_replaced_in_the_shape_the_client_takes() {
    let bash = json!({"stdout": "old", "stderr": "x", "interrupted": false});
    let new = after(Client::ClaudeCode, &bash, json!("new"));
    assert_eq!(
        new["hookSpecificOutput"]["updatedToolOutput"],
        json!({"stdout": "new", "stderr": "", "interrupted": false})
    );
    let mcp = after(Client::ClaudeCode, &json!([{"type": "text", "text": "old"}]), json!("new"));
    assert_eq!(mcp["hookSpecificOutput"]["updatedToolOutput"], "new");
    let read = after(Client::ClaudeCode, &json!({"type": "text", "file": {}}), json!("new"));
    assert!(read["hookSpecificOutput"]["additionalContext"].as_str().unwrap().ends_with(": new"));
    assert_eq!(
        after(Client::Codex, &json!("old"), json!("new")),
        json!({"decision": "block", "reason": "new"})
    );
}

#[test]
fn b7_a_message_is_for_the_user_and_context_for_the_model() {
    let verdict = ToolVerdict {
        context: "note".into(),
        message: Some("warned".into()),
        ..ToolVerdict::default()
    };
    assert_eq!(
        before(Client::Codex, &verdict),
        json!({"hookSpecificOutput": {"additionalContext": "note", "hookEventName": "PreToolUse"}, "systemMessage": "warned"})
    );
}
