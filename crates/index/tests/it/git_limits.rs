//! Tests builds in repositories in which git does not answer.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use index::{BuildOptions, HistoryOptions, HistoryState, RefreshError, Store, build_in_memory};
use rustix::fs::{CWD, FileType, Mode, mknodat};
use tempfile::TempDir;

use crate::clones::git;
use crate::tree::{files_with, options, tree};

/// The maximum time that git gets in these tests. A test does not wait for it unless it fails.
const GIT_TIME: Duration = Duration::from_secs(30);

fn make_pipe(path: &Path) {
    let _absent = fs::remove_file(path);
    mknodat(CWD, path, FileType::Fifo, Mode::from_raw_mode(0o600), 0).unwrap();
}

/// A repository with a tracked file that an ignore file matches.
fn repository() -> TempDir {
    let tree = tree(&[
        ("src/.gitignore", "kept.py\n"),
        ("src/kept.py", "def kept_thing(): pass\n"),
        ("a.py", "def other_thing(): pass\n"),
    ]);
    git(tree.path(), &["init", "-q"]);
    git(tree.path(), &["add", "--force", "."]);
    git(tree.path(), &["commit", "-qm", "start"]);
    tree
}

fn with_history() -> BuildOptions {
    let history = HistoryOptions::new(process::Environment::new(std::env::vars_os()));
    BuildOptions { history: Some(HistoryOptions { time: GIT_TIME, ..history }), ..options() }
}

/// Writes a program that adds a line to the file `started` and then runs `script`.
fn program(folder: &Path, script: &str) -> PathBuf {
    let path = folder.join("git");
    // A child process writes the file: if it were open for writing here while another test forks, it could not be
    // executed.
    let text = format!("#!/bin/sh\necho >> '{}'\n{script}\n", folder.join("started").display());
    let environment = process::Environment::new(std::env::vars_os());
    let writer = process::Program::new("/bin/sh", environment)
        .arguments(["-c", "cat > \"$0\" && chmod 755 \"$0\""])
        .arguments([&path])
        .stdin(text);
    let bounds = process::Bounds {
        deadline: Instant::now() + GIT_TIME,
        stdout_bytes: 1024,
        stderr_bytes: 1024,
    };
    assert_eq!(process::run(&writer, &bounds).unwrap().end, process::End::Exited(0));
    path
}

fn n_starts(folder: &Path) -> usize {
    fs::read_to_string(folder.join("started")).unwrap_or_default().lines().count()
}

#[test]
fn a50_git_opens_no_pipe_in_the_work_tree() {
    for name in [".gitignore", "src/.gitignore", ".mailmap", ".gitattributes", ".git/info/exclude"]
    {
        let repository = repository();
        make_pipe(&repository.path().join(name));
        let view = build_in_memory(repository.path(), &with_history()).unwrap();
        let meta = view.meta();
        assert_eq!((meta.history, meta.commits), (HistoryState::Complete, 1), "{name}");
        assert!(!meta.problems.iter().any(|it| it.contains("git ")), "{:?}", meta.problems);
        assert_eq!(files_with(&view, "kept_thing"), ["src/kept.py"], "{name}");
    }
}

#[test]
fn a50_git_is_not_started_if_a_file_that_it_opens_is_a_pipe() {
    for name in [
        "config",
        "index",
        "packed-refs",
        "refs/heads/other",
        "info/grafts",
        "objects/info/alternates",
    ] {
        let (repository, folder) = (repository(), tempfile::tempdir().unwrap());
        make_pipe(&repository.path().join(".git").join(name));
        let mut options = with_history();
        options.history.as_mut().unwrap().git = program(folder.path(), "exec git \"$@\"");
        let view = build_in_memory(repository.path(), &options).unwrap();
        assert_eq!((n_starts(folder.path()), view.meta().history), (0, HistoryState::Absent));
        let problems = view.meta().problems.join("\n");
        assert!(
            problems.contains(name) && problems.contains("is not a regular file"),
            "{problems}"
        );
        assert_eq!(files_with(&view, "other_thing"), ["a.py"]);
        let store = Store::new(folder.path(), repository.path());
        store.refresh(&options, &|_| {}).unwrap();
        assert!(!store.is_partial(&options), "the next refresh would build everything again");
    }
}

#[test]
fn a50_a_pipe_that_the_configuration_names_does_not_delay_a_build() {
    for (key, state) in
        [("diff.orderFile", HistoryState::Complete), ("include.path", HistoryState::Absent)]
    {
        let (repository, folder) = (repository(), tempfile::tempdir().unwrap());
        let pipe = folder.path().join("pipe");
        make_pipe(&pipe);
        git(repository.path(), &["config", key, pipe.to_str().unwrap()]);
        let view = build_in_memory(repository.path(), &with_history()).unwrap();
        let problems = view.meta().problems.join("\n");
        assert_eq!(view.meta().history, state, "{problems}");
        let is_named = problems.contains("pipe` is not a regular file");
        assert_eq!(is_named, state == HistoryState::Absent, "{problems}");
    }
}

#[test]
fn a40_a_build_with_a_deadline_does_not_spend_it_on_git() {
    let (repository, folder) = (repository(), tempfile::tempdir().unwrap());
    let mut options = with_history();
    options.history.as_mut().unwrap().git = program(folder.path(), "exec sleep 1000");
    options.history.as_mut().unwrap().time = Duration::from_secs(1_000);
    options.deadline = Some(Instant::now() + Duration::from_secs(8));
    // If git used the whole time, no file could be analysed, and the build would fail.
    let view = build_in_memory(repository.path(), &options).unwrap();
    assert_eq!(files_with(&view, "other_thing"), ["a.py"]);
    assert_eq!(view.meta().history, HistoryState::Pending);
    assert!(view.meta().problems.iter().any(|it| it.contains("git did not finish in time")));
    assert_eq!(n_starts(folder.path()), 1, "git was started again after it had not answered");
}

#[test]
fn a_history_that_a_deadline_has_cut_is_read_by_the_next_build() {
    let (repository, cache) = (repository(), tempfile::tempdir().unwrap());
    let store = Store::new(cache.path(), repository.path());
    let mut hurried = with_history();
    // The program answers the first two questions and then waits.
    let script = "case \"$*\" in *--name-status*) exec sleep 1000;; esac\nexec git \"$@\"";
    hurried.history.as_mut().unwrap().git = program(cache.path(), script);
    hurried.deadline = Some(Instant::now() + Duration::from_secs(8));
    store.refresh(&hurried, &|_| {}).unwrap();
    assert_eq!(store.open().unwrap().meta().history, HistoryState::Pending);
    assert!(store.is_partial(&with_history()));
    store.refresh(&with_history(), &|_| {}).unwrap();
    assert_eq!(store.open().unwrap().meta().history, HistoryState::Complete);
}

#[test]
fn a_tracked_file_that_a_dot_ignore_file_matches_is_left_out() {
    let repository = repository();
    fs::write(repository.path().join(".ignore"), "src/\n").unwrap();
    let view = build_in_memory(repository.path(), &with_history()).unwrap();
    assert_eq!(files_with(&view, "kept_thing"), Vec::<String>::new());
    assert_eq!(files_with(&view, "other_thing"), ["a.py"]);
}

#[test]
fn a50_a_pipe_in_the_cache_folder_does_not_stop_a_refresh() {
    let (repository, cache) = (repository(), tempfile::tempdir().unwrap());
    let store = Store::new(cache.path(), repository.path());
    let refresh = || {
        let (sender, receiver) = mpsc::channel();
        let store = store.clone();
        std::thread::spawn(move || sender.send(store.refresh(&options(), &|_| {})));
        receiver.recv_timeout(Duration::from_secs(60)).unwrap()
    };
    refresh().unwrap();
    for name in ["attempts", "lock"] {
        make_pipe(&store.folder().join(name));
        fs::write(repository.path().join("a.py"), format!("def {name}_thing(): pass\n")).unwrap();
        match refresh() {
            Err(RefreshError::Unwritable { source, .. }) => {
                assert!(source.to_string().contains("lock` is not a regular file"), "{source}");
            }
            refreshed => assert_eq!((name, refreshed.unwrap().analysed), ("attempts", 1)),
        }
    }
}
