use serde_json::json;

use super::*;

#[test]
fn b7_our_own_tools_are_known_by_their_own_name() {
    let tool = |name: &str| ToolCall::of_client(name, json!({}), Identity::default()).tool;
    assert_eq!(tool("mcp__adjutant__ci_search"), "ci_search");
    assert_eq!(tool("mcp__plugin_adjutant_adjutant__codex_exec"), "codex.exec");
    assert_eq!(tool("mcp__other__ci_search"), "mcp__other__ci_search");
    assert_eq!(tool("Bash"), "Bash");
}

#[test]
fn b7_the_ids_of_both_clients_are_found_in_meta() {
    let identity = |meta: Value| Identity::from_mcp_meta(meta.as_object().unwrap());
    let claude = identity(json!({"claudecode/toolUseId": "toolu_1", "progressToken": 2}));
    assert_eq!(claude.tool_use_id.as_deref(), Some("toolu_1"));
    let codex = identity(json!({"callId": "call_1", "sessionId": "s", "threadId": "t"}));
    assert_eq!(codex.tool_use_id.as_deref(), Some("call_1"));
    assert_eq!(codex.session_id.as_deref(), Some("s"));
}

#[test]
fn a_freeform_input_is_an_argument() {
    let call = ToolCall::of_client("apply_patch", json!("*** Begin"), Identity::default());
    assert_eq!(Value::Object(call.arguments), json!({"input": "*** Begin"}));
}
