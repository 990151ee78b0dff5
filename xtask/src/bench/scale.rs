//! `cargo xtask bench scale DIR`: measures time, memory and disk usage for 4 and 16 times the files of a repository.
//!
//! The larger trees contain several copies of each file in DIR. Each copy ends with a unique line, because identical
//! content is analysed only once. The number of terms stays the same; the numbers of postings, symbols and edges grow.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use super::hook::build;
use crate::output::{print_message, print_result};
use crate::root;

const FACTORS: [usize; 3] = [1, 4, 16];
const ROUNDS: usize = 10;
/// Maximum size of a copied file, in bytes; larger files are skipped, because their copies would measure only the disk.
const MAX_FILE: u64 = 1 << 20;
const PROMPT: &str = "where is the timeout of a request enforced, and who calls it?";

pub(crate) fn run(tree: &Path) -> ExitCode {
    match bench(tree) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            print_message(&format!("error: {error}"));
            ExitCode::FAILURE
        }
    }
}

fn bench(tree: &Path) -> Result<(), String> {
    let sources = sources(tree)?;
    if !build() {
        return Err("the release build failed".to_owned());
    }
    print_result(
        "        files   sources     cold  changed     rg  whole hook    peak memory      on disk",
    );
    for factor in FACTORS {
        let grown = tempfile::tempdir().map_err(|error| error.to_string())?;
        let bytes = grow(tree, &sources, factor, grown.path()).map_err(|error| {
            format!("cannot write {factor} copies under `{}`: {error}", grown.path().display())
        })?;
        print_result(&row(factor, sources.len(), bytes, grown.path())?);
    }
    Ok(())
}

/// Measures one size and returns its row of the table.
fn row(factor: usize, n_files: usize, bytes: u64, tree: &Path) -> Result<String, String> {
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
        (0..ROUNDS)
            .map(|_| watch(make()).map(|(time, _)| time))
            .min_by_key(|time| time.as_ref().map_or(Duration::MAX, |time| *time))
    };
    let hook = best(&|| {
        let mut hook = command(&program("adjutant-hook"), tree);
        hook.env("ADJUTANT_CACHE_DIR", cache.path());
        hook
    });
    let ripgrep = best(&|| {
        let mut ripgrep = command("rg", tree);
        ripgrep.args(["-c", "-i", "timeout", "."]);
        ripgrep
    });
    let seconds = |time: Option<Result<Duration, String>>| {
        time.and_then(Result::ok)
            .map_or_else(|| "–".to_owned(), |time| format!("{:.0} ms", time.as_secs_f64() * 1000.0))
    };
    let disk = size_below(cache.path());
    let megabytes = |bytes: u64| bytes as f64 / 1e6;
    Ok(format!(
        "{factor:3} x {:8} {:6.1} MB {:6.2} s {:5.2} s {:>7} {:>10} {:>11} {:6.1} MB = {:.2}",
        n_files * factor,
        megabytes(bytes),
        cold.as_secs_f64(),
        changed.as_secs_f64(),
        seconds(ripgrep),
        seconds(hook),
        peak.map_or_else(|| "–".to_owned(), |peak| format!("{:.0} MB", megabytes(peak))),
        megabytes(disk),
        disk as f64 / bytes as f64,
    ))
}

fn program(name: &str) -> String {
    root().join("target/release").join(name).display().to_string()
}

/// Returns the text files that git tracks, relative to the tree.
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

/// Writes the copies to `target` and returns their total size in bytes.
fn grow(tree: &Path, sources: &[PathBuf], factor: usize, target: &Path) -> std::io::Result<u64> {
    let mut bytes = 0;
    for copy in 0..factor {
        for source in sources {
            let mut content = fs::read(tree.join(source))?;
            if copy > 0 && !content.contains(&0) {
                writeln!(content, "\n# copy {copy}")?;
            }
            bytes += content.len() as u64;
            let place = target.join(format!("copy{copy}")).join(source);
            fs::create_dir_all(place.parent().unwrap_or(target))?;
            fs::write(place, content)?;
        }
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

/// Runs a program and returns its duration, and its peak memory if the system reports it.
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
