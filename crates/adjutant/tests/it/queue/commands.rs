//! The commands that change or show tasks.

use serde_json::json;

use super::{CHANGES_A_FILE, Queue};

#[test]
fn a_task_is_added_run_and_shown() {
    let queue = Queue::doing(CHANGES_A_FILE);
    let id = queue.add(&["--task", "change the file", "--priority", "3"]);
    let listed = queue.run("list", &[]).expect_success().stdout;
    assert!(listed.contains(&id) && listed.contains("queued"), "{listed}");
    let worked = queue.work();
    assert!(worked.stderr.contains(&format!("{id}  finished")), "{}", worked.stderr);
    let shown = queue.show(&id);
    let task = &shown["task"];
    assert_eq!(task["state"], "finished", "{shown:#}");
    assert_eq!(
        task["usage"],
        json!({"tokens_in": 120, "tokens_out": 7, "turns": 1, "cost_micros": 0})
    );
    assert_eq!(task["product"]["summary"], "I changed result.txt.");
    assert_eq!(task["session"], format!("queue-{id}-1"));
    assert_eq!(task["thread"], testkit::FAKE_THREAD);
    let text = queue.run("show", &[&id]).expect_success().stdout;
    assert!(text.contains("attempt 1   finished") && text.contains("I changed"), "{text}");
    let finished = queue.run("list", &["--state", "finished", "--json"]).expect_success().stdout;
    let finished: serde_json::Value = serde_json::from_str(&finished).unwrap();
    assert_eq!(finished[0]["id"], id.as_str());
}

#[test]
fn a_report_names_the_size_of_a_change_and_the_command_that_takes_it() {
    let generates = format!("mkdir __pycache__; echo x > __pycache__/m.pyc; {CHANGES_A_FILE}");
    let queue = Queue::doing(&generates);
    let id = queue.add(&["--task", "change the file"]);
    queue.work();
    let report = queue.run("report", &["--since", "1h"]).expect_success().stdout;
    let parts =
        ["1 finished · since ", "127 tokens · +1 −0 in 1 file\n", &format!("merge adjutant/{id}")];
    for part in parts {
        assert!(report.contains(part), "{part}: {report}");
    }
    let shown = queue.show(&id);
    let summary = "1 generated file not committed: `__pycache__`\n\nI changed result.txt.";
    assert_eq!(shown["task"]["product"]["summary"], summary);
    let patch = std::fs::read_to_string(shown["task"]["product"]["patch"].as_str().unwrap());
    assert!(!patch.unwrap().contains("pycache"));
}

#[test]
fn a_repeated_key_and_the_caps_of_a_task_are_shown() {
    let queue = Queue::doing(CHANGES_A_FILE);
    let words = ["--task", "修复解析器", "--key", "k", "--max-tokens", "9000", "--max-turns", "3"];
    let id = queue.add(&words);
    let again = queue.launch("add").arguments(["--context", "off"]).arguments(words).run();
    assert_eq!(again.stdout.trim(), id);
    assert!(again.stderr.contains("note: a task with this key exists"), "{}", again.stderr);
    let refused = queue.run("add", &["--task", "two", "--key", "k"]);
    assert_eq!(refused.exit_code, Some(2));
    assert!(refused.stderr.contains(&format!("the key `k` belongs to task `{id}`")));
    queue.work();
    let shown = queue.run("show", &[&id]).expect_success().stdout;
    for line in ["title       修复解析器", "turns       1", "caps        9000 tokens, 3 turns"]
    {
        assert!(shown.contains(line), "{shown}");
    }
}

#[test]
fn mistakes_are_reported_before_anything_is_added() {
    let queue = Queue::doing(CHANGES_A_FILE);
    let id = queue.add(&["--task", "one", "--key", "one"]);
    let next = queue.add(&["--task", "two", "--after", &id]);
    let cases: [(&str, &[&str], i32, &str); 10] = [
        ("show", &["t-unknown"], 1, "unknown task `t-unknown`"),
        ("cancel", &["t-unknown"], 1, "unknown task `t-unknown`"),
        ("retry", &["17"], 2, "`17` is not the id of a task"),
        ("add", &["--task", "x", "--after", "t-unknown"], 1, "unknown task `t-unknown`"),
        (
            "add",
            &["--task", "one", "--key", "one", "--after", &next],
            2,
            "cannot come after itself",
        ),
        ("add", &[], 2, "the task is missing"),
        (
            "add",
            &["--task", "x", "--log-dir", "/tmp"],
            2,
            "`--log-dir` cannot be used in the queue",
        ),
        ("add", &["--task", "x", "--yolo", "--full-auto"], 2, "conflicting flags"),
        ("add", &["--task", "x", "--webhook", "http://example.org/"], 2, "a webhook needs"),
        ("list", &["--store", "mysql://x"], 2, "the store is neither"),
    ];
    for (command, arguments, code, message) in cases {
        let ended = queue.run(command, arguments);
        assert_eq!(ended.exit_code, Some(code), "{command} {arguments:?}: {}", ended.stderr);
        assert!(ended.stderr.contains(message), "{command} {arguments:?}: {}", ended.stderr);
    }
    let listed = queue.run("list", &["--json"]).expect_success().stdout;
    let listed: serde_json::Value = serde_json::from_str(&listed).unwrap();
    assert_eq!(listed.as_array().unwrap().len(), 2, "{listed:#}");
}

#[test]
fn a_failed_task_is_retried_and_its_successors_wait_for_it() {
    let queue = Queue::doing(
        "thread; if [ $n -lt 3 ]; then failed 'stream disconnected before completion'; exit 1; fi
         message 'Done.'; completed",
    );
    let first = queue.add(&["--task", "one", "--retries", "1", "--retry-delay", "0"]);
    let second = queue.add(&["--task", "two", "--after", &first]);
    queue.work();
    let task = queue.task(&first);
    assert_eq!((&task["state"], &task["failures"]), (&json!("failed"), &json!(2)), "{task:#}");
    let task = queue.task(&second);
    assert_eq!((&task["state"], &task["class"]), (&json!("failed"), &json!("predecessor")));
    queue.run("retry", &[&first]).expect_success();
    queue.work();
    for id in [&first, &second] {
        assert_eq!(queue.task(id)["state"], "finished");
    }
    let again = queue.run("retry", &[&first]);
    assert_eq!(again.exit_code, Some(1));
    assert!(again.stderr.contains("is finished"), "{}", again.stderr);
}

#[test]
fn a_task_that_needs_approval_continues_its_conversation() {
    let queue = Queue::doing(
        "thread; if [ $n = 1 ]; then failed 'approval required for command: rm'; exit 1; fi
         message 'Done.'; completed",
    );
    let id = queue.add(&["--task", "one"]);
    queue.work();
    assert_eq!(queue.task(&id)["state"], "needs-approval", "{:#}", queue.show(&id));
    queue.run("retry", &[&id, "--resume"]).expect_success();
    queue.work();
    assert_eq!(queue.task(&id)["state"], "finished", "{:#}", queue.show(&id));
    let arguments = queue.codex.arguments(2).join(" ");
    assert!(
        arguments.contains("resume") && arguments.contains(testkit::FAKE_THREAD),
        "{arguments}"
    );
}

#[test]
fn a_limit_of_the_day_ends_a_running_task_after_its_turn() {
    let queue = Queue::doing("thread; message more; completed");
    let set = queue.run("limits", &["--max-tokens", "300", "--max-cost", "2.50"]).expect_success();
    assert!(set.stderr.contains("warning: unattended.toml has no prices"), "{}", set.stderr);
    let id = queue.add(&["--task", "one", "--repeat-until", "ALL DONE", "--max-runs", "9"]);
    let worked = queue.work();
    // Each turn uses 127 tokens: the third one passes the limit.
    assert_eq!(queue.codex.n_runs(), 3, "{}", worked.stderr);
    let task = queue.task(&id);
    assert_eq!(task["state"], "budget", "{task:#}");
    assert!(task["reason"].as_str().unwrap().contains("a limit of the day is reached"), "{task:#}");
    assert!(worked.stderr.contains("adjutant queue limits"), "{}", worked.stderr);
    let shown = queue.run("limits", &[]).expect_success().stdout;
    assert!(shown.contains("tokens  381 of 300") && shown.contains("of 2.50"), "{shown}");
    // Later, the task continues in its conversation.
    queue.run("limits", &["--max-tokens", "off", "--max-cost", "off"]).expect_success();
    queue.run("retry", &[&id, "--resume"]).expect_success();
    queue.work();
    let arguments = queue.codex.arguments(4).join(" ");
    assert!(arguments.contains("resume"), "{arguments}");
}
