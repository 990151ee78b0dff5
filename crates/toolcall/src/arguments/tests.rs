use serde_json::json;

use super::*;

fn arguments(value: serde_json::Value) -> Arguments {
    Arguments::from_client_input(value)
}

#[test]
fn b2_json_texts_become_json_under_the_known_keys() {
    let written = json!({
        "filePath": " [\"a\", \"b\"] ", "files": "[]", "paths": "[1]", "items": "{\"a\": 1}",
        "options": "[{\"x\": [2]}]", "todoId": "[\"t1\"]",
    });
    let expected = json!({
        "filePath": ["a", "b"], "files": [], "paths": [1], "items": {"a": 1},
        "options": [{"x": [2]}], "todoId": ["t1"],
    });
    assert_eq!(normalise(arguments(written)), arguments(expected));
}

#[test]
fn b2_other_values_do_not_change() {
    let same = arguments(json!({
        "content": "[1, 2]", "filePath": "a.rs", "files": "[not json]", "paths": ["[1]"], "items": "{",
        "options": "\"text\"", "todoId": 7, "nested": {"files": "[1]"},
    }));
    assert_eq!(normalise(same.clone()), same);
}

#[test]
fn b1_the_first_object_in_a_text_is_parsed() {
    assert_eq!(parse_arguments(r#"{"a": 1}"#), Ok(arguments(json!({"a": 1}))));
    assert_eq!(parse_arguments(""), Ok(Arguments::default()));
    let with_words = parse_arguments(r#"Sure: {"a": {"b": 2}} and {"c": 3}"#);
    assert_eq!(with_words, Ok(arguments(json!({"a": {"b": 2}}))));
    assert_eq!(parse_arguments(r#"{"a": 1}{"a": 2}"#), Ok(arguments(json!({"a": 1}))));
    assert_eq!(parse_arguments("[1]").unwrap_err(), "the arguments are not a JSON object");
    assert_eq!(parse_arguments("\"{}\"").unwrap_err(), "the arguments are not a JSON object");
    assert!(parse_arguments("nothing here").unwrap_err().starts_with("the arguments are not JSON"));
}

#[test]
fn hostile_arguments_are_refused() {
    let deep = format!("{}{}", "{\"a\":".repeat(100_000), "}".repeat(100_000));
    assert!(parse_arguments(&deep).unwrap_err().contains("recursion limit"));
    assert!(parse_arguments(r#"{"a": "\ud800"}"#).is_err(), "half a surrogate pair");
    assert_eq!(parse_arguments(r#"{"a": "x\u0000y"}"#).unwrap()["a"], "x\0y");
    let large = |bytes: usize| arguments(json!({"a": [{"b": "x".repeat(bytes)}]}));
    assert!(is_too_large(&large(5_000_000)));
    assert!(!is_too_large(&large(1_000_000)));
}
