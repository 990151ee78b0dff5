use super::*;

fn answer(json: &str) -> Option<Answer> {
    Answer::parse(json.into(), 0)
}

#[test]
fn a_smaller_or_newer_briefing_is_understood_by_its_text() {
    let minimal =
        r#"{"schema_version": "2.3", "fused_context": {"for_model": {"additional_context": "x"}}}"#;
    assert_eq!(answer(minimal).unwrap().context(), "x");
    let odd = minimal.replacen(
        '{',
        r#"{"tool_plan": 3, "inputs": {"signals": "none"}, "degraded": null, "#,
        1,
    );
    assert_eq!(answer(&odd).unwrap().context(), "x");
}

#[test]
fn a43_anything_else_is_invalid() {
    for text in [
        "not json",
        "",
        "{}",
        r#"{"schema_version": "1.0"}"#,
        r#"{"schema_version": "1.0", "fused_context": {"for_model": {"additional_context": 3}}}"#,
        r#"{"schema_version": 1, "fused_context": {"for_model": {"additional_context": "x"}}}"#,
        r#"{"schema_version": "1.0", "fused_context": {"for_model": {"additional_context": "x"}}} trailing"#,
    ] {
        assert_eq!(answer(text), None, "{text}");
    }
}

#[test]
fn the_message_is_one_line_with_the_first_limit() {
    let full = r#"{
        "schema_version": "1.0",
        "tool_plan": {"tools": [{}]},
        "fused_context": {
            "for_model": {"additional_context": "x", "structured": {"items": [1, 2]}},
            "for_user": {"limits_text": "[Limits] a\n[Limits] b"}
        }
    }"#;
    assert_eq!(
        answer(full).unwrap().message().unwrap(),
        "Adjutant: 2 findings · [Limits] a (+1 more)"
    );
}

#[test]
fn a_prompt_that_is_not_about_code_has_no_message() {
    let nothing = r#"{"schema_version": "1.0", "tool_plan": {"tools": []}, "fused_context": {"for_model": {"additional_context": ""}}}"#;
    assert_eq!(answer(nothing).unwrap().message(), None);
}
