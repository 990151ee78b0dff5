//! A disk that becomes full while codex runs.

use testkit::FakeCodex;

use super::{Setup, json};
use crate::fixture::ADJUTANT;

/// Prints more than the disk can store, and then an answer.
const TALKATIVE: &str =
    "thread; yes 'a line of nothing in particular' | head -c 3000000; message 'done'; completed";

/// Uses a file system of one megabyte. If mounting is not allowed, a limit on the file size causes failures in the same
/// places, but with another error.
#[test]
fn c6_a_run_completes_on_a_full_disk_without_a_log() {
    let setup = Setup::with(FakeCodex::doing(TALKATIVE));
    let state = setup.state();
    std::fs::create_dir(&state).unwrap();
    let run = format!(
        "'{ADJUTANT}' run --context off --task x --json; code=$?; cat \"$ADJUTANT_STATE_DIR\"/sessions/*/state.json >&2; exit $code"
    );
    let mounted =
        format!("mount -t tmpfs -o size=1m tmpfs \"$ADJUTANT_STATE_DIR\" && {{ {run}; }}");
    let can_mount = setup
        .launch("unshare")
        .arguments([
            "--map-root-user",
            "--mount",
            "mount",
            "-t",
            "tmpfs",
            "tmpfs",
            state.to_str().unwrap(),
        ])
        .run();
    let ran = if can_mount.exit_code == Some(0) {
        setup
            .launch("unshare")
            .arguments(["--map-root-user", "--mount", "/bin/bash", "-c", &mounted])
            .run()
    } else {
        eprintln!(
            "no mount here ({}): a limit on file sizes simulates a full disk",
            can_mount.stderr.trim()
        );
        setup
            .launch("/bin/bash")
            .arguments(["-c", &format!("trap '' XFSZ; ulimit -f 1024; {run}")])
            .run()
    };
    assert_eq!(ran.exit_code, Some(0), "the result of codex is lost: {ran:#?}");
    let meta = json(&ran);
    assert_eq!(meta["classification"], "normal");
    let problems = meta["record_problems"].to_string();
    assert!(problems.contains("job.log"), "{problems}");
    let state: serde_json::Value = serde_json::from_str(&ran.stderr).unwrap();
    assert_eq!(
        (&state["state"], &state["exit_code"]),
        (&"completed".into(), &0.into()),
        "{state:#}"
    );
}

#[test]
fn c6_without_a_session_folder_codex_is_not_started() {
    let setup = Setup::answering("x");
    std::fs::write(setup.state(), "a file in the way").unwrap();
    let ran = setup.run(&["--task", "x"]);
    assert_eq!((ran.exit_code, setup.codex.n_runs()), (Some(20), 0), "{ran:#?}");
    assert!(ran.stderr.contains("cannot be recorded"), "{}", ran.stderr);
}
