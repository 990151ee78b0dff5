//! A disk that fills up while codex works.

use testkit::FakeCodex;

use super::{Scene, json};
use crate::stage::ADJUTANT;

/// More than the disk holds, then an answer.
const TALKATIVE: &str =
    "thread; yes 'a line of nothing in particular' | head -c 3000000; message 'done'; completed";

/// In a file system of one megabyte of its own; where the machine allows no mount, with a limit on the size of files,
/// which fails at the same places with another error.
#[test]
fn c6_a_full_disk_costs_the_log_and_not_the_run() {
    let scene = Scene::with(FakeCodex::doing(TALKATIVE));
    let state = scene.state();
    std::fs::create_dir(&state).unwrap();
    let run = format!(
        "'{ADJUTANT}' run --context off --task x --json; code=$?; cat \"$ADJUTANT_STATE_DIR\"/sessions/*/state.json >&2; exit $code"
    );
    let mounted =
        format!("mount -t tmpfs -o size=1m tmpfs \"$ADJUTANT_STATE_DIR\" && {{ {run}; }}");
    let can_mount = scene
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
        scene
            .launch("unshare")
            .arguments(["--map-root-user", "--mount", "/bin/bash", "-c", &mounted])
            .run()
    } else {
        eprintln!(
            "no mount here ({}): a limit on file sizes stands in for a full disk",
            can_mount.stderr.trim()
        );
        scene
            .launch("/bin/bash")
            .arguments(["-c", &format!("trap '' XFSZ; ulimit -f 1024; {run}")])
            .run()
    };
    assert_eq!(ran.exit_code, Some(0), "codex's work counts: {ran:#?}");
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
fn c6_without_a_place_for_the_record_nothing_is_started() {
    let scene = Scene::answering("x");
    std::fs::write(scene.state(), "a file in the way").unwrap();
    let ran = scene.run(&["--task", "x"]);
    assert_eq!((ran.exit_code, scene.codex.n_runs()), (Some(20), 0), "{ran:#?}");
    assert!(ran.stderr.contains("cannot be recorded"), "{}", ran.stderr);
}
