//! `cargo xtask bench scale DIR [--files N…]`: measures the time, memory and disk usage for trees of different sizes,
//! and how these values grow with the number of files.
//!
//! The trees contain several copies of the files in DIR. Each copy ends with a unique line, because identical content
//! is analysed only once. The number of terms stays the same, while the numbers of postings, symbols and edges grow.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use super::arguments;
use super::hook::{build, millis};
use crate::output::print_result;
use crate::root;

const USAGE: &str = "cargo xtask bench scale DIR [--files N…] [--no-build]";
/// The sizes of the trees relative to DIR, if `--files` is not given.
const FACTORS: [usize; 3] = [1, 4, 16];
const ROUNDS: usize = 10;
/// The maximum size of a copied file, in bytes. Larger files are skipped, because copying them would mostly measure the
/// disk.
const MAX_FILE: u64 = 1 << 20;
const PROMPT: &str = "where is the timeout of a request enforced, and who calls it?";

struct Options {
    tree: PathBuf,
    /// The number of files in each tree. If the list is empty, [`FACTORS`] are used.
    files: Vec<usize>,
    builds: bool,
}

pub(crate) fn run(tree: &Path, rest: &[&str]) -> ExitCode {
    arguments::run(USAGE, read(tree, rest), bench)
}

fn read(tree: &Path, rest: &[&str]) -> Option<Options> {
    let mut options = Options { tree: tree.to_owned(), files: Vec::new(), builds: true };
    let mut is_size = false;
    for argument in rest {
        match *argument {
            "--files" => is_size = true,
            "--no-build" => options.builds = false,
            number if is_size => options.files.push(number.parse().ok().filter(|it| *it > 0)?),
            _ => return None,
        }
    }
    Some(options)
}

fn bench(options: &Options) -> Result<(), String> {
    let sources = sources(&options.tree)?;
    if options.builds && !build() {
        return Err("the release build failed".to_owned());
    }
    let mut sizes = options.files.clone();
    if sizes.is_empty() {
        sizes = FACTORS.map(|factor| factor * sources.len()).to_vec();
    }
    print_result(
        "   files    sources       cold   changed  switched        rg  whole hook  with patch  new file  peak memory    on disk / sources",
    );
    let mut measured: Vec<Row> = Vec::new();
    for n_files in sizes {
        let grown = tempfile::tempdir().map_err(|error| error.to_string())?;
        let bytes = grow(&options.tree, &sources, n_files, grown.path()).map_err(|error| {
            format!("cannot write {n_files} files under `{}`: {error}", grown.path().display())
        })?;
        let row = measure(n_files, bytes, grown.path())?;
        print_result(&row.text());
        measured.push(row);
    }
    print_growth(&measured);
    Ok(())
}

/// The measurements for one tree.
struct Row {
    n_files: usize,
    source_bytes: u64,
    cold: Duration,
    changed: Duration,
    /// The time of a refresh after a simulated switch to another branch, which changes many files.
    switched: Duration,
    ripgrep: Option<Duration>,
    hook: Option<Duration>,
    /// The running time of the hook after the simulated switch to another branch.
    patched_hook: Option<Duration>,
    /// The running time of the hook for a prompt about a file that was created one second earlier. `None` if the
    /// briefing does not cite that file.
    new_file: Option<Duration>,
    /// The peak memory usage while the index is built for the first time, in bytes.
    peak: Option<u64>,
    disk_bytes: u64,
}

impl Row {
    fn text(&self) -> String {
        let megabytes = |bytes: u64| bytes as f64 / 1e6;
        let time = |time: Option<Duration>| {
            time.map_or_else(|| "–".to_owned(), |time| format!("{:.0} ms", millis(time)))
        };
        format!(
            "{:8} {:7.1} MB {:8.2} s {:7.2} s {:7.2} s {:>9} {:>11} {:>11} {:>9} {:>12} {:7.1} MB = {:.2}",
            self.n_files,
            megabytes(self.source_bytes),
            self.cold.as_secs_f64(),
            self.changed.as_secs_f64(),
            self.switched.as_secs_f64(),
            time(self.ripgrep),
            time(self.hook),
            time(self.patched_hook),
            time(self.new_file),
            self.peak.map_or_else(|| "–".to_owned(), |it| format!("{:.0} MB", megabytes(it))),
            megabytes(self.disk_bytes),
            self.disk_bytes as f64 / self.source_bytes as f64,
        )
    }
}

/// Prints how each cost grows from one size to the next. An exponent of 1 means that the cost per file is constant; an
/// exponent of 0 means that the cost does not depend on the number of files.
fn print_growth(rows: &[Row]) {
    for pair in rows.windows(2) {
        let [small, large] = pair else { continue };
        let steps = (large.n_files as f64 / small.n_files as f64).ln();
        let exponent = |cost: &dyn Fn(&Row) -> Option<f64>| match (cost(small), cost(large)) {
            (Some(before), Some(after)) => format!("{:.2}", (after / before).ln() / steps),
            _ => "–".to_owned(),
        };
        let seconds = |time: Option<Duration>| time.map(|time| time.as_secs_f64());
        print_result(&format!(
            "exponents, {} to {} files: cold {}, changed {}, rg {}, hook {}, memory {}, disk {}",
            small.n_files,
            large.n_files,
            exponent(&|row| seconds(Some(row.cold))),
            exponent(&|row| seconds(Some(row.changed))),
            exponent(&|row| seconds(row.ripgrep)),
            exponent(&|row| seconds(row.hook)),
            exponent(&|row| row.peak.map(|bytes| bytes as f64)),
            exponent(&|row| Some(row.disk_bytes as f64)),
        ));
    }
}

fn measure(n_files: usize, source_bytes: u64, tree: &Path) -> Result<Row, String> {
    let cache = tempfile::tempdir().map_err(|error| error.to_string())?;
    let index = |directory: &Path| {
        let mut index = command(&program("adjutant"), directory);
        index.args(["index", "--quiet"]).env("ADJUTANT_CACHE_DIR", cache.path());
        watch(index)
    };
    let (cold, peak) = index(tree)?;
    fs::write(tree.join("adjutant_bench.py"), "def changed_by_the_bench():\n    pass\n")
        .map_err(|error| error.to_string())?;
    let (changed, _) = index(tree)?;
    let best = |make: &dyn Fn() -> Command| {
        (0..ROUNDS).filter_map(|_| watch(make()).ok()).map(|(time, _)| time).min()
    };
    let make_hook = || {
        let mut hook = command(&program("adjutant-hook"), tree);
        hook.env("ADJUTANT_CACHE_DIR", cache.path());
        hook
    };
    let hook = best(&make_hook);
    let ripgrep = best(&|| {
        let mut ripgrep = command("rg", tree);
        ripgrep.args(["-c", "-i", "timeout", "."]);
        ripgrep
    });
    let disk_bytes = size_below(cache.path());
    let new_file = find_new_file(tree, cache.path())?;
    switch(tree, n_files).map_err(|error| error.to_string())?;
    let (switched, _) = index(tree)?;
    // Without these locks, the hook would complete the index in the background.
    let locks = lock_index(cache.path());
    let patched_hook = best(&make_hook);
    drop(locks);
    #[rustfmt::skip]
    let row = Row {
        n_files, source_bytes, cold, changed, switched, ripgrep, hook, patched_hook, new_file, peak, disk_bytes,
    };
    Ok(row)
}

/// Changes files throughout the tree, as switching to another branch does: every 20th file, but at most 5,000.
fn switch(tree: &Path, n_files: usize) -> std::io::Result<()> {
    const MAX_SWITCHED: usize = 5_000;
    let step = n_files.div_ceil(MAX_SWITCHED).max(20);
    let mut files = Vec::new();
    files_below(tree, &mut files)?;
    files.sort_unstable();
    // Ignore files are not changed, because a changed ignore file requires a full build.
    files.retain(|path| path.file_name().is_none_or(|name| name != ".gitignore"));
    for path in files.iter().step_by(step).take(MAX_SWITCHED) {
        let mut content = fs::read(path)?;
        writeln!(content, "# another branch")?;
        // The file is removed first, as git does, so that the modification time of its folder changes too.
        fs::remove_file(path)?;
        fs::write(path, content)?;
    }
    Ok(())
}

fn files_below(directory: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in fs::read_dir(directory)? {
        let path = entry?.path();
        if path.is_dir() {
            files_below(&path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}

/// Locks all indexes in the cache, so that no other process writes them. Returns the open lock files; closing them
/// releases the locks.
fn lock_index(cache: &Path) -> Vec<fs::File> {
    let folders = fs::read_dir(cache).into_iter().flatten().flatten();
    let locks = folders.filter_map(|folder| fs::File::open(folder.path().join("lock")).ok());
    locks.filter(|lock| lock.lock().is_ok()).collect()
}

/// Creates a file in a new folder, waits for a second, and sends a prompt about a name in the file. Returns the
/// running time of the hook if the briefing cites the file.
fn find_new_file(tree: &Path, cache: &Path) -> Result<Option<Duration>, String> {
    let place = tree.join("copy0/adjutant_bench/new_file.py");
    let created = fs::create_dir_all(place.parent().unwrap_or(tree))
        .and_then(|()| fs::write(&place, "def created_one_second_ago():\n    pass\n"));
    created.map_err(|error| error.to_string())?;
    std::thread::sleep(Duration::from_secs(1));
    let mut hook = command(&program("adjutant-hook"), tree);
    hook.env("ADJUTANT_CACHE_DIR", cache).stdout(Stdio::piped());
    let started = Instant::now();
    let mut child = hook.spawn().map_err(|error| format!("cannot start the hook: {error}"))?;
    let payload = serde_json::json!({ "prompt": "where is created_one_second_ago defined?" });
    if let Some(mut stdin) = child.stdin.take() {
        drop(stdin.write_all(payload.to_string().as_bytes()));
    }
    let output = child.wait_with_output().map_err(|error| error.to_string())?;
    let elapsed = started.elapsed();
    let text = String::from_utf8_lossy(&output.stdout);
    Ok(text.contains("adjutant_bench/new_file.py").then_some(elapsed))
}

fn program(name: &str) -> String {
    root().join("target/release").join(name).display().to_string()
}

/// Returns the files that git tracks, relative to the tree. Skips symbolic links and files larger than [`MAX_FILE`].
fn sources(tree: &Path) -> Result<Vec<PathBuf>, String> {
    let mut list = command("git", tree);
    list.args(["ls-files", "-z"]).stdout(Stdio::piped());
    let output = list.output().map_err(|error| format!("cannot start git: {error}"))?;
    if !output.status.success() {
        return Err(format!("`{}` is not a git repository", tree.display()));
    }
    let names = String::from_utf8_lossy(&output.stdout).into_owned();
    let is_source = |path: &PathBuf| {
        fs::symlink_metadata(tree.join(path))
            .is_ok_and(|found| found.is_file() && found.len() <= MAX_FILE)
    };
    Ok(names
        .split('\0')
        .filter(|name| !name.is_empty())
        .map(PathBuf::from)
        .filter(is_source)
        .collect())
}

/// Writes `n_files` copies of the sources to `target` and returns their total size in bytes.
fn grow(tree: &Path, sources: &[PathBuf], n_files: usize, target: &Path) -> std::io::Result<u64> {
    let mut bytes = 0;
    for (number, source) in sources.iter().cycle().take(n_files).enumerate() {
        let copy = number / sources.len();
        let mut content = fs::read(tree.join(source))?;
        if copy > 0 && !content.contains(&0) {
            writeln!(content, "\n# copy {copy}")?;
        }
        bytes += content.len() as u64;
        let place = target.join(format!("copy{copy}")).join(source);
        fs::create_dir_all(place.parent().unwrap_or(target))?;
        fs::write(place, content)?;
    }
    Ok(bytes)
}

#[expect(clippy::disallowed_methods, reason = "a bench starts the programs it measures")]
fn command(program: &str, directory: &Path) -> Command {
    let mut command = Command::new(program);
    command
        .current_dir(directory)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command
}

/// Runs a program. Returns its duration, and its peak memory if the system reports it.
fn watch(mut command: Command) -> Result<(Duration, Option<u64>), String> {
    let payload = serde_json::json!({ "prompt": PROMPT }).to_string();
    let started = Instant::now();
    let mut child = command.spawn().map_err(|error| format!("cannot start a program: {error}"))?;
    if let Some(mut stdin) = child.stdin.take() {
        drop(stdin.write_all(payload.as_bytes()));
    }
    let mut peak = None;
    loop {
        peak = peak_memory(&child).or(peak);
        match child.try_wait() {
            Ok(Some(_)) => return Ok((started.elapsed(), peak)),
            Ok(None) => std::thread::sleep(Duration::from_millis(1)),
            Err(error) => return Err(error.to_string()),
        }
    }
}

fn peak_memory(child: &Child) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().trim_end_matches("kB").trim().parse::<u64>().ok().map(|kilobytes| kilobytes * 1024)
}

/// Returns the total size of all files in a folder, in bytes.
fn size_below(directory: &Path) -> u64 {
    let Ok(entries) = fs::read_dir(directory) else { return 0 };
    let size = |entry: fs::DirEntry| {
        let path = entry.path();
        if path.is_dir() {
            size_below(&path)
        } else {
            entry.metadata().map_or(0, |found| found.len())
        }
    };
    entries.flatten().map(size).sum()
}
