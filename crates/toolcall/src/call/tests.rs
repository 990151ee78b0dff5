use serde_json::json;

use super::*;

#[test]
fn b7_tools_of_the_adjutant_server_are_known_by_their_own_name() {
    let tool =
        |name: &str| ToolCall::of_client(name, Arguments::default(), CallIdentity::default()).tool;
    assert_eq!(tool("mcp__adjutant__ci_search"), "ci_search");
    assert_eq!(tool("mcp__plugin_adjutant_adjutant__codex_exec"), "codex.exec");
    assert_eq!(tool("mcp__other__ci_search"), "mcp__other__ci_search");
    assert_eq!(tool("Bash"), "Bash");
}

#[test]
fn b7_the_ids_of_both_clients_are_read_from_meta() {
    let claude = json!({"claudecode/toolUseId": "toolu_1", "progressToken": 2});
    let claude = CallIdentity::from_mcp_meta(|key| claude[key].as_str());
    assert_eq!(claude.tool_use_id.as_deref(), Some("toolu_1"));
    let codex = json!({"callId": "call_1", "sessionId": "s", "threadId": "t"});
    let codex = CallIdentity::from_mcp_meta(|key| codex[key].as_str());
    assert_eq!(codex.tool_use_id.as_deref(), Some("call_1"));
    assert_eq!(codex.session_id.as_deref(), Some("s"));
}

#[test]
fn a_freeform_input_becomes_the_argument_input() {
    let arguments = Arguments::from_client_input(json!("*** Begin"));
    assert_eq!(arguments.to_string(), r#"{"input":"*** Begin"}"#);
}
