use super::*;
use crate::Environment;

fn shell(script: &str) -> Program {
    let environment = Environment::default().with("PATH", "/usr/bin:/bin");
    Program::new("/bin/sh", environment).arguments(["-c", script])
}

fn within(duration: Duration) -> Bounds {
    Bounds { deadline: Instant::now() + duration, stdout_bytes: 1000, stderr_bytes: 1000 }
}

fn long() -> Bounds {
    within(Duration::from_secs(60))
}

#[test]
fn output_input_and_exit_code_are_passed_on() {
    let finished = run(&shell("cat; echo talk >&2; exit 7").stdin("data"), &long()).unwrap();
    assert_eq!(finished.end, End::Exited(7));
    assert_eq!(
        (finished.stdout.text().as_ref(), finished.stderr.text().as_ref()),
        ("data", "talk\n")
    );
}

#[test]
fn a_program_that_hangs_is_killed_at_its_deadline() {
    // On a busy machine, the shell may need more time to print its first output, so the deadline is doubled each time.
    let said = (0..10).find_map(|doubled| {
        let time = Duration::from_millis(300 << doubled);
        let finished = run(&shell("echo early; sleep 600"), &within(time)).unwrap();
        assert_eq!(finished.end, End::TimedOut);
        Some(finished.stdout.text().into_owned()).filter(|said| !said.is_empty())
    });
    assert_eq!(said.as_deref(), Some("early\n"));
}

/// A process that has left the group keeps the pipe open.
#[test]
fn output_is_kept_although_another_process_keeps_the_pipe_open() {
    let script = "setsid sleep 60 & until kill -0 -$! 2>/dev/null; do sleep 0.01; done; echo $!; echo talk >&2";
    let finished = run(&shell(script), &long()).unwrap();
    let runaway: i32 = finished.stdout.text().trim().parse().unwrap();
    assert_eq!((finished.end, finished.stderr.text().as_ref()), (End::Exited(0), "talk\n"));
    kill_process_group(Pid::from_raw(runaway).unwrap(), Signal::KILL).unwrap();
}

#[test]
fn background_processes_of_a_program_are_killed() {
    let finished = run(&shell("sleep 600 & echo $!"), &long()).unwrap();
    let pid: i32 = finished.stdout.text().trim().parse().unwrap();
    let gone = (0..6_000).any(|_| {
        thread::sleep(Duration::from_millis(10));
        !std::path::Path::new(&format!("/proc/{pid}")).exists()
            || std::fs::read_to_string(format!("/proc/{pid}/stat"))
                .is_ok_and(|stat| stat.contains(") Z"))
    });
    assert!(gone, "process {pid} is still running");
}

#[test]
fn output_beyond_the_cap_is_dropped() {
    let finished = run(&shell("yes | head -c 5000000"), &long()).unwrap();
    assert_eq!(
        (finished.end, finished.stdout.bytes.len(), finished.stdout.cut),
        (End::Exited(0), 1000, true)
    );
}

#[test]
fn a_program_need_not_read_its_input() {
    let finished = run(&shell("exit 0").stdin(vec![b'x'; 5_000_000]), &long()).unwrap();
    assert_eq!(finished.end, End::Exited(0));
}

#[test]
fn a_signal_is_distinguished_from_an_exit_code() {
    assert_eq!(run(&shell("kill -SEGV $$"), &long()).unwrap().end, End::Signalled(11));
}

#[test]
fn a_missing_program_is_named() {
    let error =
        run(&Program::new("/no/such/program", Environment::default()), &long()).unwrap_err();
    let reason = "No such file or directory (os error 2)";
    assert_eq!(error.to_string(), format!("cannot start `/no/such/program`: {reason}"));
}

#[test]
fn a_program_that_is_being_replaced_is_tried_again() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("script");
    std::fs::write(&path, "#!/bin/sh\necho ready\n").unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    let writer = std::fs::OpenOptions::new().append(true).open(&path).unwrap();
    let program = Program::new(&path, Environment::default().with("PATH", "/usr/bin:/bin"));
    let busy = run(&program, &long()).unwrap_err();
    assert_eq!(busy.cause.kind(), io::ErrorKind::ExecutableFileBusy);
    let writing = thread::spawn(move || {
        thread::sleep(BUSY_TIMEOUT / 20);
        drop(writer);
    });
    // The timeout is long enough even if that thread is delayed.
    let mut started = start_within(&mut command(&program), Duration::from_secs(60)).unwrap();
    assert!(started.wait().unwrap().success());
    writing.join().unwrap();
    let finished = run(&program, &long()).unwrap();
    assert_eq!((finished.end, finished.stdout.text().as_ref()), (End::Exited(0), "ready\n"));
}

/// The limit is set after the program has been started, so the program waits for it. The second program would take 600 MB.
#[cfg(target_os = "linux")]
#[test]
fn a50_the_address_space_of_a_program_and_its_children_is_limited() {
    let script = "until [ \"$(ulimit -v)\" = 262144 ]; do :; done; head -c 600M /dev/zero | tail -c 600M | wc -c";
    let finished = run(&shell(script).address_space(256 << 20), &long()).unwrap();
    assert_eq!(finished.stdout.text().trim(), "0", "{}", finished.stderr.text());
}

/// Without the lock, a child of another thread can have the program open for writing when the shell starts it.
#[test]
fn a_program_that_is_written_while_nothing_starts_can_be_started_by_a_shell() {
    use std::os::unix::fs::OpenOptionsExt;

    let folder = tempfile::tempdir().unwrap();
    thread::scope(|scope| {
        for writer in 0..16 {
            let folder = folder.path();
            scope.spawn(move || {
                for number in 0..50 {
                    let path = folder.join(format!("{writer}-{number}"));
                    without_starts(|| {
                        let mut options = std::fs::OpenOptions::new();
                        let mut file =
                            options.write(true).create_new(true).mode(0o700).open(&path).unwrap();
                        file.write_all(b"#!/bin/sh\n").unwrap();
                    });
                    let finished = run(&shell(path.to_str().unwrap()), &long()).unwrap();
                    assert_eq!(finished.end, End::Exited(0), "{}", finished.stderr.text());
                }
            });
        }
    });
}
