use std::fs;
use std::os::unix::fs::PermissionsExt;

use serde_json::Value;
use testkit::{FAKE_THREAD, FakeCodex, eventually, is_running};

use super::{Setup, json, snapshot};
use crate::fixture::ADJUTANT;

/// Prints output. It ignores SIGTERM, and so does one of its children. Another child leaves the process group.
const STUBBORN: &str = "trap '' TERM; thread; (trap '' TERM; sleep 641) & setsid sleep 642 & message 'working on it'; while :; do sleep 0.2; done";

#[test]
fn c5_a_job_runs_from_start_to_end() {
    let setup = Setup::answering("All done.\nCONTROL: DONE");
    let id = setup.start(&["--task", "do it", "--tag", "nightly build"]);
    assert!(id.starts_with("cdx-") && id.ends_with("-nightly-build"), "{id}");
    let status = setup.until_ended(&id);
    assert_eq!((&status["state"], &status["exit_code"]), (&"completed".into(), &0.into()));
    assert_eq!(status["classification"], "done");
    assert_eq!(status["thread_id"], FAKE_THREAD);
    let logs = setup.adjutant(&["job", "logs", &id]).expect_success().stdout;
    assert!(logs.contains("[message] All done.") && logs.contains("Exit Code: 0"), "{logs}");
    let tail = setup.adjutant(&["job", "logs", &id, "--tail", "2"]).expect_success().stdout;
    assert_eq!(tail.lines().count(), 2, "{tail}");
    let only = setup.adjutant(&["job", "logs", &id, "--result-only"]).expect_success().stdout;
    assert!(only.contains("All done.") && !only.contains("Invocation"), "{only}");
    let metrics = json(&setup.adjutant(&["job", "metrics", "--json"]).expect_success());
    assert_eq!((&metrics["total"], &metrics["tokensUsed"]), (&1.into(), &127.into()));
    assert_eq!(metrics["byState"]["completed"], 1);
    let list = setup.adjutant(&["job", "list", "--state", "completed", "--tag-contains", "night"]);
    assert!(list.expect_success().stdout.contains(&id));
}

#[test]
fn c5_stop_ends_all_processes_and_records_stopped() {
    let setup = Setup::with(FakeCodex::doing(STUBBORN));
    let id = setup.start(&["--task", "x", "--grace", "300ms"]);
    setup.until(&id, |status| status["thread_id"] == FAKE_THREAD);
    let stopped = json(&setup.adjutant(&["job", "stop", &id, "--json"]).expect_success());
    assert_eq!(
        (&stopped["previousState"], &stopped["newState"], &stopped["action"]),
        (&"running".into(), &"stopped".into(), &"stop_requested".into())
    );
    setup.no_process_is_left(&id);
    let status = setup.status(&id);
    assert_eq!(
        (&status["state"], &status["classification"]),
        (&"stopped".into(), &"user_cancelled".into())
    );
    let again = json(&setup.adjutant(&["job", "stop", &id, "--json"]).expect_success());
    assert_eq!(again["action"], "noop");
}

#[test]
fn c5_concurrent_stops_record_one_end() {
    for arguments in [&["--grace", "300ms"][..], &["--grace", "1h"]] {
        let setup = Setup::with(FakeCodex::doing(STUBBORN));
        let mut all = vec!["--task", "x"];
        all.extend(arguments);
        let id = setup.start(&all);
        setup.until(&id, |status| status["thread_id"] == FAKE_THREAD);
        let force = ["job", "stop", &id, "--json", "--force"];
        std::thread::scope(|scope| {
            let stops: Vec<_> = (0..2).map(|_| scope.spawn(|| setup.adjutant(&force))).collect();
            for stop in stops {
                let stopped = json(&stop.join().unwrap().expect_success());
                assert_eq!(stopped["newState"], "stopped", "{stopped:#}");
            }
        });
        setup.no_process_is_left(&id);
        let events = fs::read_to_string(setup.sessions().join(&id).join("events.jsonl")).unwrap();
        assert_eq!(events.matches("orchestration_completed").count(), 1, "{events}");
    }
}

fn kill(setup: &Setup, pids: &[String]) {
    setup.launch("/bin/kill").argument("-9").arguments(pids).run().expect_success();
}

#[test]
fn c5_a_killed_supervisor_is_reported_as_lost_and_its_codex_is_stopped() {
    let setup = Setup::with(FakeCodex::doing(STUBBORN));
    let id = setup.start(&["--task", "x", "--grace", "300ms"]);
    let running = setup.until(&id, |status| status["thread_id"] == FAKE_THREAD);
    kill(&setup, &[running["pid"].to_string()]);
    let lost = setup.until(&id, |status| status["reason"].is_string());
    assert_eq!((&lost["state"], &lost["exit_code"]), (&"lost".into(), &Value::Null), "{lost:#}");
    assert_eq!(lost["thread_id"], FAKE_THREAD, "the known thread id is missing");
    setup.no_process_is_left(&id);
    let resumed = setup.adjutant(&["job", "resume", &id, "--dry-run"]).expect_success();
    assert!(resumed.stdout.contains(&format!("resume {FAKE_THREAD}")), "{}", resumed.stdout);
}

/// Both runs write to the same journal, but each watchdog checks only its own run.
#[test]
fn c5_two_runs_in_one_folder_are_watched_separately() {
    let hangs_first = "thread; if [ \"$n\" = 1 ]; then while :; do sleep 0.1; done; fi; message 'done'; completed";
    let setup = Setup::with(FakeCodex::doing(hangs_first));
    let folder = setup.folder.path().join("shared");
    let events = || -> Vec<Value> {
        let text = fs::read_to_string(folder.join("events.jsonl")).unwrap_or_default();
        text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
    };
    let run = || {
        let launch = setup.launch(ADJUTANT).env("CODEX_SESSION_DIR", &folder);
        launch.arguments(["run", "--context", "off", "--grace", "300ms", "--task", "x"])
    };
    let first = run().start_piped();
    eventually("the first codex runs", || {
        let has_started = events().iter().any(|event| event["event"] == "iteration_started");
        has_started && setup.codex.n_runs() == 1
    });
    let id = events()[0]["orchestrationId"].as_str().unwrap().to_owned();
    run().run().expect_success();
    kill(&setup, &[first.process_id().to_string()]);
    eventually("the watchdog records the end of the first run", || {
        events().iter().any(|event| {
            event["orchestrationId"] == id.as_str() && event["data"]["state"] == "lost"
        })
    });
    setup.no_process_is_left(&id);
}

/// Simulates a supervisor and a watchdog that were killed while codex was running.
#[test]
fn c5_stop_works_after_supervisor_and_watchdog_were_killed() {
    let setup = Setup::with(FakeCodex::doing(STUBBORN));
    let id = setup.start(&["--task", "x", "--grace", "300ms"]);
    let running = setup.until(&id, |status| status["thread_id"] == FAKE_THREAD);
    let events =
        || fs::read_to_string(setup.sessions().join(&id).join("events.jsonl")).unwrap_or_default();
    // codex would be killed by a broken pipe if it wrote output after its supervisor ended.
    eventually("codex has printed its last output", || events().contains("agent_message"));
    let events = events();
    let supervised = events.lines().find(|line| line.contains("\"supervised\"")).unwrap();
    let supervised: Value = serde_json::from_str(supervised).unwrap();
    kill(&setup, &[supervised["data"]["watchdog"].to_string(), running["pid"].to_string()]);
    let lost = setup.until_ended(&id);
    assert_eq!((&lost["state"], &lost["exit_code"]), (&"lost".into(), &Value::Null));
    assert!(lost["note"].as_str().unwrap().contains("still running"), "{lost:#}");
    let clean = json(&setup.adjutant(&["job", "clean", "--json"]).expect_success());
    assert_eq!(clean["deleted"].as_array().unwrap().len(), 0, "its codex is still running");
    let stopped = json(&setup.adjutant(&["job", "stop", &id, "--json"]).expect_success());
    let states = (&stopped["previousState"], &stopped["newState"]);
    assert_eq!(states, (&"lost".into(), &"stopped".into()));
    setup.no_process_is_left(&id);
    assert_eq!(setup.status(&id)["state"], "stopped");
}

#[test]
fn c5_status_and_logs_never_write() {
    let hangs_first = "thread; if [ \"$n\" = 1 ]; then sleep 600; fi; message 'done'; completed";
    let setup = Setup::with(FakeCodex::doing(hangs_first));
    let running = setup.start(&["--task", "x"]);
    let pid = setup.until(&running, |status| status["thread_id"] == FAKE_THREAD)["pid"].to_string();
    let done = setup.start(&["--task", "x"]);
    let runner = setup.until_ended(&done)["pid"].to_string();
    // No other process writes in the meantime: one supervisor is dead, and the other one is stopped.
    eventually("the process has ended", || !is_running(&runner));
    let signal = |name: &str| setup.launch("/bin/kill").arguments([name, &pid]).run();
    signal("-STOP").expect_success();
    let held = || fs::read_to_string(format!("/proc/{pid}/stat")).unwrap().contains(") T ");
    eventually("it is held", held);
    let before = snapshot(&setup.sessions());
    for _ in 0..3 {
        setup.status(&running);
        setup.status(&done);
        setup.adjutant(&["job", "list"]).expect_success();
        setup.adjutant(&["job", "metrics"]).expect_success();
        setup.adjutant(&["job", "logs", &done]).expect_success();
        setup.adjutant(&["job", "clean", "--dry-run"]).expect_success();
    }
    let after = snapshot(&setup.sessions());
    signal("-CONT").expect_success();
    assert!(before == after, "a file was written");
    setup.adjutant(&["job", "stop", &running, "--force"]).expect_success();
}

#[test]
fn c5_clean_respects_ages_and_states() {
    let setup = Setup::answering("x");
    let old = setup.start(&["--task", "x", "--tag", "old"]);
    let new = setup.start(&["--task", "x", "--tag", "new"]);
    setup.until_ended(&old);
    setup.until_ended(&new);
    let events = setup.sessions().join(&old).join("events.jsonl");
    let text = fs::read_to_string(&events).unwrap();
    let year = &text[text.find("\"timestamp\":\"").unwrap() + 13..][..4];
    fs::write(&events, text.replace(&format!("\"timestamp\":\"{year}"), "\"timestamp\":\"2001"))
        .unwrap();
    setup.status(&old);
    let clean = |arguments: &[&str]| {
        let launch =
            setup.launch(ADJUTANT).arguments(["job", "clean", "--json"]).arguments(arguments);
        json(&launch.run().expect_success())["deleted"].as_array().unwrap().len()
    };
    assert_eq!(clean(&["--older-than-hours", "1", "--dry-run"]), 1);
    assert!(setup.sessions().join(&old).exists());
    assert_eq!(clean(&["--older-than-hours", "1", "--state", "failed"]), 0);
    assert_eq!(clean(&["--older-than-hours", "1"]), 1);
    assert!(!setup.sessions().join(&old).exists() && setup.sessions().join(&new).exists());
}

#[test]
fn c5_resume_continues_the_thread_and_keeps_its_sandbox() {
    let setup = Setup::answering("first answer");
    let first = setup.start(&["--task", "begin", "--sandbox", "workspace-write"]);
    setup.until_ended(&first);
    let resumed = json(
        &setup
            .adjutant(&[
                "job",
                "resume",
                &first,
                "--json",
                "--sandbox",
                "workspace-write",
                "--task",
                "and now the tests",
            ])
            .expect_success(),
    );
    assert_eq!(resumed["resumedFrom"], first);
    let second = resumed["jobId"].as_str().unwrap();
    let status = setup.until_ended(second);
    assert_eq!(status["effective_sandbox"], "workspace-write");
    let words = setup.codex.arguments(2).join(" ");
    assert!(
        words.contains("--sandbox workspace-write")
            && words.ends_with(&format!("resume {FAKE_THREAD} -")),
        "{words}"
    );
    assert_eq!(
        setup.codex.prompt(2),
        "and now the tests",
        "only the message is sent, because the thread contains the rest"
    );
    let bare =
        setup.adjutant(&["job", "resume", second, "--sandbox", "read-only"]).expect_success();
    let status = setup.until_ended(bare.stdout.trim());
    assert_eq!(status["effective_sandbox"], "read-only");
    assert_eq!(setup.codex.prompt(3), "Continue the task where you stopped.");
    let bare = setup.adjutant(&["job", "resume", bare.stdout.trim()]).expect_success();
    assert_eq!(setup.until_ended(bare.stdout.trim())["effective_sandbox"], "read-only");
}

/// The record of a session restricts a resumed run. It never allows more than a new run with the same flags gets.
#[test]
fn c3_resume_gives_no_more_rights_than_a_new_run() {
    let setup = Setup::answering("x");
    let id = setup.start(&["--task", "look", "--sandbox", "read-only"]);
    setup.until_ended(&id);
    let events = setup.sessions().join(&id).join("events.jsonl");
    let recorded = fs::read_to_string(&events).unwrap();
    let bypass = recorded.replace("\"bypass\":false", "\"bypass\":true");
    assert_ne!(bypass, recorded);
    let wide = |sandbox: &str, text: &str| {
        text.replace("\"sandbox\":\"read-only\"", &format!("\"sandbox\":\"{sandbox}\""))
    };
    let forged = [
        wide("danger-full-access", &bypass),
        wide("danger-full-access", &recorded),
        wide("workspace-write", &recorded),
    ];
    for forged in forged {
        fs::write(&events, forged).unwrap();
        let refused = setup.adjutant(&["job", "resume", &id, "--task", "x"]);
        assert_eq!(refused.exit_code, Some(2), "{refused:#?}");
        assert!(refused.stderr.contains("a run that names no sandbox"), "{}", refused.stderr);
    }
    assert_eq!(setup.codex.n_runs(), 1);
    fs::write(&events, &bypass).unwrap();
    let resumed = setup.adjutant(&["job", "resume", &id, "--task", "x"]).expect_success();
    setup.until_ended(resumed.stdout.trim());
    let words = setup.codex.arguments(2).join(" ");
    assert!(words.contains("read-only") && !words.contains("bypass"), "{words}");
}

#[test]
fn a50_a_folder_of_sessions_that_others_can_write_to_is_refused() {
    let setup = Setup::answering("x");
    let id = setup.start(&["--task", "look"]);
    setup.until_ended(&id);
    let root = setup.sessions();
    let session = root.join(&id);
    let parent = root.parent().unwrap().to_owned();
    for folder in [&root, &session, &parent] {
        fs::set_permissions(folder, fs::Permissions::from_mode(0o777)).unwrap();
        let repair = format!("chmod go-w '{}'", folder.display());
        for command in [&["status", &id][..], &["logs", &id], &["resume", &id, "--task", "x"]] {
            let refused = setup.adjutant(&[&["job"], command].concat());
            assert_ne!(refused.exit_code, Some(0), "{command:?}: {refused:#?}");
            assert!(refused.stderr.contains(&repair), "{command:?}: {}", refused.stderr);
        }
        let listed = setup.adjutant(&["job", "list", "--json"]);
        assert!(!listed.stdout.contains(&id), "{listed:#?}");
        fs::set_permissions(folder, fs::Permissions::from_mode(0o700)).unwrap();
    }
    fs::set_permissions(&root, fs::Permissions::from_mode(0o777)).unwrap();
    let named = setup.folder.path().join("named");
    fs::create_dir(&named).unwrap();
    fs::set_permissions(&named, fs::Permissions::from_mode(0o777)).unwrap();
    let start = ["job", "start", "--context", "off", "--task", "x"];
    let launches = [
        setup.launch(ADJUTANT).arguments(start),
        setup.launch(ADJUTANT).env("CODEX_SESSION_DIR", &named).arguments(start),
    ];
    for launch in launches {
        let refused = launch.run();
        assert_eq!(refused.exit_code, Some(20), "{refused:#?}");
        assert!(refused.stderr.contains("chmod go-w"), "{}", refused.stderr);
    }
    assert_eq!(setup.codex.n_runs(), 1);
}

#[test]
fn c3_resume_never_widens() {
    let setup = Setup::answering("x");
    let id = setup.start(&["--task", "look", "--sandbox", "read-only"]);
    setup.until_ended(&id);
    for wider in [
        &["--sandbox", "workspace-write"][..],
        &["--full-auto"],
        &["--yolo"],
        &["--", "-s", "workspace-write"],
        &["--codex-config", "sandbox_mode='workspace-write'"],
    ] {
        let mut arguments = vec!["job", "resume", &id, "--task", "write"];
        arguments.extend(wider);
        let refused = setup.adjutant(&arguments);
        assert_eq!(refused.exit_code, Some(2), "{wider:?}: {refused:#?}");
        assert!(refused.stderr.contains("keeps its sandbox"), "{}", refused.stderr);
    }
    assert_eq!(setup.codex.n_runs(), 1);
}

#[test]
fn c5_a_deleted_session_ends_its_running_job() {
    let setup = Setup::with(FakeCodex::doing(
        "thread; while [ ! -e \"$here/go\" ]; do sleep 0.05; done; message 'x'; completed; touch \"$here/ended\"",
    ));
    let id = setup.start(&["--task", "x"]);
    setup.until(&id, |status| status["thread_id"] == FAKE_THREAD);
    // The supervisor may write a file while the folder is deleted.
    let folder = setup.sessions().join(&id);
    eventually("the session is deleted", || fs::remove_dir_all(&folder).is_ok());
    fs::write(setup.codex.folder().join("go"), "").unwrap();
    eventually("codex has ended", || setup.codex.note("ended").is_some());
    setup.no_process_is_left(&id);
    assert_eq!(setup.adjutant(&["job", "status", &id]).exit_code, Some(1));
    assert!(!setup.sessions().join(&id).exists());
}

#[test]
fn c5_a_conversation_is_continued_only_in_its_own_repository() {
    let setup = Setup::answering("x");
    let id = setup.start(&["--task", "look"]);
    setup.until_ended(&id);
    let other = testkit::Repository::builder().file("b.txt", "b\n").commit("one").build();
    let resume = |directory: &std::path::Path| {
        setup.adjutant(&[
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
    // The directory in codex's own record of the thread is checked too.
    let day = setup.folder.path().join(".codex/sessions/2026/11/15");
    std::fs::create_dir_all(&day).unwrap();
    let recorded = |directory: &std::path::Path| {
        let meta = serde_json::json!({ "type": "session_meta", "payload": { "id": FAKE_THREAD, "cwd": directory } });
        let name = format!("rollout-2026-11-15T15-43-33-{FAKE_THREAD}.jsonl");
        std::fs::write(day.join(name), format!("{meta}\n")).unwrap();
    };
    recorded(other.path());
    let refused = resume(setup.repository.path());
    assert_eq!(refused.exit_code, Some(2), "{refused:#?}");
    assert_eq!(setup.codex.n_runs(), 1);
    recorded(setup.repository.path());
    let folder = setup.repository.join("below");
    std::fs::create_dir(&folder).unwrap();
    let resumed = resume(&folder).expect_success();
    setup.until_ended(resumed.stdout.trim());
    assert_eq!(setup.codex.n_runs(), 2);
}

#[test]
fn c3_a_continued_session_keeps_its_directories() {
    let setup = Setup::answering("x");
    let more = setup.folder.path().join("more");
    std::fs::create_dir(&more).unwrap();
    let (more, all) = (more.to_str().unwrap(), setup.folder.path().to_str().unwrap());
    let id = setup.start(&["--task", "x", "--sandbox", "workspace-write", "--", "--add-dir", more]);
    let status = setup.until_ended(&id);
    assert_eq!(status["effective_writable_roots"].as_array().unwrap().len(), 1, "{status:#}");
    let resume = |root: &str| {
        let launch = setup.launch(ADJUTANT).arguments(["job", "resume", &id, "--task", "x"]);
        launch.arguments(["--sandbox", "workspace-write", "--", "--add-dir", root]).run()
    };
    let refused = resume(all);
    assert_eq!(refused.exit_code, Some(2), "{refused:#?}");
    assert!(refused.stderr.contains("could not write to"), "{}", refused.stderr);
    let resumed = resume(more).expect_success();
    let status = setup.until_ended(resumed.stdout.trim());
    assert_eq!(status["effective_writable_roots"].as_array().unwrap().len(), 1, "{status:#}");
}

#[test]
fn c5_following_a_log_applies_its_filters_and_ends_when_the_job_ends() {
    let doing = "thread; while [ ! -e \"$here/go\" ]; do sleep 0.05; done; message 'late news'; message 'other things'; completed";
    let setup = Setup::with(FakeCodex::doing(doing));
    let id = setup.start(&["--task", "x"]);
    let follow = |flags: &[&str]| {
        let launch = setup.launch(ADJUTANT).arguments(["job", "logs", &id, "--follow"]);
        launch.arguments(flags).start_piped()
    };
    let [mut whole, mut matching, mut result] =
        [&[][..], &["--grep", "late n"], &["--result-only"]].map(follow);
    setup.until(&id, |status| status["thread_id"] == FAKE_THREAD);
    fs::write(setup.codex.folder().join("go"), "").unwrap();
    let text = |program: &mut testkit::PipedProgram| {
        let mut text = String::new();
        while let Some(line) = program.read_line(testkit::TEST_TIMEOUT) {
            text += &format!("{}\n", line.trim_end());
        }
        assert_eq!(program.exit_code(testkit::TEST_TIMEOUT), Some(0), "{}", program.stderr());
        text
    };
    let whole = text(&mut whole);
    assert!(whole.contains("[message] late news") && whole.contains("Exit Code: 0"), "{whole}");
    assert_eq!(text(&mut matching), "[message] late news\n");
    let result = text(&mut result);
    assert!(result.contains("other things") && !result.contains("Exit Code"), "{result}");
}

/// A test of the crate `runs` starts a hundred sessions at once.
#[test]
fn c5_jobs_that_start_at_once_have_their_own_ids() {
    let setup = Setup::answering("x");
    let script = format!(
        "for n in $(seq 12); do '{ADJUTANT}' job start --context off --task x --tag same 2>/dev/null & done; wait"
    );
    let started = setup.launch("/bin/sh").arguments(["-c", &script]).run().expect_success();
    let mut ids: Vec<&str> = started.stdout.lines().collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), 12);
    eventually("all jobs are completed", || {
        let listed = json(&setup.adjutant(&["job", "list", "--json"]).expect_success());
        let completed = listed.as_array().unwrap().iter().filter(|job| job["state"] == "completed");
        completed.count() == 12
    });
}

#[test]
fn c5_invalid_ids_and_missing_jobs_are_reported() {
    let setup = Setup::answering("x");
    let refused = setup.adjutant(&["job", "status", "--", "../../etc"]);
    assert_eq!(refused.exit_code, Some(2), "{refused:#?}");
    for command in ["status", "logs", "stop", "resume"] {
        let missing = setup.adjutant(&["job", command, "cdx-20260101_000000-abcdef"]);
        assert_eq!(missing.exit_code, Some(1), "{command}: {missing:#?}");
        assert!(missing.stderr.contains("unknown session"), "{}", missing.stderr);
    }
}
