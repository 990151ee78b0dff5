use serde_json::json;

use super::*;
use crate::{ClientName, Degraded, DegradedTo, Limits, RequestingClient, SignalKind};

fn minimal() -> Value {
    json!({"schema_version": "2.3", "fused_context": {"for_model": {"additional_context": "x"}}})
}

#[test]
fn a_smaller_or_newer_briefing_is_understood_by_its_text() {
    let read = |json: &Value| {
        let briefing = Briefing::read_tolerantly(json).unwrap();
        assert_eq!(briefing.fused_context.for_model.additional_context, "x");
        briefing
    };
    assert_eq!(read(&minimal()).tool_plan.tools, []);
    let mut odd = minimal();
    odd["tool_plan"] = json!(3);
    odd["inputs"] = json!({"signals": [{"type": "new", "match": "a", "weight": "b"}, 7]});
    odd["degraded"] = json!({"is_degraded": true, "degraded_to": "unknown"});
    odd["new"] = json!({});
    let briefing = read(&odd);
    let signals = &briefing.inputs.signals;
    assert_eq!((signals.len(), signals[0].kind), (2, SignalKind::Explicit));
    let degraded_to = DegradedTo::Nothing;
    let reason = String::new();
    assert_eq!(briefing.degraded, Degraded { is_degraded: true, reason, degraded_to });
}

#[test]
fn a_whole_briefing_is_read_without_loss() {
    let name = ClientName::CODEX_CLI;
    let client =
        RequestingClient { name, event: "cli".to_owned(), session_id: Some("s".to_owned()) };
    let briefing =
        Briefing::empty(client, "prompt".to_owned(), "now".to_owned(), &Limits::default());
    assert_eq!(Briefing::read_tolerantly(&json!(briefing)), Some(briefing));
}

#[test]
fn a43_anything_else_is_invalid() {
    let check = |json: Value| assert_eq!(Briefing::read_tolerantly(&json), None, "{json}");
    check(json!({}));
    check(json!({"schema_version": "1.0"}));
    let mut wrong_text = minimal();
    wrong_text["fused_context"]["for_model"]["additional_context"] = json!(3);
    check(wrong_text);
    let mut wrong_version = minimal();
    wrong_version["schema_version"] = json!(1);
    check(wrong_version);
}
