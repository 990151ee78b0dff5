use serde_json::json;

use super::*;

fn normalised(arguments: Value) -> Value {
    Value::Object(normalise(arguments.as_object().unwrap().clone()))
}

#[test]
fn b2_texts_that_hold_json_become_json_under_the_known_keys() {
    let all = json!({
        "filePath": " [\"a\", \"b\"] ", "files": "[]", "paths": "[1]", "items": "{\"a\": 1}",
        "options": "[{\"x\": [2]}]", "todoId": "[\"t1\"]",
    });
    let expected = json!({
        "filePath": ["a", "b"], "files": [], "paths": [1], "items": {"a": 1},
        "options": [{"x": [2]}], "todoId": ["t1"],
    });
    assert_eq!(normalised(all), expected);
}

#[test]
fn b2_everything_else_stays_as_it_is() {
    let same = json!({
        "content": "[1, 2]", "filePath": "a.rs", "files": "[not json]", "paths": ["[1]"], "items": "{",
        "options": "\"text\"", "todoId": 7, "nested": {"files": "[1]"},
    });
    assert_eq!(normalised(same.clone()), same);
}

#[test]
fn b1_the_first_object_in_a_text_counts() {
    let parsed = |text: &str| parse_arguments(text).map(Value::Object).map_err(|e| e.to_string());
    assert_eq!(parsed(r#"{"a": 1}"#).unwrap(), json!({"a": 1}));
    assert_eq!(parsed("").unwrap(), json!({}));
    assert_eq!(parsed(r#"Sure: {"a": {"b": 2}} and {"c": 3}"#).unwrap(), json!({"a": {"b": 2}}));
    assert_eq!(parsed(r#"{"a": 1}{"a": 2}"#).unwrap(), json!({"a": 1}));
    assert_eq!(parsed("[1]").unwrap_err(), "the arguments are not a JSON object");
    assert_eq!(parsed("\"{}\"").unwrap_err(), "the arguments are not a JSON object");
    assert!(parsed("nothing here").unwrap_err().starts_with("the arguments are not JSON"));
}

#[test]
fn hostile_arguments_end_in_an_answer() {
    let deep = format!("{}{}", "{\"a\":".repeat(100_000), "}".repeat(100_000));
    assert!(parse_arguments(&deep).unwrap_err().to_string().contains("recursion limit"));
    assert!(parse_arguments(r#"{"a": "\ud800"}"#).is_err(), "half a character is no text");
    assert_eq!(parse_arguments(r#"{"a": "x\u0000y"}"#).unwrap()["a"], "x\0y");
    let large =
        |bytes: usize| json!({"a": [{"b": "x".repeat(bytes)}]}).as_object().unwrap().clone();
    assert!(is_too_large(&large(5_000_000)));
    assert!(!is_too_large(&large(1_000_000)));
}
