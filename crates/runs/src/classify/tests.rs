use super::*;
use crate::agents::AgentEvent;
use crate::agents::codex::events::CodexEvent;
use serde_json::{Value, json};

struct Case {
    end: End,
    stopped: Option<StopCause>,
    events: Vec<Value>,
    text: &'static str,
    prompt: &'static str,
}

const PLAIN: Case =
    Case { end: End::Exited(0), stopped: None, events: Vec::new(), text: "", prompt: "" };

fn message(text: &str) -> Vec<Value> {
    vec![
        json!({"type": "item.completed", "item": {"type": "agent_message", "text": text}}),
        json!({"type": "turn.completed", "usage": {"input_tokens": 1, "output_tokens": 1}}),
    ]
}

fn turn_failed(message: &str) -> Vec<Value> {
    vec![json!({"type": "turn.failed", "error": {"message": message}})]
}

#[track_caller]
fn check(case: &Case, expected: &str) {
    let mut account = Account::default();
    for event in &case.events {
        account.n_events += 1;
        CodexEvent::parse(&event.to_string()).unwrap().add_to(&mut account);
    }
    let verdict = classify(&Ending {
        agent: "Codex",
        end: case.end,
        stopped: case.stopped,
        account: &account,
        has_events: true,
        last_message: account.last_message.as_deref(),
        text: case.text,
        prompt: case.prompt,
        has_patch: false,
    });
    assert_eq!(verdict.classification.word(), expected, "{verdict:?}");
}

#[test]
fn c7_successful_runs() {
    check(&Case { events: message("All done."), ..PLAIN }, "normal");
    check(&Case { events: message("Finished.\nCONTROL: DONE"), ..PLAIN }, "done");
    check(&Case { events: message("More to do.\n**CONTROL: CONTINUE**"), ..PLAIN }, "continue");
    // The line mentions the flag, but is not a control line.
    check(&Case { events: message("I must end with CONTROL: DONE."), ..PLAIN }, "normal");
}

#[test]
fn c7_zero_is_not_success_without_an_answer() {
    check(&PLAIN, "error");
    check(&Case { events: turn_failed("something odd"), ..PLAIN }, "error");
    let only_usage = vec![
        json!({"type": "turn.started"}),
        json!({"type": "turn.completed", "usage": {"input_tokens": 0, "output_tokens": 0}}),
    ];
    check(&Case { events: only_usage, ..PLAIN }, "blocked_by_hook");
}

#[test]
fn c7_stop_causes_take_precedence_over_text() {
    let said = turn_failed("429 Too Many Requests");
    for (cause, word) in [
        (StopCause::Wall, "timeout"),
        (StopCause::Idle, "timeout"),
        (StopCause::Requested, "user_cancelled"),
    ] {
        check(
            &Case { end: End::Signalled(15), stopped: Some(cause), events: said.clone(), ..PLAIN },
            word,
        );
    }
}

#[test]
fn c7_failures_are_classified_by_their_message() {
    for (said, word) in [
        ("unexpected status 401 Unauthorized: bad key", "auth_error"),
        ("unexpected status 429 Too Many Requests", "rate_limited"),
        ("exceeded retry limit, last status: 503 Service Unavailable", "network_error"),
        ("Codex ran out of room in the model's context window.", "context_overflow"),
        ("stream disconnected before completion: error sending request", "network_error"),
        ("The model `gpt-9` does not exist", "config_error"),
        (
            "We're currently experiencing high demand, which may cause temporary errors.",
            "network_error",
        ),
        ("Selected model is at capacity. Please try a different model.", "rate_limited"),
        ("You've hit your usage limit.", "rate_limited"),
        ("something nobody has seen before", "error"),
    ] {
        check(&Case { end: End::Exited(1), events: turn_failed(said), ..PLAIN }, word);
    }
}

#[test]
fn c7_the_prompt_and_the_arguments_are_not_searched() {
    let prompt =
        "fix the token context overflow when approval is denied: 429 rate limit, sandbox denied";
    let case = Case { end: End::Exited(3), prompt, text: prompt, ..PLAIN };
    check(&case, "error");
    check(&Case { end: End::Exited(3), prompt, text: "boom", ..PLAIN }, "error");
    let text = "ERROR: MCP client for `docs` failed to start: request timed out\nboom";
    check(&Case { end: End::Exited(3), text, ..PLAIN }, "error");
}

#[test]
fn c7_usage_errors_signals_and_137() {
    check(
        &Case {
            end: End::Exited(2),
            text: "error: unexpected argument '--full-auto' found\n\nUsage: codex exec [OPTIONS]",
            ..PLAIN
        },
        "input_error",
    );
    check(&Case { end: End::Signalled(9), ..PLAIN }, "error");
    check(&Case { end: End::Exited(137), ..PLAIN }, "error");
    check(
        &Case {
            end: End::Exited(1),
            text: "Not inside a trusted directory and --skip-git-repo-check was not specified.",
            ..PLAIN
        },
        "config_error",
    );
}
