use serde_json::json;

use super::*;

fn check(name: &str, arguments: serde_json::Value, expected: &str) {
    let arguments = Arguments::from_client_input(arguments);
    let actual = match clamp(tool(name).unwrap(), &arguments) {
        Ok((clamped, limits)) => {
            let limits: Vec<String> = limits.iter().map(ToString::to_string).collect();
            format!("{clamped} {}", limits.join("; "))
        }
        Err(error) => error,
    };
    assert_eq!(actual.trim(), expected);
}

#[test]
fn a22_every_limit_of_the_table_is_enforced_and_reported() {
    check("ci_graph_rag", json!({"depth": 10}), r#"{"depth":2} ci_graph_rag: depth clamped to 2"#);
    check(
        "ci_graph_rag",
        json!({"budget": 99999}),
        r#"{"budget":8000} ci_graph_rag: budget clamped to 8000"#,
    );
    check(
        "ci_graph_rag",
        json!({"top_k": 11}),
        r#"{"top_k":10} ci_graph_rag: top_k clamped to 10"#,
    );
    check("ci_search", json!({"limit": 500}), r#"{"limit":10} ci_search: limit clamped to 10"#);
    check("ci_call_chain", json!({"depth": 4}), r#"{"depth":3} ci_call_chain: depth clamped to 3"#);
    check("ci_hotspot", json!({"days": 365}), r#"{"days":30} ci_hotspot: days clamped to 30"#);
    check("ci_hotspot", json!({"top": 21}), r#"{"top":20} ci_hotspot: top clamped to 20"#);
}

#[test]
fn a22_arguments_within_the_limits_are_unchanged() {
    check("ci_search", json!({"limit": 3, "query": "登录"}), r#"{"limit":3,"query":"登录"}"#);
}

#[test]
fn a22_invalid_arguments_are_refused() {
    check(
        "ci_search",
        json!({"limit": "many"}),
        "`limit` must be a number from 1 to 10, not `\"many\"`",
    );
    check("ci_search", json!({"limit": -1}), "`limit` must be a number from 1 to 10, not `-1`");
    check("ci_search", json!({"limit": 0}), "`limit` must be a number from 1 to 10, not `0`");
    check("ci_search", json!({"query": ["a"]}), "`query` must be text, not `[\"a\"]`");
    check("ci_search", json!({"exec": "rm"}), "`exec` is not an argument of this tool");
}

#[test]
fn every_tool_is_in_its_own_row() {
    assert!(TOOLS.iter().all(|tool| tool.id.tool() == tool));
}
