//! Tasks that come after other tasks start from their results.

use serde_json::json;

use super::Queue;

/// Each run writes a file of its own, except the run whose number is in the file `idle`.
const WRITES_ITS_NUMBER: &str = r#"
thread
[ -e "$here/idle" ] && [ "$n" = "$(cat "$here/idle")" ] || echo "$n" > "result$n.txt"
message 'Done.'; completed
"#;

/// Each run writes its number to the same file.
const WRITES_ONE_FILE: &str = "thread; echo $n > result.txt; message 'Done.'; completed";

fn files(queue: &Queue, id: &str) -> String {
    let branch = format!("adjutant/{id}");
    queue.repository.git(&["ls-tree", "--name-only", &branch]).replace('\n', " ")
}

#[test]
fn a_task_starts_from_the_branch_of_the_task_before_it() {
    let queue = Queue::doing(WRITES_ITS_NUMBER);
    std::fs::write(queue.codex.folder().join("idle"), "2").unwrap();
    let first = queue.add(&["--task", "one"]);
    let idle = queue.add(&["--task", "two", "--after", &first]);
    let third = queue.add(&["--task", "three", "--after", &idle]);
    queue.work();
    assert_eq!(queue.task(&idle)["product"]["branch"], json!(null), "it changed nothing");
    assert_eq!(files(&queue, &third), "a.txt result1.txt result3.txt");
    let task = queue.task(&third);
    let tip = queue.repository.git(&["rev-parse", &format!("adjutant/{first}")]);
    assert_eq!(task["product"]["base"], tip, "{task:#}");
    let patch = std::fs::read_to_string(task["product"]["patch"].as_str().unwrap()).unwrap();
    assert!(patch.contains("result3.txt") && !patch.contains("result1.txt"), "{patch}");
}

#[test]
fn the_results_of_several_tasks_are_merged() {
    let queue = Queue::doing(WRITES_ITS_NUMBER);
    let first = queue.add(&["--task", "one"]);
    let second = queue.add(&["--task", "two"]);
    let after_first = queue.add(&["--task", "three", "--after", &first]);
    let after = ["--after", &first, "--after", &second, "--after", &after_first];
    let last = queue.add(&[&["--task", "four"][..], &after].concat());
    queue.work();
    assert_eq!(
        files(&queue, &last),
        "a.txt result1.txt result2.txt result3.txt result4.txt",
        "{:#}",
        queue.show(&last)
    );
    let merge = format!("adjutant/{last}~1");
    let merged = queue.repository.git(&["log", "-1", "--format=%an %p", &merge]);
    // The first branch is part of the third.
    assert_eq!(merged.split(' ').count(), 3, "an author and two parents: {merged}");
    assert!(merged.starts_with("Adjutant "), "{merged}");
}

#[test]
fn results_that_conflict_are_reported_and_a_retry_uses_the_merge_of_the_user() {
    let queue = Queue::doing(WRITES_ONE_FILE);
    let first = queue.add(&["--task", "one"]);
    let second = queue.add(&["--task", "two"]);
    let after = ["--after", first.as_str(), "--after", &second];
    let last = queue.add(&[&["--task", "three", "--retries", "2"][..], &after].concat());
    queue.work();
    let task = queue.task(&last);
    assert_eq!(
        (&task["state"], &task["class"]),
        (&json!("failed"), &json!("merge-conflict")),
        "{task:#}"
    );
    let reason = task["reason"].as_str().unwrap();
    assert!([&first, &second].iter().all(|id| reason.contains(*id)), "{reason}");
    assert_eq!(queue.codex.n_runs(), 2);
    for id in [&first, &second] {
        let branch = format!("adjutant/{id}");
        queue.repository.git(&["merge", "--quiet", "--no-edit", "-X", "ours", &branch]);
    }
    queue.run("retry", &[&last]).expect_success();
    queue.work();
    let task = queue.task(&last);
    assert_eq!(task["product"]["base"], queue.repository.git(&["rev-parse", "HEAD"]), "{task:#}");
}

#[test]
fn a_task_can_start_from_head_although_it_comes_after_another() {
    let queue = Queue::doing(WRITES_ITS_NUMBER);
    let first = queue.add(&["--task", "one"]);
    let second = queue.add(&["--task", "two", "--after", &first, "--from-head"]);
    queue.work();
    assert_eq!(files(&queue, &second), "a.txt result2.txt");
    let refused = queue.run("add", &["--task", "three", "--from-head"]);
    assert_eq!(refused.exit_code, Some(2));
    assert!(refused.stderr.contains("--after"), "{}", refused.stderr);
}

#[test]
fn a_result_that_the_repository_does_not_have_fails_the_task() {
    let queue = Queue::doing(WRITES_ITS_NUMBER);
    let first = queue.add(&["--task", "one"]);
    queue.work();
    queue.run("clean", &[]).expect_success();
    // As in a clone on another machine, which has the store but not the branch.
    queue.repository.git(&["branch", "--quiet", "-D", &format!("adjutant/{first}")]);
    queue.repository.git(&["gc", "--quiet", "--prune=now"]);
    let second = queue.add(&["--task", "two", "--after", &first]);
    queue.work();
    let task = queue.task(&second);
    assert_eq!(
        (&task["state"], &task["class"]),
        (&json!("failed"), &json!("missing-result")),
        "{task:#}"
    );
    assert!(task["reason"].as_str().unwrap().contains(&first), "{task:#}");
}
