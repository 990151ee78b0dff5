//! Tests how a hook's exit code affects a call, by dialect (B3).

use contract::Status;
use serde_json::{Value, json};
use toolcall::CallOutcome;

use crate::fixture::{Fixture, action, limits};

fn before(dialect: &str, commands: &[&str]) -> CallOutcome {
    let fixture = Fixture::new();
    let actions: Vec<Value> = commands.iter().map(|command| action(command)).collect();
    fixture.hook("beforeToolCall", dialect, &actions);
    fixture.call()
}

fn after(dialect: &str, command: &str) -> CallOutcome {
    let fixture = Fixture::new();
    fixture.hook("afterToolCall", dialect, &[action(command)]);
    fixture.call()
}

#[track_caller]
fn check_before(dialect: &str, command: &str, status: &str, said: &str) {
    let outcome = before(dialect, &[command]);
    let limits = limits(&outcome).join("\n");
    assert_eq!(outcome.record.status.word(), status, "{dialect}: {command}: {limits}");
    assert!(limits.contains(said), "{dialect}: {command}: {limits}");
}

#[test]
fn b3_before_a_call() {
    check_before("seed", "exit 0", "ok", "");
    check_before("seed", "echo careful; exit 1", "ok", "hook warns, ");
    check_before("seed", "echo no; exit 2", "blocked", ": no");
    check_before("seed", "exit 77", "blocked", "exit 77");
    check_before("seed", "kill -TERM $$", "blocked", "killed by signal 15");
    check_before("snow", "echo answer; exit 1", "blocked", ": answer");
    check_before("claude", "exit 1", "ok", "hook warns, ");
    check_before("claude", "echo no >&2; exit 2", "blocked", ": no");
    check_before("claude", "exit 3", "ok", "hook warns, ");
    check_before("claude", "kill -9 $$", "blocked", "killed by signal 9");
}

#[test]
fn b3_the_most_severe_effect_wins() {
    for commands in [["exit 1", "echo second; exit 2"], ["echo second; exit 2", "exit 1"]] {
        let outcome = before("seed", &commands);
        assert_eq!(outcome.record.status.word(), "blocked");
        assert!(limits(&outcome).join("\n").contains(": second"));
    }
}

#[test]
fn b3_after_a_call() {
    let kept = after("seed", "echo oh; exit 1");
    assert_eq!((kept.result.status, kept.result.summary.as_str()), (Status::Ok, "found"));
    assert!(limits(&kept)[0].contains("hook warns, "), "{:?}", limits(&kept));
    let failed = after("seed", "exit 3");
    assert_eq!((failed.result.status, failed.result.summary.as_str()), (Status::Ok, "found"));
    assert!(limits(&failed)[0].contains("hook failed, "), "{:?}", limits(&failed));
    assert_eq!(after("snow", "echo better; exit 1").result.summary, "better");
    let told = after("claude", "echo lint failed >&2; exit 2");
    assert_eq!(
        (told.result.summary.as_str(), told.record.notes),
        ("found", vec!["lint failed".to_owned()])
    );
}

#[test]
fn b3_decisions_in_json() {
    let decide = |specific: Value| {
        let fixture = Fixture::new();
        let text = json!({ "hookSpecificOutput": specific }).to_string();
        fixture.hook("beforeToolCall", "claude", &[action(&format!("echo '{text}'"))]);
        let outcome = fixture.call();
        (outcome, fixture.seen())
    };
    let (denied, _) =
        decide(json!({"permissionDecision": "deny", "permissionDecisionReason": "closed"}));
    assert!(denied.result.error.unwrap().message.ends_with("closed"));
    let (asked, seen) = decide(json!({"permissionDecision": "ask"}));
    assert!(asked.result.error.unwrap().message.contains("which is not possible here"));
    assert!(seen.is_empty());
    let (updated, seen) =
        decide(json!({"updatedInput": {"query": "other", "limit": 99}, "additionalContext": "n"}));
    assert_eq!(json!(seen[0]), json!({"query": "other", "limit": 10}));
    assert_eq!(updated.record.arguments, seen[0]);
    assert_eq!(limits(&updated), ["ci_search: limit clamped to 10"], "a hook cannot widen a limit");
    assert_eq!(updated.record.notes, ["n"]);
    let (refused, seen) = decide(json!({"updatedInput": {"limit": "many"}}));
    assert_eq!((refused.record.status.word(), seen.len()), ("blocked", 0));
    let (replaced, _) = {
        let fixture = Fixture::new();
        let text =
            json!({"hookSpecificOutput": {"updatedToolOutput": {"items": [{"title": "t"}]}}})
                .to_string();
        fixture.hook("afterToolCall", "claude", &[action(&format!("echo '{text}'"))]);
        (fixture.call(), ())
    };
    assert_eq!(replaced.result.data, Some(json!({"items": [{"title": "t"}]}).into()));
}

#[test]
fn a52_the_output_of_a_hook_is_redacted() {
    let secret = format!("AKIA{}", "Q7ZJ4M2XK9WPLR5T");
    for command in [format!("echo {secret} >&2; exit 2"), format!("echo {secret}; exit 1")] {
        let outcome = before("seed", &[&command]);
        assert!(!format!("{outcome:?}").contains(&secret), "{outcome:?}");
    }
    let outcome = after("snow", &format!("echo {secret}; exit 1"));
    assert!(!format!("{outcome:?}").contains(&secret), "{outcome:?}");
}
