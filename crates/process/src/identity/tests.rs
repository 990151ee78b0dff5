use super::*;

#[test]
fn a_process_with_another_start_time_does_not_run() {
    let us = ProcessIdentity::of_this_process();
    assert!(us.is_running());
    let earlier = ProcessIdentity { start_ticks: us.start_ticks - 1, ..us.clone() };
    assert!(!earlier.is_running(), "the process id belongs to another process");
    let other_boot = ProcessIdentity { boot_id: "another".to_owned(), ..us };
    assert!(!other_boot.is_running());
}

#[test]
fn a_process_with_another_identity_gets_no_signal() {
    let us = ProcessIdentity::of_this_process();
    let namesake = ProcessIdentity { start_ticks: us.start_ticks + 1, ..us };
    assert!(!namesake.signal(Urgency::Force), "the signal was sent to this process");
    assert!(!namesake.signal_group(Urgency::Force));
}

/// Runs `sleep` with a unique environment variable, and passes the process group and the value of the variable to `check`.
fn with_sleeper(check: impl FnOnce(&mut crate::run::Group, &str)) {
    with_process("sleep", &["60"], check);
}

fn with_process(
    program: &str,
    arguments: &[&str],
    check: impl FnOnce(&mut crate::run::Group, &str),
) {
    let value = format!("test-{}-{:?}", std::process::id(), std::thread::current().id());
    let environment = crate::Environment::new(std::env::vars_os()).with(VARIABLE, &value);
    let program = crate::Program::new(program, environment).arguments(arguments);
    let mut group = crate::run::Group::spawn(&program).unwrap();
    check(&mut group, &value);
}

#[cfg(target_os = "linux")]
#[test]
fn a_process_that_starts_another_program_is_found() {
    // The shell starts itself again and again.
    let again = "exec sh -c \"$0\" \"$0\"";
    with_process("sh", &["-c", again, again], |group, value| {
        let is_found = || system::processes_with(VARIABLE, value) == [group.child.id()];
        assert!((0..1_000).any(|_| {
            std::thread::sleep(std::time::Duration::from_millis(10));
            is_found()
        }));
        for n in 0..200 {
            assert!(is_found(), "scan {n}");
        }
    });
}

const VARIABLE: &str = "ADJUTANT_TEST_IDENTITY";

/// The implementation for macOS also runs on Linux, where it must agree with the one that reads `/proc`.
#[test]
fn the_portable_implementation_finds_the_same_processes() {
    with_sleeper(|group, value| {
        let pid = group.child.id();
        // Until a new process executes its program, it has the environment of this process.
        let has_started = |found: Vec<u32>| found == [pid];
        assert!((0..1_000).any(|_| {
            std::thread::sleep(std::time::Duration::from_millis(10));
            has_started(system::processes_with(VARIABLE, value))
        }));
        assert!(has_started(portable::processes_with(VARIABLE, value)));
        assert!(portable::processes_with(VARIABLE, "another").is_empty());
        let start = portable::start_time(pid).unwrap();
        assert!(portable::start_time(std::process::id()).unwrap() <= start);
        assert_eq!(portable::start_time(pid), Some(start));
    });
}

#[test]
fn a_process_that_ended_has_no_start_time_even_before_it_is_reaped() {
    with_sleeper(|group, _| {
        let pid = group.child.id();
        group.signal(Signal::KILL);
        let pid_of_zombie = Pid::from_raw(pid.cast_signed()).unwrap();
        crate::run::wait_without_reaping(pid_of_zombie);
        for start_time in [system::start_time, portable::start_time] {
            assert_eq!(start_time(pid), None);
        }
    });
}
