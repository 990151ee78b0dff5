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
fn output_input_and_exit_code_come_through() {
    let finished = run(&shell("cat; echo talk >&2; exit 7").stdin("data"), &long()).unwrap();
    assert_eq!(finished.end, End::Exited(7));
    assert_eq!(
        (finished.stdout.text().as_ref(), finished.stderr.text().as_ref()),
        ("data", "talk\n")
    );
}

#[test]
fn a_program_that_hangs_is_ended_at_its_deadline() {
    // A busy machine gets more time until the shell has come as far as its first word.
    let said = (0..10).find_map(|doubled| {
        let time = Duration::from_millis(300 << doubled);
        let finished = run(&shell("echo early; sleep 600"), &within(time)).unwrap();
        assert_eq!(finished.end, End::TimedOut);
        Some(finished.stdout.text().into_owned()).filter(|said| !said.is_empty())
    });
    assert_eq!(said.as_deref(), Some("early\n"));
}

/// Who leaves the group keeps the pipe open: what was said before is not lost with it.
#[test]
fn what_was_said_counts_though_somebody_holds_on_to_the_pipe() {
    let script = "setsid sleep 60 & until kill -0 -$! 2>/dev/null; do sleep 0.01; done; echo $!; echo talk >&2";
    let finished = run(&shell(script), &long()).unwrap();
    let runaway: i32 = finished.stdout.text().trim().parse().unwrap();
    assert_eq!((finished.end, finished.stderr.text().as_ref()), (End::Exited(0), "talk\n"));
    kill_process_group(Pid::from_raw(runaway).unwrap(), Signal::KILL).unwrap();
}

#[test]
fn what_a_program_leaves_behind_is_killed_with_it() {
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
fn a_flood_is_cut_and_not_fatal() {
    let finished = run(&shell("yes | head -c 5000000"), &long()).unwrap();
    assert_eq!(
        (finished.end, finished.stdout.bytes.len(), finished.stdout.cut),
        (End::Exited(0), 1000, true)
    );
}

#[test]
fn a_program_that_does_not_read_its_input_is_fine() {
    let finished = run(&shell("exit 0").stdin(vec![b'x'; 5_000_000]), &long()).unwrap();
    assert_eq!(finished.end, End::Exited(0));
}

#[test]
fn a_crash_is_told_apart_from_an_exit() {
    assert_eq!(run(&shell("kill -SEGV $$"), &long()).unwrap().end, End::Signalled(11));
}

#[test]
fn a_missing_program_is_named() {
    let error =
        run(&Program::new("/no/such/program", Environment::default()), &long()).unwrap_err();
    assert_eq!(error.to_string(), "cannot start `/no/such/program`");
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
    assert_eq!(busy.source.kind(), io::ErrorKind::ExecutableFileBusy);
    let writing = thread::spawn(move || {
        thread::sleep(BUSY / 20);
        drop(writer);
    });
    // However late that thread is.
    let mut started = start_within(&mut command(&program), Duration::from_secs(60)).unwrap();
    assert!(started.wait().unwrap().success());
    writing.join().unwrap();
    let finished = run(&program, &long()).unwrap();
    assert_eq!((finished.end, finished.stdout.text().as_ref()), (End::Exited(0), "ready\n"));
}
