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

/// Prints one row per tree: the time of ctags, the time until a new index can be used, the time including the git
/// history, and the time of a build that finds all facts already stored and therefore parses nothing. The number of
/// tags shows whether ctags supports the language of the tree.
fn many_trees(trees: &[PathBuf], cache: &Path) {
    print_result(&format!(
        "best of {ROUNDS}, wall time and processor time in ms; bar: usable <= 3.0 x ctags"
    ));
    print_result(
        "usable: from the start of `adjutant index --history-last` until the index is written, without the git history",
    );
    print_result("complete: `adjutant index`, with the git history");
    print_result(&format!(
        "{:20} {:>8} {:>7} {:>7} {:>7} {:>6} {:>8} {:>8} {:>8} {:>8} {:>6}",
        "tree",
        "tags",
        "ctags",
        "CPU",
        "usable",
        "ratio",
        "parsing",
        "the rest",
        "complete",
        "CPU",
        "ratio"
    ));
    let mut slowest = (0.0, String::new());
    for tree in trees {
        let best = BuildTimes::measure(tree, cache);
        let ratio = best.usable.as_secs_f64() / best.ctags.wall.as_secs_f64();
        let cpu_ratio = best.complete.cpu.as_secs_f64() / best.ctags.cpu.as_secs_f64();
        let name = tree.file_name().unwrap_or_default().display().to_string();
        print_result(&format!(
            "{name:20} {:8} {:7.0} {:7.0} {:7.0} {ratio:6.2} {:8.0} {:8.0} {:8.0} {:8.0} {cpu_ratio:6.2}",
            best.n_tags,
            millis(best.ctags.wall),
            millis(best.ctags.cpu),
            millis(best.usable),
            millis(best.usable.saturating_sub(best.stored)),
            millis(best.stored),
            millis(best.complete.wall),
            millis(best.complete.cpu),
        ));
        if ratio > slowest.0 {
            slowest = (ratio, name);
        }
    }
    print_result(&format!("slowest: {} with {:.2} x ctags", slowest.1, slowest.0));
}

/// The wall time of a program, and the processor time of the program and of the processes that it starts.
#[derive(Clone, Copy)]
struct Times {
    wall: Duration,
    cpu: Duration,
}

impl Times {
    const MAX: Self = Self { wall: Duration::MAX, cpu: Duration::MAX };

    fn min(self, other: Self) -> Self {
        Self { wall: self.wall.min(other.wall), cpu: self.cpu.min(other.cpu) }
    }
}

/// The best times for building the index of one tree, and for running ctags on it.
struct BuildTimes {
    ctags: Times,
    n_tags: usize,
    usable: Duration,
    complete: Times,
    /// The time of a build that finds all facts already stored.
    stored: Duration,
}

impl BuildTimes {
    fn measure(tree: &Path, cache: &Path) -> Self {
        let adjutant = program("adjutant");
        let (usable, stored) = (Duration::MAX, Duration::MAX);
        let mut best = Self { ctags: Times::MAX, n_tags: 0, usable, complete: Times::MAX, stored };
        for _ in 0..ROUNDS {
            let (times, n_tags) = time_ctags(tree, cache);
            best.ctags = best.ctags.min(times);
            best.n_tags = n_tags;
            drop(std::fs::remove_dir_all(cache));
            best.usable = best.usable.min(time_to_first_line(tree, &adjutant, cache));
            drop(std::fs::remove_dir_all(cache));
            best.complete = best.complete.min(time(tree, &adjutant, &INDEX, Some(cache)));
            remove_snapshots(cache);
            best.stored = best.stored.min(time_to_first_line(tree, &adjutant, cache));
        }
        best
    }
}

/// Runs ctags, which writes its tags next to the cache. Returns its times and the number of tags.
fn time_ctags(tree: &Path, cache: &Path) -> (Times, usize) {
    // If the output is `/dev/null`, ctags fails when it removes the tags of a file that it reads a second time.
    let tags = cache.with_extension("tags");
    let times = time(tree, "ctags", &["-R", "-f", &tags.display().to_string(), "."], None);
    let written = std::fs::read(&tags).unwrap_or_default();
    let n_tags = written
        .split(|byte| *byte == b'\n')
        .filter(|it| !it.starts_with(b"!") && !it.is_empty())
        .count();
    (times, n_tags)
}

/// Returns the processor time of the child processes that have ended, and of their children. The system measures it
/// in hundredths of a second.
fn children_cpu() -> Duration {
    /// The index of the field that contains the children's user time, counted from the first field after the
    /// program's name. The next field contains their system time.
    const CHILDREN: usize = 13;
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
    let ticks = fields.skip(CHILDREN).take(2).filter_map(|it| it.parse::<u64>().ok()).sum::<u64>();
    Duration::from_millis(ticks * 10)
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
    let wall = |arguments: &[&str], program: &str, cache: Option<&Path>| {
        time(tree, program, arguments, cache).wall
    };
    let mut best = [Duration::MAX; 4];
    for _ in 0..ROUNDS {
        best[0] = best[0].min(time_ctags(tree, cache).0.wall);
        drop(std::fs::remove_dir_all(cache));
        best[1] = best[1].min(time_to_first_line(tree, &adjutant, cache));
        drop(std::fs::remove_dir_all(cache));
        best[2] = best[2].min(wall(&INDEX, &adjutant, Some(cache)));
        let changed = tree.join("adjutant-bench-changed.py");
        drop(std::fs::write(&changed, "def changed_by_the_bench():\n    pass\n"));
        best[3] = best[3].min(wall(&INDEX, &adjutant, Some(cache)));
        drop(std::fs::remove_file(&changed));
    }
    row("ctags -R", best[0], best[0], "");
    row("adjutant index, usable", best[1], best[0], "bar 3.0 x ctags");
    row("adjutant index, complete", best[2], best[0], "");
    row("adjutant index, one file changed", best[3], best[2], "bar 0.1 x complete");

    wall(&INDEX, &adjutant, Some(cache));
    let mut best = [Duration::MAX; 3];
    for _ in 0..ROUNDS * 4 {
        best[0] = best[0].min(wall(&["-c", "-i", "timeout", "."], "rg", None));
        best[1] = best[1].min(wall(&[], &hook, Some(cache)));
        best[2] = best[2].min(wall(&[], "/bin/true", None));
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

/// Returns the time until `adjutant index --history-last` reports that the index has been written. Then waits until
/// the program has also read the history.
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
fn time(directory: &Path, program: &str, arguments: &[&str], cache: Option<&Path>) -> Times {
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
    let (started, cpu) = (Instant::now(), children_cpu());
    let Ok(mut child) = command.spawn() else { return Times::MAX };
    if let Some(mut stdin) = child.stdin.take() {
        drop(stdin.write_all(payload.as_bytes()));
    }
    let output = child.wait_with_output();
    let times = Times { wall: started.elapsed(), cpu: children_cpu().saturating_sub(cpu) };
    // ripgrep exits with 1 if there is no match.
    let succeeded = output.is_ok_and(|output| output.status.code().is_some_and(|code| code <= 1));
    if succeeded { times } else { Times::MAX }
}
