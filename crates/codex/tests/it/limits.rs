//! Caps on tokens, turns and cost, and usage limits, with a scripted codex.

use codex::{Budget, OnUsageLimit, Price, Status};
use testkit::{FAKE_THREAD, FakeCodex};

use crate::stage::Stage;

/// A fake codex that never reports the task as done. A turn uses 120 input tokens, 20 of them from the cache, and 7 output
/// tokens.
fn endless() -> Stage {
    Stage::new(FakeCodex::doing("thread; message more; completed"), "the task").with(|spec| {
        spec.repeat.until = Some("ALL DONE".to_owned());
        spec.repeat.max_runs = 9;
    })
}

fn ended(stage: &Stage) -> (i32, String, u64) {
    let outcome = stage.run();
    assert_eq!(outcome.exit_code, outcome.meta.exit_code);
    assert_eq!(usize::try_from(outcome.meta.total_use.turns).unwrap(), stage.codex.n_runs());
    (outcome.exit_code, outcome.meta.classification, outcome.meta.total_use.turns)
}

#[test]
fn c9_caps_count_repeated_runs_together_and_are_exceeded_by_one_turn_at_most() {
    for (max_tokens, turns) in [(1, 1), (127, 1), (128, 2), (3 * 127, 3)] {
        let budget = Budget { max_tokens: Some(max_tokens), ..Budget::default() };
        let stage = endless().with(|spec| spec.budget = budget);
        assert_eq!(ended(&stage), (60, "budget".to_owned(), turns), "--max-tokens {max_tokens}");
    }
    let budget = Budget { max_turns: Some(4), ..Budget::default() };
    let stage = endless().with(|spec| spec.budget = budget);
    assert_eq!(ended(&stage), (60, "budget".to_owned(), 4));
}

#[test]
fn c9_the_cost_follows_from_the_price_table() {
    let amount = |text: &str| text.parse().unwrap();
    let price =
        Price { input: amount("1000"), cached_input: amount("100"), output: amount("10000") };
    // 100 · 0.001 + 20 · 0.0001 + 7 · 0.01 = 0.172 for each turn.
    let budget = Budget { max_cost: Some(amount("0.4")), price: Some(price), ..Budget::default() };
    let stage = endless().with(|spec| spec.budget = budget);
    let outcome = stage.run();
    assert_eq!((outcome.exit_code, stage.codex.n_runs()), (60, 3));
    assert_eq!(outcome.meta.total_use.cost, Some(amount("0.516")));
    assert!(outcome.meta.reason.contains("--max-cost"), "{}", outcome.meta.reason);
}

#[test]
fn c9_a_run_below_its_caps_ends_as_without_them() {
    let budget = Budget { max_tokens: Some(127), max_turns: Some(1), ..Budget::default() };
    let stage = Stage::new(FakeCodex::answering("Hello.\nCONTROL: DONE"), "the task")
        .with(|spec| spec.budget = budget);
    assert_eq!(ended(&stage), (0, "done".to_owned(), 1));
    let state = stage.sessions().list(&codex::Filter::default()).remove(0);
    assert_eq!(state.total_use.unwrap().tokens.input, 120);
    let metrics = stage.sessions().metrics(&codex::Filter::default());
    assert_eq!((metrics.tokens_used, metrics.turns), (127, 1));
}

/// A fake codex that reaches a usage limit in its first run and answers in the second.
fn limited(message: &str) -> FakeCodex {
    FakeCodex::doing(&format!(
        "thread; if [ $n = 1 ]; then failed '{message}'; exit 1; fi; message 'Done.'; completed"
    ))
}

#[test]
fn c9_without_a_request_to_wait_a_usage_limit_is_a_failure() {
    let stage = Stage::new(limited("You have hit your usage limit. Try again in 3s."), "the task");
    let outcome = stage.run();
    assert_eq!((outcome.exit_code, outcome.meta.classification.as_str()), (1, "rate_limited"));
    assert!(outcome.meta.limit_resets_at.is_some(), "the reset time is missing");
}

#[test]
fn c9_a_deferred_run_is_waiting_and_continues_in_its_thread() {
    let stage = Stage::new(limited("You have hit your usage limit. Try again in 3 hours."), "x")
        .with(|spec| spec.on_usage_limit = OnUsageLimit::Defer);
    let outcome = stage.run();
    assert_eq!((outcome.exit_code, outcome.meta.classification.as_str()), (75, "waiting"));
    let id = codex::SessionId::new(&outcome.session.id).unwrap();
    let (continues, state) = stage.sessions().continues(&id).unwrap();
    assert_eq!((state.state, state.limit_resets_at.is_some()), (Status::Failed, true));
    let spec = stage.spec.resumed(continues);
    let stage = stage.with(|earlier| *earlier = spec);
    let outcome = stage.run();
    assert_eq!((outcome.exit_code, outcome.meta.classification.as_str()), (0, "normal"));
    let resumed = stage.codex.arguments(2);
    assert!(resumed.join(" ").ends_with(&format!("resume {FAKE_THREAD} -")), "{resumed:?}");
    assert!(!stage.codex.prompt(2).contains('x'), "the task is not sent again");
}

#[test]
fn c9_a_run_waits_for_the_reset_and_continues_in_the_same_session() {
    let stage = Stage::new(limited("You have hit your usage limit. Try again in 1s."), "zebra")
        .with(|spec| {
            spec.on_usage_limit = OnUsageLimit::Wait { max_seconds: 60 };
            // The wait does not count toward the limit on wall time.
            spec.repeat.max_runs = 1;
        });
    let outcome = stage.run();
    assert_eq!((outcome.exit_code, outcome.meta.classification.as_str()), (0, "normal"));
    assert_eq!((outcome.meta.iteration, stage.codex.n_runs()), (2, 2));
    assert!(stage.log().contains("[limit] waiting until "), "{}", stage.log());
    assert!(!stage.codex.prompt(2).contains("zebra"), "the task is not sent again");
}

#[test]
fn c9_a_reset_after_the_longest_wait_ends_the_run() {
    let message = "You have hit your usage limit. Try again in 2 hours.";
    let stage = Stage::new(limited(message), "the task")
        .with(|spec| spec.on_usage_limit = OnUsageLimit::Wait { max_seconds: 60 });
    let outcome = stage.run();
    assert_eq!((outcome.exit_code, outcome.meta.classification.as_str()), (75, "waiting"));
    assert_eq!(stage.codex.n_runs(), 1);
}

#[test]
fn c9_the_next_profile_is_tried_before_waiting() {
    let message = "You have hit your usage limit. Try again in 2 hours.";
    let stage = Stage::new(limited(message), "the task").with(|spec| {
        spec.on_usage_limit = OnUsageLimit::Defer;
        spec.next_profiles = vec!["second".to_owned()];
    });
    let outcome = stage.run();
    assert_eq!((outcome.exit_code, outcome.meta.classification.as_str()), (0, "normal"));
    let second = stage.codex.arguments(2).join(" ");
    assert!(second.contains("--profile second") && second.contains("resume"), "{second}");
}
