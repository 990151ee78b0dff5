//! `cargo xtask bench speed DIR…`: compares the first build of an index with universal-ctags on the same trees. With a single
//! tree, also compares the hook with ripgrep.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use super::hook::{build, millis};
use crate::output::{print_message, print_result};
use crate::root;

const ROUNDS: usize = 5;
const PROMPT: &str = "where is the timeout of a request enforced, and who calls it?";
const INDEX: [&str; 2] = ["index", "--quiet"];

pub(crate) fn run(trees: &[&str]) -> ExitCode {
    for rival in ["rg", "ctags"] {
        if !runs(rival, &["--version"]) {
            print_message(&format!(
                "error: `{rival}` is not on PATH\n\nhint: apt-get install ripgrep universal-ctags"
            ));
            return ExitCode::FAILURE;
        }
    }
    let mut folders: Vec<PathBuf> = Vec::new();
    for tree in trees {
        let Ok(folder) = Path::new(tree).canonicalize() else {
            print_message(&format!("error: `{tree}` is not a folder"));
            return ExitCode::FAILURE;
        };
        folders.push(folder);
    }
    if !build() {
        return ExitCode::FAILURE;
    }
    let Ok(cache) = tempfile::tempdir() else { return ExitCode::FAILURE };
    match folders.as_slice() {
        [tree] => one_tree(tree, &cache.path().join("cold")),
        _ => many_trees(&folders, &cache.path().join("cold")),
    }
    ExitCode::SUCCESS
}

fn program(name: &str) -> String {
    root().join("target/release").join(name).display().to_string()
}

/// Prints one row per tree: the time of ctags, the time until a new index can be used, the time until the git history is
/// indexed too, and the time of a build that finds all facts in the cache and parses nothing.
fn many_trees(trees: &[PathBuf], cache: &Path) {
    let adjutant = program("adjutant");
    print_result(&format!("best of {ROUNDS}, wall time in ms; bar: usable <= 3.0 x ctags"));
    print_result(&format!(
        "{:20} {:>9} {:>9} {:>7} {:>9} {:>9} {:>9}",
        "tree", "ctags", "usable", "ratio", "parsing", "the rest", "complete"
    ));
    let mut slowest = (0.0, "");
    for tree in trees {
        let mut best = [Duration::MAX; 4];
        for _ in 0..ROUNDS {
            best[0] = best[0].min(time(tree, "ctags", &["-R", "-f", "/dev/null", "."], None));
            drop(std::fs::remove_dir_all(cache));
            best[1] = best[1].min(time_to_first_line(tree, &adjutant, cache));
            drop(std::fs::remove_dir_all(cache));
            best[2] = best[2].min(time(tree, &adjutant, &INDEX, Some(cache)));
            remove_snapshots(cache);
            best[3] = best[3].min(time_to_first_line(tree, &adjutant, cache));
        }
        let [ctags, usable, complete, stored] = best;
        let ratio = usable.as_secs_f64() / ctags.as_secs_f64();
        let name = tree.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if ratio > slowest.0 {
            slowest = (ratio, name);
        }
        print_result(&format!(
            "{name:20} {:9.0} {:9.0} {ratio:7.2} {:9.0} {:9.0} {:9.0}",
            millis(ctags),
            millis(usable),
            millis(usable.saturating_sub(stored)),
            millis(stored),
            millis(complete),
        ));
    }
    print_result(&format!("slowest: {} with {:.2} x ctags", slowest.1, slowest.0));
}

/// Deletes the snapshots and histories in the cache, but not the facts.
fn remove_snapshots(folder: &Path) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            remove_snapshots(&path);
        } else if path.extension().is_some_and(|it| it == "snap" || it == "delta" || it == "log") {
            drop(std::fs::remove_file(path));
        }
    }
}

fn one_tree(tree: &Path, cache: &Path) {
    let (adjutant, hook) = (program("adjutant"), program("adjutant-hook"));
    print_result(&format!("best of {ROUNDS}, wall time, {}", tree.display()));
    let mut best = [Duration::MAX; 4];
    for _ in 0..ROUNDS {
        best[0] = best[0].min(time(tree, "ctags", &["-R", "-f", "/dev/null", "."], None));
        drop(std::fs::remove_dir_all(cache));
        best[1] = best[1].min(time_to_first_line(tree, &adjutant, cache));
        drop(std::fs::remove_dir_all(cache));
        best[2] = best[2].min(time(tree, &adjutant, &INDEX, Some(cache)));
        let changed = tree.join("adjutant-bench-changed.py");
        drop(std::fs::write(&changed, "def changed_by_the_bench():\n    pass\n"));
        best[3] = best[3].min(time(tree, &adjutant, &INDEX, Some(cache)));
        drop(std::fs::remove_file(&changed));
    }
    row("ctags -R", best[0], best[0], "");
    row("adjutant index, usable", best[1], best[0], "bar 3.0 x ctags");
    row("adjutant index, complete", best[2], best[0], "");
    row("adjutant index, one file changed", best[3], best[2], "bar 0.1 x complete");

    time(tree, &adjutant, &INDEX, Some(cache));
    let mut best = [Duration::MAX; 3];
    for _ in 0..ROUNDS * 4 {
        best[0] = best[0].min(time(tree, "rg", &["-c", "-i", "timeout", "."], None));
        best[1] = best[1].min(time(tree, &hook, &[], Some(cache)));
        best[2] = best[2].min(time(tree, "/bin/true", &[], None));
    }
    row("rg -c -i word", best[0], best[0], "");
    row("adjutant-hook, index present", best[1], best[0], "bar 1.0 x rg");
    row("/bin/true", best[2], best[0], "");
}

fn row(name: &str, time: Duration, rival: Duration, bar: &str) {
    let ratio = time.as_secs_f64() / rival.as_secs_f64();
    print_result(&format!("{name:34} {:10.2} ms {ratio:7.2}  {bar}", millis(time)));
}

#[expect(clippy::disallowed_methods, reason = "a bench starts the programs it measures")]
fn runs(program: &str, arguments: &[&str]) -> bool {
    let mut command = Command::new(program);
    command.args(arguments).stdout(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// Returns the time until `adjutant index --history-last` reports that the index is written. Then waits until the program has
/// also read the history.
#[expect(clippy::disallowed_methods, reason = "a bench starts the programs it measures")]
fn time_to_first_line(tree: &Path, adjutant: &str, cache: &Path) -> Duration {
    let mut command = Command::new(adjutant);
    command
        .args(["index", "--history-last"])
        .current_dir(tree)
        .env("ADJUTANT_CACHE_DIR", cache)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    let started = Instant::now();
    let Ok(mut child) = command.spawn() else { return Duration::MAX };
    let Some(stdout) = child.stdout.take() else { return Duration::MAX };
    let mut line = String::new();
    let read = BufReader::new(stdout).read_line(&mut line);
    let elapsed = started.elapsed();
    let succeeded = child.wait().is_ok_and(|status| status.success());
    if succeeded && read.is_ok_and(|length| length > 0) { elapsed } else { Duration::MAX }
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
