//! `adjutant-hook` on `PreToolUse` and `PostToolUse`: one JSON object, exit 0, and a failure never allows a call
//! (B7).

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use testkit::{Finished, Launch};

use crate::fixture::{ADJUTANT, HOOK};
use crate::hooks::{Home, home};

fn payload(event: &str, more: &Value) -> String {
    let mut payload = json!({
        "session_id": "s", "hook_event_name": event, "tool_name": "Bash", "tool_input": {"command": "ls"},
        "tool_use_id": "toolu_1",
    });
    for (key, value) in more.as_object().unwrap() {
        payload[key] = value.clone();
    }
    payload.to_string()
}

#[track_caller]
fn answer(finished: &Finished) -> Value {
    assert_eq!(finished.exit_code, Some(0), "{finished:#?}");
    serde_json::from_str(&finished.stdout).unwrap_or_else(|error| panic!("{error}: {finished:#?}"))
}

fn hook(home: &Home, client: &str) -> Launch {
    home.fixture.launch(HOOK).arguments(["--client", client])
}

fn decision(answer: &Value) -> &str {
    answer["hookSpecificOutput"]["permissionDecision"].as_str().unwrap_or_default()
}

#[test]
fn b7_both_events_fire_the_users_hooks_once() {
    for client in ["claude-code", "codex"] {
        let home = home();
        home.count_both();
        // Two installed hooks may report the same call.
        for event in ["PreToolUse", "PreToolUse", "PostToolUse"] {
            let input = payload(event, &json!({"tool_response": "x"}));
            assert_eq!(answer(&hook(&home, client).input(input).run()), json!({}), "{client}");
        }
        assert_eq!(
            (home.note("before").as_str(), home.note("after").as_str()),
            ("Bash\n", "Bash\n")
        );
    }
}

#[test]
fn b3_b7_each_client_gets_refusals_and_warnings_in_its_own_format() {
    let home = home();
    home.user_hook("beforeToolCall", "echo no >&2; exit 2");
    for client in ["claude-code", "codex"] {
        let input = payload("PreToolUse", &json!({"tool_use_id": client}));
        let answer = answer(&hook(&home, client).input(input).run());
        assert_eq!(decision(&answer), "deny");
        let reason = answer["hookSpecificOutput"]["permissionDecisionReason"].as_str().unwrap();
        assert!(reason.ends_with(": no"), "{reason}");
    }
    home.user_hook("beforeToolCall", "echo careful; exit 1");
    let input = payload("PreToolUse", &json!({"tool_use_id": "warned"}));
    let warned = answer(&hook(&home, "codex").input(input).run());
    assert!(warned["systemMessage"].as_str().unwrap().contains("hook warns, "), "{warned}");
    assert_eq!(decision(&warned), "");
}

/// Runs `adjutant-hook` with this script as its kernel, or without a kernel.
fn elsewhere(home: &Home, kernel: Option<&str>) -> (tempfile::TempDir, Launch) {
    // This is a link instead of a copy, because a file that was just written cannot be executed while another test forks.
    let folder = tempfile::tempdir_in(Path::new(HOOK).parent().unwrap()).unwrap();
    let program = folder.path().join("hook");
    fs::hard_link(HOOK, &program).unwrap();
    if let Some(script) = kernel {
        let path = folder.path().join("adjutant-hook");
        testkit::write_executable(&path, &format!("#!/bin/sh\n{script}\n"));
    }
    let launch = home.fixture.launch(program.to_str().unwrap());
    (folder, launch)
}

#[test]
fn b7_a_missing_answer_of_the_kernel_is_not_an_approval() {
    let home = home();
    home.count_both();
    for kernel in [
        None,
        Some("exit 3"),
        Some("kill -9 $$"),
        Some("echo nonsense"),
        Some("echo '{}'"),
        Some("exit 0"),
    ] {
        let (_folder, launch) = elsewhere(&home, kernel);
        for (client, word) in [("claude-code", "ask"), ("codex", "deny")] {
            let launch = launch.clone().arguments(["--client", client]);
            let answer = answer(&launch.input(payload("PreToolUse", &json!({}))).run());
            assert_eq!(decision(&answer), word, "{kernel:?}: {answer}");
        }
        let after = answer(&launch.input(payload("PostToolUse", &json!({}))).run());
        assert!(after["systemMessage"].as_str().unwrap().contains("could not run"), "{after}");
    }
}

#[test]
fn b7_without_a_hook_file_no_program_is_started() {
    let home = home();
    let (_folder, launch) = elsewhere(&home, None);
    assert_eq!(answer(&launch.input(payload("PreToolUse", &json!({}))).run()), json!({}));
}

#[test]
fn b7_unreadable_payloads_require_the_users_approval() {
    let home = home();
    home.count_both();
    let whole = payload("PreToolUse", &json!({}));
    for input in [
        whole[..whole.len() - 9].to_owned(),
        format!(
            "{{\"hook_event_name\":\"PreToolUse\",\"tool_name\":\"Write\",\"tool_input\":{}{}}}",
            "[".repeat(5000),
            "]".repeat(5000)
        ),
    ] {
        let answer = answer(&hook(&home, "claude-code").input(input.clone()).run());
        assert_eq!(decision(&answer), "ask", "{answer}: {}", &input[..60]);
    }
    let flags = home.fixture.launch(HOOK).arguments(["--no-such-flag"]).input(whole).run();
    assert_eq!(decision(&answer(&flags)), "deny");
    let prompt =
        home.fixture.launch(HOOK).arguments(["--no-such-flag"]).input("{\"prompt\": \"x\"}").run();
    assert_eq!(answer(&prompt)["hookSpecificOutput"]["hookEventName"], "UserPromptSubmit");
}

#[test]
fn b7_large_arguments_reach_the_hook() {
    let home = home();
    home.user_hook("beforeToolCall", "wc -c > \"$NOTES/size\"");
    let input = json!({"tool_input": {"content": "x".repeat(5_000_000), "nul": "a\0b"}});
    assert_eq!(answer(&hook(&home, "codex").input(payload("PreToolUse", &input)).run()), json!({}));
    assert!(home.note("size").trim().parse::<usize>().unwrap() > 5_000_000);
}

#[test]
fn b7_a_call_of_an_adjutant_tool_has_the_tools_own_name() {
    let home = home();
    home.count_both();
    let ours = json!({"tool_name": "mcp__adjutant__ci_search", "tool_input": {"query": "x"}});
    answer(&hook(&home, "codex").input(payload("PreToolUse", &ours)).run());
    answer(&hook(&home, "codex").input(payload("PostToolUse", &ours)).run());
    assert_eq!(
        (home.note("before").as_str(), home.note("after").as_str()),
        ("ci_search\n", "ci_search\n")
    );
}

#[test]
fn a54_untrusted_hooks_are_reported_once_per_session() {
    let home = home();
    let file = home.fixture.repository.join(".adjutant/hooks/beforeToolCall.json");
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(file, crate::hooks::rules("exit 2")).unwrap();
    let said = |event: &str, id: &str, session: &str| {
        let input = payload(event, &json!({"tool_use_id": id, "session_id": session}));
        let answer = answer(&hook(&home, "claude-code").input(input).run());
        answer["systemMessage"].as_str().unwrap_or_default().contains("they are not trusted")
    };
    assert!(said("PreToolUse", "1", "s"));
    assert!(!said("PostToolUse", "1", "s"));
    assert!(!said("PreToolUse", "2", "s"));
    assert!(said("PreToolUse", "3", "other session"));
}

#[test]
fn the_kernel_refuses_input_that_is_not_a_tool_event() {
    let home = home();
    let finished = home.fixture.launch(ADJUTANT).arguments(["tool", "event"]).input("{}").run();
    assert_eq!((finished.exit_code, finished.stdout.as_str()), (Some(20), ""));
}

const TASK: &str = "where is enforce_retry_budget_zebra defined?";

fn sub_agent(id: &str, input: &Value) -> String {
    let more = json!({"tool_name": "Agent", "tool_input": input, "tool_use_id": id});
    payload("PreToolUse", &more)
}

fn task(answer: &Value) -> &str {
    answer["hookSpecificOutput"]["updatedInput"]["prompt"].as_str().unwrap_or_default()
}

/// With `--sub-agents`, the hook does nothing else: the user's hooks are not installed for the client's calls.
#[test]
fn a25_the_task_of_a_sub_agent_gets_one_briefing() {
    let home = home();
    home.count_both();
    let input = json!({"prompt": TASK, "subagent_type": "Explore"});
    let run = |flags: &[&str], input: String| {
        let launch = hook(&home, "claude-code").arguments(flags);
        answer(&launch.env("ADJUTANT_TEST_SLOWNESS", "8").input(input).run())
    };
    let only = ["--sub-agents"];
    let first = run(&only, sub_agent("one", &input));
    assert!(task(&first).starts_with(&format!("{TASK}\n\n")), "{first}");
    assert!(task(&first).contains("src/billing/retry_budget.rs:2"), "{first}");
    assert_eq!(first["hookSpecificOutput"]["updatedInput"]["subagent_type"], "Explore");
    assert_eq!(decision(&first), "", "the client asks for permission as usual");
    let n_hooks = |home: &Home| home.note("before").lines().filter(|it| *it == "Agent").count();
    assert_eq!(n_hooks(&home), 0);
    // The plugin's hook reports the same call.
    let second = run(&[], sub_agent("one", &input));
    assert_eq!(second, json!({}));
    assert_eq!(n_hooks(&home), 1);
    let other = run(&[], sub_agent("two", &input));
    assert!(task(&other).contains("src/billing/retry_budget.rs:2"), "another sub-agent: {other}");
    let chat = json!({"prompt": "what is the weather in SF?"});
    assert_eq!(run(&only, sub_agent("three", &chat)), json!({}), "there is no evidence");
    assert_eq!(run(&only, payload("PreToolUse", &json!({}))), json!({}), "not a sub-agent");
    for broken in ["{\"hook_event_name\":\"PreToolUse\"", "{\"session", ""] {
        assert_eq!(run(&only, broken.to_owned()), json!({}), "{broken}");
    }
    assert_eq!(run(&["--sub-agents", "--unknown"], sub_agent("four", &input)), json!({}));
}

#[test]
fn a25_the_users_hooks_see_the_task_before_it_is_briefed() {
    let home = home();
    let changed = json!({"hookSpecificOutput": {"hookEventName": "PreToolUse", "updatedInput": {"prompt": TASK, "model": "small"}}});
    let action = |command: &str| json!([{"matcher": "Agent", "hooks": [{"type": "command", "command": command, "enabled": true, "timeout": 60000}]}]);
    let rules = action(&format!("cat >> \"$NOTES/before\"; echo '{changed}'"));
    let file = json!({"dialect": "claude", "beforeToolCall": rules});
    home.hook_file("beforeToolCall", &file.to_string());
    let input = sub_agent("one", &json!({"prompt": "go"}));
    let told = answer(&hook(&home, "claude-code").input(input).run());
    let updated = &told["hookSpecificOutput"]["updatedInput"];
    assert!(task(&told).contains("src/billing/retry_budget.rs:2"), "{told}");
    assert_eq!(updated["model"], "small", "{told}");
    assert!(!home.note("before").contains("retry_budget.rs"));
    let file = json!({"dialect": "claude", "beforeToolCall": action("echo no >&2; exit 2")});
    home.hook_file("beforeToolCall", &file.to_string());
    let input = sub_agent("two", &json!({"prompt": TASK}));
    let told = answer(&hook(&home, "claude-code").input(input).run());
    assert_eq!((decision(&told), task(&told)), ("deny", ""), "{told}");
}
