//! Writers that are killed, and writers that meet. The child process is this test binary itself, run again.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use index::{RefreshError, Store};
use process::{Bounds, End, Environment, Program};

use crate::tree::{files_with, options, put, refresh, tree};

const TREE: &str = "INDEX_TEST_TREE";
const CACHE: &str = "INDEX_TEST_CACHE";

/// Not a test of its own: the body of the child, which does nothing unless it is told where.
#[test]
fn child_writer() {
    let (Ok(tree), Ok(cache)) = (std::env::var(TREE), std::env::var(CACHE)) else { return };
    let store = Store::new(Path::new(&cache), Path::new(&tree));
    let until = Instant::now() + Duration::from_secs(20);
    while Instant::now() < until {
        match store.refresh(&options(), &|_| {}) {
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

/// The state of a tree: every file says the same round, so a mixed answer shows.
fn write_round(root: &Path, round: u64) {
    for file in 0..12 {
        put(
            root,
            &format!("src/f{file}.py"),
            format!("def round_{round}_file_{file}():\n    return marker\n"),
        );
    }
}

#[test]
fn a_writer_killed_at_any_moment_leaves_an_index_that_answers_rightly() {
    let tree = tree(&[]);
    let cache = tempfile::tempdir().unwrap();
    let store = Store::new(cache.path(), tree.path());
    refresh(&store);
    let (mut longest, mut written) = (20, 0);
    for round in 0..100 {
        write_round(tree.path(), round);
        // Killed at another moment each time: while scanning, analysing, writing, renaming, or between two builds. A slow
        // machine gets more time, until writers are killed after their first snapshot as well as before it.
        let time = Duration::from_millis(round * 7 % longest + 1);
        let before = fs::read(store.snapshot_path()).unwrap();
        assert_eq!(run_writer(tree.path(), cache.path(), time), End::TimedOut);
        if before == fs::read(store.snapshot_path()).unwrap() {
            longest = (longest + longest / 8 + 1).min(400);
        } else {
            written += 1;
        }
        let snapshot = store.open().unwrap();
        assert!(snapshot.verify(), "round {round}: the snapshot is damaged");
        let view = store.view_as_written().unwrap();
        let n_files = files_with(&view, "marker").len();
        assert!(n_files == 12 || (written == 0 && n_files == 0), "round {round}: {n_files} files");
        // Whichever round it describes, it describes it for files it has names of.
        for id in view.files() {
            let name = view.symbols_in(id).next().map(|symbol| symbol.name.to_owned()).unwrap();
            let number =
                view.path(id).trim_start_matches("src/f").trim_end_matches(".py").to_owned();
            assert!(
                name.ends_with(&format!("_file_{number}")),
                "round {round}: `{name}` in file {number}"
            );
        }
        assert!(!view.damaged());
    }
    assert!(written > 0, "no writer lived long enough to write");
    refresh(&store);
    let names = files_with(&store.view_as_written().unwrap(), "round_99_file_3");
    assert_eq!(names, ["src/f3.py"]);
    let leftovers = fs::read_dir(store.folder())
        .unwrap()
        .filter(|entry| entry.as_ref().unwrap().file_name().to_string_lossy().ends_with(".tmp"));
    assert_eq!(leftovers.count(), 0);
}

#[test]
fn two_writers_and_a_reader_do_not_disturb_each_other() {
    let tree = tree(&[]);
    write_round(tree.path(), 0);
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
        // Both ran until they were stopped: neither failed.
        assert_eq!(writers.map(|writer| writer.join().unwrap()), [End::TimedOut, End::TimedOut]);
    });
}
