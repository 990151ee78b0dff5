//! Caps on tokens, turns and cost, and usage limits, with a scripted codex.

use runs::{Caps, OnUsageLimit, Price, SessionBudget, SessionStatus};
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
        let budget = SessionBudget {
            caps: Caps { max_tokens: Some(max_tokens), ..Caps::default() },
            ..SessionBudget::default()
        };
        let stage = endless().with(|spec| spec.budget = budget);
        assert_eq!(ended(&stage), (60, "budget".to_owned(), turns), "--max-tokens {max_tokens}");
    }
    let budget = SessionBudget {
        caps: Caps { max_turns: Some(4), ..Caps::default() },
        ..SessionBudget::default()
    };
    let stage = endless().with(|spec| spec.budget = budget);
    assert_eq!(ended(&stage), (60, "budget".to_owned(), 4));
}

#[test]
fn c9_the_cost_follows_from_the_price_table() {
    let amount = |text: &str| text.parse().unwrap();
    let price =
        Price { input: amount("1000"), cached_input: amount("100"), output: amount("10000") };
    // 100 · 0.001 + 20 · 0.0001 + 7 · 0.01 = 0.172 for each turn.
    let budget = SessionBudget {
        caps: Caps { max_cost: Some(amount("0.4")), ..Caps::default() },
        price: Some(price),
        ..SessionBudget::default()
    };
    let stage = endless().with(|spec| spec.budget = budget);
    let outcome = stage.run();
    assert_eq!((outcome.exit_code, stage.codex.n_runs()), (60, 3));
    assert_eq!(outcome.meta.total_use.cost, Some(amount("0.516")));
    assert!(outcome.meta.reason.contains("--max-cost"), "{}", outcome.meta.reason);
}

#[test]
fn c9_a_run_below_its_caps_ends_as_without_them() {
    let budget = SessionBudget {
        caps: Caps { max_tokens: Some(127), max_turns: Some(1), ..Caps::default() },
        ..SessionBudget::default()
    };
    let stage = Stage::new(FakeCodex::answering("Hello.\nCONTROL: DONE"), "the task")
        .with(|spec| spec.budget = budget);
    assert_eq!(ended(&stage), (0, "done".to_owned(), 1));
    let state = stage.sessions().list(&runs::Filter::default()).remove(0);
    assert_eq!(state.total_use.unwrap().tokens.input, 120);
    let metrics = stage.sessions().metrics(&runs::Filter::default());
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
    let id = runs::SessionId::new(&outcome.session.id).unwrap();
    let (continues, state) = stage.sessions().continues(&id).unwrap();
    assert_eq!((state.state, state.limit_resets_at.is_some()), (SessionStatus::Failed, true));
    let spec = crate::stage::resumed(&stage.spec, continues);
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

const OTHER_THREAD: &str = "01a00000-0000-7000-8000-0000000acc02";

/// A fake codex with two accounts. The first has reached its usage limit and says `first`. In the folder `second`, codex has
/// another conversation and runs `second`.
fn two_accounts(first: &str, second: &str) -> Stage {
    let scenario = format!(
        "echo \"${{CODEX_HOME:-none}} ${{CODEX_API_KEY:-none}}\" > $here/account.$n
         case \"$CODEX_HOME\" in */second) THREAD={OTHER_THREAD}; thread; {second} ;;
         *) thread; {first} ;; esac"
    );
    let stage = Stage::new(FakeCodex::doing(&scenario), "zebra");
    let second = stage.folder.path().join("second");
    std::fs::create_dir(&second).unwrap();
    stage.with(|spec| {
        spec.on_usage_limit = OnUsageLimit::Defer;
        spec.next_homes = vec![second];
    })
}

fn limit_for(time: &str) -> String {
    format!("failed 'You have hit your usage limit. Try again in {time}.'; exit 1")
}

#[test]
fn c9_the_next_account_gets_the_whole_task_in_a_conversation_of_its_own() {
    let stage = two_accounts(&limit_for("2 hours"), "message 'Done.'; completed");
    let mut host = stage.host();
    host.environment = host.environment.with("CODEX_API_KEY", "key");
    let switch = process::StopSwitch::default();
    let outcome =
        runs::exec(&stage.spec, &host, &switch, &crate::stage::NoHooks, &mut |_| ()).unwrap();
    assert_eq!((outcome.exit_code, outcome.meta.classification.as_str()), (0, "normal"));
    // A key in the environment would replace the login of the second account.
    assert_eq!(stage.codex.note("account.1").unwrap(), "none key\n");
    let second = stage.folder.path().join("second");
    let account = format!("{} none\n", second.display());
    assert_eq!(stage.codex.note("account.2").unwrap(), account);
    let arguments = stage.codex.arguments(2).join(" ");
    assert!(!arguments.contains("resume"), "{arguments}");
    let prompt = stage.codex.prompt(2);
    assert!(prompt.contains("zebra") && prompt.contains("look at them first"), "{prompt}");
    let state = stage.sessions().list(&runs::Filter::default()).remove(0);
    assert_eq!((state.thread_id.as_deref(), state.codex_home), (Some(OTHER_THREAD), Some(second)));
    assert!(stage.log().contains("trying the account in "), "{}", stage.log());
}

#[test]
fn c9_a_deferred_run_continues_with_the_account_that_is_reset_first() {
    let answers = "if [ $n = 3 ]; then message 'Done.'; completed; exit; fi";
    let second = format!("{answers}; {}", limit_for("1 hour"));
    let stage = two_accounts(&limit_for("2 hours"), &second);
    let outcome = stage.run();
    assert_eq!((outcome.exit_code, stage.codex.n_runs()), (75, 2));
    let resets_at = |outcome: &runs::RunOutcome| {
        let time = outcome.meta.limit_resets_at.clone().unwrap();
        time.parse::<jiff::Timestamp>().unwrap()
    };
    let in_90_minutes = jiff::Timestamp::try_from((stage.host().clock)()).unwrap()
        + jiff::SignedDuration::from_mins(90);
    assert!(resets_at(&outcome) < in_90_minutes, "{:?}", outcome.meta.limit_resets_at);
    let id = runs::SessionId::new(&outcome.session.id).unwrap();
    let (continues, _) = stage.sessions().continues(&id).unwrap();
    let resumed = crate::stage::resumed(&stage.spec, continues);
    // Only the user's settings name accounts, not the record of a session.
    let stage = stage.with(|spec| *spec = runs::Spec { next_homes: Vec::new(), ..resumed.clone() });
    let refused = stage.try_run().unwrap_err().to_string();
    assert!(refused.contains("is not one of your accounts"), "{refused}");
    let stage = stage.with(|spec| *spec = resumed);
    assert_eq!(stage.run().exit_code, 0);
    let arguments = stage.codex.arguments(3).join(" ");
    assert!(arguments.ends_with(&format!("resume {OTHER_THREAD} -")), "{arguments}");
    assert!(stage.codex.note("account.3").unwrap().contains("/second"));
    assert!(!stage.codex.prompt(3).contains("zebra"), "the task is not sent again");
}

#[test]
fn c9_a_run_returns_to_the_conversation_of_the_first_account_after_its_reset() {
    let first =
        format!("if [ $n = 3 ]; then message 'Done.'; completed; exit; fi; {}", limit_for("1s"));
    let stage = two_accounts(&first, &limit_for("2 hours"))
        .with(|spec| spec.on_usage_limit = OnUsageLimit::Wait { max_seconds: 60 });
    assert_eq!(stage.run().exit_code, 0);
    let arguments = stage.codex.arguments(3).join(" ");
    assert!(arguments.ends_with(&format!("resume {FAKE_THREAD} -")), "{arguments}");
    let prompt = stage.codex.prompt(3);
    assert!(prompt.contains("look at them first") && !prompt.contains("zebra"), "{prompt}");
    assert_eq!(stage.codex.note("account.3").unwrap(), "none none\n");
}

#[test]
fn c9_a_message_without_its_task_is_not_sent_to_another_account() {
    let stage = two_accounts(&limit_for("2 hours"), "message 'Done.'; completed");
    let stage = stage.with(|spec| spec.next_homes.clear());
    let outcome = stage.run();
    let id = runs::SessionId::new(&outcome.session.id).unwrap();
    let (continues, _) = stage.sessions().continues(&id).unwrap();
    let second = stage.folder.path().join("second");
    let stage = stage.with(|spec| *spec = crate::stage::resumed(spec, continues));
    let stage = stage.with(|spec| spec.next_homes = vec![second]);
    assert_eq!((stage.run().exit_code, stage.codex.n_runs()), (75, 2));
    // With the task, another account can take it.
    let stage = stage.with(|spec| spec.new_thread_text = Some("the whole zebra".to_owned()));
    assert_eq!((stage.run().exit_code, stage.codex.n_runs()), (0, 4));
    assert!(stage.codex.prompt(4).contains("the whole zebra"), "{}", stage.codex.prompt(4));
}

#[test]
fn c9_the_caps_of_a_day_end_a_run_that_needs_another_turn_only() {
    let of_day = |max_tokens| Caps { max_tokens: Some(max_tokens), ..Default::default() };
    for (max_tokens, turns) in [(1, 1), (127, 1), (128, 2)] {
        let budget = SessionBudget { of_day: of_day(max_tokens), ..SessionBudget::default() };
        let stage = endless().with(|spec| spec.budget = budget);
        let outcome = stage.run();
        assert_eq!((outcome.exit_code, stage.codex.n_runs()), (60, turns), "{max_tokens} tokens");
        assert!(outcome.meta.reason.contains("a limit of the day"), "{}", outcome.meta.reason);
    }
    let budget = SessionBudget { of_day: of_day(1), ..SessionBudget::default() };
    let stage = Stage::new(FakeCodex::answering("Hello.\nCONTROL: DONE"), "the task")
        .with(|spec| spec.budget = budget);
    assert_eq!(ended(&stage), (0, "done".to_owned(), 1));
}

#[test]
fn c9_a_session_that_is_told_so_ends_after_its_turn() {
    // The second run waits until this test has told the session to end.
    let stage = Stage::new(
        FakeCodex::doing(
            "thread; while [ $n = 2 ] && [ ! -e $here/go ]; do sleep 0.05; done; message more; completed",
        ),
        "the task",
    );
    let stage = stage.with(|spec| {
        spec.repeat.until = Some("ALL DONE".to_owned());
        spec.repeat.max_runs = 9;
    });
    std::thread::scope(|scope| {
        let running = scope.spawn(|| stage.run());
        testkit::eventually("the second run started", || stage.codex.n_runs() == 2);
        let state = stage.sessions().list(&runs::Filter::default()).remove(0);
        assert_eq!(state.total_use.map(|used| used.turns), Some(1), "{state:#?}");
        let id = runs::SessionId::new(&state.id).unwrap();
        stage.sessions().end_after_turn(&id, "the zebra limit", &stage.host()).unwrap();
        std::fs::write(stage.codex.folder().join("go"), "").unwrap();
        let outcome = running.join().unwrap();
        assert_eq!((outcome.exit_code, stage.codex.n_runs()), (60, 2));
        assert!(outcome.meta.reason.contains("the zebra limit"), "{}", outcome.meta.reason);
    });
}

/// Claude Code with two accounts. The first has reached its usage limit.
#[test]
fn c9_the_next_account_of_claude_code_gets_the_whole_task() {
    let stage = Stage::new(FakeCodex::answering("unused"), "zebra");
    let flags =
        "--output-format --permission-mode --restricted --settings --strict-mcp-config --tools";
    let script = format!(
        r#"#!/bin/sh
here=${{0%/*}}
case "$*" in
--version) echo "2.1.325 (Claude Code)"; exit 0 ;;
--help) for flag in {flags}; do echo "  $flag  x"; done; exit 0 ;;
esac
n=$(( $(cat "$here/n" 2>/dev/null || echo 0) + 1 )); echo $n > "$here/n"
echo "${{CLAUDE_CONFIG_DIR:-none}} ${{ANTHROPIC_API_KEY:-none}}" > "$here/account.$n"
cat > "$here/claude-prompt.$n"
echo "$*" > "$here/claude-arguments.$n"
echo '{{"type":"system","subtype":"init","session_id":"52fa1333-3c05-4286-b41b-00000000000'$n'"}}'
case "$CLAUDE_CONFIG_DIR" in
*/second) echo '{{"type":"result","subtype":"success","is_error":false,"result":"Done."}}' ;;
*) echo '{{"type":"rate_limit_event","rate_limit_info":{{"status":"rejected","resetsAt":4102444800,"rateLimitType":"five_hour"}}}}'
   echo '{{"type":"result","subtype":"success","is_error":true,"result":"You have hit your 5-hour limit"}}'; exit 1 ;;
esac
"#
    );
    testkit::write_executable(&stage.codex.folder().join("claude"), &script);
    let second = stage.folder.path().join("second");
    std::fs::create_dir(&second).unwrap();
    let stage = stage.with(|spec| {
        spec.agent = runs::AgentKind::Claude;
        spec.on_usage_limit = OnUsageLimit::Defer;
        spec.next_homes = vec![second.clone()];
    });
    let mut host = stage.host();
    host.environment = host.environment.with("ANTHROPIC_API_KEY", "key");
    let switch = process::StopSwitch::default();
    let outcome =
        runs::exec(&stage.spec, &host, &switch, &crate::stage::NoHooks, &mut |_| ()).unwrap();
    assert_eq!((outcome.exit_code, outcome.meta.classification.as_str()), (0, "normal"));
    assert_eq!(stage.codex.note("account.1").unwrap(), "none key\n");
    let account = format!("{} none\n", second.display());
    assert_eq!(stage.codex.note("account.2").unwrap(), account);
    let arguments = stage.codex.note("claude-arguments.2").unwrap();
    assert!(!arguments.contains("--resume"), "a new conversation: {arguments}");
    let prompt = stage.codex.note("claude-prompt.2").unwrap();
    assert!(prompt.contains("zebra") && prompt.contains("look at them first"), "{prompt}");
}
