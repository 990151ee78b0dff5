use std::thread;

use super::*;
use crate::Environment;
use crate::identity::processes_with;

fn shell(script: &str) -> Program {
    let environment =
        Environment::default().with("PATH", "/usr/bin:/bin").with("SUPERVISED_TEST", script);
    Program::new("/bin/sh", environment).arguments(["-c", script])
}

const NO_LIMITS: TimeLimits =
    TimeLimits { wall: None, idle: None, grace: Duration::from_millis(200) };

fn watch(script: &str, limits: TimeLimits, switch: &StopSwitch) -> (Supervised, String) {
    let mut said = Vec::new();
    let supervised = supervise(
        &shell(script),
        limits,
        switch,
        |_| (),
        |event| {
            if let OutputEvent::Stdout(bytes) = event {
                said.extend_from_slice(bytes);
            }
            ControlFlow::Continue(())
        },
    );
    (supervised.unwrap(), String::from_utf8(said).unwrap())
}

#[test]
fn output_and_exit_code_are_reported() {
    let (ended, said) =
        watch("printf one; sleep 0.1; printf two; exit 3", NO_LIMITS, &StopSwitch::default());
    assert_eq!((ended.end, ended.stopped, said.as_str()), (End::Exited(3), None, "onetwo"));
}

#[test]
fn the_wall_limit_stops_a_noisy_program_and_the_idle_limit_a_silent_one() {
    let short = Some(Duration::from_millis(300));
    let (noisy, _) = watch(
        "while :; do echo x; sleep 0.05; done",
        TimeLimits { wall: short, idle: Some(Duration::from_secs(60)), ..NO_LIMITS },
        &StopSwitch::default(),
    );
    assert_eq!(noisy.stopped, Some(StopCause::Wall));
    let (silent, _) =
        watch("sleep 600", TimeLimits { idle: short, ..NO_LIMITS }, &StopSwitch::default());
    assert_eq!(silent.stopped, Some(StopCause::Idle));
}

#[test]
fn a_program_that_ignores_sigterm_is_killed_with_its_group_after_the_grace_period() {
    let switch = StopSwitch::default();
    let script = "trap '' TERM; (trap '' TERM; sleep 601) & echo ready; sleep 601; sleep 601";
    let mut started = None;
    let asking = switch.clone();
    let ended = supervise(
        &shell(script),
        NO_LIMITS,
        &switch,
        |identity| started = Some(identity),
        |event| {
            if matches!(event, OutputEvent::Stdout(_)) {
                asking.stop();
            }
            ControlFlow::Continue(())
        },
    )
    .unwrap();
    assert_eq!((ended.stopped, ended.killed), (Some(StopCause::Requested), true));
    assert!(!started.unwrap().is_running());
    // The operating system needs some time to end the processes.
    let is_gone = (0..6_000).any(|_| {
        thread::sleep(Duration::from_millis(10));
        processes_with("SUPERVISED_TEST", script).is_empty()
    });
    assert!(is_gone);
}

/// The output callback is so slow that the child exits before its last output is processed.
#[test]
fn a_slow_callback_receives_all_output() {
    let mut said = Vec::new();
    let ended = supervise(
        &shell("head -c 100000 /dev/zero; sleep 0.1; printf last"),
        NO_LIMITS,
        &StopSwitch::default(),
        |_| (),
        |event| {
            if let OutputEvent::Stdout(bytes) = event {
                said.extend_from_slice(bytes);
                thread::sleep(DRAIN_TIMES.silence / 4);
            }
            ControlFlow::Continue(())
        },
    )
    .unwrap();
    assert_eq!((ended.end, said.len()), (End::Exited(0), 100_004));
    assert!(said.ends_with(b"last"));
}

#[test]
fn a_flood_of_output_does_not_delay_a_stop() {
    let switch = StopSwitch::default();
    let asking = switch.clone();
    let mut n_bytes = 0_usize;
    let ended = supervise(
        &shell("exec yes"),
        NO_LIMITS,
        &switch,
        |_| (),
        |event| {
            if let OutputEvent::Stdout(bytes) = event {
                n_bytes += bytes.len();
                if n_bytes > 1_000_000 {
                    asking.stop();
                }
            }
            ControlFlow::Continue(())
        },
    )
    .unwrap();
    assert_eq!(ended.stopped, Some(StopCause::Requested));
}

#[test]
fn a_signal_from_another_process_is_reported() {
    let (ended, _) = watch("kill -9 $$", NO_LIMITS, &StopSwitch::default());
    assert_eq!((ended.end, ended.stopped), (End::Signalled(9), None));
}

#[test]
fn a_stop_request_wakes_the_supervisor_of_a_silent_program() {
    let switch = StopSwitch::default();
    let request = switch.clone();
    thread::spawn(move || {
        thread::sleep(SILENCE * 4);
        request.stop();
    });
    let (ended, _) = watch("sleep 600", NO_LIMITS, &switch);
    assert_eq!(ended.stopped, Some(StopCause::Requested));
    assert!(switch.wait(Duration::from_secs(600)));
}

#[test]
fn the_output_callback_can_stop_the_program() {
    let stop = |event: OutputEvent<'_>| match event {
        OutputEvent::Stdout(_) => ControlFlow::Break(()),
        OutputEvent::Stderr(_) | OutputEvent::Silence => ControlFlow::Continue(()),
    };
    let program = shell("echo ready; sleep 600");
    let ended = supervise(&program, NO_LIMITS, &StopSwitch::default(), drop, stop).unwrap();
    assert_eq!(ended.stopped, Some(StopCause::Requested));
}
