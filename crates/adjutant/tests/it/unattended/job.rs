use std::fs;

use serde_json::Value;
use testkit::{FAKE_THREAD, FakeCodex, eventually, is_running};

use super::{Scene, json, snapshot};
use crate::stage::ADJUTANT;

/// Talks, ignores TERM, has a child that does too and one that left the group.
const STUBBORN: &str = "trap '' TERM; thread; (trap '' TERM; sleep 641) & setsid sleep 642 & message 'working on it'; while :; do sleep 0.2; done";

#[test]
fn c5_a_job_from_start_to_end() {
    let scene = Scene::answering("All done.\nCONTROL: DONE");
    let id = scene.start(&["--task", "do it", "--tag", "nightly build"]);
    assert!(id.starts_with("cdx-") && id.ends_with("-nightly-build"), "{id}");
    let status = scene.until_over(&id);
    assert_eq!((&status["state"], &status["exit_code"]), (&"completed".into(), &0.into()));
    assert_eq!(status["classification"], "done");
    assert_eq!(status["thread_id"], FAKE_THREAD);
    let logs = scene.adjutant(&["job", "logs", &id]).expect_success().stdout;
    assert!(logs.contains("[message] All done.") && logs.contains("Exit Code: 0"), "{logs}");
    let tail = scene.adjutant(&["job", "logs", &id, "--tail", "2"]).expect_success().stdout;
    assert_eq!(tail.lines().count(), 2, "{tail}");
    let only = scene.adjutant(&["job", "logs", &id, "--result-only"]).expect_success().stdout;
    assert!(only.contains("All done.") && !only.contains("Invocation"), "{only}");
    let metrics = json(&scene.adjutant(&["job", "metrics", "--json"]).expect_success());
    assert_eq!((&metrics["total"], &metrics["tokensUsed"]), (&1.into(), &127.into()));
    assert_eq!(metrics["byState"]["completed"], 1);
    let list = scene.adjutant(&["job", "list", "--state", "completed", "--tag-contains", "night"]);
    assert!(list.expect_success().stdout.contains(&id));
}

#[test]
fn c5_following_a_log_ends_with_the_job() {
    let scene = Scene::with(FakeCodex::doing("thread; sleep 1; message 'late news'; completed"));
    let id = scene.start(&["--task", "x"]);
    let followed = scene.adjutant(&["job", "logs", &id, "--follow"]).expect_success().stdout;
    assert!(
        followed.contains("[message] late news") && followed.contains("Exit Code: 0"),
        "{followed}"
    );
}

#[test]
fn c5_stop_leaves_nothing_running_and_says_stopped() {
    let scene = Scene::with(FakeCodex::doing(STUBBORN));
    let id = scene.start(&["--task", "x", "--grace", "300ms"]);
    scene.until(&id, |status| status["thread_id"] == FAKE_THREAD);
    let stopped = json(&scene.adjutant(&["job", "stop", &id, "--json"]).expect_success());
    assert_eq!(
        (&stopped["previousState"], &stopped["newState"], &stopped["action"]),
        (&"running".into(), &"stopped".into(), &"stop_requested".into())
    );
    scene.nothing_runs(&id);
    let status = scene.status(&id);
    assert_eq!(
        (&status["state"], &status["classification"]),
        (&"stopped".into(), &"user_cancelled".into())
    );
    let again = json(&scene.adjutant(&["job", "stop", &id, "--json"]).expect_success());
    assert_eq!(again["action"], "noop");
}

#[test]
fn c5_two_who_stop_at_once_find_one_end() {
    for arguments in [&["--grace", "300ms"][..], &["--grace", "1h"]] {
        let scene = Scene::with(FakeCodex::doing(STUBBORN));
        let mut all = vec!["--task", "x"];
        all.extend(arguments);
        let id = scene.start(&all);
        scene.until(&id, |status| status["thread_id"] == FAKE_THREAD);
        let force = ["job", "stop", &id, "--json", "--force"];
        std::thread::scope(|scope| {
            let stops: Vec<_> = (0..2).map(|_| scope.spawn(|| scene.adjutant(&force))).collect();
            for stop in stops {
                let stopped = json(&stop.join().unwrap().expect_success());
                assert_eq!(stopped["newState"], "stopped", "{stopped:#}");
            }
        });
        scene.nothing_runs(&id);
        let events = fs::read_to_string(scene.sessions().join(&id).join("events.jsonl")).unwrap();
        assert_eq!(events.matches("orchestration_completed").count(), 1, "{events}");
    }
}

fn kill(scene: &Scene, pids: &[String]) {
    scene.launch("/bin/kill").argument("-9").arguments(pids).run().expect_success();
}

#[test]
fn c5_a_killed_supervisor_is_told_as_lost_and_its_codex_is_ended() {
    let scene = Scene::with(FakeCodex::doing(STUBBORN));
    let id = scene.start(&["--task", "x", "--grace", "300ms"]);
    let running = scene.until(&id, |status| status["thread_id"] == FAKE_THREAD);
    kill(&scene, &[running["pid"].to_string()]);
    let lost = scene.until(&id, |status| status["reason"].is_string());
    assert_eq!((&lost["state"], &lost["exit_code"]), (&"lost".into(), &Value::Null), "{lost:#}");
    assert_eq!(lost["thread_id"], FAKE_THREAD, "what is known is told");
    scene.nothing_runs(&id);
    let resumed = scene.adjutant(&["job", "resume", &id, "--dry-run"]).expect_success();
    scene.until_over(resumed.stdout.trim());
}

/// Both runs write into one journal; each watchdog looks at its own run only.
#[test]
fn c5_two_runs_in_one_folder_are_watched_separately() {
    let hangs_first = "thread; if [ \"$n\" = 1 ]; then while :; do sleep 0.1; done; fi; message 'done'; completed";
    let scene = Scene::with(FakeCodex::doing(hangs_first));
    let folder = scene.folder.path().join("shared");
    let events = || -> Vec<Value> {
        let text = fs::read_to_string(folder.join("events.jsonl")).unwrap_or_default();
        text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
    };
    let run = || {
        let launch = scene.launch(ADJUTANT).env("CODEX_SESSION_DIR", &folder);
        launch.arguments(["run", "--context", "off", "--grace", "300ms", "--task", "x"])
    };
    let first = run().converse();
    eventually("the first codex runs", || {
        events().iter().any(|event| event["event"] == "iteration_started")
    });
    let id = events()[0]["orchestrationId"].as_str().unwrap().to_owned();
    run().run().expect_success();
    kill(&scene, &[first.process_id().to_string()]);
    eventually("the watchdog writes down the end of the first run", || {
        events().iter().any(|event| {
            event["orchestrationId"] == id.as_str() && event["data"]["state"] == "lost"
        })
    });
    scene.nothing_runs(&id);
}

/// As after a cut of power in which codex was spared, or an administrator who means it.
#[test]
fn c5_with_the_watchdog_killed_too_stop_still_ends_everything() {
    let scene = Scene::with(FakeCodex::doing(STUBBORN));
    let id = scene.start(&["--task", "x", "--grace", "300ms"]);
    let running = scene.until(&id, |status| status["thread_id"] == FAKE_THREAD);
    let events =
        || fs::read_to_string(scene.sessions().join(&id).join("events.jsonl")).unwrap_or_default();
    // A codex that writes after its supervisor is gone dies of the broken pipe.
    eventually("codex has said its last word", || events().contains("agent_message"));
    let events = events();
    let supervised = events.lines().find(|line| line.contains("\"supervised\"")).unwrap();
    let supervised: Value = serde_json::from_str(supervised).unwrap();
    kill(&scene, &[supervised["data"]["watchdog"].to_string(), running["pid"].to_string()]);
    let lost = scene.until_over(&id);
    assert_eq!((&lost["state"], &lost["exit_code"]), (&"lost".into(), &Value::Null));
    assert!(lost["note"].as_str().unwrap().contains("still runs"), "{lost:#}");
    let clean = json(&scene.adjutant(&["job", "clean", "--json"]).expect_success());
    assert_eq!(clean["deleted"].as_array().unwrap().len(), 0, "its codex still runs");
    let stopped = json(&scene.adjutant(&["job", "stop", &id, "--json"]).expect_success());
    let states = (&stopped["previousState"], &stopped["newState"]);
    assert_eq!(states, (&"lost".into(), &"stopped".into()));
    scene.nothing_runs(&id);
    assert_eq!(scene.status(&id)["state"], "stopped");
}

#[test]
fn c5_looking_never_writes() {
    let scene = Scene::with(FakeCodex::doing("thread; sleep 600"));
    let running = scene.start(&["--task", "x"]);
    let pid = scene.until(&running, |status| status["thread_id"] == FAKE_THREAD)["pid"].to_string();
    let done = scene.start(&["--task", "x", "--dry-run"]);
    let runner = scene.until_over(&done)["pid"].to_string();
    // Nobody else writes meanwhile: who ran the one job is gone, who runs the other is held.
    eventually("it is gone", || !is_running(&runner));
    let signal = |name: &str| scene.launch("/bin/kill").arguments([name, &pid]).run();
    signal("-STOP").expect_success();
    let held = || fs::read_to_string(format!("/proc/{pid}/stat")).unwrap().contains(") T ");
    eventually("it is held", held);
    let before = snapshot(&scene.sessions());
    for _ in 0..3 {
        scene.status(&running);
        scene.status(&done);
        scene.adjutant(&["job", "list"]).expect_success();
        scene.adjutant(&["job", "metrics"]).expect_success();
        scene.adjutant(&["job", "logs", &done]).expect_success();
        scene.adjutant(&["job", "clean", "--dry-run"]).expect_success();
    }
    let after = snapshot(&scene.sessions());
    signal("-CONT").expect_success();
    assert!(before == after, "something was written");
    scene.adjutant(&["job", "stop", &running, "--force"]).expect_success();
}

#[test]
fn c5_clean_honours_ages_and_states() {
    let scene = Scene::answering("x");
    let old = scene.start(&["--task", "x", "--dry-run", "--tag", "old"]);
    let new = scene.start(&["--task", "x", "--dry-run", "--tag", "new"]);
    scene.until_over(&old);
    scene.until_over(&new);
    let events = scene.sessions().join(&old).join("events.jsonl");
    let text = fs::read_to_string(&events).unwrap();
    let year = &text[text.find("\"timestamp\":\"").unwrap() + 13..][..4];
    fs::write(&events, text.replace(&format!("\"timestamp\":\"{year}"), "\"timestamp\":\"2001"))
        .unwrap();
    scene.status(&old);
    let clean = |arguments: &[&str]| {
        let launch =
            scene.launch(ADJUTANT).arguments(["job", "clean", "--json"]).arguments(arguments);
        json(&launch.run().expect_success())["deleted"].as_array().unwrap().len()
    };
    assert_eq!(clean(&["--older-than-hours", "1", "--dry-run"]), 1);
    assert!(scene.sessions().join(&old).exists());
    assert_eq!(clean(&["--older-than-hours", "1", "--state", "failed"]), 0);
    assert_eq!(clean(&["--older-than-hours", "1"]), 1);
    assert!(!scene.sessions().join(&old).exists() && scene.sessions().join(&new).exists());
}

#[test]
fn c5_resume_goes_on_with_the_thread_and_keeps_its_sandbox() {
    let scene = Scene::answering("first answer");
    let first = scene.start(&["--task", "begin", "--sandbox", "workspace-write"]);
    scene.until_over(&first);
    let resumed = json(
        &scene
            .adjutant(&["job", "resume", &first, "--json", "--task", "and now the tests"])
            .expect_success(),
    );
    assert_eq!(resumed["resumedFrom"], first);
    let second = resumed["jobId"].as_str().unwrap();
    let status = scene.until_over(second);
    assert_eq!(status["effective_sandbox"], "workspace-write");
    let words = scene.codex.arguments(2).join(" ");
    assert!(
        words.contains("--sandbox workspace-write")
            && words.ends_with(&format!("resume {FAKE_THREAD} -")),
        "{words}"
    );
    assert_eq!(
        scene.codex.prompt(2),
        "and now the tests",
        "the message alone: the thread has the rest"
    );
    let bare = scene.adjutant(&["job", "resume", second]).expect_success();
    scene.until_over(bare.stdout.trim());
    assert_eq!(scene.codex.prompt(3), "Go on where you stopped.");
}

#[test]
fn c3_resume_never_widens() {
    let scene = Scene::answering("x");
    let id = scene.start(&["--task", "look", "--sandbox", "read-only"]);
    scene.until_over(&id);
    for wider in [
        &["--sandbox", "workspace-write"][..],
        &["--full-auto"],
        &["--yolo"],
        &["--", "-s", "workspace-write"],
        &["--codex-config", "sandbox_mode='workspace-write'"],
    ] {
        let mut arguments = vec!["job", "resume", &id, "--task", "write"];
        arguments.extend(wider);
        let refused = scene.adjutant(&arguments);
        assert_eq!(refused.exit_code, Some(2), "{wider:?}: {refused:#?}");
        assert!(refused.stderr.contains("goes on with the sandbox it had"), "{}", refused.stderr);
    }
    assert_eq!(scene.codex.n_runs(), 1);
}

#[test]
fn c5_a_hundred_jobs_started_at_once_are_a_hundred_jobs() {
    let scene = Scene::answering("x");
    let script = format!(
        "for n in $(seq 100); do '{ADJUTANT}' job start --context off --dry-run --task x --tag same 2>/dev/null & done; wait"
    );
    let started = scene.launch("/bin/sh").arguments(["-c", &script]).run().expect_success();
    let mut ids: Vec<&str> = started.stdout.lines().collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), 100);
    for id in &ids {
        assert_eq!(scene.until_over(id)["state"], "completed");
    }
}

#[test]
fn c5_ids_that_are_none_and_jobs_that_are_not_there() {
    let scene = Scene::answering("x");
    for bad in ["../../etc", "a/b", "..", "-x y"] {
        let refused = scene.adjutant(&["job", "status", "--", bad]);
        assert_eq!(refused.exit_code, Some(2), "{bad}: {refused:#?}");
    }
    for command in ["status", "logs", "stop", "resume"] {
        let missing = scene.adjutant(&["job", command, "cdx-20260101_000000-abcdef"]);
        assert_eq!(missing.exit_code, Some(1), "{command}: {missing:#?}");
        assert!(missing.stderr.contains("there is no session"), "{}", missing.stderr);
    }
}

#[test]
fn c5_a_session_deleted_under_a_running_job_ends_without_a_trace() {
    let scene = Scene::with(FakeCodex::doing(
        "thread; while [ ! -e \"$here/go\" ]; do sleep 0.05; done; message 'x'; completed; touch \"$here/ended\"",
    ));
    let id = scene.start(&["--task", "x"]);
    scene.until(&id, |status| status["thread_id"] == FAKE_THREAD);
    // Whoever runs the job may write a file while it is emptied.
    let folder = scene.sessions().join(&id);
    eventually("the session is deleted", || fs::remove_dir_all(&folder).is_ok());
    fs::write(scene.codex.folder().join("go"), "").unwrap();
    eventually("codex has ended", || scene.codex.note("ended").is_some());
    scene.nothing_runs(&id);
    assert_eq!(scene.adjutant(&["job", "status", &id]).exit_code, Some(1));
    assert!(!scene.sessions().join(&id).exists());
}

#[test]
fn c5_a_conversation_is_continued_only_in_its_own_repository() {
    let scene = Scene::answering("x");
    let id = scene.start(&["--task", "look"]);
    scene.until_over(&id);
    let other = testkit::Repository::builder().file("b.txt", "b\n").commit("one").build();
    let resume = |directory: &std::path::Path| {
        scene.adjutant(&[
            "job",
            "resume",
            &id,
            "--task",
            "go on",
            "-C",
            directory.to_str().unwrap(),
        ])
    };
    let refused = resume(other.path());
    assert_eq!(refused.exit_code, Some(2), "{refused:#?}");
    assert!(refused.stderr.contains("belongs to"), "{}", refused.stderr);
    // Codex's own record of the thread counts as well.
    let day = scene.folder.path().join(".codex/sessions/2026/11/15");
    std::fs::create_dir_all(&day).unwrap();
    let recorded = |directory: &std::path::Path| {
        let meta = serde_json::json!({ "type": "session_meta", "payload": { "id": FAKE_THREAD, "cwd": directory } });
        let name = format!("rollout-2026-11-15T15-43-33-{FAKE_THREAD}.jsonl");
        std::fs::write(day.join(name), format!("{meta}\n")).unwrap();
    };
    recorded(other.path());
    let refused = resume(scene.repository.path());
    assert_eq!(refused.exit_code, Some(2), "{refused:#?}");
    assert_eq!(scene.codex.n_runs(), 1);
    recorded(scene.repository.path());
    let folder = scene.repository.join("below");
    std::fs::create_dir(&folder).unwrap();
    let resumed = resume(&folder).expect_success();
    scene.until_over(resumed.stdout.trim());
    assert_eq!(scene.codex.n_runs(), 2);
}

#[test]
fn c3_a_session_is_continued_with_no_other_directories_than_it_had() {
    let scene = Scene::answering("x");
    let more = scene.folder.path().join("more");
    std::fs::create_dir(&more).unwrap();
    let (more, all) = (more.to_str().unwrap(), scene.folder.path().to_str().unwrap());
    let id = scene.start(&["--task", "x", "--sandbox", "workspace-write", "--", "--add-dir", more]);
    let status = scene.until_over(&id);
    assert_eq!(status["effective_writable_roots"].as_array().unwrap().len(), 1, "{status:#}");
    let resume = |root: &str| {
        scene.adjutant(&["job", "resume", &id, "--task", "x", "--", "--add-dir", root])
    };
    let refused = resume(all);
    assert_eq!(refused.exit_code, Some(2), "{refused:#?}");
    assert!(refused.stderr.contains("could not write to"), "{}", refused.stderr);
    let resumed = resume(more).expect_success();
    let status = scene.until_over(resumed.stdout.trim());
    assert_eq!(status["effective_writable_roots"].as_array().unwrap().len(), 1, "{status:#}");
}
