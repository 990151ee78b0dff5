use serde_json::json;

use super::*;

fn answer(json: &Value) -> Option<Answer> {
    Answer::parse(json.to_string().as_bytes(), 0)
}

#[test]
fn a_smaller_or_newer_kernel_is_understood_by_its_text() {
    let minimal = json!({"schema_version": "2.3", "fused_context": {"for_model": {"additional_context": "x"}}});
    assert_eq!(answer(&minimal).unwrap().context(), "x");
}

#[test]
fn a43_anything_else_is_invalid() {
    assert_eq!(Answer::parse(b"not json", 0), None);
    assert_eq!(Answer::parse(b"", 0), None);
    assert_eq!(answer(&json!({})), None);
    assert_eq!(answer(&json!({"schema_version": "1.0"})), None);
    assert_eq!(
        answer(
            &json!({"schema_version": "1.0", "fused_context": {"for_model": {"additional_context": 3}}})
        ),
        None
    );
    assert_eq!(Answer::parse(b"{\"schema_version\":\"1.0\"} trailing", 0), None);
}

#[test]
fn the_message_is_one_line_with_the_first_limit() {
    let full = json!({
        "schema_version": "1.0",
        "tool_plan": {"tools": [{}]},
        "fused_context": {
            "for_model": {"additional_context": "x", "structured": {"items": [1, 2]}},
            "for_user": {"limits_text": "[Limits] a\n[Limits] b"},
        },
    });
    assert_eq!(
        answer(&full).unwrap().message().unwrap(),
        "Adjutant: 2 findings · [Limits] a (+1 more)"
    );
}

#[test]
fn a_prompt_that_is_not_about_code_is_not_commented_on() {
    let nothing = json!({"schema_version": "1.0", "tool_plan": {"tools": []}, "fused_context": {"for_model": {"additional_context": ""}}});
    assert_eq!(answer(&nothing).unwrap().message(), None);
}
