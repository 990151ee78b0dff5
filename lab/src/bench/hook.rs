//! `cargo xtask bench hook`: compares the running time of the hook, including the kernel process that it starts, with
//! that of `/bin/true`. The hook is linked in the same way as in a package.

use std::io::Write;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use crate::output::{print_message, print_result};
use crate::root;

const ROUNDS: usize = 30;
const MAX_TIMES_TRUE: f64 = 4.0;

pub(crate) fn run() -> ExitCode {
    if !build() || !link_as_packaged() {
        return ExitCode::FAILURE;
    }
    let Ok(repository) = small_repository() else {
        print_message("error: cannot make a temporary repository");
        return ExitCode::FAILURE;
    };
    let hook = root().join("target/release/adjutant-hook");
    // The measurements alternate, so that a temporary load on the machine affects all of them.
    let (mut best_true, mut best_plan, mut best_run) =
        (Duration::MAX, Duration::MAX, Duration::MAX);
    for _ in 0..ROUNDS {
        best_true = best_true.min(time(Path::new("/bin/true"), repository.path(), "plan"));
        best_plan = best_plan.min(time(&hook, repository.path(), "plan"));
        best_run = best_run.min(time(&hook, repository.path(), "run"));
    }
    let ratio = |time: Duration| time.as_secs_f64() / best_true.as_secs_f64();
    print_result(&format!("best of {ROUNDS}, process start to end of output"));
    print_result(&format!("/bin/true                  {:8.3} ms    1.0", millis(best_true)));
    print_result(&format!(
        "adjutant-hook, plan mode   {:8.3} ms  {:5.1}    bar {MAX_TIMES_TRUE}",
        millis(best_plan),
        ratio(best_plan)
    ));
    print_result(&format!(
        "adjutant-hook, live search {:8.3} ms  {:5.1}",
        millis(best_run),
        ratio(best_run)
    ));
    if ratio(best_plan) <= MAX_TIMES_TRUE { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

pub(super) fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

pub(super) fn build() -> bool {
    cargo(&["build", "--release", "--locked", "-p", "adjutant"])
}

/// Links the hook in the same way as `cargo xtask package`.
fn link_as_packaged() -> bool {
    let rustc = ["rustc", "--release", "--locked", "-p", "adjutant", "--bin", "adjutant-hook"];
    let flags: Vec<&str> = include_str!("../../../xtask/src/package/files/static-flags.txt")
        .split_whitespace()
        .collect();
    !cfg!(target_os = "linux") || cargo(&[&rustc[..], &["--"], &flags].concat())
}

#[expect(clippy::disallowed_methods, reason = "a bench starts the programs it measures")]
fn cargo(arguments: &[&str]) -> bool {
    let status = Command::new("cargo").args(arguments).current_dir(root()).status();
    status.is_ok_and(|status| status.success())
}

#[expect(clippy::disallowed_methods, reason = "a bench starts the programs it measures")]
pub(super) fn small_repository() -> std::io::Result<tempfile::TempDir> {
    let directory = tempfile::tempdir()?;
    for number in 0..40 {
        let text = format!(
            "// file {number}\npub fn enforce_budget_{number}(limit: u32) -> u32 {{ limit }}\n"
        );
        std::fs::write(directory.path().join(format!("part_{number}.rs")), text)?;
    }
    Command::new("git").args(["init", "-q"]).current_dir(directory.path()).status()?;
    Ok(directory)
}

#[expect(clippy::disallowed_methods, reason = "a bench starts the programs it measures")]
pub(super) fn time(program: &Path, directory: &Path, mode: &str) -> Duration {
    let payload = br#"{"prompt":"where is enforce_budget_7 defined and who calls it?"}"#;
    let started = Instant::now();
    let child = Command::new(program)
        .env("CI_AUTO_TOOLS_MODE", mode)
        .current_dir(directory)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn();
    let Ok(mut child) = child else { return Duration::MAX };
    if let Some(mut stdin) = child.stdin.take() {
        drop(stdin.write_all(payload));
    }
    let output = child.wait_with_output();
    let elapsed = started.elapsed();
    if output.is_ok_and(|output| output.status.success()) { elapsed } else { Duration::MAX }
}
