use serde_json::json;

use super::*;

fn before(decision: impl ToString) -> Meaning {
    read(ToolMoment::Before, &decision.to_string())
}

#[test]
fn b3_permission_decisions_are_read() {
    for (word, effect) in [
        ("allow", Effect::Allow),
        ("deny", Effect::Block),
        ("ask", Effect::Ask),
        ("defer", Effect::Go),
    ] {
        let meaning = before(json!({"hookSpecificOutput": {
            "hookEventName": "PreToolUse", "permissionDecision": word, "permissionDecisionReason": "because"
        }}));
        assert_eq!((meaning.effect, meaning.reason.as_str()), (effect, "because"), "{word}");
    }
    assert_eq!(before(json!({"decision": "block", "reason": "no"})).effect, Effect::Block);
    assert_eq!(before(json!({"decision": "approve"})).effect, Effect::Allow);
    assert_eq!(before(json!({"continue": false, "stopReason": "halt"})).effect, Effect::Block);
    assert_eq!(before(json!({})).effect, Effect::Go);
}

#[test]
fn b3_a_decision_may_change_the_input_and_add_context() {
    let meaning = before(json!({"hookSpecificOutput": {
        "updatedInput": {"limit": 3}, "additionalContext": "look", "updatedToolOutput": "not yet"
    }}));
    assert_eq!(meaning.updated_input, Some(Arguments::from_client_input(json!({"limit": 3}))));
    assert_eq!(meaning.note.as_deref(), Some("look"));
    assert_eq!(meaning.replacement, None);
}

#[test]
fn b3_after_a_call_the_result_can_be_replaced_or_commented() {
    let after = |decision: Value| read(ToolMoment::After, &decision.to_string());
    let replaced = after(json!({"hookSpecificOutput": {"updatedToolOutput": {"a": 1}}}));
    assert_eq!((replaced.effect, replaced.replacement), (Effect::Replace, Some(json!({"a": 1}))));
    assert_eq!(after(json!({"decision": "block", "reason": "lint"})).effect, Effect::Tell);
}

#[test]
fn b3_an_invalid_decision_counts_as_the_strictest() {
    for text in
        ["{", r#"{"decision": "perhaps"}"#, r#"{"hookSpecificOutput": {"updatedInput": 3}}"#]
    {
        assert_eq!(read(ToolMoment::Before, text).effect, Effect::Block, "{text}");
        assert_eq!(read(ToolMoment::After, text).effect, Effect::Fail, "{text}");
    }
}
