//! Tests killed writers and concurrent writers. The child process is this test binary.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use index::{BuildOptions, RefreshError, Store};
use process::{Bounds, End, Environment, Program};

use crate::tree::{files_with, options, put, refresh, tree};

const TREE: &str = "INDEX_TEST_TREE";
const CACHE: &str = "INDEX_TEST_CACHE";

/// The entry point of the child process. Does nothing in a normal test run.
#[test]
fn child_writer() {
    let (Ok(tree), Ok(cache)) = (std::env::var(TREE), std::env::var(CACHE)) else { return };
    let store = Store::new(Path::new(&cache), Path::new(&tree));
    let until = Instant::now() + Duration::from_secs(20);
    while Instant::now() < until {
        let options = BuildOptions { complete: false, ..options() };
        match store.refresh(&options, &|_| {}) {
            Ok(_) | Err(RefreshError::Busy) => {}
            Err(error) => panic!("{error}"),
        }
    }
}

fn run_writer(tree: &Path, cache: &Path, time: Duration) -> End {
    let environment = Environment::new(std::env::vars_os()).with(TREE, tree).with(CACHE, cache);
    let program = Program::new(std::env::current_exe().unwrap(), environment).arguments([
        "--exact",
        "writers::child_writer",
        "--quiet",
    ]);
    let bounds = Bounds { deadline: Instant::now() + time, stdout_bytes: 4096, stderr_bytes: 4096 };
    process::run(&program, &bounds).unwrap().end
}

/// Writes the same round number into every file, so that an index with files of different rounds is detected.
fn write_round(root: &Path, n_files: usize, round: u64) {
    for file in 0..n_files {
        let text = format!("def round_{round}_file_{file}():\n    return marker\n");
        put(root, &format!("src/f{file}.py"), text);
    }
}

/// Kills writers at different moments: while they scan, analyse, write or rename, or between two builds. On a slow
/// machine the delays grow until some writers are killed after they have written. `n_files` files change in each round, and
/// `n_others` do not.
fn kill_writers(n_files: usize, n_others: usize, n_rounds: u64) {
    let tree = tree(&[]);
    for file in 0..n_others {
        put(tree.path(), &format!("other/f{file}.py"), format!("def other_{file}(): pass\n"));
    }
    let cache = tempfile::tempdir().unwrap();
    let store = Store::new(cache.path(), tree.path());
    write_round(tree.path(), n_files, n_rounds);
    refresh(&store);
    let state = || {
        let view = store.view_as_written().unwrap();
        view.files()
            .flat_map(|id| view.symbols_in(id))
            .map(|symbol| symbol.name.to_owned())
            .collect::<Vec<_>>()
    };
    let (mut longest, mut written) = (20, 0);
    for round in 0..n_rounds {
        write_round(tree.path(), n_files, round);
        let before = state();
        let time = Duration::from_millis(round * 7_919 % longest + 1);
        assert_eq!(run_writer(tree.path(), cache.path(), time), End::TimedOut);
        match before == state() {
            // Stops increasing the delay at 400 ms, unless no writer has finished yet.
            true if longest < 400 || written == 0 => longest += longest / 8 + 1,
            true => {}
            false => written += 1,
        }
        assert!(store.verify().is_ok(), "round {round}: the index is damaged");
        let view = store.view_as_written().unwrap();
        assert_eq!(files_with(&view, "marker").len(), n_files, "round {round}");
        let changing = view.files().filter(|id| view.path(*id).starts_with("src/"));
        for id in changing {
            let name = view.symbols_in(id).next().map(|symbol| symbol.name.to_owned()).unwrap();
            let number = view.path(id).trim_start_matches("src/f").trim_end_matches(".py");
            assert!(
                name.ends_with(&format!("_file_{number}")),
                "round {round}: `{name}` in file {number}"
            );
        }
        assert!(!view.damaged());
    }
    assert!(written > 0, "every writer was killed before it wrote");
    refresh(&store);
    let last =
        files_with(&store.view_as_written().unwrap(), &format!("round_{}_file_3", n_rounds - 1));
    assert_eq!(last, ["src/f3.py"]);
    let leftovers = fs::read_dir(store.folder())
        .unwrap()
        .filter(|entry| entry.as_ref().unwrap().file_name().to_string_lossy().ends_with(".tmp"));
    assert_eq!(leftovers.count(), 0);
}

#[test]
fn a_killed_writer_of_snapshots_leaves_a_correct_index() {
    kill_writers(40, 0, 60);
}

#[test]
fn a_killed_writer_of_deltas_leaves_a_correct_index() {
    kill_writers(12, 0, 60);
}

#[test]
fn a_killed_writer_of_patches_leaves_a_correct_index() {
    kill_writers(36, 400, 60);
}

#[test]
fn two_writers_and_a_reader_do_not_disturb_each_other() {
    let tree = tree(&[]);
    write_round(tree.path(), 12, 0);
    let cache = tempfile::tempdir().unwrap();
    let store = Store::new(cache.path(), tree.path());
    refresh(&store);
    let time = Duration::from_millis(700);
    std::thread::scope(|scope| {
        let writers = [(); 2].map(|()| scope.spawn(|| run_writer(tree.path(), cache.path(), time)));
        let until = Instant::now() + time;
        let mut looks = 0;
        while Instant::now() < until || looks == 0 {
            let view = store.view_as_written().unwrap();
            assert_eq!(files_with(&view, "marker").len(), 12);
            assert!(!view.damaged());
            looks += 1;
        }
        // Both writers ran until they were stopped, so neither failed.
        assert_eq!(writers.map(|writer| writer.join().unwrap()), [End::TimedOut, End::TimedOut]);
    });
}
