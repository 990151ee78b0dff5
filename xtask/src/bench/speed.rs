//! `cargo xtask bench speed DIR`: compares the hook with ripgrep, and the first build of an index with universal-ctags, on
//! the same tree.

use std::io::Write;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use super::hook::build;
use crate::output::{print_message, print_result};
use crate::root;

const ROUNDS: usize = 5;
const PROMPT: &str = "where is the timeout of a request enforced, and who calls it?";

pub(crate) fn run(tree: &Path) -> ExitCode {
    for rival in ["rg", "ctags"] {
        if !runs(rival, &["--version"], tree) {
            print_message(&format!(
                "error: `{rival}` is not on PATH\n\nhint: apt-get install ripgrep universal-ctags"
            ));
            return ExitCode::FAILURE;
        }
    }
    let Ok(tree) = tree.canonicalize() else {
        print_message(&format!("error: `{}` is not a folder", tree.display()));
        return ExitCode::FAILURE;
    };
    if !build() {
        return ExitCode::FAILURE;
    }
    let Ok(cache) = tempfile::tempdir() else { return ExitCode::FAILURE };
    let program = |name: &str| root().join("target/release").join(name).display().to_string();
    let (adjutant, hook) = (program("adjutant"), program("adjutant-hook"));
    print_result(&format!("best of {ROUNDS}, wall time, {}", tree.display()));

    let mut best = [Duration::MAX; 3];
    for _ in 0..ROUNDS {
        best[0] = best[0].min(time(&tree, "ctags", &["-R", "-f", "/dev/null", "."], None));
        drop(std::fs::remove_dir_all(cache.path().join("cold")));
        best[1] = best[1].min(time(
            &tree,
            &adjutant,
            &["index", "--quiet"],
            Some(&cache.path().join("cold")),
        ));
        let changed = tree.join("adjutant-bench-changed.py");
        drop(std::fs::write(&changed, "def changed_by_the_bench():\n    pass\n"));
        best[2] = best[2].min(time(
            &tree,
            &adjutant,
            &["index", "--quiet"],
            Some(&cache.path().join("cold")),
        ));
        drop(std::fs::remove_file(&changed));
    }
    row("ctags -R", best[0], best[0], "");
    row("adjutant index, cold", best[1], best[0], "bar 3.0 x ctags");
    row("adjutant index, one file changed", best[2], best[1], "bar 0.1 x cold");

    let warm = cache.path().join("cold");
    time(&tree, &adjutant, &["index", "--quiet"], Some(&warm));
    let mut best = [Duration::MAX; 3];
    for _ in 0..ROUNDS * 4 {
        best[0] = best[0].min(time(&tree, "rg", &["-c", "-i", "timeout", "."], None));
        best[1] = best[1].min(time(&tree, &hook, &[], Some(&warm)));
        best[2] = best[2].min(time(&tree, "/bin/true", &[], None));
    }
    row("rg -c -i word", best[0], best[0], "");
    row("adjutant-hook, index present", best[1], best[0], "bar 1.0 x rg");
    row("/bin/true", best[2], best[0], "");
    ExitCode::SUCCESS
}

fn row(name: &str, time: Duration, rival: Duration, bar: &str) {
    let ratio = time.as_secs_f64() / rival.as_secs_f64();
    print_result(&format!("{name:34} {:10.2} ms {ratio:7.2}  {bar}", time.as_secs_f64() * 1000.0));
}

#[expect(clippy::disallowed_methods, reason = "a bench starts the programs it measures")]
fn runs(program: &str, arguments: &[&str], directory: &Path) -> bool {
    let mut command = Command::new(program);
    command.args(arguments).current_dir(directory).stdout(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

#[expect(clippy::disallowed_methods, reason = "a bench starts the programs it measures")]
fn time(directory: &Path, program: &str, arguments: &[&str], cache: Option<&Path>) -> Duration {
    let payload = serde_json::json!({ "prompt": PROMPT }).to_string();
    let mut command = Command::new(program);
    command
        .args(arguments)
        .current_dir(directory)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    if let Some(cache) = cache {
        command.env("ADJUTANT_CACHE_DIR", cache);
    }
    let started = Instant::now();
    let Ok(mut child) = command.spawn() else { return Duration::MAX };
    if let Some(mut stdin) = child.stdin.take() {
        drop(stdin.write_all(payload.as_bytes()));
    }
    let output = child.wait_with_output();
    let elapsed = started.elapsed();
    // ripgrep exits with 1 if there is no match.
    if output.is_ok_and(|output| output.status.code().is_some_and(|code| code <= 1)) {
        elapsed
    } else {
        Duration::MAX
    }
}
