//! Tests for failures: crashes, hangs, output floods, full disks and deleted folders.

use std::time::Duration;

use process::StopSwitch;
use runs::{SessionStatus, TimeLimitsSpec};
use testkit::FakeCodex;

use crate::stage::Stage;

#[track_caller]
fn check(scenario: &str, code: i32, classification: &str, reason: &str) -> Stage {
    let stage = Stage::new(FakeCodex::doing(scenario), "the task of the night");
    let outcome = stage.run();
    let meta = &outcome.meta;
    assert_eq!(
        (outcome.exit_code, meta.classification.as_str()),
        (code, classification),
        "{meta:#?}"
    );
    assert!(meta.reason.contains(reason), "{}", meta.reason);
    stage
}

#[test]
fn c7_a_crash_in_the_middle_of_a_line() {
    let stage =
        check("thread; printf '{\"type\":\"item.comp'; kill -SEGV $$", 139, "error", "signal 11");
    assert!(stage.log().contains("{\"type\":\"item.comp\n"));
}

#[test]
fn c7_invalid_events_are_plain_output() {
    let stage = check(
        "thread; echo '{\"type\":'; echo '{]'; printf '\\377\\376\\n'; message 'fine'; completed",
        0,
        "normal",
        "Run completed normally",
    );
    assert!(stage.log().contains("{]\n"));
}

#[test]
fn c7_exit_code_137_is_reported_as_a_signal() {
    check("exit 137", 137, "error", "signal 9");
}

#[test]
fn c7_exit_code_zero_without_an_answer_is_an_error() {
    check("thread", 1, "error", "without an answer");
    check("exit 0", 1, "error", "may not be codex");
}

#[test]
fn c7_rate_limits_are_found_in_events_and_not_in_the_prompt() {
    check(
        "thread; failed 'unexpected status 429 Too Many Requests'; exit 1",
        1,
        "rate_limited",
        "429",
    );
}

#[track_caller]
fn no_process_is_left(stage: &Stage) {
    let id = &stage.sessions().list(&runs::Filter::default())[0].id;
    testkit::eventually("no process of the session runs", || {
        process::processes_with("ADJUTANT_SESSION", id).is_empty()
    });
}

#[test]
fn c7_a_hanging_codex_is_killed_with_its_processes_at_the_time_limit() {
    // Codex ignores SIGTERM. One child ignores SIGTERM too, and another child has left the process group.
    let scenario =
        "trap '' TERM; (trap '' TERM; sleep 611) & setsid sleep 612 & thread; sleep 613; sleep 614";
    for (patience, reason) in [
        (
            TimeLimitsSpec { wall_ms: Some(800), idle_ms: None, grace_ms: 200 },
            "reached its wall limit",
        ),
        (TimeLimitsSpec { wall_ms: None, idle_ms: Some(700), grace_ms: 200 }, "printed nothing"),
    ] {
        let stage = Stage::new(FakeCodex::doing(scenario), "x").with(|spec| spec.limits = patience);
        let outcome = stage.run();
        assert_eq!((outcome.exit_code, outcome.meta.classification.as_str()), (124, "timeout"));
        assert!(outcome.meta.reason.contains(reason), "{}", outcome.meta.reason);
        no_process_is_left(&stage);
    }
}

#[test]
fn c7_the_wall_limit_covers_all_runs_of_a_session() {
    let stage = Stage::new(FakeCodex::doing("thread; sleep 0.3; message more; completed"), "x")
        .with(|spec| {
            spec.limits = TimeLimitsSpec { wall_ms: Some(1_500), idle_ms: None, grace_ms: 200 };
            spec.repeat.max_runs = 1_000;
        });
    let outcome = stage.run();
    assert!(stage.codex.n_runs() < 20, "{}", stage.codex.n_runs());
    assert!(matches!(outcome.exit_code, 0 | 124), "{}", outcome.exit_code);
}

#[test]
fn c5_the_longest_pause_ends_with_a_stop() {
    let stage = Stage::new(FakeCodex::answering("more to do"), "x").with(|spec| {
        spec.repeat.until = Some("ALL DONE".to_owned());
        spec.repeat.max_runs = 2;
        spec.repeat.sleep_seconds = 30 * 24 * 60 * 60;
    });
    let switch = StopSwitch::default();
    let outcome = std::thread::scope(|scope| {
        let running = scope.spawn(|| {
            runs::exec(&stage.spec, &stage.host(), &switch, &crate::stage::NoHooks, &mut |_| ())
        });
        let is_pausing = || stage.log_so_far().contains("--- Iteration 2 ---");
        testkit::eventually("it pauses", || is_pausing() || running.is_finished());
        switch.stop();
        running.join().unwrap().unwrap()
    });
    assert_eq!((outcome.exit_code, stage.codex.n_runs()), (0, 1));
}

#[test]
fn c5_background_processes_of_codex_are_killed() {
    let stage = check(
        "setsid sleep 621 & sleep 622 & thread; message 'left two behind'; completed",
        0,
        "normal",
        "",
    );
    no_process_is_left(&stage);
}

#[test]
fn c5_a_stop_during_output_is_a_stop() {
    let stage = Stage::new(FakeCodex::doing("thread; exec yes output of codex"), "x");
    let switch = StopSwitch::default();
    let outcome = std::thread::scope(|scope| {
        let running = scope.spawn(|| {
            runs::exec(&stage.spec, &stage.host(), &switch, &crate::stage::NoHooks, &mut |_| ())
        });
        while !stage.log_so_far().contains("output of codex") {
            assert!(!running.is_finished(), "codex printed no output");
            std::thread::sleep(Duration::from_millis(20));
        }
        switch.stop();
        running.join().unwrap().unwrap()
    });
    assert_eq!((outcome.exit_code, outcome.meta.classification.as_str()), (143, "user_cancelled"));
    let state = &stage.sessions().list(&runs::Filter::default())[0];
    assert_eq!(state.state, SessionStatus::Stopped);
    no_process_is_left(&stage);
}

/// As in a server, stopping the session must not end the process that runs it.
#[test]
fn c5_a_session_in_a_shared_process_is_stopped_without_that_process() {
    let stage = Stage::new(FakeCodex::doing("thread; sleep 651"), "x")
        .with(|spec| spec.shares_process = true);
    let outcome = std::thread::scope(|scope| {
        let running = scope.spawn(|| stage.run());
        let id = loop {
            let found = stage.sessions().list(&runs::Filter::default());
            match found.first() {
                Some(state) if state.thread_id.is_some() => break state.id.clone(),
                _ => std::thread::sleep(Duration::from_millis(20)),
            }
        };
        let id = runs::SessionId::new(&id).unwrap();
        let stopped = stage.sessions().stop(&id, false, &stage.host()).unwrap();
        assert_eq!(stopped.new_state, SessionStatus::Stopped);
        running.join().unwrap()
    });
    assert_eq!((outcome.exit_code, outcome.meta.classification.as_str()), (143, "user_cancelled"));
    no_process_is_left(&stage);
}

/// Codex prints more than the maximum log size, in many lines and in one long line.
#[test]
fn c6_a_flood_of_output_is_bounded() {
    let most = 128 * 1024;
    for flood in [
        "yes 'a line of nothing in particular' | head -c 3000000",
        "head -c 3000000 /dev/zero | tr '\\0' x",
    ] {
        let scenario = format!("thread; {flood}; echo; message 'still here'; completed");
        let stage = Stage::new(FakeCodex::doing(&scenario), "x").with(|spec| {
            spec.log.max_bytes = most;
            spec.limits.wall_ms = None;
        });
        let outcome = stage.run();
        assert_eq!(outcome.meta.classification, "normal", "{:#?}", outcome.meta);
        let size: u64 = stage.record().iter().map(|(_, text)| text.len() as u64).sum();
        assert!(size < 6 * most, "{size}");
        assert!(stage.log().ends_with("=====\n"), "the log has no end");
    }
}

/// Links can exist if the sessions folder is in the repository, where codex and the repository's authors can write.
#[test]
fn c6_a_link_among_the_files_of_a_session_is_not_followed() {
    let outside = tempfile::tempdir().unwrap();
    let target = outside.path().join("profile");
    std::fs::write(&target, "mine").unwrap();
    let folder = outside.path().join("session");
    std::fs::create_dir(&folder).unwrap();
    let names = ["job.log", "reserve", "state.json", "job.meta.json", "job.instructions.md"];
    for name in names.iter().chain(&["job.r1.last.txt", "aggregate.txt", "aggregate.jsonl"]) {
        std::os::unix::fs::symlink(&target, folder.join(name)).unwrap();
    }
    let stage = Stage::new(FakeCodex::answering("done"), "x")
        .with(|spec| spec.log.place = runs::LogPlace::Named(folder.clone()));
    let outcome = stage.run();
    assert_eq!(outcome.exit_code, 0, "{}", outcome.meta.reason);
    assert_eq!(std::fs::read_to_string(&target).unwrap(), "mine");
    assert_eq!(outcome.session.last_message_text(1), "done");
    let problems = outcome.meta.record_problems.join("\n");
    assert!(problems.contains("job.log") && problems.contains("aggregate"), "{problems}");
}

#[test]
fn c6_the_session_folder_is_deleted_during_a_run() {
    let stage = Stage::new(
        FakeCodex::doing(
            "thread; until rm -rf \"$SESSIONS\"/* && [ -z \"$(ls -A \"$SESSIONS\")\" ]; do sleep 0.1; done 2>/dev/null; message 'who needs a log'; completed",
        ),
        "x",
    );
    let mut host = stage.host();
    host.environment = host.environment.with("SESSIONS", stage.sessions_folder());
    let switch = StopSwitch::default();
    let outcome =
        runs::exec(&stage.spec, &host, &switch, &crate::stage::NoHooks, &mut |_| ()).unwrap();
    assert_eq!((outcome.exit_code, outcome.meta.classification.as_str()), (0, "normal"));
    assert!(
        !outcome.meta.record_problems.is_empty(),
        "the metadata do not report the failed writes"
    );
    assert!(stage.record().is_empty(), "the folder was created again");
}

#[test]
fn c5_a_hundred_concurrent_starts_create_a_hundred_sessions() {
    let stage = Stage::new(FakeCodex::answering("x"), "x").with(|spec| spec.is_dry_run = true);
    // Only a few names are available, so that the sessions collide.
    let mut host = stage.host();
    host.entropy = || {
        format!("{:x}", std::process::id() % 16)
            + &{
                static NEXT: std::sync::atomic::AtomicU8 = std::sync::atomic::AtomicU8::new(0);
                format!("{:02x}", NEXT.fetch_add(7, std::sync::atomic::Ordering::Relaxed))
            }
    };
    let ids: Vec<String> = std::thread::scope(|scope| {
        let start = || {
            let switch = StopSwitch::default();
            let ran = runs::exec(&stage.spec, &host, &switch, &crate::stage::NoHooks, &mut |_| ());
            ran.unwrap().session.id
        };
        let running: Vec<_> = (0..100).map(|_| scope.spawn(start)).collect();
        running.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let mut unique = ids.clone();
    unique.sort();
    unique.dedup();
    assert_eq!((ids.len(), unique.len()), (100, 100));
    assert_eq!(stage.sessions().list(&runs::Filter::default()).len(), 100);
}

#[test]
fn c8_two_megabytes_of_instructions_are_refused_before_anything_runs() {
    let stage = Stage::new(FakeCodex::answering("x"), &"word ".repeat(420_000));
    let error = stage.try_run().unwrap_err();
    assert_eq!(error.exit_code(), 2);
    assert!(error.to_string().contains("2100000 characters"), "{error}");
    assert!(!stage.sessions_folder().exists());
    let one = Stage::new(FakeCodex::answering("x"), &"word ".repeat(209_000));
    assert_eq!(one.run().exit_code, 0);
    assert_eq!(one.codex.prompt(1).len(), 1_045_000, "codex received only a part");
}
