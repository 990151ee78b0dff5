use testkit::ShellScript;

use super::*;

/// Probes a fake codex. `script` runs after the arguments `sandbox --config MODE --` are removed.
#[track_caller]
fn check(script: &str, read_only: &Tried, workspace_write: &Tried) {
    let codex = ShellScript::new(&format!("mode=$3\nshift 4\n{script}"));
    let folder = tempfile::tempdir().unwrap();
    let environment = Environment::default().with("PATH", "/usr/bin:/bin");
    let probe = probe_sandbox(codex.path(), &environment, folder.path());
    assert_eq!((&probe.read_only, &probe.workspace_write), (read_only, workspace_write));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "the probe left files");
}

#[test]
fn a60_a_working_sandbox_is_recognised() {
    let script = "case $mode in *read-only*) [ \"$1\" = true ];; *) exec \"$@\";; esac";
    check(script, &Tried::Works, &Tried::Works);
}

#[test]
fn a60_a_sandbox_that_allows_writes_is_reported() {
    check("exec \"$@\"", &Tried::Leaks, &Tried::Works);
}

#[test]
fn a60_a_sandbox_that_cannot_start_is_reported_with_the_reason() {
    let fails = Tried::Fails("bwrap: no permission to make a namespace".to_owned());
    let script = "echo 'bwrap: no permission to make a namespace' >&2; exit 1";
    check(script, &fails, &fails);
    let script =
        "case $mode in *read-only*) [ \"$1\" = true ];; *) echo WARNING: x >&2; exit 3;; esac";
    check(script, &Tried::Works, &Tried::Fails("exit 3".to_owned()));
}
