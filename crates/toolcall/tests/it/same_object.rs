//! Tests that the before hooks, the tool, the after hooks and the record get the same arguments (B2).

use proptest::prelude::{Strategy, any, prop_oneof};
use proptest::test_runner::{Config, TestRunner};
use proptest::{collection, sample};
use serde_json::{Map, Value, json};

use crate::fixture::{Fixture, action};

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z0-9 ]{0,12}",
        "[a-z]{0,4}[\u{4e00}-\u{4e20}🦀']{0,4}",
        sample::select(vec![
            "[\"a\", \"b\"]",
            " {\"x\": [1, 2]} ",
            "[1,",
            "{}",
            "[]",
            "[[\"deep\"]]",
            "true",
            "{\"a\":\"[1]\"}",
        ])
        .prop_map(str::to_owned),
    ]
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        text().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        any::<bool>().prop_map(Value::from),
        proptest::prelude::Just(Value::Null),
    ];
    leaf.prop_recursive(3, 16, 4, |inner| {
        prop_oneof![
            collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            collection::btree_map("[a-z]{1,6}", inner, 0..4)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

fn arguments() -> impl Strategy<Value = Map<String, Value>> {
    let key = prop_oneof![
        sample::select(vec!["filePath", "files", "paths", "items", "options", "todoId"])
            .prop_map(str::to_owned),
        "[a-z]{1,8}",
    ];
    collection::btree_map(key, value(), 0..6).prop_map(|map| map.into_iter().collect())
}

#[test]
fn b2_hooks_tool_and_record_get_the_same_arguments() {
    let fixture = Fixture::new();
    fixture.hook("beforeToolCall", "seed", &[action("cat > \"$NOTES/before\"")]);
    fixture.hook(
        "afterToolCall",
        "seed",
        &[action(
            "cat > \"$NOTES/after\"; printf %s \"$ADJUTANT_TOOL_ARGS_JSON\" > \"$NOTES/variable\"",
        )],
    );
    let context = fixture.context();
    // Each case starts two programs, so fewer cases than usual are run.
    let config = Config { cases: Config::default().cases / 5, ..Config::default() };
    let run = TestRunner::new(config).run(&arguments(), |arguments| {
        let call = fixture.tool_call("free", Value::Object(arguments.clone()));
        let outcome = toolcall::call(&fixture.toolbox, &context, &call, fixture.deadline());
        let executed = fixture.seen().last().cloned().unwrap();
        let stdin = |name: &str| -> Value { serde_json::from_str(&fixture.note(name)).unwrap() };
        let expected = toolcall::normalise(arguments.into());
        assert_eq!(executed, expected);
        assert_eq!(stdin("before")["args"], json!(expected));
        assert_eq!(stdin("after")["args"], json!(expected));
        assert_eq!(stdin("variable"), json!(expected));
        assert_eq!(outcome.record.arguments, expected);
        Ok(())
    });
    run.unwrap();
}

#[test]
fn b2_a_list_in_a_text_reaches_hook_and_tool_as_a_list() {
    let fixture = Fixture::new();
    fixture.before("cat > \"$NOTES/before\"");
    fixture.call_with("free", json!({"files": "[\"a.rs\", \"b.rs\"]"}));
    let stdin: Value = serde_json::from_str(&fixture.note("before")).unwrap();
    assert_eq!(stdin["args"]["files"], json!(["a.rs", "b.rs"]));
    assert_eq!(fixture.seen()[0]["files"], json!(["a.rs", "b.rs"]));
}

#[test]
fn b6_the_hook_input_has_the_documented_fields() {
    let fixture = Fixture::new();
    fixture.before("cat > \"$NOTES/before\"; env > \"$NOTES/env\"");
    fixture.after("cat > \"$NOTES/after\"");
    fixture.call();
    let before: Value = serde_json::from_str(&fixture.note("before")).unwrap();
    assert_eq!(
        (&before["toolName"], &before["args"]),
        (&json!("ci_search"), &json!({"query": "x"}))
    );
    assert_eq!(before["cwd"], json!(fixture.root));
    for key in ["platform", "sessionId", "session_id"] {
        assert!(before[key].is_string(), "{key}: {before}");
    }
    let after: Value = serde_json::from_str(&fixture.note("after")).unwrap();
    assert_eq!(after["result"], json!({"summary": "found", "data": {"items": []}}));
    assert_eq!(after["error"], json!(null));
    let environment = fixture.note("env");
    for name in ["SNOW_CWD=", "SNOW_PLATFORM=", "SNOW_SESSION_ID=", "ADJUTANT_TOOL_NAME=ci_search"]
    {
        assert!(environment.contains(name), "{environment}");
    }
}
