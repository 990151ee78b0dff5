use super::*;

fn answer(json: &str) -> Option<KernelAnswer> {
    KernelAnswer::parse(json.as_bytes(), 0)
}

#[test]
fn a43_an_output_that_is_not_one_object_is_invalid() {
    let briefing =
        r#"{"schema_version": "1.0", "fused_context": {"for_model": {"additional_context": "x"}}}"#;
    assert_eq!(answer(briefing).unwrap().context(), "x");
    for text in ["not json", "", "{}", &format!("{briefing} trailing")] {
        assert_eq!(answer(text), None, "{text}");
    }
}

/// Returns the message for a briefing with these findings and `[Limits]` messages.
fn message(context: &str, items: &str, limits: &str, is_degraded: bool) -> String {
    let json = serde_json::json!({
        "schema_version": "1.0",
        "tool_plan": { "tools": [{}] },
        "fused_context": {
            "for_model": {
                "additional_context": context,
                "structured": { "items": serde_json::from_str::<serde_json::Value>(items).unwrap() },
            },
            "for_user": { "limits_text": limits },
        },
        "degraded": { "is_degraded": is_degraded },
    });
    answer(&json.to_string()).unwrap().message().unwrap()
}

#[test]
fn the_message_names_the_strongest_finding_without_limits() {
    let items = r#"[{"path": "src/a.rs", "line": 3, "confidence": 0.2}, {"path": "src/http/client.rs", "line": 1163, "confidence": 0.9}, {"title": "x"}]"#;
    let limits = "[Limits] results truncated: 3 weaker findings left out";
    assert_eq!(message("x", items, limits, false), "Adjutant: client.rs:1163 (+2)");
    assert_eq!(message("x", r#"[{"path": "a.rs"}]"#, limits, false), "Adjutant: a.rs");
    assert_eq!(message("x", "[1, 2]", limits, false), "Adjutant: 2 findings");
    assert_eq!(message("x", r#"[{"title": "a"}]"#, limits, false), "Adjutant: 1 finding");
}

#[test]
fn the_message_has_the_first_limit_if_the_user_should_know_it() {
    let items = r#"[{"path": "a.rs", "line": 1}]"#;
    let limits =
        format!("[Limits] ci_search: a.rs:1 {}\n[Limits] a\n[Limits] b", contract::NOT_QUOTED);
    assert_eq!(message("x", items, &limits, true), "Adjutant: a.rs:1 · [Limits] a (+1 more)");
    assert_eq!(
        message("", "[]", &limits, false),
        "Adjutant: nothing injected · [Limits] a (+1 more)"
    );
    let setting = "[Limits] a\n[Limits] config/auto-tools.yaml: `x`; not applied";
    assert_eq!(
        message("x", items, setting, false),
        "Adjutant: a.rs:1 · [Limits] config/auto-tools.yaml: `x`; not applied"
    );
}

#[test]
fn a_prompt_that_is_not_about_code_has_no_message() {
    let nothing = r#"{"schema_version": "1.0", "tool_plan": {"tools": []}, "fused_context": {"for_model": {"additional_context": ""}}}"#;
    assert_eq!(answer(nothing).unwrap().message(), None);
}
