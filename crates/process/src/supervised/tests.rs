use std::thread;

use super::*;
use crate::Environment;
use crate::identity::processes_with;

fn shell(script: &str) -> Program {
    let environment =
        Environment::default().with("PATH", "/usr/bin:/bin").with("SUPERVISED_TEST", script);
    Program::new("/bin/sh", environment).arguments(["-c", script])
}

const PATIENT: TimeLimits =
    TimeLimits { wall: None, idle: None, grace: Duration::from_millis(200) };

fn watch(script: &str, patience: TimeLimits, switch: &StopSwitch) -> (Supervised, String) {
    let mut said = Vec::new();
    let supervised = supervise(
        &shell(script),
        patience,
        switch,
        |_| (),
        |heard| match heard {
            OutputEvent::Stdout(bytes) => said.extend_from_slice(bytes),
            OutputEvent::Stderr(_) | OutputEvent::Silence => {}
        },
    );
    (supervised.unwrap(), String::from_utf8(said).unwrap())
}

#[test]
fn output_and_exit_code_come_through() {
    let (ended, said) =
        watch("printf one; sleep 0.1; printf two; exit 3", PATIENT, &StopSwitch::default());
    assert_eq!((ended.end, ended.stopped, said.as_str()), (End::Exited(3), None, "onetwo"));
}

#[test]
fn the_wall_clock_ends_a_talker_and_the_idle_clock_a_silent_one() {
    let short = Some(Duration::from_millis(300));
    let (talker, _) = watch(
        "while :; do echo x; sleep 0.05; done",
        TimeLimits { wall: short, idle: Some(Duration::from_secs(60)), ..PATIENT },
        &StopSwitch::default(),
    );
    assert_eq!(talker.stopped, Some(StopCause::Wall));
    let (silent, _) =
        watch("sleep 600", TimeLimits { idle: short, ..PATIENT }, &StopSwitch::default());
    assert_eq!(silent.stopped, Some(StopCause::Idle));
}

#[test]
fn who_ignores_term_is_killed_after_the_grace_with_everything_it_started() {
    let switch = StopSwitch::default();
    let script = "trap '' TERM; (trap '' TERM; sleep 601) & echo ready; sleep 601; sleep 601";
    let mut started = None;
    let asking = switch.clone();
    let ended = supervise(
        &shell(script),
        PATIENT,
        &switch,
        |identity| started = Some(identity),
        |heard| {
            if matches!(heard, OutputEvent::Stdout(_)) {
                asking.stop();
            }
        },
    )
    .unwrap();
    assert_eq!((ended.stopped, ended.killed), (Some(StopCause::Asked), true));
    assert!(!started.unwrap().is_running());
    // Dying takes the system a moment.
    let nobody = (0..6_000).any(|_| {
        thread::sleep(Duration::from_millis(10));
        processes_with("SUPERVISED_TEST", script).is_empty()
    });
    assert!(nobody);
}

/// Whoever listens may be slow: the child is long gone when its last words are heard.
#[test]
fn the_last_words_are_heard_however_long_the_others_take() {
    let mut said = Vec::new();
    let ended = supervise(
        &shell("head -c 100000 /dev/zero; sleep 0.1; printf last"),
        PATIENT,
        &StopSwitch::default(),
        |_| (),
        |heard| {
            if let OutputEvent::Stdout(bytes) = heard {
                said.extend_from_slice(bytes);
                thread::sleep(LAST_BYTES / 4);
            }
        },
    )
    .unwrap();
    assert_eq!((ended.end, said.len()), (End::Exited(0), 100_004));
    assert!(said.ends_with(b"last"));
}

#[test]
fn a_flood_does_not_keep_a_stop_waiting() {
    let switch = StopSwitch::default();
    let asking = switch.clone();
    let mut n_bytes = 0_usize;
    let ended = supervise(
        &shell("exec yes"),
        PATIENT,
        &switch,
        |_| (),
        |heard| {
            if let OutputEvent::Stdout(bytes) = heard {
                n_bytes += bytes.len();
                if n_bytes > 1_000_000 {
                    asking.stop();
                }
            }
        },
    )
    .unwrap();
    assert_eq!(ended.stopped, Some(StopCause::Asked));
}

#[test]
fn a_signal_from_outside_is_told_as_such() {
    let (ended, _) = watch("kill -9 $$", PATIENT, &StopSwitch::default());
    assert_eq!((ended.end, ended.stopped), (End::Signalled(9), None));
}
