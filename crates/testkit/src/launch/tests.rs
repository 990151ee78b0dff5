//! Tests the environment, output, exit code and timeout of a started program.

use std::fs;
use std::path::Path;
use std::time::Duration;

use super::{Launch, is_running};

fn shell(script: &str) -> Launch {
    Launch::new("/bin/sh", Path::new("/")).arguments(["-c", script])
}

#[test]
fn output_and_exit_code_are_returned() {
    let finished = shell("cat; echo talk >&2; exit 7").input("data").run();
    assert_eq!(finished.exit_code, Some(7));
    assert_eq!((finished.stdout.as_str(), finished.stderr.as_str()), ("data", "talk\n"));
    assert!(!finished.timed_out);
}

#[test]
fn only_what_is_given_is_in_the_environment() {
    let finished = Launch::new("/usr/bin/env", Path::new("/"))
        .env("GIVEN", "first")
        .env("GIVEN", "last")
        .run();
    let mut names: Vec<_> =
        finished.stdout.lines().map(|line| line.split('=').next().unwrap()).collect();
    names.sort_unstable();
    assert_eq!(names, ["GIVEN", "PATH"]);
    assert!(finished.stdout.contains("GIVEN=last"));
}

#[test]
fn the_timeout_ends_the_whole_process_group() {
    let folder = tempfile::tempdir().unwrap();
    let note = folder.path().join("pid");
    // The timeout is doubled until the shell has written the process id. On a busy machine, this takes longer.
    let grandchild = (0..9).find_map(|doubled| {
        let finished = shell(&format!("sleep 600 & echo $! > '{}'; wait", note.display()))
            .limit(Duration::from_millis(500 << doubled))
            .run();
        assert!(finished.timed_out && finished.exit_code.is_none(), "{finished:?}");
        fs::read_to_string(&note).ok().filter(|written| !written.is_empty())
    });
    let grandchild = grandchild.expect("the shell never ran");
    // The signal was sent, but the process may end a little later.
    crate::eventually("the grandchild is gone", || !is_running(&grandchild));
}

#[test]
fn a_running_process_is_distinguished_from_an_ended_one() {
    assert!(is_running(&std::process::id().to_string()));
    assert!(!is_running("4194999"), "greater than the maximum process id");
}
